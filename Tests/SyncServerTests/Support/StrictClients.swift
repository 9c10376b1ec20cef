import Foundation
import IMDF

/// Decoders as apps have them: all or nothing, Codable structs, keys converted from snake_case.
enum StrictClients {
    struct Refused: Error, CustomStringConvertible {
        let description: String
    }

    typealias Labels = [String: String]

    struct Collection<Properties: Decodable>: Decodable {
        let features: [Feature<Properties>]
    }

    struct Feature<Properties: Decodable>: Decodable {
        let id: UUID
        let type: String
        let geometry: StrictGeometry?
        let properties: Properties
    }

    /// Features by type. A type without features has an empty collection.
    struct Files {
        let bodies: [FeatureType: [[UInt8]]]

        func decode<Properties: Decodable>(_ type: FeatureType, _: Properties.Type) throws -> [Feature<Properties>] {
            let bodies = self.bodies[type] ?? []
            let text =
                Data(#"{"type":"FeatureCollection","features":["#.utf8)
                + Data(bodies.joined(separator: Array(",".utf8))) + Data("]}".utf8)
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            do {
                let features = try decoder.decode(Collection<Properties>.self, from: text).features
                guard features.allSatisfy({ $0.type == "Feature" }) else { throw Refused(description: "not a Feature") }
                return features
            } catch {
                throw Refused(description: "\(type.rawValue): \(error)")
            }
        }
    }

    static func require(_ condition: Bool, _ message: String) throws {
        guard condition else { throw Refused(description: message) }
    }
}

/// A floor-map app: geometries of its classes only, and every reference has to resolve.
struct FloorMapClient {
    struct Category: Decodable { let category: String }
    struct Level: Decodable {
        let ordinal: Int
        let category: String
        let shortName: StrictClients.Labels
    }
    struct Unit: Decodable {
        let category: String
        let levelId: UUID
        let name: StrictClients.Labels?
    }
    struct Opening: Decodable {
        let category: String
        let levelId: UUID
    }
    struct Amenity: Decodable {
        let category: String
        let unitIds: [UUID]
        let name: StrictClients.Labels?
    }
    struct Anchor: Decodable {
        let unitId: UUID
        let addressId: String?
    }
    struct Occupant: Decodable {
        let category: String
        let name: StrictClients.Labels
        let anchorId: UUID
        let hours: String?
    }

    /// - Returns: The number of features.
    @discardableResult
    static func decode(_ files: StrictClients.Files) throws -> Int {
        let venues = try files.decode(.venue, Category.self)
        try StrictClients.require(venues.count == 1, "\(venues.count) venues")
        let levels = try files.decode(.level, Level.self)
        let units = try files.decode(.unit, Unit.self)
        let openings = try files.decode(.opening, Opening.self)
        let amenities = try files.decode(.amenity, Amenity.self)
        let anchors = try files.decode(.anchor, Anchor.self)
        let occupants = try files.decode(.occupant, Occupant.self)
        try StrictClients.require(
            (levels.map(\.geometry) + units.map(\.geometry)).allSatisfy(\.isPolygonal), "polygons")
        // One part is a Polygon: the app does not draw MultiPolygons.
        try StrictClients.require(units.allSatisfy { $0.geometry?.parts != 1 || !$0.geometry.isMulti }, "one part")
        try StrictClients.require(openings.allSatisfy { $0.geometry?.type == "LineString" }, "LineString")
        let points = amenities.map(\.geometry) + anchors.map(\.geometry)
        try StrictClients.require(points.allSatisfy { $0?.type == "Point" }, "Point")
        let levelIDs = Set(levels.map(\.id))
        let levelReferences = units.map(\.properties.levelId) + openings.map(\.properties.levelId)
        try StrictClients.require(levelReferences.allSatisfy(levelIDs.contains), "level_id")
        let unitIDs = Set(units.map(\.id))
        let unitReferences = amenities.flatMap(\.properties.unitIds) + anchors.map(\.properties.unitId)
        try StrictClients.require(unitReferences.allSatisfy(unitIDs.contains), "unit_id")
        let anchorIDs = Set(anchors.map(\.id))
        try StrictClients.require(occupants.map(\.properties.anchorId).allSatisfy(anchorIDs.contains), "anchor_id")
        return 1 + levels.count + units.count + openings.count + amenities.count + anchors.count + occupants.count
    }
}

/// An app on MKGeoJSONDecoder, which decodes the members of every type.
struct MapKitClient {
    struct Category: Decodable { let category: String }
    struct Level: Decodable {
        let ordinal: Int
        let category: String
        let shortName: StrictClients.Labels
        let outdoor: Bool
        let buildingIds: [String]?
    }
    struct OnLevel: Decodable { let levelId: UUID }
    struct Place: Decodable {
        let category: String
        let levelId: UUID
    }
    struct Amenity: Decodable {
        let category: String
        let unitIds: [UUID]
        let name: StrictClients.Labels?
    }
    struct Anchor: Decodable {
        let unitId: UUID
        let addressId: String?
    }
    struct Occupant: Decodable {
        let category: String
        let name: StrictClients.Labels
        let anchorId: UUID
        let hours: String?
        let phone: String?
        let website: URL?
    }
    struct Footprint: Decodable {
        let category: String
        let buildingIds: [UUID]
    }
    struct Building: Decodable {
        let category: String
        let name: StrictClients.Labels?
        let displayPoint: StrictGeometry?
    }
    struct Address: Decodable {
        let address: String
        let locality: String
        let country: String
        let province: String?
    }
    struct Relationship: Decodable {
        let category: String
        let direction: String
    }

    static func decode(_ files: StrictClients.Files) throws {
        try StrictClients.require(try files.decode(.venue, Category.self).count == 1, "one venue")
        _ = try files.decode(.level, Level.self)
        _ = try files.decode(.unit, Place.self)
        _ = try files.decode(.opening, Place.self)
        let points =
            try files.decode(.amenity, Amenity.self).map(\.geometry)
            + files.decode(.anchor, Anchor.self).map(\.geometry)
        try StrictClients.require(points.allSatisfy { $0?.type == "Point" }, "geometry[0]")
        _ = try files.decode(.occupant, Occupant.self)
        _ = try files.decode(.footprint, Footprint.self)
        for type in [FeatureType.fixture, .section, .kiosk, .detail] { _ = try files.decode(type, OnLevel.self) }
        for type in [FeatureType.building, .geofence] {
            let displayPoints = try files.decode(type, Building.self).compactMap(\.properties.displayPoint)
            try StrictClients.require(displayPoints.allSatisfy { $0.type == "Point" }, "display_point")
        }
        _ = try files.decode(.address, Address.self)
        _ = try files.decode(.relationship, Relationship.self)
    }
}
