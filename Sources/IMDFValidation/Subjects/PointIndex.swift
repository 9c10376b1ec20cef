import IMDF

/// Points of features, by level and from west to east, to find those within an outline.
struct PointIndex {
    private struct Entry {
        let position: Position
        let feature: Subject
    }

    private var levels: [FeatureID: [Entry]] = [:]
    /// Corners that may still be looked at. Everything may lie within everything; then the rest is passed over.
    private var patience = 50_000_000

    /// Outlines that nothing was looked for in any more.
    private(set) var passedOver = 0

    /// A feature counts on every level that it touches, by the middle of what it covers.
    init(_ features: [Subject], in examination: ValidationContext) {
        for feature in features {
            guard let position = feature.geometry?.middle else { continue }
            for level in examination.levels(of: feature) {
                self.levels[level, default: []].append(Entry(position: position, feature: feature))
            }
        }
        for level in self.levels.keys {
            self.levels[level]?.sort {
                ($0.position.longitude, $0.feature.id) < ($1.position.longitude, $1.feature.id)
            }
        }
    }

    /// What lies within a feature on its level, by id.
    mutating func features(within feature: Subject, in examination: ValidationContext) -> [Subject] {
        guard self.patience > 0 else {
            self.passedOver += 1
            return []
        }
        guard let level = examination.level(of: feature), let entries = self.levels[level.id],
            case .polygons(let polygons, _)? = feature.geometry
        else { return [] }
        var found: [FeatureID: Subject] = [:]
        for polygon in polygons {
            let west = polygon.exterior.lazy.map(\.longitude).min() ?? 0
            let east = polygon.exterior.lazy.map(\.longitude).max() ?? 0
            for entry in entries[Self.place(of: west, in: entries)...] {
                guard entry.position.longitude <= east else { break }
                self.patience -= polygon.exterior.count
                if polygon.contains(entry.position) { found[entry.feature.id] = entry.feature }
            }
        }
        return found.values.sorted { $0.id < $1.id }
    }

    /// The first entry that is not west of a longitude.
    private static func place(of longitude: Double, in entries: [Entry]) -> Int {
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
    /// Whether a position lies within; on the edge either may be said.
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
