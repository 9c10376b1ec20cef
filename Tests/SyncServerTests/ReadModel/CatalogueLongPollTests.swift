import HTTPTypes
import IMDF
import SyncModel
import TestSupport
import Testing

/// Long polls over all venues.
@Suite(.server, .changeNotifier)
struct CatalogueLongPollTests {
    @Test func `long poll over all venues is answered for a readable venue and for no other`() async throws {
        let harness = Harness.current
        for name in ["hall", "mall"] { try await harness.push(PlainVenue(units: [1]).archive(), to: name) }
        let key = try await harness.makeKey(.read, for: ["mall"])
        let cursor = try await harness.catalogue(key: key).cursor
        async let response = harness.send(.get, "/sync?since=\(cursor)&wait=55", key: key)
        try await harness.untilWaiting(1)
        try await harness.push(PlainVenue(units: [2]).archive(), to: "hall", query: "?identity=trust")
        try await harness.push(PlainVenue(units: [2]).archive(), to: "mall", query: "?identity=trust")
        let changes = try await response.changes
        #expect(changes.venues.map(\.venue.description) == ["mall"] && changes.from == 2 && changes.to == 4)
        #expect(try await response.parts(of: .cacheControl).contains("no-store"))
    }

    @Test func `long poll over all venues is answered when a venue becomes public or private`() async throws {
        let harness = Harness.current
        for name in ["hall", "mall"] { try await harness.push(PlainVenue(units: [1]).archive(), to: name) }
        let key = try await harness.makeKey(.read, for: ["mall"])
        var replica = CatalogueReplica()
        try replica.apply([try await harness.catalogue(key: key)])
        for isOpen in [true, false] {
            let cursor = try #require(replica.cursor)
            async let response = harness.send(.get, "/sync?since=\(cursor)&wait=55", key: key)
            try await harness.untilWaiting(1)
            try await harness.set("public", to: .bool(isOpen), of: "hall")
            try replica.apply([try await response.changes])
            #expect(replica.venues.count == (isOpen ? 2 : 1))
        }
    }

    @Test func `long poll over all venues is refused when its key is revoked`() async throws {
        let harness = Harness.current
        try await harness.push(PlainVenue(units: [1]).archive())
        let made = try await harness.send(
            .post, "/keys", json: ["name": "phones", "role": "read", "venues": ["mall"]])
        let id = try made.json["id"]?.string ?? ""
        let key = try #require(made.json["secret"]?.string)
        let cursor = try await harness.catalogue(key: key).cursor
        async let response = harness.send(.get, "/sync?since=\(cursor)&wait=55", key: key)
        try await harness.untilWaiting(1)
        #expect(try await harness.send(.delete, "/keys/\(id)").status == .noContent)
        try await response.problem(401)
    }
}
