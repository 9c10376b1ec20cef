import Foundation
import IMDF
import IMDFDiff
import Postgres
import RevisionStore
import SyncModel
import TestSupport
import Testing

/// Every statement has a good plan on a database that was never analyzed, also when the plan was made while it was empty.
@Suite(.database)
struct PlanTests {
    /// One connection, so that its plans are cached from the first venue to the last, and its counters are complete.
    private let store = RevisionStore(pool: ConnectionPool(TestDatabase.current.configuration.forStore(), size: 1))

    @Test
    func `query plans read rows in proportion to their results, with and without statistics`() async throws {
        // The server caches a plan after five executions, here for a venue that is almost empty.
        for number in 0..<6 { try await self.life(of: "tiny-\(number)", features: 12) }
        let (small, large) = (
            try await self.life(of: "small", features: 500), try await self.life(of: "large", features: 2_000)
        )
        for (step, reads) in large {
            let before = small[step] ?? 0
            if step.isWhole {
                // Four times as many rows; twice that where rows are looked up in one index and scanned in another.
                #expect(reads <= 6 * before + 200, "\(step.name): \(before) rows, then \(reads)")
                #expect(reads <= 12 * 2_000, "\(step.name): \(reads) rows")
            } else {
                #expect(reads <= 2 * before + 60, "\(step.name): \(before) rows, then \(reads)")
                // A quarter of all features: in a long run, autovacuum reads some rows, too.
                #expect(reads <= 500, "\(step.name): \(reads) rows")
            }
        }
        try await self.expectIndexes()
        await self.store.pool.close()
    }

    private struct Step: Hashable {
        let name: String
        /// Whether the result is a whole venue; otherwise a few features.
        let isWhole: Bool
    }

