import Foundation
import HTTPTypes
import IMDF
import NIOCore
import Postgres
import RevisionStore
import SampleVenue
import SyncModel
import SyncServer
import TestSupport
import Testing

@Suite(.server)
struct VenueListTests {
    /// An archive of a venue with levels of the given properties.
    private static func zip(levels: [JSONValue], venue: JSONValue = ["name": ["en": "Mall"]]) throws -> [UInt8] {
        try Handmade.zip(
            [Handmade.feature(1, .venue, venue, geometry: Handmade.square())]
                + levels.enumerated().map { Handmade.feature(2 + $0, .level, $1, geometry: Handmade.square()) })
    }

    /// All pages of a list.
    private static func pages(_ path: String, in harness: Harness) async throws -> [JSONValue] {
        var pages: [JSONValue] = []
        var next: String? = path
        while let path = next {
            let page = try await harness.send(.get, path).json
            #expect(page.keys.contains("next"))
            pages.append(page)
            next = page["next"]?.string
        }
        return pages
    }

    @Test func `venue list is paged by venue key`() async throws {
        let harness = Harness.current
        let names = ["c", "a.b", "a", "b-1", "b"]
        for name in names { try await harness.push(SampleVenue.tiny.archive(), to: name) }
        let pages = try await Self.pages("/venues?limit=2", in: harness)
        let lists = pages.map { $0["venues"]?.array?.compactMap { $0["venue"]?.string } ?? [] }
        #expect(lists == [["a", "a.b"], ["b", "b-1"], ["c"]])
        let whole = try await harness.send(.get, "/venues").json
        #expect(whole["next"] == .null)
        #expect(whole["venues"]?.array == pages.flatMap { $0["venues"]?.array ?? [] })
        // Each entry equals the venue requested alone.
        for venue in whole["venues"]?.array ?? [] {
            let key = try #require(venue["venue"]?.string)
            #expect(try await harness.send(.get, "/venues/\(key)").json == venue)
            let levels = try #require(venue["levels"]?.array?.count)
            #expect(levels > 1 && venue["level_count"]?.number == Double(levels - 1))
        }
        for query in ["limit=0", "limit=x", "after=The%20Mall"] {
            try await harness.send(.get, "/venues?\(query)").problem(400)
        }
    }

    @Test func `venue list is read at once, however many venues it has`() async throws {
        let harness = Harness.current
        for number in 0..<5 { try await harness.push(SampleVenue.tiny.archive(), to: "venue-\(number)") }
        func work() async throws -> Int {
            let uses = harness.store.pool.useCount
            #expect(try await harness.send(.get, "/venues").json["venues"]?.array?.count == 5)
            return harness.store.pool.useCount - uses
        }
        let (unread, read) = (try await work(), try await work())
        #expect(unread == read + 1)
    }

    private static let partBytes = 128 << 10

    @Test func `venue list pages are bounded in bytes`() async throws {
        let harness = Harness.current
        let names = (0..<24).map { "venue-\(10 + $0)" }
        for name in names { try await harness.push(SampleVenue.tiny.archive(), to: name) }
        // With a thousand levels each, a venue takes about 400 kB.
        _ = try await harness.store.pool.query(
            """
            INSERT INTO feature_version
                (venue_id, feature_id, from_revision, feature_type, touches, depth, ordinal, body_sha256, body)
            SELECT venue.id, gen_random_uuid(), 1, 'level', '{}', 0, 1, '\\x00',
                '{"properties": {"name": {"en": "' || repeat('n', 200) || '"}}}'
            FROM venue, generate_series(1, 1000)
            """)
        var (listed, pages): ([String], Int) = ([], 0)
        var next: String? = "/venues"
        var work: Set<Int> = []
        while let path = next {
            let uses = harness.store.pool.useCount
            let response = try await harness.send(.get, path)
            #expect(response.body.readableBytes <= RevisionStore.pageBytes + 64 << 10)
            let page = try response.json
            listed += page["venues"]?.array?.compactMap { $0["venue"]?.string } ?? []
            pages += 1
            next = page["next"]?.string
            // Without a change notifier the key is read again before each part of a long body.
            let parts = (response.body.readableBytes + Self.partBytes - 1) / Self.partBytes
            work.insert(harness.store.pool.useCount - uses - parts)
        }
        #expect(listed == names && pages == 2)
        // Each page was read by itself: the first one reads no more venues than it has room for.
        #expect(work.count == 1)
    }

