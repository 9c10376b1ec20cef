import Foundation
import IMDF
import Postgres
import SyncModel

/// What a client of all venues needs of one of them: the revision that it holds, and the one that it gets.
struct VenueRange: Sendable {
    let venue: VenueRecord
    /// Nil for a snapshot of `to`.
    let from: Int64?
    let to: Int64
    /// The number of features at `to`.
    let features: Int

    /// Larger snapshots are read alone, and only the levels that fit on a page.
    static let maxFeatures = 5_000
    /// The changes of a venue with more of them are read alone.
    static let maxChanges = 200

    var readsVersions: Bool { self.from == nil && self.features <= Self.maxFeatures }
    var numbers: [Int64] { [self.from, self.to].compactMap(\.self) }
}

/// What was read of a venue together with others.
struct VenueContent: Sendable {
    /// By number.
    var revisions: [Int64: RevisionRecord] = [:]
    /// Of every revision, by its number.
    var states: [Int64: [LevelState]] = [:]
    /// All versions at the newer revision; nil unless they were read.
    var versions: [VersionSummary]?
    /// Nil unless all of them were read.
    var changes: [FeatureChange]?
}

extension RevisionStore {
    /// Revisions of many venues with their levels, versions and changes, in one round trip.
    ///
    /// - Returns: For each range what it needs; nil if a revision does not exist any more, or not on this server yet.
    func contents(of ranges: [VenueRange]) async throws -> [VenueContent?] {
        let points = ranges.enumerated().flatMap { index, range in range.numbers.map { (index, range.venue.id, $0) } }
        let snapshots = ranges.enumerated().filter { $0.element.readsVersions }.map(\.offset)
        let updates = ranges.enumerated().filter { $0.element.from != nil }.map(\.offset)
        let ids = ranges.map(\.venue.id)
        let results = try await self.pool.withConnection { connection in
            try await connection.pipeline([
                Self.venueRows("head", of: ids),
                Self.revisionRows(points.map(\.1), points.map(\.2)),
                Self.levelRows(points.map(\.1), points.map(\.2)),
                Self.versionRows(snapshots.map { ids[$0] }, snapshots.map { ranges[$0].to }),
                Self.changeRows(
                    updates.map { ids[$0] }, updates.map { ranges[$0].from ?? 0 }, updates.map { ranges[$0].to }),
                Self.venueRows("first_revision, epoch, deleted_at IS NOT NULL", of: ids),
            ])
        }
        var contents: [VenueContent?] = Array(repeating: nil, count: ranges.count)
        let heads = try Self.byIndex(results[0]) { try $0.decode(1, as: Int64.self) }
        for row in results[5] {
            let index = Int(try row.decode(0, as: Int64.self)) - 1
            let (range, head) = (ranges[index], heads[index] ?? 0)
            let first = try row.decode(1, as: Int64.self)
            // Read before and after the content: no replica that lags, and nothing that was pruned or deleted meanwhile.
            guard try !row.decode(3, as: Bool.self), try row.decode(2, as: Int64.self) == range.venue.epoch,
                range.numbers.allSatisfy({ $0 >= first && $0 <= head })
            else { continue }
            contents[index] = VenueContent()
        }
        try Self.add(results[1], results[2], of: points, in: ranges, to: &contents)
        for index in snapshots { contents[index]?.versions = [] }
        for row in results[3] {
            contents[snapshots[Int(try row.decode(0, as: Int64.self)) - 1]]?.versions?.append(try Self.version(of: row))
        }
        for index in updates { contents[index]?.changes = [] }
        for row in results[4] {
            let index = updates[Int(try row.decode(0, as: Int64.self)) - 1]
            contents[index]?.changes?.append(try Self.change(of: row, at: 1))
        }
        for index in updates where contents[index]?.changes?.count ?? 0 > VenueRange.maxChanges {
            contents[index]?.changes = nil
        }
        return contents
    }

    private static func byIndex<Value>(_ rows: Rows, _ value: (Row) throws -> Value) throws -> [Int: Value] {
        Dictionary(
            uniqueKeysWithValues: try rows.map { (Int(try $0.decode(0, as: Int64.self)) - 1, try value($0)) })
    }

