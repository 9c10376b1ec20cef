import Foundation
import HTTPTypes
import IMDF
import Postgres
import RevisionStore
import SampleVenue
import SyncModel
import SyncServer
import TestSupport
import Testing

/// `GET /sync`: all venues that a key may read.
@Suite(.server)
struct CatalogueSyncTests {
    private static let (mall, hall, kiosk) = (VenueKey("mall")!, VenueKey("hall")!, VenueKey("kiosk")!)

    @Test func `sync over all venues needs a key and refuses parameters of a single venue`() async throws {
        let harness = Harness.current
        try await harness.send(.get, "/sync", key: nil).problem(401)
        try await harness.send(.get, "/sync", key: "vsk_nobody").problem(401)
        let nothing = try await harness.catalogue()
        #expect(nothing.from == nil && nothing.to == 0 && nothing.isComplete)
        #expect(nothing.venues.isEmpty && nothing.gone.isEmpty)
        for query in [
            "level=venue", "to=1", "wait=-1", "wait=x", "limit=0", "since=x", "since=A&since=B",
        ] {
            try await harness.send(.get, "/sync?\(query)").problem(400)
        }
        for query in ["level=&to=&since=&wait=", "wait=0", "wait=60"] {
            #expect(try await harness.send(.get, "/sync?\(query)").changes == nothing)
        }
        try await harness.push(PlainVenue(units: [1]).archive())
        let one = try await harness.sync().cursor
        try await harness.send(.get, "/sync?since=\(one)").problem(400)
        try await harness.send(.get, "/venues/mall/sync?since=\(nothing.cursor)").problem(400)
    }

    @Test func `sync over all venues sends what the key may read, and then the changes of each venue`() async throws {
        let harness = Harness.current
        for name in ["mall", "hall", "kiosk"] {
            try await harness.push(PlainVenue(units: [2], name: name).archive(), to: name)
        }
        let key = try await harness.makeKey(.read, for: ["mall", "hall", "nowhere"])
        var replica = CatalogueReplica()
        let first = try await harness.catalogue(key: key)
        #expect(first.from == nil && first.to == 3 && first.venues.map(\.venue) == [Self.hall, Self.mall])
        #expect(first.venues.allSatisfy { $0.from == nil && $0.to == 1 && $0.isComplete && $0.blocks.count == 2 })
        try replica.apply([first])

        try await harness.push(PlainVenue(units: [3], name: "mall").archive(), query: "?identity=trust")
        try await harness.push(PlainVenue(units: [3], name: "kiosk").archive(), to: "kiosk")
        let changes = try await harness.catalogue(since: replica.cursor, key: key)
        #expect(changes.from == 3 && changes.to == 5 && changes.gone.isEmpty && changes.venues.count == 1)
        #expect(changes.venues[0].venue == Self.mall && changes.venues[0].from == 1 && changes.venues[0].to == 2)
        #expect(changes.venues[0].blocks.map(\.features.count) == [1])
        try replica.apply([changes])
        let venue = try await harness.get(Venue.self, "/venues/mall")
        #expect(replica.venues[Self.mall]?.digest == venue.digest)
        #expect(venue.levels.allSatisfy { replica.venues[Self.mall]?.replica.digest(of: $0.level) == $0.digest })

        let none = try await harness.catalogue(since: replica.cursor, key: key)
        #expect(none.venues.isEmpty && none.gone.isEmpty && none.from == 5 && none.to == 5)
        #expect(none.cursor == replica.cursor)
    }

    @Test func `sync over all venues reports a rollback to the held state without any feature`() async throws {
        let harness = Harness.current
        try await harness.push(PlainVenue(units: [2]).archive())
        let cursor = try await harness.catalogue().cursor
        try await harness.push(PlainVenue(units: [2], name: "Other").archive())
        try await harness.rollBack(to: 1)
        let changes = try await harness.catalogue(since: cursor)
        #expect(changes.venues.count == 1 && changes.venues[0].blocks.isEmpty && changes.venues[0].to == 3)
    }

