import Caching
import Foundation
import IMDF
import IMDFArchive
import OGCFeatures
import RevisionStore
import SyncModel

/// Reads the tables of revisions, each once for all requests that need it, in bounded memory.
///
/// A table of a level is kept by content: a publication that does not change a level keeps its table.
final class FeatureTableService: Sendable {
    private struct Key: Hashable {
        /// Nil for the venue-wide part.
        let level: FeatureID?
        /// Of the level. That of the revision for the venue-wide part: which levels its features touch depends on all features.
        let digest: Digest
        /// Of the read model: another copy of the database may have other features under the same digest.
        let generation: Int
    }

    private let readModel: ReadModel
    private let tables: LRUCache<Key, FeatureTable>
    private let loads = SingleFlight<OfVenue<Key>, FeatureTable>()
    /// A level takes some memory while it is read, so few are read at the same time: while the features of one are parsed, PostgreSQL
    /// reads the next.
    let permits = FairSemaphore<VenueKey>(
        permits: FeatureTableService.concurrentLoads, queueLimit: 256, queueLimitPerKey: 32)
    /// Parsing takes a core. The other cores are left to polls. There is no more to parse than is loaded.
    let parsingPermits = FairSemaphore<VenueKey>(
        permits: max(1, ProcessInfo.processInfo.activeProcessorCount / 2), queueLimit: 256, queueLimitPerKey: 32,
        maximumPaused: FeatureTableService.concurrentLoads)
    private static let concurrentLoads = 2
    /// Bodies that are in memory together.
    private static let batchBytes = 4 << 20
    /// What reading a batch, or making a table, may cost besides the turns of others. A table of 100,000 features takes less than a second.
    private static let parsingLimit = Duration.seconds(60)

    /// - Parameter bytes: The bound for all tables. Of those that take more than half of it, the last one is kept besides.
    init(readModel: ReadModel, bytes: Int = 128 << 20) {
        self.readModel = readModel
        self.tables = LRUCache(cost: bytes, keepsLarge: true)
    }

    /// The tables of a revision: the venue-wide part, then the levels by ordinal and id.
    ///
    /// - Parameter generation: The generation of the read model before the venue was read from it.
    func tables(
        of venue: VenueRecord, at revision: RevisionRecord, generation: Int
    ) async throws -> RevisionTables {
        let states = try await self.readModel.revisions(of: venue, at: revision.number)
            .levelStates(of: venue, at: revision)
        let order = LevelOrder(
            Dictionary(revision.levels.map { ($0.id, $0.ordinal ?? .max) }) { first, _ in first })
        let parts = states.sorted { order.precedes($0.level, $1.level) }.filter { $0.features > 0 }
        return try await withThrowingTaskGroup(of: (Int, FeatureTable).self) { group in
            var tables = [FeatureTable?](repeating: nil, count: parts.count)
            for (index, state) in parts.enumerated() {
                if index >= Self.concurrentLoads, let (known, table) = try await group.next() { tables[known] = table }
                let digest = state.level == nil ? revision.digest : state.digest
                let key = Key(level: state.level, digest: digest, generation: generation)
                group.addTask {
                    (index, try await self.table(key, state.features, of: venue, at: revision.number))
                }
            }
            for try await (index, table) in group { tables[index] = table }
            return RevisionTables(tables.compactMap(\.self))
        }
    }

    private func table(
        _ key: Key, _ count: Int, of venue: VenueRecord, at number: Int64
    ) async throws -> FeatureTable {
        if let table = self.tables.value(for: key) { return table }
        return try await self.loads.value(for: OfVenue(venue: venue.key, key: key)) {
            let table = try await self.permits.withPermit(for: venue.key) {
                try await self.load(key.level, count, of: venue, at: number)
            }
            self.tables.keep(table, for: key, cost: table.cost)
            return table
        }
    }

    private func load(
        _ level: FeatureID?, _ count: Int, of venue: VenueRecord, at number: Int64
    ) async throws -> FeatureTable {
        let filter = FeatureFilter(levels: level.map { [$0] } ?? [], venueWide: level == nil)
        let (versions, touches) = try await self.readModel.read(venue, at: number) { store in
            (
                try await store.versions(of: venue, at: number, where: filter),
                level == nil ? try await store.touchedLevels(of: venue, at: number) : [:]
            )
        }
        // Deleted or pruned meanwhile, or the database is incomplete.
        guard versions.count == count else { throw StoreError.historyChanged }
        var rows: [FeatureRow] = []
        for batch in versions.batches(of: Self.batchBytes) {
            let bodies = try await self.readModel.read(venue, at: number) { try await $0.bodies(of: batch, in: venue) }
            rows += try await self.parsingPermits.inTurns(for: venue.key, limit: Self.parsingLimit) { shouldStop in
                let reader = JSONReader()
                var parsed: [FeatureRow] = []
                for (version, body) in zip(batch, bodies) where !shouldStop() {
                    parsed.append(
                        try FeatureRow(
                            id: version.feature, type: version.type, touches: touches[version.feature] ?? [],
                            body: body, by: reader))
                }
                return parsed
            }
        }
        let all = rows
        return try await self.parsingPermits.inTurns(for: venue.key, limit: Self.parsingLimit) { shouldStop in
            FeatureTable(level: level, all, shouldStop: shouldStop)
        }
    }
}
