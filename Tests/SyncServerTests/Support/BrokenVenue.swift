import IMDF
import SampleVenue

/// A generated venue that is broken in every way that strict decoders do not forgive.
struct BrokenVenue {
    /// A way to break a feature of some type.
    struct Damage: Sendable {
        let name: String
        let types: [FeatureType]
        let apply: @Sendable (inout SampleFeature, inout SplitMix64) -> Void
    }

    /// - Parameter damages: Each is applied to one feature, or to every one of its types. Then a small venue is enough.
    static func make(seed: UInt64, _ damages: [Damage] = Self.damages, everywhere: Bool = false) -> SampleVenue {
        var random = SplitMix64(seed: seed)
        var venue = SampleVenue(
            .init(levels: everywhere ? 1 : 3, unitsPerLevel: everywhere ? 4 : 12, seed: seed, customExtension: true))
        for damage in damages {
            let candidates = venue.features.indices.filter { damage.types.contains(venue.features[$0].type) }
            let chosen = everywhere ? candidates : candidates.randomElement(using: &random).map { [$0] } ?? []
            for index in chosen { damage.apply(&venue.features[index], &random) }
        }
        return venue
    }

    static let damages: [Damage] = Self.members + Self.geometries

    private static let labels: [FeatureType] = [.unit, .amenity, .occupant, .building, .geofence, .venue, .level]
    private static let categories: [FeatureType] = [
        .venue, .level, .unit, .opening, .amenity, .occupant, .footprint, .building, .geofence, .relationship,
    ]

    private static let members: [Damage] = {
        let own: [(String, [FeatureType])] =
            Self.categories.map { ("category", [$0]) } + Self.labels.map { ("name", [$0]) } + [
                ("ordinal", [.level]), ("outdoor", [.level]), ("short_name", [.level]), ("building_ids", [.level]),
                ("level_id", [.unit]), ("level_id", [.opening]), ("level_id", [.fixture, .section, .kiosk, .detail]),
                ("unit_ids", [.amenity]), ("unit_id", [.anchor]), ("address_id", [.anchor]), ("anchor_id", [.occupant]),
                ("hours", [.occupant]), ("phone", [.occupant]), ("website", [.occupant]), ("website", [.venue]),
                ("building_ids", [.footprint]), ("display_point", [.building]), ("display_point", [.geofence]),
                ("address", [.address]), ("locality", [.address]), ("country", [.address]), ("province", [.address]),
                ("direction", [.relationship]), ("levelId", [.unit]), ("Short_Name", [.level]), ("unitIds", [.amenity]),
            ]
        let values: [JSONValue?] = [
            .none, .null, "", "text", 0.5, 7, true, [], [1], ["text"], [:], ["en": 1], ["en": nil, "ja": "名"],
            "00000000-0000-4000-8000-00000000dead", ["00000000-0000-4000-8000-00000000dead"], ["type": "Point"],
        ]
        return own.map { key, types in
            Damage(name: "\(types[0].rawValue) \(key)", types: types) { feature, random in
                if let value = values.randomElement(using: &random) { feature[key] = value }
            }
        }
    }()

    private static let geometries: [Damage] = {
        func multi(_ parts: Int) -> @Sendable (JSONValue) -> JSONValue {
            { geometry in
                guard let type = geometry["type"]?.string, let part = geometry["coordinates"], !type.hasPrefix("Multi")
                else { return geometry }
                return [
                    "type": .string("Multi" + type), "coordinates": .array(Array(repeating: part, count: parts)),
                ]
            }
        }
        let point: JSONValue = ["type": "Point", "coordinates": [139.7, 35.6]]
        let ways: [(String, @Sendable (JSONValue) -> JSONValue)] = [
            ("one part", multi(1)), ("two parts", multi(2)), ("no part", multi(0)), ("null", { _ in .null }),
            ("collection", { ["type": "GeometryCollection", "geometries": [$0]] }), ("text", { _ in "text" }),
            ("outside the globe", { _ in ["type": "Point", "coordinates": [181, 0]] }),
            ("point", { _ in point }), ("a line", { _ in ["type": "LineString", "coordinates": [[0, 0], [0, 1]]] }),
            ("an open ring", { _ in ["type": "Polygon", "coordinates": [[[0, 0], [0, 1], [1, 1], [1, 0]]]] }),
            ("a short line", { _ in ["type": "LineString", "coordinates": [[0, 0]]] }),
        ]
        return FeatureType.standard.flatMap { type in
            ways.map { name, change in
                Damage(name: "\(type.rawValue) \(name)", types: [type]) { feature, _ in
                    feature.geometry = change(feature.geometry)
                }
            }
        }
    }()
}