    @Test func `sync over all venues sends granted venues whole and reports withdrawn and deleted ones as gone`()
        async throws
    {
        let harness = Harness.current
        for name in ["mall", "hall", "kiosk"] {
            try await harness.push(PlainVenue(units: [1], name: name).archive(), to: name)
        }
        let both = try await harness.makeKey(.read, for: ["mall", "hall"])
        let other = try await harness.makeKey(.read, for: ["hall", "kiosk"])
        var replica = CatalogueReplica()
        try replica.apply([try await harness.catalogue(key: both)])
        let moved = try await harness.catalogue(since: replica.cursor, key: other)
        #expect(moved.gone == [Self.mall] && moved.venues.map(\.venue) == [Self.kiosk] && moved.from == moved.to)
        #expect(moved.venues[0].from == nil && moved.venues[0].blocks.allSatisfy { $0.kind == .snapshot })
        try replica.apply([moved])

        // Every key may read public venues, as `GET /venues` lists them.
        try await harness.set("public", to: true)
        let open = try await harness.catalogue(since: replica.cursor, key: other)
        #expect(open.venues.map(\.venue) == [Self.mall] && open.gone.isEmpty)
        try replica.apply([open])
        try await harness.set("public", to: false)
        let closed = try await harness.catalogue(since: replica.cursor, key: other)
        #expect(closed.gone == [Self.mall] && closed.venues.isEmpty)
        try replica.apply([closed])

        try await harness.delete("kiosk")
        let deleted = try await harness.catalogue(since: replica.cursor, key: other)
        #expect(deleted.gone == [Self.kiosk] && deleted.venues.isEmpty)
        // A client that missed the deletion and the return gets the new venue whole, which replaces the old one.
        try await harness.push(PlainVenue(units: [2], name: "again").archive(), to: "kiosk")
        let again = try await harness.catalogue(since: replica.cursor, key: other)
        #expect(again.gone.isEmpty && again.venues.map(\.venue) == [Self.kiosk] && again.venues[0].from == nil)
        try replica.apply([again])
        #expect(replica.venues.keys.sorted() == [Self.hall, Self.kiosk])
        #expect(replica.venues[Self.kiosk]?.replica.features.count == 5)
    }

    @Test func `sync over all venues never takes back on one node what another node has granted`() async throws {
        let here = Harness.current
        for name in ["hall", "mall"] { try await here.push(PlainVenue(units: [1]).archive(), to: name) }
        let key = try await here.makeKey(.read, for: ["mall"])
        try await Harness.run(store: here.store) { there in
            #expect(try await there.catalogue(key: key).venues.map(\.venue) == [Self.mall])
            for isOpen in [true, false] {
                let before = try await here.catalogue(key: key).cursor
                // The node trusts its state for two seconds.
                there.server.readModel.confirm(asOf: .now)
                try await here.set("public", to: .bool(isOpen), of: "hall")
                let changes = try await here.catalogue(since: before, key: key)
                #expect(isOpen ? changes.venues.map(\.venue) == [Self.hall] : changes.gone == [Self.hall])
                let nothing = try await there.catalogue(since: changes.cursor, key: key)
                #expect(nothing.venues.isEmpty && nothing.gone.isEmpty)
            }
        }
    }

    @Test func `sync over all venues sends a pruned venue whole and the others as changes`() async throws {
        let harness = Harness.current
        for name in ["mall", "hall"] { try await harness.push(PlainVenue(units: [1]).archive(), to: name) }
        var replica = CatalogueReplica()
        try replica.apply([try await harness.catalogue()])
        for name in ["mall", "hall"] {
            for units in 2...3 {
                try await harness.push(
                    PlainVenue(units: [units]).archive(), to: name, query: "?identity=trust")
            }
        }
        try await harness.prune("mall", before: 3)
        let changes = try await harness.catalogue(since: replica.cursor)
        #expect(changes.venues.map(\.venue) == [Self.hall, Self.mall] && changes.venues.map(\.from) == [1, nil])
        try replica.apply([changes])
        #expect(replica.venues.values.allSatisfy { $0.replica.features.count == 6 })
        #expect(try await harness.catalogue(since: replica.cursor).venues.isEmpty)
    }