    @Test func `venue list is answered from memory until a venue changes`() async throws {
        let harness = Harness.current
        for name in ["hall", "mall"] { try await harness.push(SampleVenue.tiny.archive(), to: name) }
        let phones = try await harness.makeKey(.read, for: ["mall"])
        let before = try await harness.send(.get, "/venues").json
        try await TestDatabase.current.withLock(on: "revision", "feature_version", "level_state") {
            #expect(try await harness.send(.get, "/venues").json == before)
            #expect(try await harness.send(.get, "/venues/mall").json == before["venues"]?.array?[1])
            let seen = try await harness.send(.get, "/venues", key: phones).json["venues"]?.array
            #expect(seen?.map { $0["venue"] } == ["mall"] && seen?[0]["settings"] == .none)
        }
        try await harness.set("time_zone", to: "Asia/Tokyo")
        try await harness.push(SampleVenue.tiny.edited(Edit(.rename, 1)).archive(), to: "hall")
        let after = try await harness.send(.get, "/venues").json["venues"]?.array
        #expect(after?.map { $0["head"]?.number } == [2, 1])
        #expect(after?[1]["about"]?["time_zone"] == "Asia/Tokyo")
        #expect(after?[1]["settings"]?["time_zone"] == "Asia/Tokyo")
        #expect(try await harness.send(.delete, "/venues/hall", json: ["confirm": "hall"]).status == .noContent)
        #expect(try await harness.send(.get, "/venues").json["venues"]?.array?.count == 1)
    }

