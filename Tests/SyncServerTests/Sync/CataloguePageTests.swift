import Foundation
import HTTPTypes
import IMDF
import Postgres
import RevisionStore
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Change sets over all venues in pages, and changes between two pages.
@Suite(.server)
struct CataloguePageTests {
    private static let names = ["a", "b", "c", "d"]

    private static func prepare(_ harness: Harness) async throws {
        for name in Self.names { try await harness.push(PlainVenue(units: [2, 1], name: name).archive(), to: name) }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 50])
    func `pages over all venues add up to the same change set for every page size`(limit: Int) async throws {
        let harness = Harness.current
        try await Self.prepare(harness)
        var whole = CatalogueReplica()
        try whole.apply([try await harness.catalogue()])
        let pages = try await harness.cataloguePages(limit: limit)
        #expect(pages.allSatisfy { $0.from == nil && $0.to == 4 && $0.gone.isEmpty })
        #expect(pages.dropLast().allSatisfy { $0.items == limit } && pages.map(\.items).reduce(0, +) == 28)
        let names = pages.flatMap(\.venues).map(\.venue)
        #expect(names == names.sorted() && Set(names).count == 4)
        #expect(pages.flatMap(\.venues).count { $0.isComplete } == 4)
        var replica = CatalogueReplica()
        try replica.apply(pages)
        #expect(replica.bodies == whole.bodies && replica.cursor == whole.cursor)

        try await harness.push(PlainVenue(units: [1, 3], name: "b").archive(), to: "b", query: "?identity=trust")
        try await harness.push(PlainVenue(units: [2, 3], name: "d").archive(), to: "d", query: "?identity=trust")
        try whole.apply([try await harness.catalogue(since: whole.cursor)])
        try replica.apply(await harness.cataloguePages(since: replica.cursor, limit: limit))
        #expect(replica.bodies == whole.bodies && replica.cursor == whole.cursor)
    }

    @Test func `pages over all venues lead to the position of the first page despite later revisions`() async throws {
        let harness = Harness.current
        try await Self.prepare(harness)
        var replica = CatalogueReplica()
        var pages = [try await harness.catalogue(limit: 10)]
        for name in ["a", "b", "d", "e"] {
            let upload = try await harness.push(
                PlainVenue(units: [2, 2], name: name).archive(), to: name, query: "?identity=trust")
            #expect(upload.state == .published)
        }
        pages += try await harness.cataloguePages(since: pages[0].cursor, limit: 10)
        #expect(pages.count > 2 && pages.allSatisfy { $0.to == 4 })
        try replica.apply(pages)
        #expect(replica.venues.values.map(\.revision) == [1, 1, 1, 1])
        try replica.apply(await harness.cataloguePages(since: replica.cursor, limit: 3))
        #expect(replica.venues.mapValues(\.revision).sorted { $0.key < $1.key }.map(\.value) == [2, 2, 1, 2, 1])
    }

    @Test func `pages over all venues send nothing of a venue that was withdrawn between two pages`() async throws {
        let harness = Harness.current
        try await Self.prepare(harness)
        let all = try await harness.makeKey(.read)
        let some = try await harness.makeKey(.read, for: ["b", "d"])
        // `a` is complete, `b` has begun, `c` and `d` follow.
        let first = try await harness.catalogue(limit: 10, key: all)
        #expect(first.venues.map(\.venue.description) == ["a", "b"] && !first.isComplete)
        let rest = try await harness.cataloguePages(since: first.cursor, limit: 2, key: some)
        #expect(Set(rest.flatMap(\.venues).map(\.venue.description)) == ["b", "d"])
        // The client does not know `c`, so `c` is not reported.
        #expect(rest.flatMap(\.gone).map(\.description) == ["a"])
        var replica = CatalogueReplica()
        try replica.apply([first] + rest)
        #expect(replica.venues.keys.map(\.description).sorted() == ["b", "d"])
        try replica.apply([try await harness.catalogue(since: replica.cursor, key: all)])
        #expect(replica.venues.count == 4)

        // The venue that has begun is withdrawn.
        let begun = try await harness.catalogue(limit: 10, key: all)
        let other = try await harness.makeKey(.read, for: ["a", "c"])
        let end = try await harness.cataloguePages(since: begun.cursor, limit: 50, key: other)
        #expect(end.flatMap(\.venues).map(\.venue.description) == ["c"])
        #expect(end.flatMap(\.gone).map(\.description) == ["b"])
    }

    @Test func `sync over all venues: a venue deleted, recreated or pruned between pages is sent whole the next time`()
        async throws
    {
        let harness = Harness.current
        try await Self.prepare(harness)
        for change in ["deleted", "made again", "pruned"] {
            var replica = CatalogueReplica()
            var pages = [try await harness.catalogue(limit: 10)]
            let now = try await harness.head(of: "b")
            if change != "pruned" { try await harness.delete("b") }
            if change != "deleted" {
                try await harness.push(PlainVenue(units: [4], name: change).archive(), to: "b")
            }
            if change == "pruned" { try await harness.prune("b", before: now + 1) }
            pages += try await harness.cataloguePages(since: pages[0].cursor, limit: 10)
            #expect(pages[1].gone.map(\.description) == ["b"], "\(change)")
            try replica.apply(pages)
            #expect(replica.venues.keys.map(\.description).sorted() == ["a", "c", "d"], "\(change)")
            try replica.apply(await harness.cataloguePages(since: replica.cursor, limit: 3))
            var fresh = CatalogueReplica()
            try fresh.apply([try await harness.catalogue()])
            #expect(replica.bodies == fresh.bodies && replica.cursor == fresh.cursor, "\(change)")
            if change == "deleted" { try await harness.push(PlainVenue(units: [2, 1]).archive(), to: "b") }
        }
    }

    @Test func `pages over all venues are bounded in bytes and have at least one feature`() async throws {
        let harness = Harness.current
        // Three megabytes per feature, of incompressible text: two fit on a page, also of different venues.
        var random = SplitMix64(seed: 1)
        // One member may have up to a quarter of a megabyte.
        let texts = (0..<16).map { _ in
            (0..<12_500).map { _ in String(random.next() | 1 << 63, radix: 16) }.joined()
        }
        for name in ["a", "b", "c"] {
            let venue = Handmade.feature(1, .venue, ["category": "mall"], geometry: Handmade.square())
            var properties: JSONObject = ["venue": .string(name)]
            for (number, text) in texts.enumerated() { properties["text \(number)"] = .string(text) }
            let unit = Handmade.feature(2, .unit, .object(properties))
            let upload = try await harness.push(try Handmade.zip([venue, unit]), to: name)
            #expect(upload.state == .published)
        }
        let pages = try await harness.cataloguePages()
        #expect(pages.map { $0.venues.map(\.venue.description).joined() } == ["abc", "c"])
        #expect(pages.map(\.items) == [5, 1] && pages[0].venues.map(\.isComplete) == [true, true, false])
        var replica = CatalogueReplica()
        try replica.apply(pages)
        #expect(replica.venues.count == 3)
    }

    @Test func `sync over all venues notices venues that were deleted after its state was read`() async throws {
        let harness = Harness.current
        try await Self.prepare(harness)
        let store = harness.store
        var state = CatalogueState()
        state.apply(try await store.catalogueChanges(after: -1))
        try await harness.delete("b")
        try await harness.delete("c")
        try await harness.push(PlainVenue(units: [5]).archive(), to: "c")
        // The request has not sent anything yet, so it is repeated with the new state.
        await #expect(throws: StoreError.historyChanged) {
            let reader = RevisionReader(store: store)
            _ = try await reader.page(
                for: CatalogueRequest(state: state, readable: state.readable(of: nil), since: nil, limit: 100)
            ) { _ in reader }
        }
        let now = try await harness.catalogue()
        #expect(now.venues.map(\.venue.description) == ["a", "c", "d"] && now.gone.isEmpty)
    }

    @Test func `sync over all venues: a venue that is published and pruned repeatedly is never reported as gone`()
        async throws
    {
        let harness = Harness.current
        try await Self.prepare(harness)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for round in 0..<10 {
                    try await harness.push(
                        PlainVenue(units: [1 + round], name: "\(round)").archive(), to: "b",
                        query: "?identity=trust")
                    try await harness.prune("b", before: harness.head(of: "b"))
                }
            }
            for _ in 0..<3 {
                group.addTask {
                    var replica = CatalogueReplica()
                    for _ in 0..<60 {
                        let response = try await harness.catalogue(since: replica.cursor)
                        #expect(response.gone.isEmpty)
                        try replica.apply([response])
                    }
                    #expect(replica.venues.count == 4)
                }
            }
            try await group.waitForAll()
        }
    }

    /// Readers run beside a task that deletes, recreates and prunes venues, so that reads meet half-deleted venues.
    @Test func `sync over all venues: clients never hold half a venue while venues are deleted and recreated`()
        async throws
    {
        let harness = Harness.current
        try await Self.prepare(harness)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for round in 0..<6 {
                    let name = Self.names[round % 2]
                    if round % 3 == 0 { try await harness.delete(name) }
                    try await harness.push(
                        PlainVenue(units: [1 + round], name: "\(round)").archive(), to: name,
                        query: "?identity=trust")
                    try await harness.prune(name, before: harness.head(of: name))
                }
            }
            for limit in [2, 5, nil] { group.addTask { try await Self.follow(harness, limit: limit) } }
            try await group.waitForAll()
        }
    }

    private static func follow(_ harness: Harness, limit: Int?) async throws {
        var replica = CatalogueReplica()
        for _ in 0..<12 { try replica.apply(await harness.cataloguePages(since: replica.cursor, limit: limit)) }
        #expect(replica.venues.values.allSatisfy { !$0.replica.features.isEmpty })
    }
}

extension CatalogueChangeSet {
    /// The number of features and removals.
    var items: Int {
        self.venues.flatMap(\.blocks).reduce(0) { $0 + $1.features.count + $1.removed.count }
    }
}
