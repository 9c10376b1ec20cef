import Foundation
import HTTPTypes
import IMDF
import Ingestion
import SampleVenue
import SyncClient
import SyncModel
import TestSupport
import Testing
import VenueMap

/// The levels that a replica holds, from one start of an app to the next.
@Suite(.database)
struct SelectionTests {
    private static func open(_ transport: HarnessTransport) async throws -> VenueReplica {
        let mall = try #require(VenueKey("mall"))
        let address = try #require(URL(string: HarnessTransport.address))
        var policy = RetryPolicy()
        policy.sleep = { _ in await Task.yield() }
        return VenueReplica(
            store: try await .open(transport.folder.file, for: mall), venue: mall,
            server: try ServerAddress(address, key: Harness.adminKey), transport: transport, policy: policy)
    }

    /// A replica of the first floor, in the state of an app that is started again.
    private static func secondStart(
        _ harness: Harness
    ) async throws -> (replica: VenueReplica, transport: HarnessTransport, floor: FeatureID) {
        try await harness.push(SampleVenue(.init(levels: 3, unitsPerLevel: 5)).archive())
        let transport = try HarnessTransport(harness)
        let first = try await Self.open(transport)
        try await first.summary()
        let floor = try #require(try await first.store.floors().last?.levels.first?.id)
        try await first.add(.level(floor))
        try await first.close()
        return (try await Self.open(transport), transport, floor)
    }

    @Test func `sync and add at a second start keep the floors of the first`() async throws {
        try await Harness.run { harness in
            let (replica, _, floor) = try await Self.secondStart(harness)
            for report in [
                try await replica.sync(), try await replica.add(.venueWide), try await replica.add(.level(floor)),
            ] {
                #expect(report.dropped.isEmpty && report.changes == SyncReport.Changes())
            }
            #expect(try await replica.store.levels().map(\.level) == [nil, floor])
        }
    }

    @Test func `a report names the levels that a new selection dropped`() async throws {
        try await Harness.run { harness in
            let (replica, _, floor) = try await Self.secondStart(harness)
            let other = try #require(try await replica.store.floors().first?.levels.first?.id)
            #expect(try await replica.select(.levels([.level(other)])).dropped == [floor])
            #expect(try await replica.add(.level(floor)).dropped == [])
            #expect(try await replica.drop(.level(other)).dropped == [other])
            #expect(try await replica.select(.everything).dropped == [])
            #expect(try await replica.select(.levels([.venueWide])).dropped.contains(floor))
        }
    }

    @Test func `a report names a level that the revision deleted`() async throws {
        try await Harness.run { harness in
            var venue = SampleVenue(.init(levels: 3, unitsPerLevel: 5))
            try await harness.push(venue.archive())
            let replica = try await Self.open(HarnessTransport(harness))
            try await replica.sync()
            let before = Set(try await replica.store.levels().compactMap(\.level))
            _ = venue.apply([Edit(.removeFloor)], seed: 1)
            _ = try await harness.send(
                .patch, "/venues/mall", type: "application/json", body: Array("{\"removal_guard\":false}".utf8))
            try await harness.push(venue.archive(), query: "?identity=trust")
            let report = try await replica.sync()
            let after = Set(try await replica.store.levels().compactMap(\.level))
            #expect(Set(report.dropped) == before.subtracting(after) && !report.dropped.isEmpty)
        }
    }

    @Test func `the floors of a level picker come from a summary, and without a server from the file`() async throws {
        try await Harness.run { harness in
            try await harness.push(SampleVenue(.init(levels: 3, unitsPerLevel: 5)).archive())
            let transport = try HarnessTransport(harness)
            let replica = try await Self.open(transport)
            #expect(try await replica.store.floors().isEmpty)
            #expect(try await replica.store.summary() == nil)
            let summary = try await replica.summary()
            #expect(try await replica.store.levels().isEmpty, "a summary downloads no feature")
            #expect(try await replica.store.floors() == summary.floors)
            #expect(try await replica.store.summary() == summary)
            try await replica.close()

            let offline = try await Self.open(transport)
            transport.before { _ in throw ScriptedTransport.Broken() }
            await #expect(throws: SyncError.self) { try await offline.summary() }
            #expect(try await offline.store.floors() == summary.floors && !summary.floors.isEmpty)
            // With the venue-wide part, the floors are those of the replica's revision.
            try await offline.add(.venueWide)
            let held = try await offline.store.map().graph.floors
            #expect(try await offline.store.floors().map(\.ordinal) == held.map(\.ordinal))
            #expect(summary.floors.map { Set($0.levels.map(\.id)) } == held.map { Set($0.levels.map(\.id)) })
            #expect(summary.floors.flatMap(\.levels).allSatisfy { $0.shortName != nil })
            let count = try await offline.store.features(on: nil).count
            #expect(summary.venueWideFeatures == count && summary.revision == 1)
        }
    }

    @Test func `follow adds a floor that was chosen without a network as soon as there is one`() async throws {
        try await Harness.withChangeNotifier { harness in
            try await harness.push(SampleVenue(.init(levels: 3, unitsPerLevel: 5)).archive())
            let transport = try HarnessTransport(harness)
            let replica = try await Self.open(transport)
            try await replica.add(.venueWide)
            let floor = try #require(try await replica.store.floors().last?.levels.first?.id)
            for _ in 0..<3 { transport.before { _ in throw ScriptedTransport.Broken() } }
            let following = Task { try await replica.follow(adding: [.level(floor)]) }
            try await harness.until { try await replica.store.levels().map(\.level) == [nil, floor] }
            following.cancel()
            await #expect(throws: CancellationError.self) { try await following.value }
        }
    }

    @Test func `the directory lists all venues page by page`() async throws {
        try await Harness.run { harness in
            let archive = try SampleVenue(.init(levels: 1, unitsPerLevel: 4)).archive()
            for name in ["atrium", "mall", "station"] { try await harness.push(archive, to: name) }
            let address = try #require(URL(string: HarnessTransport.address))
            let directory = VenueDirectory(
                server: try ServerAddress(address, key: Harness.adminKey), transport: try HarnessTransport(harness))
            let all = try await directory.venues()
            #expect(
                all.map(\.venue.description) == ["atrium", "mall", "station"] && all.allSatisfy { $0.revision == 1 })
            var page = try await directory.page(size: 2)
            #expect(page.venues.count == 2 && !page.isLast)
            page = try await directory.page(after: page)
            #expect(page.venues == Array(all.suffix(1)) && page.isLast)
            #expect(try await directory.page(after: page).venues.isEmpty)
            #expect(try await directory.venue(#require(VenueKey("mall"))) == all[1])
            await #expect(throws: SyncError.unknownVenue) { try await directory.venue(#require(VenueKey("nowhere"))) }
        }
    }
}
