import GRDB
import IMDF
import VenueMap

extension ReplicaReader {
    /// What a scope contains now.
    ///
    /// - Complexity: Parses the venue-wide part if the scope includes only a part of it.
    func part(of scope: ReplicaScope) throws -> ReplicaPart {
        var part = ReplicaPart(includesVenueWide: scope.includesVenueWide)
        for row in try Row.fetchAll(self.db, sql: "SELECT level, ordinal FROM level WHERE level <> x''") {
            guard let level = try FeatureID?(blob: row[0]) else { continue }
            if scope.levels.includes(level: level, ordinal: row[1]) { part.levels.insert(level) }
        }
        if !part.includesVenueWide { part.touching = try self.featuresTouching(part.levels) }
        return part
    }

    /// The venue-wide features that touch one of the levels, and their level features.
    private func featuresTouching(_ levels: Set<FeatureID>) throws -> Set<FeatureID> {
        guard !levels.isEmpty else { return [] }
        var entries = try self.features(on: nil).map {
            VenueMap.Entry(id: $0.id, type: $0.type, level: nil, body: $0.body)
        }
        for level in levels {
            // References need only the level of their target.
            let rows = try Row.fetchCursor(
                self.db, sql: "SELECT id, type FROM feature WHERE level = ?", arguments: [level.blob])
            while let row = try rows.next() {
                guard let id = try FeatureID?(blob: row[0]) else { continue }
                entries.append(.init(id: id, type: FeatureType(rawValue: row[1]), level: level, body: Self.emptyBody))
            }
        }
        let touching = VenueMap(entries).features.values.filter { feature in
            feature.placement.level == nil
                && (levels.contains(feature.id) || feature.placement.touches.contains { levels.contains($0) })
        }
        return Set(touching.map(\.id))
    }

    private static let emptyBody = Array("{}".utf8)
}
