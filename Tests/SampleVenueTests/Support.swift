import Foundation
import IMDF
import SampleVenue

extension SampleVenue {
    func features(_ type: FeatureType) -> [SampleFeature] { self.features.filter { $0.type == type } }

    var byID: [FeatureID: SampleFeature] {
        Dictionary(self.features.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Descriptions of all inconsistencies of a venue; empty if it is consistent.
    var problems: [String] {
        let byID = self.byID
        var problems: [String] = byID.count == self.features.count ? [] : ["duplicate id"]
        var referred: Set<FeatureID> = []
        var correlated: [String: Int] = [:]
        for feature in self.features {
            if feature.body["id"] != .string(feature.id.description) {
                problems.append("\(feature.id): the body has another id")
            }
            for (member, types) in Self.targets {
                let values = feature[member].map { $0.array ?? [$0] } ?? []
                for value in values where !value.isNull {
                    let text = value.string ?? value["id"]?.string ?? ""
                    guard let id = FeatureID(text), let target = byID[id] else {
                        problems.append("\(feature.type.rawValue) \(feature.id): \(member) has no target")
                        continue
                    }
                    referred.insert(id)
                    let declared = value["feature_type"]?.string ?? target.type.rawValue
                    if !types.isEmpty, !types.contains(target.type) || declared != target.type.rawValue {
                        problems.append("\(feature.type.rawValue) \(feature.id): \(member) has another type")
                    }
                }
            }
            for member in Self.needed[feature.type] ?? [] where (feature[member] ?? .null).isNull {
                problems.append("\(feature.type.rawValue) \(feature.id): no \(member)")
            }
            if let text = feature["correlation_id"]?.string { correlated[text, default: 0] += 1 }
        }
        for address in self.features(.address) where !referred.contains(address.id) {
            problems.append("address \(address.id): not referred to")
        }
        for (correlation, count) in correlated where count < 2 {
            problems.append("correlation \(correlation): only one feature")
        }
        return problems
    }

    /// The types that members may refer to; an empty list allows any type.
    private static let targets: [(String, Set<FeatureType>)] = [
        ("level_id", [.level]), ("level_ids", [.level]), ("unit_id", [.unit]), ("unit_ids", [.unit]),
        ("anchor_id", [.anchor]), ("building_ids", [.building]), ("address_id", [.address]),
        ("parents", [.section, .geofence]), ("origin", [.unit, .opening]), ("intermediary", [.unit, .opening]),
        ("destination", [.unit, .opening]), ("nearest_unit", [.unit]),
    ]

    private static let needed: [FeatureType: [String]] = [
        .unit: ["level_id", "category"], .opening: ["level_id", "category"], .fixture: ["level_id"],
        .kiosk: ["level_id"],
        .detail: ["level_id"], .section: ["level_id"], .anchor: ["unit_id"], .amenity: ["unit_ids", "category"],
        .occupant: ["anchor_id", "name", "category"], .footprint: ["building_ids"], .geofence: ["level_ids"],
        .relationship: ["origin", "destination"], .level: ["ordinal", "name", "short_name", "outdoor"],
        .venue: ["address_id", "name", "display_point"],
    ]
}

/// Reads a file of an archive with an independent parser.
func decode(_ bytes: [UInt8]) throws -> JSONValue {
    try JSONDecoder().decode(JSONValue.self, from: Data(bytes))
}

/// A position in whole 10⁻⁷ degrees.
struct GridPosition: Hashable {
    var x: Int
    var y: Int

    init(_ position: JSONValue) {
        self.x = Int(((position.array?[0].number ?? 0) * 1e7).rounded())
        self.y = Int(((position.array?[1].number ?? 0) * 1e7).rounded())
    }
}

extension SampleFeature {
    /// The rings of a polygon, closed; of all parts when there are several.
    var rings: [[GridPosition]] {
        guard self.geometry["type"]?.string?.hasSuffix("Polygon") == true else { return [] }
        let coordinates = self.geometry["coordinates"]?.array ?? []
        let rings = self.geometry["type"] == "MultiPolygon" ? coordinates.flatMap { $0.array ?? [] } : coordinates
        return rings.map { ($0.array ?? []).map(GridPosition.init) }
    }

    /// Twice the area, counter-clockwise rings positive: exact, because positions are whole numbers.
    var twiceTheArea: Int { self.rings.reduce(0) { $0 + doubledArea(of: $1) } }

    /// Whether a position is inside or on the boundary. Walls run along the axes.
    func covers(_ position: GridPosition) -> Bool {
        if self.rings.contains(where: { isOn($0, position) }) { return true }
        let crossings = self.rings.reduce(0) { count, ring in
            count
                + zip(ring, ring.dropFirst()).filter { from, to in
                    (from.y > position.y) != (to.y > position.y) && from.x > position.x
                }.count
        }
        return !crossings.isMultiple(of: 2)
    }
}

func doubledArea(of ring: [GridPosition]) -> Int {
    zip(ring, ring.dropFirst()).reduce(0) { $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y }
}

func isOn(_ ring: [GridPosition], _ position: GridPosition) -> Bool {
    zip(ring, ring.dropFirst()).contains { from, to in
        min(from.x, to.x)...max(from.x, to.x) ~= position.x && min(from.y, to.y)...max(from.y, to.y) ~= position.y
    }
}
