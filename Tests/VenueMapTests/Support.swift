import Foundation
import IMDF
import SampleVenue
import VenueMap

extension FeatureID {
    /// An id with a readable number.
    init(_ number: Int) {
        self.init(high: 0x4000_8000, low: UInt64(number))
    }
}

extension VenueMap.Entry {
    init(
        _ id: Int, _ type: FeatureType, on level: Int? = nil, touching touches: [Int] = [],
        _ properties: JSONValue = [:], geometry: JSONValue = nil
    ) {
        let id = FeatureID(id)
        self.init(
            id: id, type: type,
            placement: Placement(level: level.map { FeatureID($0) }, touches: touches.map { FeatureID($0) }),
            body: CanonicalJSON.data([
                "feature_type": .string(type.rawValue), "geometry": geometry, "id": .string(id.description),
                "properties": properties, "type": "Feature",
            ]))
    }
}

/// Geometries for test features.
enum Make {
    static func point(_ longitude: Double, _ latitude: Double) -> JSONValue {
        ["type": "Point", "coordinates": [.number(longitude), .number(latitude)]]
    }

    static func ring(_ positions: [(Double, Double)]) -> JSONValue {
        .array((positions + [positions[0]]).map { [.number($0.0), .number($0.1)] })
    }

    static func polygon(_ rings: [(Double, Double)]...) -> JSONValue {
        ["type": "Polygon", "coordinates": .array(rings.map { self.ring($0) })]
    }

    static func square(_ west: Double, _ south: Double, _ size: Double) -> [(Double, Double)] {
        [(west, south), (west + size, south), (west + size, south + size), (west, south + size)]
    }

    static func id(_ number: Int) -> JSONValue { .string(FeatureID(number).description) }
}

extension VenueMap {
    /// A sample venue, with every feature on its assigned level.
    init(_ venue: SampleVenue) {
        let levels = Set(venue.features.filter { $0.type == .level }.map(\.id))
        self.init(
            venue.features.map { feature in
                let level = feature["level_id"]?.string.flatMap { FeatureID($0) }
                return Entry(
                    id: feature.id, type: feature.type,
                    placement: Placement(level: level.flatMap { levels.contains($0) ? $0 : nil }),
                    body: CanonicalJSON.data(.object(feature.body)))
            }, timeZone: "Asia/Tokyo", language: "ja")
    }
}

extension [UInt8] {
    /// Parses JSON.
    var json: JSONValue {
        get throws { try JSONDecoder().decode(JSONValue.self, from: Data(self)) }
    }
}
