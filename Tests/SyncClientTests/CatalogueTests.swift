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

/// All venues in one file, with the real server.
@Suite(.database)
struct CatalogueTests {
    private static func open(
        _ transport: HarnessTransport, key: String = Harness.adminKey, pageLimit: Int = 50_000
    ) async throws -> VenueCatalogueReplica {
        var policy = RetryPolicy()
        policy.sleep = { _ in await Task.yield() }
        let address = try #require(URL(string: HarnessTransport.address))
        return VenueCatalogueReplica(
            store: try await .open(transport.folder.file), server: try ServerAddress(address, key: key),
            transport: transport, policy: policy, pageLimit: pageLimit)
    }

    /// What the server has of all venues, by the steps of the protocol.
    private static func bodies(_ harness: Harness) async throws -> [VenueKey: [FeatureID: [UInt8]]] {
        var replica = CatalogueReplica()
        try replica.apply(try await harness.cataloguePages())
        return replica.bodies
    }

    private static func expectEqual(_ catalogue: VenueCatalogueReplica, _ harness: Harness) async throws {
        let held = try await catalogue.store.read { reader in
            var bodies: [VenueKey: [FeatureID: [UInt8]]] = [:]
            for venue in try reader.venues() {
                let features = try reader.features(of: venue.venue)
                bodies[venue.venue] = Dictionary(uniqueKeysWithValues: features.map { ($0.id, $0.body) })
            }
            return bodies
        }
        #expect(try await held == Self.bodies(harness))
    }