    /// Runs every kind of statement for a venue, and counts the rows that each reads.
    @discardableResult
    private func life(of name: String, features count: Int) async throws -> [Step: Int64] {
        var life = Life(workshop: Workshop(store: self.store, key: try #require(VenueKey(name))), features: count)
        var reads: [Step: Int64] = [:]
        for (step, work) in Life.steps {
            let before = try await self.rowsRead()
            try await work(&life)
            reads[step] = try await self.rowsRead() - before
        }
        return reads
    }

    private func rowsRead() async throws -> Int64 {
        _ = try await self.store.pool.query("SELECT pg_stat_force_next_flush()::text")
        return try await self.store.pool.query(
            """
            SELECT (SELECT coalesce(sum(seq_tup_read), 0)::bigint FROM pg_stat_user_tables)
                + (SELECT coalesce(sum(idx_tup_read), 0)::bigint FROM pg_stat_user_indexes)
            """
        ).decode(Int64.self)[0]
    }

    /// Checks the generic plan of every statement that the session has prepared.
    private func expectIndexes() async throws {
        try await self.store.pool.withConnection { connection in
            try await connection.execute("SET plan_cache_mode TO force_generic_plan")
            let statements = try await connection.query(
                "SELECT name, statement, cardinality(parameter_types) FROM pg_prepared_statements"
            ).decode((String, String, Int32).self)
            #expect(statements.count > 50)
            for (name, text, count) in statements where !text.contains("pg_stat_") && !text.contains("pg_prepared") {
                let values = count == 0 ? "" : "(\(Array(repeating: "NULL", count: Int(count)).joined(separator: ",")))"
                let plan = try await connection.query("EXPLAIN EXECUTE \(raw: name)\(raw: values)").decode(String.self)
                for (line, next) in zip(plan, plan.dropFirst() + [""]) where Self.names(line) {
                    #expect(!line.contains("Seq Scan"), "\(text)\n\(plan.joined(separator: "\n"))")
                    if line.contains("Index") {
                        #expect(next.contains("Index Cond"), "\(text)\n\(plan.joined(separator: "\n"))")
                    }
                }
            }
        }
    }

    /// Whether a line of a plan is about a table that grows with the content of venues.
    private static func names(_ line: String) -> Bool {
        [
            "feature_version", "level_state", "feature_alias", "staged_change", "finding", "upload_match",
            "archive_chunk", "feature_override", "edit_request",
        ]
        .contains { line.contains("on \($0)") }
    }
}

extension PlanTests {
    /// A venue and the operations on it.
    private struct Life {
        let workshop: Workshop
        var model = VenueModel()
        var before = VenueModel()

        var store: RevisionStore { self.workshop.store }

        init(workshop: Workshop, features count: Int) {
            self.workshop = workshop
            let levels = (0..<4).map { _ in FeatureID.random() }
            for (ordinal, level) in levels.enumerated() {
                self.model.entries[level] = .init(type: .level, text: "level", ordinal: ordinal)
            }
            for number in 0..<count {
                self.model.entries[.random()] = .init(
                    type: .unit, level: number % 10 == 0 ? nil : levels[number % 4],
                    text: String(repeating: "x", count: 200))
            }
        }

        func venue() async throws -> VenueRecord { try await self.store.venue(self.workshop.key) }

        /// The same units every time.
        func some(_ count: Int) -> [FeatureID] {
            Array(self.model.entries.filter { $0.value.type == .unit }.keys.sorted().prefix(count))
        }

        typealias Work = (inout Life) async throws -> Void

        static var steps: [(Step, Work)] {
            Self.publishing.map { (Step(name: $0.0, isWhole: $0.1), $0.2) }
                + Self.reading.map { (Step(name: $0.0, isWhole: $0.1), $0.2) }
                + Self.ending.map { (Step(name: $0.0, isWhole: $0.1), $0.2) }
        }

        private static var publishing: [(String, Bool, Work)] {
            [
                (
                    "first import", true,
                    { life in _ = try await life.workshop.publish(life.model, over: VenueModel()) }
                ),
                (
                    "small import", false,
                    { life in
                        life.before = life.model
                        for id in life.some(5) { life.model.entries[id]?.text = "changed" }
                        _ = try await life.workshop.publish(life.model, over: life.before)
                    }
                ),
                (
                    "import with other ids", false,
                    { life in
                        let job = try #require(try await life.workshop.job("aliases"))
                        let venue = try await life.venue()
                        let matches = life.some(5).map {
                            IdentityMatch(id: $0, archiveID: .random(), type: .unit, kind: .exact, reason: .content)
                        }
                        let identity = ArchiveIdentity(
                            counts: .init(kept: 0, aliased: 0, matched: 5, near: 0, new: 0, gone: 0), matches: matches)
                        try await life.store.finish(
                            job, as: .unchanged, findings: [], base: venue.head, identity: identity, changes: nil,
                            in: venue)
                        #expect(try await life.store.aliases(of: matches.map(\.archiveID), in: venue).count == 5)
                        _ = try await life.store.storedIDs(of: job.upload)
                        _ = try await life.store.archiveCreated(in: venue, upTo: venue.head)
                        _ = try await life.store.revived(life.some(5), in: venue, since: venue.head)
                    }
                ),
                (
                    "staged upload", false,
                    { life in
                        let job = try #require(try await life.workshop.job("staged"))
                        try await life.store.stage(life.workshop.staging(of: life.some(5)), of: job, findings: [])
                        #expect(try await life.workshop.stagedBodies(of: job) == 5)
                        try await life.store.discard(job.upload, by: .ops)
                    }
                ),
                (
                    "rejected uploads", false,
                    { life in
                        let first = try #require(try await life.workshop.job("rejected"))
                        try await life.store.reject(life.workshop.staging(of: life.some(5)), of: first, findings: [])
                        let second = try #require(try await life.workshop.job("rejected again"))
                        try await life.store.reject(life.workshop.staging(of: life.some(5)), of: second, findings: [])
                        #expect(try await life.workshop.stagedBodies(of: second) == 5)
                        await #expect(throws: StoreError.wrongState(.rejected)) {
                            try await life.store.stagedDifference(of: first.upload)
                        }
                    }
                ),
            ]
        }

        private static var reading: [(String, Bool, Work)] {
            [
                (
                    "snapshot in pages", true,
                    { life in _ = try await life.workshop.pages(since: nil, to: nil, limit: 400) }
                ),
                (
                    "one level", true,
                    { life in
                        let level = try #require(life.model.levels.first)
                        _ = try await life.store.features(of: life.venue(), at: 2, where: .init(levels: [level]))
                    }
                ),
                (
                    "levels of a revision", false,
                    { life in
                        // With another store.
                        let (store, venue) = (RevisionStore(pool: life.store.pool), try await life.venue())
                        let revision = try await store.revision(2, of: venue)
                        #expect(try await store.levelStates(of: venue, at: revision).count == 5)
                        var parts = 0
                        try await store.listedLevels(of: [venue]) { _ in parts += 1 }
                        #expect(parts == 5)
                        var bodies = 0
                        let levels = revision.levels.map { (id: $0.id, revision: Int64(2)) }
                        try await store.levelBodies(levels, of: venue, since: 2) { _, _ in bodies += 1 }
                        #expect(bodies == 4)
                    }
                ),
                (
                    "change set", false,
                    { life in
                        let venue = try await life.venue()
                        #expect(try await life.store.changes(in: venue, from: 1, to: 2).count == 5)
                        var count = 0
                        _ = try await life.store.changedBodies(in: venue, from: 1, to: 2) { _, _, _ in count += 1 }
                        #expect(count == 5)
                    }
                ),
                (
                    "both revisions", true,
                    { life in
                        var count = 0
                        try await life.store.comparedVersions(of: life.venue(), at: 2, or: 1) { _ in count += 1 }
                        #expect(count == life.model.entries.count + 5)
                    }
                ),
                (
                    "bodies by id, in batches", true,
                    { life in
                        let (ids, venue) = (life.model.entries.keys.sorted(), try await life.venue())
                        var count = 0
                        for start in stride(from: 0, to: ids.count, by: 100) {
                            let batch = Array(ids[start..<min(start + 100, ids.count)])
                            try await life.store.bodies(of: batch, in: venue, at: 2) { _, _ in count += 1 }
                        }
                        #expect(count == ids.count)
                    }
                ),
                (
                    "every body", true,
                    { life in
                        var count = 0
                        try await life.store.bodies(of: nil, in: life.venue(), at: 2) { _, _ in count += 1 }
                        #expect(count == life.model.entries.count)
                    }
                ),
                (
                    "base of a comparison", true,
                    { life in
                        let base = try await life.store.comparisonBase(of: life.workshop.key)
                        #expect(base.features.map(\.id) == life.model.entries.keys.sorted())
                    }
                ),
                (
                    "one feature", false,
                    { life in
                        let (venue, id) = (try await life.venue(), life.some(1)[0])
                        #expect(
                            try await life.store.history(of: id, in: venue, before: nil, limit: 10).entries.count == 2)
                        _ = try await life.store.feature(id, of: venue, at: 1)
                        #expect(try await life.store.aliases(of: [id], in: venue).isEmpty)
                    }
                ),
                (
                    "log and uploads", false,
                    { life in
                        let venue = try await life.venue()
                        #expect(try await life.store.log(of: venue, before: nil, limit: 10).count == 2)
                        _ = try await life.store.logEntry(1, of: venue)
                        #expect(try await life.store.uploads(of: venue.key, state: nil, limit: 10).count == 6)
                        _ = try await life.store.publications(after: 0, limit: 4)
                    }
                ),
                (
                    "sync of all venues", true,
                    { life in
                        var state = CatalogueState()
                        state.apply(try await life.store.catalogueChanges(after: -1))
                        let index = try #require(try await life.venue().catalogueIndex)
                        let request = CatalogueRequest(
                            state: state, readable: VenueSet([index]), since: nil, limit: 400)
                        let reader = RevisionReader(store: life.store)
                        _ = try await reader.page(for: request) { _ in reader }
                    }
                ),
            ]
        }

        private static var ending: [(String, Bool, Work)] {
            [
                ("rollback", true, { life in _ = try await life.workshop.rollBack(to: 1) }),
                ("rollback of a level", true, { life in try await life.rollBackLevel() }),
                ("edit", false, { life in try await life.edit() }),
                ("features and levels for edits", true, { life in try await life.readAll() }),
                (
                    "prune", true,
                    { life in
                        #expect(try await life.store.prune(life.venue(), keeping: 1, by: .ops).versions > 0)
                        while try await life.store.pruneNextBatch() {}
                    }
                ),
                ("deletion", true, { life in try await life.store.delete(life.venue(), by: .ops) }),
            ]
        }

        /// Edits some features, and ends one of the overrides.
        private func edit() async throws {
            let (ids, store) = (self.some(5), self.store)
            var venue = try await self.venue()
            let number = try await store.overrides(of: venue, at: venue.head, features: ids).number
            let overrides = ids.map { id in
                Override(
                    id: .random(), feature: id, pointer: .property("hours"), base: nil, value: [0x31], source: nil,
                    witness: .init(type: .unit, name: nil), level: nil, author: "ana", message: nil, since: Date(),
                    until: Date(timeIntervalSince1970: 0))
            }
            let versions = try await store.storedVersions(of: ids, in: venue, at: venue.head)
            let record = EditRecord(id: .random(), digest: Digest(of: [UInt8]()), outcome: "{}")
            _ = try await store.publish(
                EditPublication(
                    venue: venue, versions: ids.compactMap { versions[$0] }, removed: [], levelStates: [],
                    metadata: .init(addedFeatures: 0, country: nil), message: nil,
                    changes: ChangeSummary(added: 0, changed: 5, removed: 0), facts: [],
                    overrides: OverrideChanges(basedOn: number, written: overrides)), recording: record, by: .ops)
            venue = try await self.venue()
            #expect(try await store.editRecord(record.id, of: venue)?.digest == record.digest)
            #expect(try await store.expiredOverrides()?.ids.count == 5)
            let first = overrides[0]
            let set = try await store.overrides([first.id], of: venue, at: venue.head)
            #expect(set.overrides.map(\.feature) == [first.feature])
            #expect(try await store.origins(of: first.feature, in: venue, at: [venue.head])[venue.head]?.count == 1)
            try await store.amend(
                OverrideChanges(basedOn: set.number, ended: overrides.map(\.id)), in: venue, by: .ops)
            for feature in [nil, first.feature] {
                #expect(
                    try await store.overrides(
                        of: venue, at: venue.head, state: .quiet, feature: feature, after: nil, limit: 10
                    ).overrides.isEmpty)
            }
            try await self.readEdited(ids, of: venue)
            #expect(try await store.sweepEditRecords() == 0)
        }

