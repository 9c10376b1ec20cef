package import IMDF

/// One feature of a sample venue: the whole GeoJSON object, which can be edited.
package struct SampleFeature: Hashable, Sendable {
    package var id: FeatureID {
        didSet { self.body["id"] = .string(self.id.description) }
    }

    package var type: FeatureType {
        didSet { self.body["feature_type"] = .string(self.type.rawValue) }
    }

    /// All members, including those that IMDF does not define.
    package private(set) var body: JSONObject

    package init(id: FeatureID, type: FeatureType, geometry: JSONValue, properties: JSONObject) {
        self.id = id
        self.type = type
        self.body = [
            "feature_type": .string(type.rawValue), "geometry": geometry, "id": .string(id.description),
            "properties": .object(properties), "type": "Feature",
        ]
    }

    /// Takes a whole feature; its `id` and `feature_type` become the ones given.
    package init(id: FeatureID, type: FeatureType, body: JSONObject) {
        self.id = id
        self.type = type
        self.body = body
        self.body["id"] = .string(id.description)
        self.body["feature_type"] = .string(type.rawValue)
    }

    package var geometry: JSONValue {
        get { self.body["geometry"] ?? .null }
        set { self.body["geometry"] = newValue }
    }

    package var properties: JSONObject {
        get { self.body["properties"]?.object ?? [:] }
        set { self.body["properties"] = .object(newValue) }
    }

    /// A property; nil when the member is missing.
    package subscript(property: String) -> JSONValue? {
        get { self.body["properties"]?[property] }
        set {
            var properties = self.properties
            properties[property] = newValue
            self.properties = properties
        }
    }
}
