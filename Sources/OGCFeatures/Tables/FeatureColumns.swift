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
        Self.forEach(of: properties) { name, isDerived, value in
            let member = JSONObject.Member(key: name, value: value(language))
            if isDerived { derived.append(member) } else { own.append(member) }
        }
        return JSONObject(derived + own).members
    }

    /// The names of the columns of a feature, in any order; some may be there twice.
    package static func names(of properties: JSONObject) -> [String] {
        var names: [String] = []
        Self.forEach(of: properties) { name, _, _ in names.append(name) }
        return names
    }

    /// Calls a function with the name of each column, whether it is derived from an object, and its value by the language of the venue.
    private static func forEach(
        of properties: JSONObject,
        _ body: (_ name: String, _ isDerived: Bool, _ value: (_ language: String?) -> JSONValue) -> Void
    ) {
        for member in properties.members {
            switch member.value {
            case .object(let object) where Self.labels.contains(member.key):
                body(member.key, true) { language in
                    Labels(member.value).map { .string($0.text(archiveLanguage: language)) } ?? .null
                }
                for entry in object.members where Self.isLanguageTag(entry.key) {
                    body("\(member.key)_\(entry.key.lowercased())", true) { _ in Self.text(entry.value) }
                }
            case .null where member.key == "display_point":
                for name in Self.displayPoint { body(name, true) { _ in .null } }
            case .object(let object):
                if member.key == "display_point", let position = object["coordinates"]?.array, position.count >= 2,
                    position[0].number != nil, position[1].number != nil
                {
                    for (name, ordinate) in zip(Self.displayPoint, position) { body(name, true) { _ in ordinate } }
                    continue
                }
                body(member.key, false) { _ in Self.json(member.value) }
            case .array(let elements):
                let isFlat = elements.allSatisfy { $0.object == nil && $0.array == nil }
                body(member.key, false) { _ in isFlat ? member.value : Self.json(member.value) }
            default: body(member.key, false) { _ in member.value }
            }
        }
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
