package import IMDF
import Postgres
import SyncModel

/// Selects features of a revision.
package struct FeatureFilter: Sendable, Hashable {
    /// Nil for features on any level and venue-wide ones.
    package var levels: [FeatureID]?
    /// In addition to `levels`: the venue-wide part.
    package var venueWide: Bool
    /// In addition to `levels`: venue-wide features that span one of them.
    package var spanning: Bool
    package var types: [FeatureType]?
    /// Whether `types` are compared without regard to the case of ASCII letters. An export writes such types into one file.
    package var ignoresCaseOfTypes = false

    package static let everything = FeatureFilter()

    package init(
        levels: [FeatureID]? = nil, venueWide: Bool = false, spanning: Bool = false, types: [FeatureType]? = nil
    ) {
        self.levels = levels
        self.venueWide = venueWide
        self.spanning = spanning
        self.types = types
    }
}

extension FeatureFilter {
    /// A condition, and the levels that are looked up one by one, if any.
    fileprivate typealias Part = (condition: Query, eachOf: [FeatureID]?)

    /// A lookup of one level scans all entries of the venue in the index; for more levels, one scan of the venue costs less.
    private static let maxLookups = 8

    private func isOne(of types: [FeatureType]) -> Query {
        let names = types.map(\.rawValue)
        guard self.ignoresCaseOfTypes else { return "feature_type = ANY(\(names))" }
        return "(feature_type = ANY(\(names)) OR lower(feature_type) = ANY(\(names.map { $0.lowercased() })))"
    }

    /// Conditions that exclude each other, for each of which there is an index.
    fileprivate var parts: [Part] {
        // Level features have an index of their own.
        if self.types == [.level], !self.ignoresCaseOfTypes, self.levels == nil {
            return [("feature_type = 'level'", nil)]
        }
        var kept = RevisionStore.byToRevision
        if let types = self.types { kept = "\(kept) AND \(self.isOne(of: types))" }
        guard let levels = self.levels else { return [(kept, nil)] }
        var parts: [Part] =
            levels.count > Self.maxLookups
            ? [("\(kept) AND level_id = ANY(\(levels))", nil)] : [(kept, Array(Set(levels)))]
        if self.venueWide {
            parts.append(("\(kept) AND level_id IS NULL", nil))
        } else if self.spanning {
            parts.append(("\(kept) AND level_id IS NULL AND touches && \(levels)", nil))
        }
        return parts
    }
}

/// A version of a feature without its body.
package struct VersionSummary: Sendable {
    package let feature: FeatureID
    package let type: FeatureType
    package let level: FeatureID?
    package let depth: Int
    package let fromRevision: Int64
    /// The size of the canonical body.
    package let bytes: Int

    /// The same version with a body of another size, which is derived from the stored one.
    package func withBody(of bytes: Int) -> VersionSummary {
        VersionSummary(
            feature: self.feature, type: self.type, level: self.level, depth: self.depth,
            fromRevision: self.fromRevision, bytes: bytes)
    }
}

/// A feature as stored.
package struct FeatureRecord: Sendable {
    package let id: FeatureID
    package let type: FeatureType
    package let level: FeatureID?
    package let body: [UInt8]
}

extension RevisionStore {
    /// The features of a revision without their bodies; parents, and features that others refer to, first.
    package func versions(
        of venue: VenueRecord, at number: Int64, where filter: FeatureFilter = .everything
    ) async throws -> [VersionSummary] {
        let rows = try await self.read(
            Self.union(
                filter.parts.map { part in
                    let versions: Query = """
                        SELECT feature_id, feature_type, level_id, depth, from_revision, octet_length(body) AS bytes
                        FROM feature_version WHERE venue_id = \(venue.id) AND \(Self.holds(at: number)) AND \(part.condition)
                        """
                    guard let levels = part.eachOf else { return versions }
                    return "SELECT found.* FROM \(Self.lookup(of: levels, "\(versions) AND level_id = wanted.id"))"
                }), of: venue, at: number)
        return try rows.decode((FeatureID, String, FeatureID?, Int32, Int64, Int32).self).map {
            VersionSummary(
                feature: $0.0, type: FeatureType(rawValue: $0.1), level: $0.2, depth: Int($0.3),
                fromRevision: $0.4,
                bytes: Int($0.5))
        }.sorted(by: VersionSummary.precedes)
    }

    /// Features with their bodies, for selections that are known to be small.
    package func features(
        of venue: VenueRecord, at number: Int64, where filter: FeatureFilter
    ) async throws -> [FeatureRecord] {
        let versions = try await self.versions(of: venue, at: number, where: filter)
        return zip(versions, try await self.bodies(of: versions, in: venue)).map {
            FeatureRecord(id: $0.feature, type: $0.type, level: $0.level, body: $1)
        }
    }

    /// The bodies of versions, in the same order, read in one statement.
    ///
    /// - Throws: `revisionPruned`, `venueGone` or `historyChanged` if some of them do not exist any more.
    package func bodies(of versions: some Collection<VersionSummary>, in venue: VenueRecord) async throws -> [[UInt8]] {
        guard !versions.isEmpty else { return [] }
        var bodies: [[UInt8]] = []
        bodies.reserveCapacity(versions.count)
        try await self.stream(
            """
            SELECT version.body
            FROM unnest(\(versions.map(\.feature)), \(versions.map(\.fromRevision))) WITH ORDINALITY
                AS wanted (feature_id, from_revision, row_index)
            CROSS JOIN LATERAL (
                \(Self.version("body", of: venue.id, "wanted.feature_id", from: "wanted.from_revision"))
            ) AS version
            ORDER BY wanted.row_index
            """, of: venue
        ) { row in
            bodies.append(try row.decode(0, as: TextBytes.self).bytes)
        }
        // They existed when they were selected, and only versions of pruned revisions are deleted.
        guard bodies.count == versions.count else {
            let first = try await self.venue(venue.key).first
            throw StoreError.revisionPruned(first - 1, first: first)
        }
        return bodies
    }
}

extension VersionSummary {
    /// Standard types in the order of their references, then the others by name; parents first; then by id.
    static func precedes(_ left: VersionSummary, _ right: VersionSummary) -> Bool {
        let (leftRank, rightRank) = (left.type.rank, right.type.rank)
        if leftRank != rightRank { return leftRank < rightRank }
        if left.type != right.type { return left.type.rawValue < right.type.rawValue }
        return (left.depth, left.feature) < (right.depth, right.feature)
    }
}

extension [VersionSummary] {
    /// Slices whose bodies do not exceed `bytes` together, or that have a single element; each is read in one statement.
    package func batches(of bytes: Int) -> [ArraySlice<VersionSummary>] {
        var batches: [ArraySlice<VersionSummary>] = []
        var (start, size) = (0, 0)
        for (index, version) in self.enumerated() {
            if index > start, size + version.bytes > bytes {
                batches.append(self[start..<index])
                (start, size) = (index, 0)
            }
            size += version.bytes
        }
        if start < self.count { batches.append(self[start...]) }
        return batches
    }
}
