import Foundation
import HTTPTypes
import IMDF
import Ingestion
import Postgres
import RevisionStore
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Pruned, renewed and replaced histories, from the point of view of clients and operators.
@Suite(.server)
struct LostHistoryTests {
    /// Publishes four revisions and returns their states.
    private static func prepare(_ harness: Harness) async throws -> [SampleVenue] {
        var venue = SampleVenue.tiny
        var states = [venue]
        try await harness.push(venue.archive())
        for seed in 1...3 as ClosedRange<UInt64> {
            venue = venue.edited(Edit(.rename, 2), seed: seed)
            states.append(venue)
            try await harness.push(venue.archive())
        }
        return states
    }

    private static func prune(_ harness: Harness, keeping count: Int, dryRun: Bool = false) async throws -> Pruning {
        let request: JSONValue = ["keep_revisions": .number(Double(count)), "dry_run": .bool(dryRun)]
        let response = try await harness.send(.post, "/venues/mall/prune", json: request)
        try #require(response.status == .ok, "\(response.text)")
        return try response.decoded(Pruning.self)
    }

    @Test func `pruned revisions are gone from every route, and kept ones are not`() async throws {
        let harness = Harness.current
        _ = try await Self.prepare(harness)
        let kept = try await harness.send(.get, "/venues/mall/revisions/3/features").data
        let planned = try await Self.prune(harness, keeping: 2, dryRun: true)
        #expect(try await harness.get(Venue.self, "/venues/mall").first == 1)
        #expect(try await Self.prune(harness, keeping: 2) == planned)
        #expect(planned.first == 3 && planned.revisions == 2 && planned.versions > 0 && planned.bytes > 0)
        #expect(try await harness.get(Venue.self, "/venues/mall").first == 3)
        for path in [
            "revisions/2", "revisions/1/features", "revisions/2/archive.zip", "diff?from=2", "diff?from=4&to=1",
        ] {
            let problem = try await harness.send(.get, "/venues/mall/\(path)").problem(410)
            #expect(problem.type == "/problems/revision-pruned", "\(path)")
        }
        for request in [["to": 2], ["to": 2, "dry_run": true], ["to": 2, "levels": ["ordinal:0"]]] as [JSONValue] {
            let problem = try await harness.send(.post, "/venues/mall/rollback", json: request).problem(410)
            #expect(problem.type == "/problems/revision-pruned")
        }
        let log = try await harness.send(.get, "/venues/mall/revisions?limit=2").json
        #expect(log["revisions"]?.array?.map { $0["number"]?.number } == [4, 3] && log["next"]?.isNull == true)
        #expect(try await harness.send(.get, "/venues/mall/revisions/3/features").data == kept)
        #expect(try await harness.send(.get, "/venues/mall/diff?from=3&to=4").status == .ok)
        #expect(try await harness.send(.post, "/venues/mall/rollback", json: ["to": 3]).status == .created)
    }

    @Test func `cursors, targets and pages before the kept history are answered 410 with a way to restart`()
        async throws
    {
        let harness = Harness.current
        let states = try await Self.prepare(harness)
        let old = try await harness.sync("to=2").cursor
        let kept = try await harness.sync("to=3").cursor
        let page = try await harness.sync("to=1&limit=3").cursor
        let later = try await harness.sync("since=\(old)&to=3&limit=1")
        _ = try await Self.prune(harness, keeping: 2)
        let levels = try await harness.get(Venue.self, "/venues/mall").levels.count
        for query in ["since=\(old)", "since=\(old)&to=4", "since=\(page)", "to=1", "since=\(later.cursor)"] {
            let response = try await harness.send(.get, "/venues/mall/sync?\(query)")
            #expect(try response.problem(410).type == "/problems/history-lost", "\(query)")
            let restart = try response.json
            #expect(restart["to"]?.number == 4 && restart["levels"]?.array?.count == levels)
            let next = try await harness.sync("since=\(try #require(restart["cursor"]?.string))")
            #expect(next.blocks.isEmpty && next.to == 4)
        }
        var replica = Replica()
        replica.cursor = kept
        let changes = try await harness.sync("since=\(kept)")
        #expect(changes.from == 3 && changes.to == 4 && !changes.blocks.isEmpty)
        try replica.apply(await harness.pages(to: 3))
        try replica.apply([changes])
        #expect(replica.features.mapValues(\.body) == states[3].bodies)
    }

