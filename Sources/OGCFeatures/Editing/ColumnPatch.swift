package import IMDF
import IMDFArchive

/// Turns columns that a client sends back into the properties that they are made from: the opposite of ``FeatureColumns``.
///
/// A column that is made from something else, such as `name` from `name_en`, is compared with what the client was shown. If the value is
/// the same, it is no change. A property may also be sent as it is stored.
package struct ColumnPatch: Sendable {
    let type: FeatureType
    /// Of the venue.
    let language: String?

    package init(type: FeatureType, language: String?) {
        (self.type, self.language) = (type, language)
    }

    /// The merge patch of a feature that does what a merge patch of its columns says.
    ///
    /// - Parameters:
    ///   - feature: As it is stored.
    ///   - level: Where the feature is.
    package func patch(
        _ patch: JSONObject, of feature: JSONObject, on level: FeatureID?
    ) throws(InvalidColumn) -> JSONObject {
        guard let columns = patch["properties"]?.object else { return patch }
        try self.checkSize(of: columns, feature)
        var result = patch
        result["properties"] = .object(
            try PropertyPatch(feature["properties"]?.object ?? [:], on: level, isNew: false, self).patch(columns))
        return result
    }

    /// The merge patch that turns a feature into another one, whose properties are complete: what it does not have is removed.
    package func replacement(
        _ replacement: JSONObject, of feature: JSONObject, on level: FeatureID?
    ) throws(InvalidColumn) -> JSONObject {
        try self.check(replacement, id: feature["id"]?.string)
        guard let geometry = replacement["geometry"] else {
            throw InvalidColumn(
                "/geometry", "A feature that replaces another one must have a geometry, which may be null.")
        }
        let properties = feature["properties"]?.object ?? [:]
        let columns = replacement["properties"]?.object ?? [:]
        try self.checkSize(of: columns, feature)
        let patch = PropertyPatch(properties, on: level, isNew: false, self)
        return ["geometry": geometry, "properties": .object(try patch.patch(patch.completed(columns)))]
    }

    /// A new feature as it is to be stored.
    ///
    /// - Parameter id: Of a feature that is sent without one.
    package func feature(_ feature: JSONObject, id: FeatureID) throws(InvalidColumn) -> JSONObject {
        try self.check(feature, id: nil)
        var properties: JSONObject = [:]
        let columns = feature["properties"]?.object ?? [:]
        try self.checkSize(of: columns, [:])
        for member in try PropertyPatch([:], on: nil, isNew: true, self).patch(columns).members {
            properties[member.key] = .some(member.value)
        }
        var feature = feature
        if (feature["id"] ?? .null).isNull { feature["id"] = .string(id.description) }
        return [
            "id": feature["id"] ?? .null, "type": "Feature", "feature_type": .string(self.type.rawValue),
            "geometry": feature["geometry"] ?? .null, "properties": .object(properties),
        ]
    }

    /// The most columns, properties and languages. The time that is needed grows with their products.
    private static let maxColumns = 1_000

    private func checkSize(of columns: JSONObject, _ feature: JSONObject) throws(InvalidColumn) {
        let properties = feature["properties"]?.object ?? [:]
        let languages = FeatureColumns.labels.map { properties[$0]?.object?.members.count ?? 0 }
        guard max(columns.members.count, properties.members.count, languages.max() ?? 0) <= Self.maxColumns else {
            throw InvalidColumn(
                "/properties", "Features with more than 1,000 properties or languages cannot be edited by columns.")
        }
    }

    /// Refuses what is no feature of the collection.
    private func check(_ feature: JSONObject, id: String?) throws(InvalidColumn) {
        guard feature["type"] == "Feature" else {
            throw InvalidColumn("/type", "A GeoJSON object of the type “Feature” is expected.")
        }
        guard feature["properties"].map({ $0.isNull || $0.object != nil }) ?? true else {
            throw InvalidColumn("/properties", "The properties must be an object.")
        }
        if let type = feature["feature_type"], type != .string(self.type.rawValue) {
            throw InvalidColumn("/feature_type", "The collection has features of the type “\(self.type.rawValue)”.")
        }
        if let id, let sent = feature["id"], sent.string?.lowercased() != id {
            throw InvalidColumn("/id", "The id must be that of the address.")
        }
    }
}

/// A column that cannot be turned back into a property.
package struct InvalidColumn: Error, Hashable {
    /// The place in the request, as an RFC 6901 pointer.
    package let pointer: String
    package let detail: String

    init(_ pointer: String, _ detail: String) {
        (self.pointer, self.detail) = (pointer, detail)
    }

    static func column(_ name: String, _ detail: String) -> InvalidColumn {
        InvalidColumn("/properties/\(JSONPointer.token(name))", detail)
    }
}
