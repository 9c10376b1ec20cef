import Foundation
import IMDF
import OpeningHours
import Testing
import VenueMap

/// The results of every public query of a map, for comparison with those of another map.
struct MapQueries: Equatable {
    let features: [FeatureID: MapFeature]
    let unreadable: [FeatureID]
    let graph: VenueGraph
    let box: BoundingBox?
    let byLevel: [FeatureID?: Level]
    let byFeature: [FeatureID: One]
    let searches: [[VenueMap.SearchResult]]
    let nearest: [[VenueMap.Neighbour]]

    struct Level: Equatable {
        let box: BoundingBox?
        let shortName: String?
        let types: [FeatureType]
        let ids: [[FeatureID]]
        let collections: [[UInt8]]
        let hits: [[FeatureID]]
    }

    struct One: Equatable {
        let name: String?
        let point: LabelPoint?
        let drawn: DrawnFeature?
        let openness: VenueMap.Openness
        let isPresent: Bool
    }

    static let instant = Date(timeIntervalSince1970: 1_940_000_000)

    init(_ map: VenueMap, at positions: [Position], texts: [String], categories: [String]) {
        self.features = map.features
        self.unreadable = map.unreadable
        self.graph = map.graph
        self.box = map.box
        let levels = map.features.keys.filter { map.features[$0]?.type == .level }
        var byLevel: [FeatureID?: Level] = [:]
        for level in [nil] + levels.map({ Optional($0) }) {
            let types = map.types(on: level)
            byLevel[level] = Level(
                box: level.flatMap { map.box(of: $0) }, shortName: level.flatMap { map.shortName(of: $0) },
                types: types, ids: types.map { map.features(of: $0, on: level).map(\.id) },
                collections: types.map { map.collection(of: $0, on: level) },
                hits: positions.map { position in
                    level.map { map.features(at: position, on: $0, reach: 1_000).map(\.id) } ?? []
                })
        }
        self.byLevel = byLevel
        self.byFeature = map.features.mapValues { feature in
            One(
                name: map.name(of: feature.id), point: map.labelPoint(of: feature.id), drawn: map.drawn(feature.id),
                openness: map.openness(of: feature.id, at: Self.instant),
                isPresent: map.isPresent(feature.id, at: Self.instant))
        }
        self.searches = texts.map { map.search($0, limit: 1_000) }
        self.nearest = categories.flatMap { category in
            levels.sorted().flatMap { level in
                positions.map { map.nearest(100, category: category, from: $0, on: level) }
            }
        }
    }
}

extension MapUpdate {
    /// The changes as a comparison of every feature of two maps gives them; kinds, places, labels and positions.
    static func expected(from old: VenueMap, to new: VenueMap) -> [FeatureID: MapChange.Kind] {
        var kinds: [FeatureID: MapChange.Kind] = [:]
        for id in Set(old.features.keys).union(new.features.keys) {
            switch (old.drawn(id), new.drawn(id)) {
            case (nil, nil): break
            case (nil, .some): kinds[id] = .added
            case (.some, nil): kinds[id] = .removed
            case (.some(let before), .some(let after)):
                let (former, current) = (old.features[id], new.features[id])
                let isEqual =
                    before == after && former?.body == current?.body && former?.type == current?.type
                    && Self.tenants(of: id, in: old) == Self.tenants(of: id, in: new)
                if !isEqual { kinds[id] = .changed }
            }
        }
        return kinds
    }

    /// The categories of the occupants of a unit, found without the map's index.
    private static func tenants(of unit: FeatureID, in map: VenueMap) -> [String] {
        guard map.features[unit]?.type == .unit else { return [] }
        func target(_ feature: MapFeature, _ key: String, _ type: FeatureType) -> MapFeature? {
            feature[key]?.string.flatMap { FeatureID($0) }.flatMap { map.features[$0] }.flatMap {
                $0.type == type ? $0 : nil
            }
        }
        return map.features.values.filter { $0.type == .occupant }.sorted { $0.id < $1.id }.filter {
            target($0, "anchor_id", .anchor).flatMap { target($0, "unit_id", .unit) }?.id == unit
        }.compactMap(\.category)
    }
}
