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

/// Replies are bounded or paged, however large an archive is.
@Suite(.server)
struct BoundedResponseTests {
    /// 8 MiB, plus the members besides the items.
    private static let pageBytes = 8 << 20 + 64 << 10

    /// Units of about three megabytes each, with members below the limit.
    private static func zip(units: Int, text: Character) throws -> [UInt8] {
        var properties: JSONObject = ["level_id": Handmade.reference(2)]
        // Incompressible text, so that the archive does not look like a zip bomb.
        var random = SplitMix64(seed: UInt64(text.asciiValue ?? 0))
        for number in 0..<12 {
            let texts = (0..<15_600).map { _ in String(random.next() | 1 << 63, radix: 16) }
            properties["note\(number)"] = .string(texts.joined())
        }
        return try Handmade.zip(
            [
                Handmade.feature(1, .venue, geometry: Handmade.square()),
                Handmade.feature(2, .level, ["ordinal": 0], geometry: Handmade.square()),
            ]
                + (0..<units).map {
                    Handmade.feature(3 + $0, .unit, .object(properties), geometry: Handmade.square(0.0005))
                })
    }

    /// The items of all pages; no page exceeds the limit.
    private static func items(
        _ member: String, at path: String, in harness: Harness
    ) async throws -> (items: [JSONValue], pages: Int) {
        var (items, pages): ([JSONValue], Int) = ([], 0)
        var next: String? = path
        while let path = next {
            let answer = try await harness.send(.get, path)
            try #require(answer.status == .ok, "\(answer.text.prefix(500))")
            #expect(answer.body.readableBytes <= Self.pageBytes)
            let page = try answer.json
            items += try #require(page[member]?.array)
            pages += 1
            next = page["next"]?.string
        }
        return (items, pages)
    }

    @Test func `differences and histories with long bodies are split into pages of bounded size`() async throws {
        let harness = Harness.current
        for text in "abcd" { try await harness.push(Self.zip(units: 4, text: text)) }
        let ids = (0..<4).map { JSONValue.string(Handmade.id(3 + $0).description) }
        let (changes, pages) = try await Self.items("changes", at: "/venues/mall/diff?from=1&to=4", in: harness)
        #expect(changes.compactMap { $0["id"] } == ids && pages == 4)
        #expect(changes.allSatisfy { $0["before"]?.isNull == false && $0["after"]?.isNull == false })
        // Without bodies there is one page only.
        let (names, one) = try await Self.items(
            "changes", at: "/venues/mall/diff?from=1&to=4&bodies=false", in: harness)
        #expect(names.compactMap { $0["id"] } == ids && one == 1)
        #expect(names.allSatisfy { $0["classes"]?.array?.isEmpty == false })

        let path = "/venues/mall/features/\(Handmade.id(3))/history"
        let (versions, parts) = try await Self.items("versions", at: path, in: harness)
        #expect(versions.map { $0["from"]?.number } == [4, 3, 2, 1] && parts == 2)
        // The last item of a page also has its change classes.
        #expect(versions.map { $0["classes"]?.array?.isEmpty } == [false, false, false, true])
        let (again, all) = try await Self.items("versions", at: "\(path)?limit=1", in: harness)
        #expect(again == versions && all == 4)
    }

    @Test func `changes of a staged upload with long bodies are split into pages of bounded size`() async throws {
        let harness = Harness.current
        try await harness.push(Self.zip(units: 4, text: "a"))
        let upload = try await harness.push(Self.zip(units: 4, text: "b"), query: "?publish=hold")
        let (changes, pages) = try await Self.items("changes", at: "/uploads/\(upload.id)/changes", in: harness)
        #expect(Set(changes.compactMap { $0["id"]?.string }).count == 4 && pages == 4)
        let (few, parts) = try await Self.items(
            "changes", at: "/uploads/\(upload.id)/changes?bodies=false&limit=3", in: harness)
        #expect(few.count == 4 && parts == 2)
    }

    @Test func `revision log is short even when counts and facts are long`() async throws {
        let harness = Harness.current
        var venue = SampleVenue.tiny
        for seed in 1...3 as ClosedRange<UInt64> {
            try await harness.push(venue.archive())
            venue = venue.edited(Edit(.rename, 1), seed: seed)
        }
        _ = try await harness.store.pool.query(
            """
            UPDATE revision SET
                changes = changes || jsonb_build_object('levels', (
                    SELECT jsonb_agg(jsonb_build_object('level_id', gen_random_uuid(), 'ordinal', 1, 'added', 0,
                        'changed', 1, 'removed', 0)) FROM generate_series(1, 20000))),
                facts = (SELECT jsonb_agg(jsonb_build_object('fact', 'unit.renamed', 'count', 1, 'level_id',
                    gen_random_uuid())) FROM generate_series(1, 20000))
            WHERE number = 2
            """)
        let log = try await harness.send(.get, "/venues/mall/revisions")
        #expect(log.body.readableBytes < 10_000)
        let long = try #require(try log.json["revisions"]?.array?[1])
        #expect(long["number"]?.number == 2 && long["changes"]?["changed"]?.number == 1)
        #expect(long["changes"]?["levels"] == [] && long["changes"]?["words"]?.array?.count == 1)
        #expect(try await harness.send(.get, "/venues/mall/revisions/2").json == long)
    }