        /// What edits and lists of overrides read of features.
        private func readEdited(_ ids: [FeatureID], of venue: VenueRecord) async throws {
            #expect(try await self.store.bodyLengths(of: ids, in: venue, at: venue.head).count == ids.count)
            var newer = 0
            try await self.store.versions(of: venue, at: venue.head, since: venue.head - 1) { _, _, _ in newer += 1 }
            #expect(newer == ids.count)
        }

        /// What the first edits of a venue read, and those of all levels.
        private func readAll() async throws {
            let venue = try await self.venue()
            var (all, ordered) = (0, 0)
            try await self.store.versions(of: venue, at: venue.head, since: 0) { _, _, _ in all += 1 }
            for level in [nil] + self.model.levels.map(Optional.some) {
                try await self.store.orderedBodies(of: level, in: venue) { _, _ in ordered += 1 }
            }
            #expect(all > 0 && ordered == all)
        }

        /// Rolls the level of the changed units back to the second revision, in the store.
        private func rollBackLevel() async throws {
            let (venue, ids) = (try await self.venue(), self.some(5))
            let restoration = LevelRestoration(
                venue: venue, base: venue.head, restores: 2, levels: self.model.levels,
                versions: ids.map { .init(feature: $0, source: 2, placement: Placement(level: nil)) }, removed: [],
                features: self.model.entries.count, venueFeature: nil, fileNames: [:], message: nil,
                changes: ChangeSummary(added: 0, changed: 0, removed: 0), facts: [],
                overrides: OverrideChanges(
                    basedOn: try await self.store.overrides(of: venue, at: venue.head).number))
            #expect(try await self.store.publish(restoration, by: .ops) == 4)
        }
    }
}
