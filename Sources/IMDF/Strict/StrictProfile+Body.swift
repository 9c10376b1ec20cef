extension StrictProfile {
    /// The edition of ``strictBody(of:_:)`` and of the selection: it changes when equal features give another result.
    package static let edition = 1

    /// The body that a strict decoder receives, or nil if that is the stored one.
    ///
    /// It depends on the stored body alone. In features of the types that IMDF defines:
    ///
    /// - A Multi* geometry of one part becomes that part, and the geometry of a type without one becomes null.
    /// - Optional members of another type than IMDF requires become null: labels, display points, lists of buildings, addresses.
    /// - A missing `outdoor` becomes false. A text where a label is required becomes the label's text without a language (`und`).
    /// - Members whose keys a decoder cannot distinguish from those that it reads, such as `levelId`, are removed.
    /// - The venue, without which nothing can be decoded, receives a category, and null for everything that is malformed.
    ///
    /// The result is not a stored body, and no digest covers it.
    public static func strictBody(of type: FeatureType, _ body: JSONValue) -> JSONValue? {
        guard type.isStandard, case .object(let stored) = body else { return nil }
        var feature = stored
        var isRepaired = false
        func set(_ key: String, _ value: JSONValue) {
            feature[key] = value
            isRepaired = true
        }
        if let geometry = self.repairedGeometry(stored["geometry"], of: type) { set("geometry", geometry) }
        if type == .venue, stored["type"] != "Feature" { set("type", "Feature") }
        if let properties = stored["properties"]?.object {
            if let repaired = self.repaired(properties, of: type) { set("properties", .object(repaired)) }
        } else if type == .venue {
            set("properties", .object(self.repaired([:], of: type) ?? [:]))
        }
        return isRepaired ? .object(feature) : nil
    }

    /// The geometry that replaces one that decoders do not accept, or accept and do not draw.
    private static func repairedGeometry(_ geometry: JSONValue?, of type: FeatureType) -> JSONValue? {
        let required = type.geometryClass
        switch required {
        case .any: return nil
        case .none: return geometry == .some(.null) ? nil : .some(.null)
        default: break
        }
        let part = geometry.flatMap(self.onlyPart(of:))
        if type == .venue, geometry != .some(.null), !GeoJSONGeometry.isValid(part ?? geometry, of: required) {
            return .some(.null)
        }
        return part
    }

    /// The part of a Multi* geometry of one part.
    private static func onlyPart(of geometry: JSONValue) -> JSONValue? {
        guard var object = geometry.object, let type = object["type"]?.string, type.hasPrefix("Multi"),
            let parts = object["coordinates"]?.array, parts.count == 1
        else { return nil }
        object["type"] = .string(String(type.dropFirst("Multi".count)))
        object["coordinates"] = parts[0]
        return .object(object)
    }

    private static func repaired(_ stored: JSONObject, of type: FeatureType) -> JSONObject? {
        var properties = stored
        var isRepaired = false
        for member in stored.members where self.isAmbiguous(member.key) {
            properties[member.key] = .none
            isRepaired = true
        }
        if type == .venue {
            for key in ["level_id", "unit_id", "unit_ids", "anchor_id"] where properties[key] != .none {
                properties[key] = .none
                isRepaired = true
            }
        }
        for member in StrictMember.members(of: type) {
            var value = properties[member.key] ?? .null
            if member.form.accepts(value) || member.fallback == .some(value) { continue }
            if member.form == .label { value = self.label(value) ?? value }
            guard let repaired = member.form.accepts(value) ? value : member.fallback else { continue }
            properties[member.key] = repaired
            isRepaired = true
        }
        return isRepaired ? properties : nil
    }

    /// A label of the texts in a value.
    private static func label(_ value: JSONValue) -> JSONValue? {
        switch value {
        case .string(let text): return ["und": .string(text)]
        case .object(let texts):
            let texts = texts.members.filter { $0.value.string != nil }
            return texts.isEmpty ? nil : .object(JSONObject(texts))
        default: return nil
        }
    }

    // MARK: - Keys

    /// The members of two words that decoders read.
    private static let keys: [(words: [String], camelCase: String)] = [
        "address_id", "anchor_id", "building_ids", "display_point", "level_id", "short_name", "unit_id", "unit_ids",
    ].map { (key: String) in
        let words = key.split(separator: "_").map { String($0) }
        return (words, words[0] + words[1].prefix(1).uppercased() + words[1].dropFirst())
    }

    /// Whether a decoder that converts keys from snake_case takes the key for one of ``keys`` that is written in another way.
    private static func isAmbiguous(_ key: String) -> Bool {
        guard key.utf8.contains(UInt8(ascii: "_")) else { return self.keys.contains { $0.camelCase == key } }
        guard !key.hasPrefix("_"), !key.hasSuffix("_") else { return false }
        let words = key.lowercased().split(separator: "_")
        guard words.count == 2, key != words.joined(separator: "_") else { return false }
        return self.keys.contains { $0.words[0] == words[0] && $0.words[1] == words[1] }
    }
}
