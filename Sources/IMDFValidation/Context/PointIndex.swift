import IMDF

/// Points of features by level and longitude, for searching those within an outline.
struct PointIndex {
    private struct Entry {
        let position: Position
        let feature: ValidationFeature
    }

    private var levels: [FeatureID: [Entry]] = [:]

    /// Indexes each feature by the middle of its geometry, on every level that it belongs to or touches.
    init(_ features: [ValidationFeature], in context: ValidationContext, _ run: RuleRun) throws {
        for feature in features {
            guard let position = feature.geometry?.middle else { continue }
            for level in try context.levels(of: feature, in: run) {
                self.levels[level, default: []].append(Entry(position: position, feature: feature))
            }
        }
        for level in self.levels.keys {
            self.levels[level]?.sort {
                ($0.position.longitude, $0.feature.id) < ($1.position.longitude, $1.feature.id)
            }
        }
    }

    /// The features within the outline of a feature on its level, by id. The run pays for the comparisons, because everything
    /// may lie within everything, and for reading the features that are found.
    func features(
        within feature: ValidationFeature, in context: ValidationContext, _ run: RuleRun
    ) throws -> [ValidationFeature] {
        guard let level = context.level(of: feature), let entries = self.levels[level.id],
            case .polygons(let polygons, _)? = feature.geometry
        else { return [] }
        var found: [FeatureID: ValidationFeature] = [:]
        for polygon in polygons {
            let west = polygon.exterior.lazy.map(\.longitude).min() ?? 0
            let east = polygon.exterior.lazy.map(\.longitude).max() ?? 0
            let corners = polygon.rings.reduce(0) { $0 + $1.count }
            for entry in entries[Self.index(of: west, in: entries)...] {
                guard entry.position.longitude <= east else { break }
                try run.spend(1 + corners / 16)
                guard polygon.contains(entry.position), found[entry.feature.id] == nil else { continue }
                try run.spend(reading: entry.feature)
                found[entry.feature.id] = entry.feature
            }
        }
        return found.values.sorted { $0.id < $1.id }
    }

    /// The index of the first entry that is not west of a longitude.
    private static func index(of longitude: Double, in entries: [Entry]) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].position.longitude < longitude { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension Geometry.Polygon {
    /// Whether a position lies within. For a position on an edge the result is undefined.
    func contains(_ position: Position) -> Bool {
        self.rings.enumerated().allSatisfy { number, ring in Self.isWithin(position, ring) == (number == 0) }
    }

    /// Whether a ray to the east crosses the ring an odd number of times.
    private static func isWithin(_ position: Position, _ ring: [Position]) -> Bool {
        var isWithin = false
        for (one, other) in zip(ring, ring.dropFirst())
        where (one.latitude > position.latitude) != (other.latitude > position.latitude) {
            let share = (position.latitude - one.latitude) / (other.latitude - one.latitude)
            if position.longitude < one.longitude + share * (other.longitude - one.longitude) { isWithin.toggle() }
        }
        return isWithin
    }
}
