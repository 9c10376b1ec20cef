import IMDF
import SampleVenue

/// Features such as exporters write, with everything in them that can be written in more than one way.
struct RandomFeature {
    let ids: [FeatureID]

    init(using random: inout SplitMix64) {
        self.ids = (0..<8).map { _ in random.id() }
    }

    func next(using random: inout SplitMix64) -> JSONValue {
        let types = ["unit", "amenity", "relationship", "geofence", "navPath"]
        return [
            "type": "Feature", "id": .string(self.ids[0].description),
            "feature_type": .string(types.randomElement(using: &random) ?? "unit"),
            "geometry": self.geometry(using: &random),
            "properties": [
                "name": random.chance(0.5) ? ["en": "Café", "ja": "喫茶店"] : nil,
                "category": "room", "restriction": nil,
                "accessibility": random.chance(0.5) ? ["wheelchair", "braille", "tdd"] : nil,
                "unit_ids": self.references(using: &random), "parents": random.chance(0.5) ? [] : nil,
                "level_id": .string(self.ids[1].description),
                "intermediary": self.references(using: &random),
                "display_point": .point(139.76710, 35.68125),
                "correlation_id": .string(self.ids[2].description),
                "tags": ["nodes": [self.references(using: &random), [1, 2.5, nil, true, "x"]], "none": nil],
            ],
        ]
    }

    private func references(using random: inout SplitMix64) -> JSONValue {
        .array((0..<Int.random(in: 0...4, using: &random)).map { .string(self.ids[$0 + 3].description) })
    }

    private func geometry(using random: inout SplitMix64) -> JSONValue {
        let parts = Int.random(in: 1...4, using: &random)
        let multi = parts > 1 || random.chance(0.3)
        let positions = (0..<parts).map { _ in
            [
                139.7 + Double(Int.random(in: 0..<9, using: &random)) * 0.8e-7,
                35.6 + Double.random(in: 0..<0.01, using: &random),
            ]
        }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return nil
        case 1:
            return multi ? .geometry("MultiPoint", JSONValue(positions)) : .geometry("Point", JSONValue(positions[0]))
        case 2:
            let lines = positions.map { [$0, [$0[0] + 0.001, $0[1]], [$0[0] + 0.002, $0[1] + 0.001]] }
            return multi
                ? .geometry("MultiLineString", JSONValue(lines)) : .geometry("LineString", JSONValue(lines[0]))
        default:
            let polygons = positions.map { position in
                [square(position[0], position[1], side: 0.001)]
                    + (0..<Int.random(in: 0...3, using: &random)).map { hole in
                        square(
                            position[0] + 0.0002 * Double(hole) + .random(in: 0...1e-6, using: &random),
                            position[1] + 0.0001, side: 0.0001)
                    }
            }
            return multi
                ? .geometry("MultiPolygon", JSONValue(polygons)) : .geometry("Polygon", JSONValue(polygons[0]))
        }
    }
}
