import Foundation
import HTTPTypes
import IMDF
import Ingestion
import Postgres
import RevisionStore
import SyncModel
import TestSupport
import Testing

@Suite(.server)
struct EditRaceTests {
    private static let shops = [EditedVenue.shop, EditedVenue.cafe, EditedVenue.annex]

    /// Publishes with other publications at the same time until `count` revisions were made.
    private func repeated(_ count: Int, _ work: (Int) async throws -> TestResponse) async throws -> Int {
        var published = 0
        for number in 0..<count {
            let response = try await work(number)
            // Others may be faster ten times in a row.
            guard response.status != .conflict else { continue }
            try #require([.created, .ok].contains(response.status), "\(response.text)")
            if response.status == .created { published += 1 }
        }
        return published
    }

    @Test func `edits, uploads and rollbacks at the same time make one gapless order`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        let published = try await withThrowingTaskGroup(of: Int.self) { tasks in
            for shop in Self.shops {
                tasks.addTask {
                    try await self.repeated(12) { number in
                        try await harness.patch(shop, ["website": .string("https://\(number).example")])
                    }
                }
            }
            tasks.addTask {
                var published = 0
                for number in 0..<6 {
                    var venue = EditedVenue()
                    venue.set("phone", of: EditedVenue.shop, to: .string("+8131234567\(number)"))
                    if try await harness.push(venue.archive()).state == .published { published += 1 }
                }
                return published
            }
            tasks.addTask {
                try await self.repeated(4) { _ in
                    try await harness.send(.post, "/venues/mall/rollback", json: ["to": 1])
                }
            }
            return try await tasks.reduce(0, +)
        }
        let head = try await harness.head
        #expect(head == Int64(1 + published))
        let numbers = try await harness.send(.get, "/venues/mall/revisions?limit=1000").json["revisions"]?.array
        #expect(numbers?.compactMap { $0["number"]?.number } == (1...head).reversed().map(Double.init))
        let replica = try await harness.verifiedReplica()
        #expect(Set(replica.features.values.map(\.body)) == Set(try await harness.features(at: head)))
        // What every override says is published, and nothing else differs from what the source says.
        for entry in try await harness.overrides("?limit=1000") {
            let shop = try #require(Self.shops.first { Handmade.id($0) == entry.feature })
            let website = try await harness.properties(shop)?["website"]
            #expect(website == entry.value)
        }
    }

    @Test func `edits, expiries, prunes and rollbacks of levels at the same time leave one consistent venue`()
        async throws
    {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        let isOver = Flag()
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for _ in 0..<2 {
                tasks.addTask {
                    while !isOver.isRaised {
                        try await harness.worker.endExpiredOverrides()
                        await Task.yield()
                    }
                }
            }
            tasks.addTask {
                defer { isOver.raise() }
                try await withThrowingTaskGroup(of: Void.self) { writers in
                    for shop in Self.shops {
                        writers.addTask { try await self.editAndPrune(shop) }
                    }
                    writers.addTask {
                        for _ in 0..<4 {
                            let head = try await harness.head
                            let response = try await harness.send(
                                .post, "/venues/mall/rollback",
                                json: [
                                    "to": .number(Double(max(1, head - 2))),
                                    "levels": [Handmade.reference(EditedVenue.level)],
                                ])
                            // The revision may be pruned by now, or equal to the newest one.
                            try #require([201, 404, 409, 410].contains(response.status.code), "\(response.text)")
                        }
                    }
                    try await writers.waitForAll()
                }
            }
            try await tasks.waitForAll()
        }
        try await self.expectConsistency()
    }

    /// Edits a feature, sometimes until a time that is over, and prunes.
    private func editAndPrune(_ shop: Int) async throws {
        let harness = Harness.current
        _ = try await self.repeated(8) { number in
            let response = try await harness.patch(
                shop, ["website": .string("https://\(shop).\(number).example")])
            if number % 2 == 1 {
                _ = try await harness.store.pool.query(
                    """
                    UPDATE feature_override SET expires_at = now() - interval '1 second'
                    WHERE feature_id = \(Handmade.id(shop)) AND to_revision = 9223372036854775807
                    """)
            }
            guard number % 3 == 2 else { return response }
            let prune = try await harness.send(.post, "/venues/mall/prune", json: ["keep_revisions": 3])
            try #require([200, 202, 409].contains(prune.status.code), "\(prune.text)")
            return response
        }
    }

    /// One order without gaps, replicas that equal the server, and overrides whose values are published.
    private func expectConsistency() async throws {
        let harness = Harness.current
        let head = try await harness.head
        let numbers = try await harness.send(.get, "/venues/mall/revisions?limit=1000").json["revisions"]?.array
        let first = try #require(numbers?.last?["number"]?.number)
        #expect(numbers?.compactMap { $0["number"]?.number } == (Int64(first)...head).reversed().map(Double.init))
        let replica = try await harness.verifiedReplica()
        #expect(Set(replica.features.values.map(\.body)) == Set(try await harness.features(at: head)))
        for entry in try await harness.overrides("?limit=1000") {
            let shop = try #require(Self.shops.first { Handmade.id($0) == entry.feature })
            #expect(try await harness.properties(shop)?["website"] == entry.value)
        }
        let overlaps = try await harness.store.pool.query(
            """
            SELECT count(*) FROM feature_override AS one JOIN feature_override AS other USING (venue_id, feature_id, pointer)
            WHERE one.ctid <> other.ctid AND one.from_revision < other.to_revision
                AND other.from_revision < one.to_revision
            """
        ).decode(Int64.self)
        #expect(overlaps == [0])
    }

    @Test func `of two edits of one revision with a base one is refused`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        let statuses = try await withThrowingTaskGroup(of: Int.self) { tasks in
            for number in 0..<4 {
                tasks.addTask {
                    try await harness.patch(
                        EditedVenue.shop, ["website": .string("https://\(number).example")], "?base=1"
                    ).status.code
                }
            }
            return try await tasks.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.sorted() == [201, 409, 409, 409])
        #expect(try await harness.head == 2)
    }

    @Test func `one request with an id that is sent twice at the same time is done once`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        let edit: JSONValue = [
            "feature": Handmade.reference(EditedVenue.shop), "patch": ["properties": ["hours": "off"]],
        ]
        let bodies = try await withThrowingTaskGroup(of: String.self) { tasks in
            for _ in 0..<4 {
                tasks.addTask {
                    try await harness.edit([edit], ["id": "11111111-1111-4111-8111-111111111111"]).text
                }
            }
            return try await tasks.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(bodies.count == 1)
        #expect(try await harness.head == 2)
        #expect(try await harness.count("edit_request") == 1)
    }
}
