import Foundation
public import IMDF

/// A feature of a ``VenueMap``.
public struct MapFeature: Hashable, Sendable {
    public let id: FeatureID
    public let type: FeatureType
    public internal(set) var placement: Placement
    /// The canonical body as received.
    public let body: [UInt8]
    /// Empty if the body has none.
    public let properties: JSONObject
    /// Nil if there is no geometry that can be drawn.
    public let box: BoundingBox?
    let shape: Shape
    let isMultiPolygon: Bool
    /// Whether a strict GeoJSON parser accepts the body unchanged.
    let isStrict: Bool
    /// Whether the levels that the feature touches are determined by the map.
    let hasComputedTouches: Bool

    /// A property; nil if it is missing or null.
    public subscript(key: String) -> JSONValue? {
        guard let value = self.properties[key], !value.isNull else { return .none }
        return value
    }

    public var category: String? { self["category"]?.string }

    public var hasGeometry: Bool { self.shape != .none }
}

/// Parses bodies.
struct FeatureReader {
    /// Nil unless the body is a JSON object.
    let content: ([UInt8]) -> JSONObject?

    /// Foundation's decoder, which exists on every platform.
    static var foundation: FeatureReader {
        let decoder = JSONDecoder()
        return FeatureReader { body in
            // The decoder hashes the names of members, which takes long for very many marks.
            guard !CombiningMarks.areTooMany(inJSON: body) else { return nil }
            return (try? decoder.decode(JSONValue.self, from: Data(body)))?.object
        }
    }

    func feature(of entry: VenueMap.Entry) -> MapFeature? {
        guard let content = self.content(entry.body) else { return nil }
        let geometry = content["geometry"]
        let shape = Shape(geometry)
        return MapFeature(
            id: entry.id, type: entry.type, placement: entry.placement, body: entry.body,
            properties: content["properties"]?.object ?? [:], box: shape.box, shape: shape,
            isMultiPolygon: geometry?["type"] == "MultiPolygon",
            isStrict: content["type"] == "Feature" && content["id"] == .string(entry.id.description)
                && content["properties"]?.object != nil && (geometry?.isNull == true || shape != .none),
            hasComputedTouches: entry.placement.level == nil && entry.placement.touches.isEmpty
                && !TouchedLevels.typesWithoutLevel.contains(entry.type))
    }
}