    @Test func `prune: a worker keeps as many revisions as the setting says`() async throws {
        let harness = Harness.current
        let states = try await Self.prepare(harness)
        try await harness.worker.sweep()
        #expect(try await harness.get(Venue.self, "/venues/mall").first == 1)
        try await harness.set("keep_revisions", to: 2)
        try await harness.worker.sweep()
        #expect(try await harness.get(Venue.self, "/venues/mall").first == 3)
        try await harness.push(states[3].edited(Edit(.rename, 1), seed: 9).archive())
        try await harness.worker.sweep()
        #expect(try await harness.send(.post, "/venues/mall/rollback", json: ["to": 4]).status == .created)
        try await harness.worker.sweep()
        let venue = try await harness.get(Venue.self, "/venues/mall")
        #expect(venue.first == 5 && venue.head == 6)
        #expect(try await harness.count("revision") == 2)
        #expect(try await harness.features(at: 6).count == states[3].features.count)
        // Resetting the setting restores nothing and stops the pruning.
        try await harness.set("keep_revisions", to: .null)
        try await harness.worker.sweep()
        #expect(try await harness.get(Venue.self, "/venues/mall").first == 5)
    }

    @Test func `staged upload outlives the revision it was compared with`() async throws {
        let harness = Harness.current
        let states = try await Self.prepare(harness)
        let next = states[3].edited(Edit(.rename, 3), seed: 12)
        let held = try await harness.push(next.archive(), query: "?publish=hold")
        let path = "/uploads/\(held.id)/changes"
        let shown = try await harness.send(.get, path).json["changes"]?.array
        #expect(shown?.isEmpty == false && shown?.allSatisfy { $0["before"]?.isNull == false } == true)
        #expect(try await harness.send(.post, "/venues/mall/rollback", json: ["to": 1]).status == .created)
        _ = try await Self.prune(harness, keeping: 1)
        for query in ["", "?level=ordinal:0", "?bodies=false"] {
            #expect(try await harness.send(.get, path + query).status == .ok)
        }
        let left = try await harness.send(.get, path).json["changes"]?.array
        #expect(left?.map { $0["after"] } == shown?.map { $0["after"] })
        #expect(left?.allSatisfy { $0["before"]?.isNull == true } == true)
        #expect(try await harness.decide(held).status == .ok)
        #expect(try await harness.features(at: 6).count == next.features.count)
    }

