import Foundation
import HTTPTypes
import IMDF
import Ingestion
import SampleVenue
import SyncClient
import SyncModel
import TestSupport
import Testing

/// Rare states of venues, servers and devices.
@Suite(.database)
struct EdgeCaseTests {
    private static let venue = SampleVenue(.init(levels: 2, unitsPerLevel: 5))

    @Test(arguments: [1e19, 1e300, 2_147_483_648, -3e9] as [Double])
    func `a level whose ordinal is out of range has none`(ordinal: Double) async throws {
        try await Harness.run { harness in
            var venue = Self.venue
            let index = try #require(venue.features.firstIndex { $0.type == .level })
            venue.features[index]["ordinal"] = .number(ordinal)
            try await harness.push(venue.archive())
            let replica = try await VenueReplica.open(on: harness)
            #expect(try await replica.sync().to == 1)
            let level = try await replica.store.levels().first { $0.level == venue.features[index].id }
            #expect(level?.ordinal == nil && level?.features ?? 0 > 0)
        }
    }

    @Test func `a changed time zone reaches a replica that is up to date`() async throws {
        try await Harness.run { harness in
            try await harness.push(Self.venue.archive())
            let replica = try await VenueReplica.open(on: harness)
            try await replica.sync()
            #expect(try await replica.store.state().about.timeZone == nil)
            let setting: JSONValue = ["time_zone": "Asia/Tokyo"]
            let answer = try await harness.send(
                .patch, "/venues/mall", type: "application/json", body: CanonicalJSON.data(setting))
            #expect(answer.status == .ok)
            let report = try await replica.sync()
            #expect(report.hasCommitted && report.changes == SyncReport.Changes())
            #expect(try await replica.store.state().about.timeZone == "Asia/Tokyo")
            #expect(try await replica.sync().hasCommitted == false)
        }
    }

    @Test func `starting over restores the digest of the revision`() async throws {
        try await Harness.run { harness in
            try await harness.push(Self.venue.archive())
            let replica = try await VenueReplica.open(on: harness)
            try await replica.sync()
            let digest = try await replica.store.state().digest
            _ = try await harness.send(.post, "/venues/mall/epoch")
            let report = try await replica.sync()
            #expect(report.hasStartedOver && report.changes == SyncReport.Changes())
            #expect(try await replica.store.state().digest == digest && digest != nil)
        }
    }

    @Test func `a feature that moves to another level is one change`() async throws {
        try await Harness.run { harness in
            var venue = Self.venue
            try await harness.push(venue.archive(), query: "?identity=trust")
            let replica = try await VenueReplica.open(on: harness)
            try await replica.sync()
            let levels = venue.features.filter { $0.type == .level && $0["outdoor"] == false }
            let unit = try #require(venue.features.firstIndex { $0.type == .opening })
            let home = try #require(venue.features[unit]["level_id"])
            for target in levels.map({ JSONValue.string($0.id.description) }) + [home] {
                guard venue.features[unit]["level_id"] != target else { continue }
                venue.features[unit]["level_id"] = target
                try await harness.push(venue.archive(), query: "?identity=trust")
                let changes = try await replica.sync().changes
                #expect(changes.changed == 1 && changes.added == 0 && changes.removed == 0, "\(changes)")
            }
        }
    }

    @Test func `observers keep waiting after a failed commit`() async throws {
        try await Harness.run { harness in
            var venue = Self.venue
            try await harness.push(venue.archive())
            let replica = try await VenueReplica.open(on: harness)
            try await replica.sync()
            let changes = try await replica.changes(on: .everything, from: .now)
            async let update = Self.first(of: changes)
            try await harness.until { replica.waitingObservers == 1 }
            for index in venue.features.indices where venue.features[index].type == .unit {
                venue.features[index]["note"] = .string(String(repeating: "x", count: 20_000))
            }
            try await harness.push(venue.archive(), query: "?identity=trust")
            try await replica.store.limitSize(toPages: 1)
            await #expect(throws: SyncError.diskFull) { try await replica.sync() }
            try await harness.until { replica.waitingObservers == 1 }
            try await replica.store.limitSize(toPages: nil)
            #expect(try await replica.sync().to == 2)
            #expect(try await update?.revision == 2)
        }
    }

    private static func first(of changes: ReplicaChanges) async throws -> ReplicaUpdate? {
        for try await update in changes { return update }
        return nil
    }

    @Test func `drop during a full download removes only its level`() async throws {
        try await Harness.run { harness in
            try await harness.push(Self.venue.archive())
            let replica = try await VenueReplica.open(on: harness)
            let level = try #require(Self.venue.features.first { $0.type == .level }?.id)
            async let all = replica.sync()
            try await harness.until { replica.status.connection != .offline(nil) }
            async let dropped = replica.drop(.level(level))
            _ = try await (all, dropped)
            try await replica.sync()
            let held = try await replica.store.levels().compactMap(\.level)
            #expect(held.count >= Self.venue.features.count { $0.type == .level } - 1)
        }
    }
}