    @Test func `sync over all venues answers 410 to a cursor of another history or a forged one`() async throws {
        let harness = Harness.current
        try await harness.push(PlainVenue(units: [1]).archive())
        try await harness.push(PlainVenue(units: [1]).archive(), to: "hall")
        let key = try await harness.makeKey(.read, for: ["mall"])
        let cursor = try await harness.catalogue(key: key).cursor
        // Forged cursors: the name of a venue that the key may not see must not be reported as gone.
        var (curious, ahead) = (cursor, cursor)
        curious.holding?.venues = VenueSet([1, 2])
        ahead.holding?.checkpoint.position = 99
        for made in [curious, ahead] {
            let problem = try await harness.send(.get, "/sync?since=\(made)", key: key).problem(410)
            #expect(problem.type == "/problems/history-lost")
        }
        // The chain survives the deletion of a venue.
        try await harness.push(PlainVenue(units: [1], name: "Other").archive())
        try await harness.delete("hall")
        #expect(try await harness.catalogue(since: cursor, key: key).venues.count == 1)
        _ = try await harness.store.pool.query(
            "UPDATE catalogue_position SET chain_hash = sha256('fork') WHERE position = 2")
        // Renew the change numbers, as after a restore; otherwise a cached response is still valid.
        _ = try await harness.store.pool.query(
            """
            WITH moved AS (UPDATE catalogue SET change_number = change_number + (1::bigint << 32) RETURNING change_number)
            UPDATE venue SET change_number = moved.change_number FROM moved
            WHERE id = (SELECT id FROM venue ORDER BY venue.change_number DESC LIMIT 1)
            """)
        try await harness.send(.get, "/sync?since=\(cursor)", key: key).problem(410)
        // The database returns to an earlier state.
        let late = try await harness.catalogue(key: key).cursor
        for statement: Query in [
            "DELETE FROM revision WHERE position = 3", "DELETE FROM catalogue_position WHERE position > 2",
            """
            UPDATE venue SET head = 1, change_number = CASE key WHEN 'mall' THEN 2 ELSE 1 END
            WHERE deleted_at IS NULL
            """,
            "UPDATE venue SET change_number = 1 WHERE deleted_at IS NOT NULL",
            "UPDATE catalogue SET position = 2, change_number = 2, key_change_number = 0",
        ] {
            _ = try await harness.store.pool.query(statement)
        }
        try await harness.send(.get, "/sync?since=\(late)", key: key).problem(410)
    }

    @Test func `catalogue: every position has its hash chain, and every venue a permanent number without gaps`()
        async throws
    {
        let harness = Harness.current
        for (number, name) in ["c", "a", "b", "a"].enumerated() {
            try await harness.push(PlainVenue(units: [1], name: "\(name) \(number)").archive(), to: name)
        }
        _ = try await harness.upload([1], to: "d")
        try await harness.delete("c")
        try await harness.push(PlainVenue(units: [2]).archive(), to: "c")
        try await harness.push(PlainVenue(units: [2]).archive(), to: "e")
        let numbers = try await harness.store.pool.query(
            """
            SELECT key || ' ' || catalogue_index FROM venue
            WHERE catalogue_index IS NOT NULL ORDER BY catalogue_index
            """)
        #expect(try numbers.decode(String.self) == ["c 1", "a 2", "b 3", "e 4"])
        let marks = try await harness.store.pool.query(
            """
            SELECT CASE WHEN checkpoint.chain_hash = coalesce(revision.chain_hash, checkpoint.chain_hash) THEN checkpoint.position END
            FROM catalogue_position AS checkpoint LEFT JOIN revision USING (position) ORDER BY position
            """)
        #expect(try marks.decode(Int64?.self) == Array(0...6))
    }

    @Test func `sync over all venues is private, cached for seconds without changes, and has tags`() async throws {
        let harness = Harness.current
        try await harness.push(PlainVenue(units: [1]).archive())
        let changes = try await harness.send(.get, "/sync")
        let cursor = try changes.changes.cursor
        #expect(changes.parts(of: .cacheControl) == ["private", "max-age=60"])
        let path = "/sync?since=\(cursor)"
        let none = try await harness.send(.get, path)
        #expect(none.parts(of: .cacheControl) == ["private", "max-age=2", "stale-while-revalidate=60"])
        for response in [changes, none] {
            #expect(response.parts(of: .vary) == ["authorization", "accept-encoding"])
            #expect(response.headers[.eTag]?.hasPrefix("W/\"") == true)
        }
        let tag = try #require(none.headers[.eTag])
        let known = try await harness.send(.get, path, headers: [.ifNoneMatch: tag])
        #expect(known.status == .notModified && known.data.isEmpty)
        try await harness.push(PlainVenue(units: [2]).archive(), query: "?identity=trust")
        let later = try await harness.send(.get, path, headers: [.ifNoneMatch: tag])
        #expect(later.status == .ok && later.headers[.eTag] != tag)
        // A page is never immutable, because the rights are checked for each.
        let page = try await harness.catalogue(limit: 1)
        let next = try await harness.send(.get, "/sync?since=\(page.cursor)&limit=1")
        #expect(next.parts(of: .cacheControl) == ["private", "max-age=60"])
    }
}

extension TestResponse {
    var changes: CatalogueChangeSet { get throws { try CatalogueChangeSet(json: Array(self.data)) } }
}

extension Harness {
    func delete(_ venue: String) async throws {
        let response = try await self.send(.delete, "/venues/\(venue)", json: ["confirm": .string(venue)])
        try #require(response.status == .noContent, "\(response.text)")
    }

    /// Prunes the revisions of a venue before the given one.
    func prune(_ venue: String, before number: Int64) async throws {
        guard let key = VenueKey(venue) else { return }
        let record = try await self.store.venue(key)
        _ = try await self.store.prune(record, keeping: Int(record.head - number) + 1, by: .ops)
    }
}