    @Test func `prune: a malformed request prunes nothing`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        try await harness.push(SampleVenue.tiny.edited(Edit(.rename, 1)).archive())
        for body in [
            "{}", #"{"keep_revisions":0}"#, #"{"keep_revisions":-3}"#, #"{"keep_revisions":1.5}"#,
            #"{"keep_revisions":"2"}"#, #"{"keep_revisions":1e40}"#, #"{"keep_revisions":2,"dry_run":"no"}"#, "[]",
        ] as [String] {
            try await harness.send(.post, "/venues/mall/prune", type: "application/json", body: Array(body.utf8))
                .problem(400, "\(body)")
            #expect(try await harness.get(Venue.self, "/venues/mall").first == 1)
        }
    }

    @Test func `epoch: after a new one a client fetches only levels whose digest differs`() async throws {
        let harness = Harness.current
        let states = try await Self.prepare(harness)
        var replica = Replica()
        try replica.apply(await harness.pages(to: 3))
        var upToDate = Replica()
        try upToDate.apply(await harness.pages())
        #expect(try await harness.send(.post, "/venues/mall/epoch").decoded(Venue.self).head == 4)
        let changed = Set(
            states[3].features(otherThanIn: states[2]).compactMap { feature in
                replica.features[feature.id].map(\.level)
            })
        #expect(!changed.isEmpty && changed.count < 3)
        #expect(try await replica.startOver(with: harness) == changed)
        #expect(replica.features.mapValues(\.body) == states[3].bodies)
        #expect(try await upToDate.startOver(with: harness) == [])
        #expect(upToDate == replica)
        #expect(try await harness.sync("since=\(replica.cursor!)").blocks.isEmpty)
    }

    @Test func `restart address of another history is refused, so that no cache can cause a loop`() async throws {
        let harness = Harness.current
        let venue = SampleVenue.tiny
        try await harness.push(venue.archive())
        let cursor = try await harness.sync().cursor
        _ = try await harness.send(.post, "/venues/mall/epoch")
        let first = try await Self.hrefs(of: cursor, in: harness)
        for href in first { #expect(try await harness.send(.get, href).status == .ok) }
        _ = try await harness.send(.delete, "/venues/mall", json: ["confirm": "mall"])
        try await harness.push(venue.archive())
        let second = try await Self.hrefs(of: cursor, in: harness)
        #expect(Set(first).isDisjoint(with: second) && first.count == second.count)
        for href in first {
            #expect(try await harness.send(.get, href).problem(410).type == "/problems/history-lost")
            #expect(try await harness.send(.get, href.split(separator: "&epoch")[0].description).status == .ok)
        }
        for href in second { #expect(try await harness.send(.get, href).status == .ok) }
        for epoch in ["x", "AAAA", "\(cursor)", "%00"] {
            try await harness.send(.get, "/venues/mall/revisions/1/features?epoch=\(epoch)").problem(400)
        }
    }

    private static func hrefs(of cursor: Cursor, in harness: Harness) async throws -> [String] {
        let response = try await harness.send(.get, "/venues/mall/sync?since=\(cursor)")
        _ = try response.problem(410)
        return try #require(response.json["levels"]?.array).compactMap { $0["href"]?.string }
    }

    @Test func `lineage: a database that was moved or restored renews its epochs exactly once`() async throws {
        let harness = Harness.current
        let store = harness.store
        _ = try await store.checkLineage()
        for venue in ["mall", "airport"] { try await harness.push(SampleVenue.tiny.archive(), to: venue) }
        let cursor = try await harness.sync().cursor
        #expect(try await store.checkLineage() == .unchanged)
        #expect(try await harness.send(.get, "/venues/mall/sync?since=\(cursor)").status == .ok)
        for column in ["system_identifier", "timeline", "database_id"] {
            let cursor = try await harness.sync().cursor
            let before = try await store.catalogueChanges(after: -1)
            _ = try await store.pool.query("UPDATE lineage SET \(raw: column) = 7")
            let findings = try await Self.settle(store, times: 6)
            #expect(findings.count { $0 == .renewed(venues: 2) } == 1, "\(column)")
            #expect(findings.count { $0 == .unchanged } == 5, "\(column)")
            try await harness.send(.get, "/venues/mall/sync?since=\(cursor)").problem(410)
            let changes = try await store.catalogueChanges(after: before.number)
            #expect(Set(changes.venues.map(\.venue.changeNumber)).count == 2 && changes.number > before.number + 2)
            #expect(Set(changes.venues.map(\.venue.epoch)).count == 2)
        }
    }

    private static func settle(_ store: RevisionStore, times: Int) async throws -> [LineageCheck] {
        try await withThrowingTaskGroup(of: LineageCheck.self) { group in
            for _ in 0..<times { group.addTask { try await store.checkLineage() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test func `lineage: a database role without access to the system identifier renews nothing and reports it`()
        async throws
    {
        let harness = Harness.current
        let store = harness.store
        _ = try await store.checkLineage()
        try await harness.push(SampleVenue.tiny.archive())
        let cursor = try await harness.sync().cursor
        for function in ["pg_control_system()", "pg_current_wal_lsn()"] {
            _ = try await store.pool.query("REVOKE EXECUTE ON FUNCTION \(raw: function) FROM public")
        }
        let database = try await store.pool.query("SELECT current_database()::text").decode(String.self)
        let role = "tenant_of_\(try #require(database.first))"
        _ = try await store.pool.query("CREATE ROLE \(raw: role)")
        _ = try await store.pool.query("GRANT SELECT, UPDATE ON lineage TO \(raw: role)")
        let url = TestDatabase.current.configuration.url + "&options=-crole%3D\(role)"
        let tenant = RevisionStore(pool: ConnectionPool(ConnectionConfiguration(url: url), size: 1))
        #expect(try await tenant.checkLineage() == .unknown)
        await tenant.pool.close()
        #expect(try await harness.send(.get, "/venues/mall/sync?since=\(cursor)").status == .ok)
    }
}

extension Replica {
    /// Follows a 410 response.
    ///
    /// - Returns: The levels that were fetched.
    mutating func startOver(with harness: Harness) async throws -> Set<FeatureID?> {
        let response = try await harness.send(.get, "/venues/mall/sync?since=\(try #require(self.cursor))")
        _ = try response.problem(410)
        let restart = try response.json
        var (fetched, listed): (Set<FeatureID?>, Set<FeatureID?>) = ([], [])
        for item in try #require(restart["levels"]?.array) {
            let level = item["level_id"]?.string.flatMap { FeatureID($0) }
            listed.insert(level)
            guard item["digest"]?.string != self.digest(of: level).description else { continue }
            fetched.insert(level)
            self.features = self.features.filter { $0.value.level != level }
            for body in try await harness.send(.get, try #require(item["href"]?.string)).features {
                self.features[try Handmade.id(of: body)] = .init(level: level, body: body)
            }
            #expect(self.digest(of: level).description == item["digest"]?.string)
        }
        self.features = self.features.filter { listed.contains($0.value.level) }
        self.cursor = try #require(restart["cursor"]?.string.flatMap { Cursor($0) })
        return fetched
    }
}