    /// Adds the revisions and their levels. What lacks a revision becomes nil.
    private static func add(
        _ revisions: Rows, _ levels: Rows, of points: [(index: Int, venue: Int64, number: Int64)],
        in ranges: [VenueRange], to contents: inout [VenueContent?]
    ) throws {
        var parts: [Int: [(state: LevelState, ordinal: Int?)]] = [:]
        for row in levels {
            let digest = try row.decode(3, as: Digest?.self)
            parts[Int(try row.decode(0, as: Int64.self)) - 1, default: []].append(
                (
                    LevelState(
                        level: try row.decode(1), digest: digest ?? LevelDigest().finalize(),
                        features: Int(try row.decode(4, as: Int32?.self) ?? 0),
                        bytes: try row.decode(5, as: Int64?.self) ?? 0),
                    try row.decode(2, as: Int32?.self).map(Int.init)
                ))
        }
        let found = try Self.byIndex(revisions) { $0 }
        for (offset, point) in points.enumerated() {
            guard let row = found[offset] else {
                contents[point.index] = nil
                continue
            }
            let all = parts[offset] ?? []
            let named = all.compactMap { part in part.state.level.map { (id: $0, part: part) } }
                .sorted { $0.id < $1.id }
            let venueWide = all.first { $0.state.level == nil }?.state
            contents[point.index]?.states[point.number] =
                [venueWide ?? LevelState(level: nil, digest: LevelDigest().finalize(), features: 0, bytes: 0)]
                + named.map(\.part.state)
            contents[point.index]?.revisions[point.number] = RevisionRecord(
                number: point.number, digest: try row.decode(1), publishedAt: try row.decode(5),
                about: .init(
                    language: try row.decode(2), timeZone: ranges[point.index].venue.settings.timeZone,
                    country: try row.decode(3), wayfinding: ranges[point.index].venue.settings.wayfinding),
                venueFeature: try row.decode(4),
                levels: named.map { .init(id: $0.id, ordinal: $0.part.ordinal) })
        }
    }

    private static func version(of row: Row) throws -> VersionSummary {
        VersionSummary(
            feature: try row.decode(1), type: FeatureType(rawValue: try row.decode(2)), level: try row.decode(3),
            depth: Int(try row.decode(4, as: Int32.self)), fromRevision: try row.decode(5),
            bytes: Int(try row.decode(6, as: Int32.self)))
    }

    /// The bodies of versions of several venues, in the same order, read in one statement.
    ///
    /// - Throws: `historyChanged` if some of them do not exist any more.
    package func bodies(
        of parts: [(venue: VenueRecord, versions: [VersionSummary])]
    ) async throws -> [[UInt8]] {
        let versions = parts.flatMap(\.versions)
        guard !versions.isEmpty else { return [] }
        let venues = parts.flatMap { part in part.versions.map { _ in part.venue.id } }
        var bodies: [[UInt8]] = []
        bodies.reserveCapacity(versions.count)
        let valid = try await self.pool.withConnection { connection in
            try await connection.stream(
                """
                SELECT version.body
                FROM unnest(\(venues), \(versions.map(\.feature)), \(versions.map(\.fromRevision))) WITH ORDINALITY
                    AS wanted (venue_id, feature_id, from_revision, row_index)
                CROSS JOIN LATERAL (
                    SELECT body FROM feature_version
                    WHERE venue_id = wanted.venue_id AND feature_id = wanted.feature_id
                        AND from_revision = wanted.from_revision OFFSET 0
                ) AS version
                ORDER BY wanted.row_index
                """
            ) { row in
                bodies.append(try row.decode(0, as: TextBytes.self).bytes)
            }
            return try await connection.query(Self.venueRows("epoch, deleted_at IS NULL", of: parts.map(\.venue.id)))
        }
        let present = try Self.byIndex(valid) { (try $0.decode(1, as: Int64.self), try $0.decode(2, as: Bool.self)) }
        // Versions of another epoch may be those of a venue that was deleted and created again.
        let areValid = parts.enumerated().allSatisfy { index, part in
            present[index].map { $0.0 == part.venue.epoch && $0.1 } ?? false
        }
        guard areValid, bodies.count == versions.count else { throw StoreError.historyChanged }
        return bodies
    }
}