    private static func fails(_ work: () async throws -> some Any) async -> Bool {
        do {
            _ = try await work()
            return false
        } catch {
            return true
        }
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `a catalogue equals the server's venues after any publications, deletions and failures`(seed: UInt64)
        async throws
    {
        try await Harness.run { harness in
            var random = SplitMix64(seed: seed)
            let names = ["atrium", "mall", "station"]
            // Two venues with the same ids.
            var venues = Array(repeating: SampleVenue(.init(levels: 2, unitsPerLevel: 4, seed: seed)), count: 3)
            let transport = try HarnessTransport(harness)
            let catalogue = try await Self.open(transport, pageLimit: 9)
            for step in 0..<12 {
                let index = Int.random(in: 0..<3, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0:
                    _ = try await harness.send(
                        .delete, "/venues/\(names[index])", type: "application/json",
                        body: Array("{\"confirm\":\"\(names[index])\"}".utf8))
                default:
                    _ = venues[index].apply(Edit(.rename, 2), using: &random)
                    _ = venues[index].apply(Edit(.relevel, 1), using: &random)
                    try await harness.push(venues[index].archive(), to: names[index], query: "?identity=trust")
                }
                if Bool.random(using: &random) {
                    // A connection that breaks on a later page leaves the file as it was.
                    let before = try await catalogue.store.read { try $0.position() }
                    for _ in 0..<Int.random(in: 0...2, using: &random) { transport.before { _ in } }
                    for _ in 0..<4 { transport.before { _ in throw ScriptedTransport.Broken() } }
                    let hasFailed = await Self.fails { try await catalogue.sync() }
                    transport.forgetHooks()
                    if hasFailed { #expect(try await catalogue.store.read { try $0.position() } == before) }
                }
                let report = try await catalogue.sync()
                #expect(report.repaired.isEmpty && !report.hasStartedOver, "step \(step)")
                try await Self.expectEqual(catalogue, harness)
                #expect(try await catalogue.sync().hasCommitted == false)
            }
        }
    }

    @Test func `a catalogue reports updated and removed venues, and is read without a server`() async throws {
        try await Harness.run { harness in
            var venue = SampleVenue(.init(levels: 1, unitsPerLevel: 4))
            let (mall, station) = (try #require(VenueKey("mall")), try #require(VenueKey("station")))
            try await harness.push(venue.archive(), to: "mall")
            try await harness.push(venue.archive(), to: "station")
            let transport = try HarnessTransport(harness)
            let catalogue = try await Self.open(transport)
            let first = try await catalogue.sync()
            #expect(
                first.from == nil && first.updated == [mall, station] && first.removed == [] && first.requests == 1)
            _ = venue.apply([Edit(.rename, 1)], seed: 1)
            try await harness.push(venue.archive(), to: "mall")
            _ = try await harness.send(
                .delete, "/venues/station", type: "application/json", body: Array("{\"confirm\":\"station\"}".utf8))
            let second = try await catalogue.sync()
            #expect(second.updated == [mall] && second.removed == [station] && second.from == first.to)
            try await catalogue.close()

            let offline = try await CatalogueStore.open(transport.folder.file)
            let held = try await offline.venues()
            #expect(held.map(\.venue) == [mall] && held.first?.revision == 2 && held.first?.about.country == "JP")
            #expect(try await offline.map(of: mall).features.count == offline.features(of: mall).count)
            #expect(try await offline.features(of: mall, type: .unit).count > 0)
            #expect(try await offline.features(of: station).isEmpty)
        }
    }

    @Test func `a catalogue whose history was lost is downloaded again`() async throws {
        let folder = try Folder()
        func page(_ cursor: String, from: Int?, to: Int, _ venues: String = "") -> ScriptedTransport.Reply {
            let text = """
                {"complete":true,"cursor":"\(cursor)","from":\(from.map(String.init) ?? "null"),"gone":[],"protocol":1,"to":\(to),"venues":[
                \(venues)]}

                """
            return .init(body: Array(text.utf8))
        }
        func venue(_ key: String, _ revision: Int) -> String {
            """
            {"about":{"country":null,"language":null,"time_zone":null},"complete":true,"digest":"\(Self.empty)","from":null,\
            "protocol":1,"to":\(revision),"venue":"\(key)","levels":[
            {"digest":"\(Self.empty)","kind":"snapshot","level_id":null,"ordinal":null,"features":[
            ],"removed":[]}
            ]}

            """
        }
        let scripted = ScriptedTransport([
            page("one", from: nil, to: 4, venue("hall", 4)), .problem(410),
            page("two", from: nil, to: 2, venue("mall", 2)),
        ])
        let catalogue = try await VenueCatalogueReplica.open(
            folder.file, server: #require(URL(string: "https://maps.example")), key: "secret", transport: scripted)
        #expect(try await catalogue.sync().updated.map(\.description) == ["hall"])
        let report = try await catalogue.sync()
        #expect(report.hasStartedOver && report.to == 2)
        #expect(report.updated.map(\.description) == ["mall"] && report.removed.map(\.description) == ["hall"])
        let since = scripted.takeRequests().map { $0.url.contains("since=one") }
        #expect(since == [false, true, false])
        scripted.reply([.problem(410), .problem(410)])
        await #expect(throws: SyncError.unavailable(status: 410, retryAfter: nil)) { try await catalogue.sync() }
    }

    @Test(arguments: [(Int64.max, Int64(1)), (Int64(2), Int64.max)])
    func `a position or a revision that no server reaches is replaced by everything`(
        position: Int64, revision: Int64
    ) async throws {
        let folder = try Folder()
        func page(_ from: Int64?, _ to: Int64, _ venueFrom: Int64?, _ venueTo: Int64) -> ScriptedTransport.Reply {
            let (from, venueFrom) = (from.map { "\($0)" } ?? "null", venueFrom.map { "\($0)" } ?? "null")
            let text = """
                {"complete":true,"cursor":"c\(to)","from":\(from),"gone":[],"protocol":1,"to":\(to),"venues":[
                {"about":{},"complete":true,"digest":"\(Self.empty)","from":\(venueFrom),\
                "protocol":1,"to":\(venueTo),"venue":"hall","levels":[
                {"digest":"\(Self.empty)","kind":"snapshot","level_id":null,"ordinal":null,"features":[
                ],"removed":[]}
                ]}
                ]}

                """
            return .init(body: Array(text.utf8))
        }
        let scripted = ScriptedTransport([
            page(nil, position, nil, revision), page(position == .max ? 2 : position, 3, 1, 2), page(nil, 3, nil, 2),
        ])
        let catalogue = try await VenueCatalogueReplica.open(
            folder.file, server: #require(URL(string: "https://maps.example")), key: "secret", transport: scripted)
        try await catalogue.sync()
        let report = try await catalogue.sync()
        #expect(report.hasStartedOver && report.to == 3)
        #expect(try await catalogue.store.venues().map(\.revision) == [2])
    }

    private static let empty = "sha-256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    @Test func `follow applies publications of every venue`() async throws {
        try await Harness.withChangeNotifier { harness in
            let archive = try SampleVenue(.init(levels: 1, unitsPerLevel: 4)).archive()
            try await harness.push(archive, to: "mall")
            let catalogue = try await Self.open(HarnessTransport(harness))
            let following = Task { try await catalogue.follow() }
            try await harness.until { catalogue.status.connection == .current }
            try await harness.push(archive, to: "station")
            try await harness.until {
                try await catalogue.store.venues().map(\.venue.description) == ["mall", "station"]
            }
            following.cancel()
            await #expect(throws: CancellationError.self) { try await following.value }
        }
    }

    @Test func `a catalogue and a replica refuse each other's files`() async throws {
        let (one, other) = (try Folder(), try Folder())
        let mall = try #require(VenueKey("mall"))
        try await ReplicaStore.open(one.file, for: mall).close()
        await #expect(throws: ReplicaFileError.notAReplica(one.file.path)) { try await CatalogueStore.open(one.file) }
        try await CatalogueStore.open(other.file).close()
        await #expect(throws: ReplicaFileError.notAReplica(other.file.path)) {
            try await ReplicaStore.open(other.file, for: mall)
        }
    }
}
