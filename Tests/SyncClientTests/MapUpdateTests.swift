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

/// ``VenueReplica/mapUpdates(in:)`` and scopes with the real server.
@Suite(.database)
struct MapUpdateTests {
    private static let venue = SampleVenue(.init(levels: 2, unitsPerLevel: 6))

    @Test func `map updates begin with what the file has and report a shop whose anchor moved`() async throws {
        try await Harness.run { harness in
            var venue = Self.venue
            try await harness.push(venue.archive())
            let replica = try await VenueReplica.open(on: harness)
            var updates = try await replica.mapUpdates(in: [.ordinal(0)]).makeAsyncIterator()
            let empty = try #require(try await updates.next())
            #expect(empty.isSnapshot && empty.changes.isEmpty && empty.revision == nil && empty.map.features.isEmpty)

            try await replica.add(.ordinal(0))
            let first = try #require(try await updates.next())
            #expect(!first.isSnapshot && first.revision == 1 && first.changes.allSatisfy { $0.kind == .added })
            let floor = try #require(first.map.graph.floors.first { $0.ordinal == 0 })
            let units = floor.levels.map { first.map.features(of: .unit, on: $0.id).map(\.id) }
            #expect(units.count > 1 && units.allSatisfy { !$0.isEmpty })
            #expect(first.map.features(of: .unit, in: [.ordinal(0)]).map(\.id) == Set(units.joined()).sorted())
            let shop = try #require(
                first.changes.first { $0.type == .occupant && $0.new?.point?.rule == .anchor })

            for index in venue.features.indices where venue.features[index].type == .anchor {
                venue.features[index].geometry = ["coordinates": [139.638, 35.4517], "type": "Point"]
            }
            try await harness.push(venue.archive(), query: "?identity=trust")
            try await replica.sync()
            let second = try #require(try await updates.next())
            let change = try #require(second.changes.first { $0.id == shop.id })
            #expect(change.kind == .changed && change.aspects == .point && change.old == shop.new)
            #expect(change.new?.point?.position == Position(longitude: 139.638, latitude: 35.4517))
            #expect(second.changes.allSatisfy { $0.type != .anchor }, "anchors are not drawn")
            let levels = try await replica.store.levels().compactMap(\.level)
            #expect(try await replica.store.map(of: levels).features == second.map.features)
        }
    }

    @Test func `map updates follow a floor that is dropped and added again`() async throws {
        try await Harness.run { harness in
            try await harness.push(Self.venue.archive())
            let replica = try await VenueReplica.open(on: harness)
            try await replica.sync()
            var updates = try await replica.mapUpdates(in: [.ordinal(1)]).makeAsyncIterator()
            let whole = try #require(try await updates.next())
            #expect(whole.isSnapshot && !whole.changes.isEmpty)
            try await replica.drop(.ordinal(1))
            let dropped = try #require(try await updates.next())
            #expect(dropped.changes.contains { $0.kind == .removed && $0.type == .unit })
            #expect(dropped.map.features(of: .unit, in: [.ordinal(1)]).isEmpty)
            try await replica.add(.ordinal(1))
            let again = try #require(try await updates.next())
            #expect(again.map.features == whole.map.features)
        }
    }

    @Test func `a changed time zone gives a map update without changes`() async throws {
        try await Harness.run { harness in
            try await harness.push(Self.venue.archive())
            let replica = try await VenueReplica.open(on: harness)
            try await replica.sync()
            var updates = try await replica.mapUpdates(in: .everything).makeAsyncIterator()
            #expect(try await updates.next()?.map.timeZone == nil)
            let setting: JSONValue = ["time_zone": "Asia/Tokyo"]
            _ = try await harness.send(
                .patch, "/venues/mall", type: "application/json", body: CanonicalJSON.data(setting))
            try await replica.sync()
            let update = try #require(try await updates.next())
            #expect(update.changes.isEmpty && update.map.timeZone?.identifier == "Asia/Tokyo")
        }
    }

    @Test func `changes on a level include a venue-wide feature that touches it`() async throws {
        try await Harness.run { harness in
            var venue = Self.venue
            try await harness.push(venue.archive())
            let replica = try await VenueReplica.open(on: harness)
            try await replica.sync()
            let map = try await replica.store.map()
            let lift = try #require(
                map.features.values.filter { $0.placement.touches.count > 1 }.min { $0.id < $1.id })
            let index = try #require(venue.features.firstIndex { $0.id == lift.id })
            let floor = lift.placement.touches[0]
            var changes = try await replica.changes(on: [.level(floor)], from: .now).makeAsyncIterator()
            venue.features[index]["category"] = "escalator"
            try await harness.push(venue.archive(), query: "?identity=trust")
            try await replica.sync()
            #expect(try await changes.next()?.changes.map(\.id) == [lift.id])
        }
    }
}