    @Test func `change descriptions truncate long level names`() async throws {
        let harness = Harness.current
        func zip(_ name: Character, units: Int) throws -> [UInt8] {
            let text = JSONValue.string(String(repeating: name, count: 100_000))
            return try Handmade.zip(
                [
                    Handmade.feature(1, .venue, geometry: Handmade.square()),
                    Handmade.feature(2, .level, ["ordinal": 0, "name": ["en": text]], geometry: Handmade.square()),
                ]
                    + (0..<units).map {
                        Handmade.feature(
                            3 + $0, .unit, ["level_id": Handmade.reference(2)], geometry: Handmade.square(0.0005))
                    })
        }
        try await harness.push(zip("x", units: 1))
        let upload = try await harness.push(zip("x", units: 2))
        let paths = ["/venues/mall/revisions", "/venues/mall/revisions/2", "/uploads/\(upload.id)"]
        for path in paths {
            let answer = try await harness.send(.get, path)
            #expect(answer.body.readableBytes < 4_000 && answer.text.contains("on xxx"), "\(path)")
            #expect(answer.text.contains("xxx…"))
        }
        let diff = try await harness.send(.get, "/venues/mall/diff?from=1&to=2&bodies=false")
        #expect(diff.body.readableBytes < 4_000 && diff.text.contains("xxx…"))
        let staged = try await harness.push(zip("y", units: 3), query: "?publish=hold")
        let changes = try await harness.send(.get, "/uploads/\(staged.id)/changes?bodies=false")
        #expect(changes.body.readableBytes < 4_000 && changes.text.contains("yyy…"))
    }

    @Test func `findings truncate long texts`() async throws {
        let harness = Harness.current
        let upload = try await harness.push(SampleVenue.tiny.archive())
        _ = try await harness.store.pool.query(
            """
            INSERT INTO finding (upload_id, number, rule, severity, message, feature_type, file, pointer)
            SELECT id, 1000 + number, 'ST-06', 'info', repeat('m', 1000000), repeat('t', 1000000), repeat('f', 1000000),
                repeat('/p', 1000000)
            FROM upload, generate_series(1, 5) AS number
            """)
        let findings = try await harness.send(.get, "/uploads/\(upload.id)/findings?limit=1000&after=999")
        #expect(findings.body.readableBytes < 50_000)
        let items = try #require(try findings.json["findings"]?.array)
        #expect(
            items.count == 5 && items.allSatisfy { $0["pointer"] == .null && $0["message"]?.string?.count == 1_000 }
        )
    }

    @Test func `finding pages with long texts are split into pages of bounded size`() async throws {
        let harness = Harness.current
        let upload = try await harness.push(SampleVenue.tiny.archive())
        // Nine kilobytes each.
        _ = try await harness.store.pool.query(
            """
            INSERT INTO finding (upload_id, number, rule, severity, message, feature_type, file)
            SELECT id, 1000 + number, 'ST-06', 'info', repeat('店', 1000), repeat('店', 1000), repeat('店', 1000)
            FROM upload, generate_series(1, 1000) AS number
            """)
        let (findings, pages) = try await Self.items(
            "findings", at: "/uploads/\(upload.id)/findings?limit=1000&after=1000", in: harness)
        #expect(findings.count == 1_000 && pages == 2)
    }

    @Test func `upload list is split into pages`() async throws {
        let harness = Harness.current
        var ids: [String] = []
        for units in 1...5 {
            ids.append(try await harness.push(SampleVenue(.init(levels: 1, unitsPerLevel: units)).archive()).id)
        }
        let (uploads, pages) = try await Self.items("uploads", at: "/venues/mall/uploads?limit=2", in: harness)
        #expect(uploads.compactMap { $0["id"]?.string } == ids.reversed() && pages == 3)
        try await harness.send(.get, "/venues/mall/uploads?before=x").problem(400)
    }

    @Test(.changeNotifier) func `event lists a bounded number of levels and says when there are more`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        try await harness.until { harness.server.eventFeed.end == 1 }
        _ = try await harness.store.pool.query(
            """
            INSERT INTO level_state (venue_id, revision, level_id, digest, features, bytes)
            SELECT venue.id, number, gen_random_uuid(), '\\x00', 1, 1
            FROM venue, generate_series(2, 3) AS number, generate_series(1, 10000) AS level WHERE number = 2 OR level < 10
            """)
        async let stream = harness.send(.get, "/events")
        try await harness.untilWaiting(1)
        for seed in 1...2 as ClosedRange<UInt64> {
            try await harness.push(SampleVenue.tiny.edited(Edit(.rename, 1), seed: seed).archive())
            try await harness.until { harness.server.eventFeed.end == Int64(seed) + 1 }
        }
        try await harness.endEventStreams()
        let events = try await stream.text.components(separatedBy: "\n\n").filter { $0.hasPrefix("event:") }
        try #require(events.count == 2)
        #expect(events[0].utf8.count < 10_000 && events[0].contains("\"truncated\":true"))
        #expect(!events[1].contains("truncated"))
    }
}
