import HTTPTypes
import IMDF
import Ingestion
import Logging
import Postgres
import RevisionPlanning
import RevisionStore
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// The proposal of a time zone when a venue is published. The sample venue is in Yokohama.
@Suite(.database)
struct TimeZoneTests {
    private static let table = TimeZoneTable(
        """
        JP,AU\t+353916+1394441\tAsia/Tokyo
        US\t+404251-0740023\tAmerica/New_York
        US\t+211825-1575130\tPacific/Honolulu
        """)

    /// The sample venue with another country in its addresses; nil: without one.
    private static func venue(in country: String?) -> SampleVenue {
        var venue = SampleVenue(.init(levels: 1, unitsPerLevel: 4))
        for index in venue.features.indices where venue.features[index].type == .address {
            venue.features[index]["country"] = country.map(JSONValue.string)
            venue.features[index]["province"] = country.map { .string($0 == "US" ? "US-HI" : "\($0)-14") }
        }
        return venue
    }

    private static func upload(_ venue: SampleVenue, with harness: Harness) async throws {
        let response = try await harness.send(
            .post, "/venues/mall/uploads", type: "application/zip", body: venue.archive())
        #expect(response.status == .accepted)
    }

    /// Publishes a venue with a worker that has the table.
    private static func publish(_ venue: SampleVenue, with harness: Harness) async throws {
        try await self.upload(venue, with: harness)
        try await self.work(for: harness)
    }

    private static func work(for harness: Harness) async throws {
        let worker = IngestionWorker(
            store: harness.store, settings: .init(timeZones: self.table),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        while try await worker.workOnce() {}
    }

    private static func zone(_ harness: Harness) async throws -> String {
        let venue = try await harness.get(Venue.self, "/venues/mall")
        let sync = try await harness.pages()
        #expect(sync.last?.about.timeZone == venue.about.timeZone)
        #expect(venue.settings?.timeZone == venue.about.timeZone)
        return "\(venue.about.timeZone ?? "none") \(venue.timeZoneSource?.rawValue ?? "none")"
    }

    private static func set(_ zone: JSONValue, with harness: Harness) async throws {
        let body = CanonicalJSON.data(["time_zone": zone])
        let response = try await harness.send(.patch, "/venues/mall", type: "application/json", body: body)
        try #require(response.status == .ok)
    }

    @Test(
        arguments: [
            ("JP", "Asia/Tokyo country"), ("US", "Pacific/Honolulu position"), ("FR", "Asia/Tokyo position"),
            (nil, "Asia/Tokyo position"),
        ] as [(String?, String)])
    func `time zone: the first publication proposes one`(country: String?, expected: String) async throws {
        try await Harness.run { harness in
            try await Self.publish(Self.venue(in: country), with: harness)
            #expect(try await Self.zone(harness) == expected)
            // Later publications keep it.
            try await Self.publish(Self.venue(in: country == "JP" ? "US" : "JP"), with: harness)
            #expect(try await Self.zone(harness) == expected)
        }
    }

    @Test func `time zone: none is proposed without a table, and one with the next publication`() async throws {
        try await Harness.run { harness in
            try await harness.push(Self.venue(in: "JP").archive())
            #expect(try await Self.zone(harness) == "none none")
            #expect(try await harness.send(.get, "/venues/mall").text.contains("time_zone_source") == false)
            try await Self.publish(Self.venue(in: "US"), with: harness)
            #expect(try await Self.zone(harness) == "Pacific/Honolulu position")
        }
    }

    @Test(arguments: ["Europe/Rome", .null] as [JSONValue])
    func `time zone: what an operator set or removed is never replaced`(zone: JSONValue) async throws {
        let expected = "\(zone.string ?? "none") operator"
        try await Harness.run { harness in
            // Before the first publication.
            try await Self.upload(Self.venue(in: "JP"), with: harness)
            try await Self.set(zone, with: harness)
            try await Self.work(for: harness)
            #expect(try await Self.zone(harness) == expected)
            try await Self.publish(Self.venue(in: "US"), with: harness)
            #expect(try await Self.zone(harness) == expected)
        }
        try await Harness.run { harness in
            // A change of another setting says nothing about the time zone.
            let body = CanonicalJSON.data(["public": true])
            _ = try await harness.send(.patch, "/venues/mall", type: "application/json", body: body)
            #expect(try await Self.zone(harness) == expected)
        }
    }

    @Test func `time zone: a change of another setting keeps the source, and a new venue of the same key has none`()
        async throws
    {
        try await Harness.run { harness in
            try await Self.publish(Self.venue(in: "JP"), with: harness)
            let body = CanonicalJSON.data(["removal_guard": false])
            _ = try await harness.send(.patch, "/venues/mall", type: "application/json", body: body)
            #expect(try await Self.zone(harness) == "Asia/Tokyo country")
            try await Self.set("Europe/Rome", with: harness)
            #expect(try await Self.zone(harness) == "Europe/Rome operator")
            let confirm = CanonicalJSON.data(["confirm": "mall"])
            _ = try await harness.send(.delete, "/venues/mall", type: "application/json", body: confirm)
            try await Self.publish(Self.venue(in: "US"), with: harness)
            #expect(try await Self.zone(harness) == "Pacific/Honolulu position")
        }
    }

    @Test func `time zone: a publication that waited for a change of the settings respects it`() async throws {
        try await Harness.run { harness in
            try await Self.upload(Self.venue(in: "JP"), with: harness)
            let pool = harness.store.pool
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                // The statement of a change, in a transaction that ends while the publication waits for the row.
                try await pool.transaction { connection in
                    _ = try await connection.query("UPDATE venue SET time_zone = NULL, time_zone_source = 'operator'")
                    tasks.addTask { try await Self.work(for: harness) }
                    try await pool.waitForLock()
                }
                try await tasks.waitForAll()
            }
            #expect(try await Self.zone(harness) == "none operator")
        }
    }

    @Test(arguments: 0..<6) func `time zone: a change during the publication wins`(round: Int) async throws {
        try await Harness.run { harness in
            try await Self.upload(Self.venue(in: "JP"), with: harness)
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask { try await Self.work(for: harness) }
                tasks.addTask {
                    for _ in 0..<round * 3 { await Task.yield() }
                    try await Self.set(round.isMultiple(of: 2) ? "Europe/Rome" : .null, with: harness)
                }
                try await tasks.waitForAll()
            }
            #expect(try await Self.zone(harness) == (round.isMultiple(of: 2) ? "Europe/Rome" : "none") + " operator")
        }
    }
}