    @Test(.changeNotifier) func `venue list keeps a venue that is published and pruned again and again`()
        async throws
    {
        let harness = Harness.current
        let venue = SampleVenue.tiny
        try await harness.push(venue.archive())
        try await harness.set("removal_guard", to: false)
        for seed in 1...3 as ClosedRange<UInt64> {
            try await harness.push(venue.edited(Edit(.rename, 1), seed: seed).archive())
            let record = try await harness.store.venue(#require(VenueKey("mall")))
            _ = try await harness.store.prune(record, keeping: 1, dryRun: false, by: .ops)
            // The node learns of the prune only by the notification.
            try await harness.until {
                let listed = try await harness.send(.get, "/venues").json["venues"]?.array
                #expect(listed?.map { $0["venue"] } == ["mall"])
                return listed?.first?["head"]?.number == listed?.first?["first"]?.number
            }
        }
    }

    @Test func `venues without a revision are listed for those who may publish to them`() async throws {
        let harness = Harness.current
        for name in ["b", "d"] { try await harness.push(SampleVenue.tiny.archive(), to: name) }
        for name in ["a", "c", "e"] {
            try await harness.push(SampleVenue.tiny.archive(), to: name, query: "?publish=hold")
        }
        let (publisher, reader) = (
            try await harness.makeKey(.publish, for: ["b", "c"]), try await harness.makeKey(.read, for: ["b", "c"])
        )
        func listed(_ query: String, key: String? = Harness.adminKey) async throws -> [String] {
            let venues = try await harness.send(.get, "/venues\(query)", key: key).json["venues"]?.array
            return venues?.compactMap { $0["venue"]?.string } ?? []
        }
        #expect(try await listed("") == ["b", "d"])
        #expect(try await listed("?unpublished=true") == ["a", "b", "c", "d", "e"])
        #expect(try await listed("?unpublished=true", key: publisher) == ["b", "c"])
        #expect(try await listed("?unpublished=true", key: reader) == ["b"])
        try await harness.send(.get, "/venues?unpublished=maybe").problem(400)
        try await harness.send(.get, "/venues?unpublished=true", key: nil).problem(401)

        let pages = try await Self.pages("/venues?unpublished=true&limit=2", in: harness)
        let lists = pages.map { $0["venues"]?.array?.compactMap { $0["venue"]?.string } ?? [] }
        #expect(lists == [["a", "b"], ["c", "d"], ["e"]])
        let whole = try await harness.send(.get, "/venues?unpublished=true")
        #expect(whole.headers[.cacheControl]?.contains("no-store") == true)
        #expect(try whole.json["venues"]?.array == pages.flatMap { $0["venues"]?.array ?? [] })

        // All of them are read in one statement.
        func work(_ query: String) async throws -> Int {
            let uses = harness.store.pool.useCount
            _ = try await listed(query)
            return harness.store.pool.useCount - uses
        }
        let (published, all) = (try await work(""), try await work("?unpublished=true"))
        #expect(all == published + 1)

        let waiting = try #require(try await harness.uploads(of: "c").first)
        let decision = try await harness.send(.post, "/uploads/\(waiting.id)/publish", json: [:])
        #expect(decision.status == .accepted, "\(decision.text)")
        try await harness.work()
        #expect(try await listed("") == ["b", "c", "d"])
        #expect(try await harness.send(.delete, "/venues/e", json: ["confirm": "e"]).status == .noContent)
        #expect(try await listed("?unpublished=true") == ["a", "b", "c", "d"])
    }

    @Test func `a venue without a revision is listed with the upload that waits, else the newest one`() async throws {
        let harness = Harness.current
        func upload() async throws -> Upload? {
            let listed = try await harness.send(.get, "/venues?unpublished=true").json["venues"]?.array
            let venue = try #require(listed?.first)
            #expect(venue["venue"] == "mall" && venue["head"]?.number == 0 && listed?.count == 1)
            return try await harness.uploads(of: "mall").first { $0.id == venue["upload"]?["id"]?.string }
        }
        let rejected = try await harness.push(Handmade.zip([]))
        #expect(try await upload()?.id == rejected.id)
        let staged = try await harness.push(SampleVenue.tiny.archive(), query: "?publish=hold")
        #expect(try await upload()?.id == staged.id)
        _ = try await harness.push(Handmade.zip([]), query: "?message=again")
        #expect(try await upload()?.id == staged.id)
        #expect(try await harness.send(.delete, "/uploads/\(staged.id)").status == .noContent)
        #expect(try await upload()?.state == .rejected)
    }

    @Test func `venue list truncates names between characters and bounds their languages`()
        async throws
    {
        let harness = Harness.current
        let family = "👨‍👩‍👧‍👦"
        let manyNames = (0..<100).map { (number: Int) in
            JSONObject.Member(key: "x\(100 + number)", value: .string(String(repeating: "n", count: 1_000)))
        }
        let levels: [JSONValue] = [
            [
                "ordinal": 0, "name": ["en": .string(String(repeating: family, count: 300))],
                "short_name": ["en": "G"],
            ],
            ["ordinal": 1, "name": .object(JSONObject(manyNames)), "short_name": "plain"],
        ]
        try await harness.push(Self.zip(levels: levels))
        let listed = try await harness.send(.get, "/venues")
        #expect(listed.body.readableBytes < 16_000)
        let listedLevels = try #require(try listed.json["venues"]?.array?[0]["levels"]?.array)
        let first = try #require(listedLevels[1]["name"]?["en"]?.string)
        #expect(first.hasSuffix("…") && first.count < 200 && first.dropLast().allSatisfy { String($0) == family })
        #expect(listedLevels[1]["short_name"] == ["en": "G"] && listedLevels[2]["short_name"] == "plain")
        let names = try #require(listedLevels[2]["name"]?.object?.members)
        #expect(names.count <= 20 && names.count >= 4)
        #expect(names.allSatisfy { ($0.value.string?.count ?? 0) == 200 })
        // The feature itself has the complete name.
        let whole = try await harness.features(at: 1, "type=level")
        #expect(whole.contains { $0.count > 100_000 })
    }

    @Test func `venue list stays short when an older version stored long names`() async throws {
        let harness = Harness.current
        let levels = (0..<14).map { JSONValue.object(["ordinal": .number(Double($0)), "name": ["en": "Floor"]]) }
        try await harness.push(Self.zip(levels: levels))
        _ = try await harness.store.pool.query(
            """
            UPDATE feature_version SET body = replace(body, 'Floor', repeat('x', 2000000)) WHERE feature_type = 'level'
            """)
        _ = try await harness.store.pool.query("UPDATE revision SET language = repeat('e', 1000000)")
        for path in ["/venues", "/venues/mall"] {
            let listed = try await harness.send(.get, path)
            #expect(listed.status == .ok && listed.body.readableBytes < 16_000)
        }
        let mall = try await harness.send(.get, "/venues/mall").json
        #expect(mall["levels"]?.array?.count == 15 && mall["levels"]?.array?[1]["name"] == .null)
        #expect(mall["name"] == ["en": "Mall"] && mall["about"]?["language"] == .null)
        #expect(try await harness.sync().about.language == nil)
    }

    @Test func `venue list: a venue with more levels than are listed reports how many it has`() async throws {
        let harness = Harness.current
        let levels = (0..<1_200).map { JSONValue.object(["ordinal": .number(Double($0))]) }
        try await harness.push(Self.zip(levels: levels))
        let mall = try await harness.send(.get, "/venues/mall").json
        #expect(mall["level_count"]?.number == 1_200)
        let listed = try #require(mall["levels"]?.array)
        #expect(listed.count == 1 + RevisionStore.maxListedLevels && listed[0]["level_id"] == .null)
        let ids = listed.dropFirst().compactMap { $0["level_id"]?.string }
        #expect(ids == ids.sorted() && Set(ids).count == RevisionStore.maxListedLevels)
    }
}

extension TestDatabase {
    /// Runs `body` while other transactions cannot read the tables.
    func withLock(on tables: String..., body: @Sendable () async throws -> Void) async throws {
        try await self.pool.transaction { connection in
            for table in tables { _ = try await connection.query("LOCK TABLE \(raw: table) IN ACCESS EXCLUSIVE MODE") }
            try await body()
        }
    }
}
