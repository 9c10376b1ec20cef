package import IMDF

/// The properties of a feature as columns of a table, which programs for geographic data can show: names by language, no nested objects.
package enum FeatureColumns {
    /// The most columns that all features of a collection have. Further ones are only in the features that have a value.
    package static let maximum = 256

    static let labels: Set = ["name", "alt_name", "short_name"]
    /// The columns of a display point.
    static let displayPoint = ["display_point_lon", "display_point_lat"]

    /// The columns of a feature, with unique names, in canonical order.
    ///
    /// - A label becomes a column with the text in the language of the venue, and one for each language.
    /// - `display_point` becomes two numbers.
    /// - Other objects, and arrays that contain objects or arrays, become JSON text.
    ///
    /// A property of the feature that has the name of such a column has precedence.
    static func values(of properties: JSONObject, language: String?) -> [JSONObject.Member] {
        var (derived, own): ([JSONObject.Member], [JSONObject.Member]) = ([], [])
        for member in properties.members {
            switch member.value {
            case .object(let object) where Self.labels.contains(member.key):
                let text = Labels(member.value)?.text(archiveLanguage: language)
                derived.append(.init(key: member.key, value: text.map { .string($0) } ?? .null))
                for entry in object.members where Self.isLanguageTag(entry.key) {
                    derived.append(.init(key: "\(member.key)_\(entry.key.lowercased())", value: Self.text(entry.value)))
                }
            case .null where member.key == "display_point": derived += Self.displayPoint(.null, .null)
            case .object(let object):
                if member.key == "display_point", let position = object["coordinates"]?.array, position.count >= 2,
                    position[0].number != nil, position[1].number != nil
                {
                    derived += Self.displayPoint(position[0], position[1])
                    continue
                }
                own.append(.init(key: member.key, value: Self.json(member.value)))
            case .array(let elements):
                let isFlat = elements.allSatisfy { $0.object == nil && $0.array == nil }
                own.append(isFlat ? member : .init(key: member.key, value: Self.json(member.value)))
            default: own.append(member)
            }
        }
        return JSONObject(derived + own).members
    }

    /// The properties of a feature as they are sent.
    ///
    /// - Parameters:
    ///   - level: Where the feature is; the value of `level_id` unless the feature has one itself.
    ///   - columns: Those that every feature of the collection has.
    package static func properties(
        _ properties: JSONObject, type: FeatureType, level: FeatureID?, columns: [String], language: String?
    ) -> JSONObject {
        let missing = columns.map { JSONObject.Member(key: $0, value: .null) }
        let levelID = JSONObject.Member(key: "level_id", value: level.map { .string($0.description) } ?? .null)
        let featureType = JSONObject.Member(key: "feature_type", value: .string(type.rawValue))
        // The last member with a name is used.
        return JSONObject(missing + [levelID] + Self.values(of: properties, language: language) + [featureType])
    }

    private static func displayPoint(_ longitude: JSONValue, _ latitude: JSONValue) -> [JSONObject.Member] {
        [.init(key: Self.displayPoint[0], value: longitude), .init(key: Self.displayPoint[1], value: latitude)]
    }

    private static func text(_ value: JSONValue) -> JSONValue { value.string == nil ? .null : value }

    private static func json(_ value: JSONValue) -> JSONValue {
        .string(String(decoding: CanonicalJSON.data(value), as: UTF8.self))
    }

    static func isLanguageTag(_ text: String) -> Bool {
        (2...35).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
            }
    }
}
