import Foundation
import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing

@testable import SyncClient

/// Several replicas of one file, as two screens of an app or two processes have them.
@Suite(.server) struct SharedFileTests {
    private static let venue = SampleVenue(.init(levels: 2, unitsPerLevel: 8, seed: 12))

    @Test func `every replica of a file reports every revision, whichever of them fetched it`() async throws {
        let harness = Harness.current
        var venue = Self.venue
        try await harness.push(venue.archive())
        let transport = try HarnessTransport(harness)
        let mall = try #require(VenueKey("mall"))
        let server = try ServerAddress(
            try #require(URL(string: HarnessTransport.address)), key: Harness.adminKey)
        var replicas: [VenueReplica] = []
        for _ in 0..<2 {
            let store = try await ReplicaStore.open(transport.folder.file, for: mall)
            replicas.append(VenueReplica(store: store, venue: mall, server: server, transport: transport))
        }
        var readers: [ReplicaChanges.AsyncIterator] = []
        for replica in replicas {
            var reader = try await replica.changes(on: .everything).makeAsyncIterator()
            #expect(try await reader.next()?.changes.isEmpty == true)
            readers.append(reader)
        }
        for (round, order) in [[0, 1], [1, 0], [0, 1]].enumerated() {
            if round > 0 {
                _ = venue.apply(try Edit.parse(list: "rename=2"), seed: UInt64(round))
                try await harness.push(venue.archive(), query: "?identity=trust")
            }
            // The second one finds nothing new on the server.
            for index in order { try await replicas[index].sync() }
            for index in order {
                let update = try #require(try await readers[index].next())
                #expect(!update.changes.isEmpty, "replica \(index) in round \(round)")
            }
        }
        for replica in replicas { try await replica.close() }
    }

    @Test(arguments: [false, true])
    func `a file that is created or replaced is opened by all who want it`(isDamaged: Bool) async throws {
        let mall = try #require(VenueKey("mall"))
        for _ in 0..<8 {
            let folder = try Folder()
            if isDamaged {
                let store = try await ReplicaStore.open(folder.file, for: mall)
                try store.close()
                let bytes = try Data(contentsOf: folder.file)
                try bytes.prefix(bytes.count / 2).write(to: folder.file)
            }
            try await withThrowingTaskGroup(of: ReplicaStore.self) { group in
                for _ in 0..<6 { group.addTask { try await ReplicaStore.open(folder.file, for: mall) } }
                for try await store in group { #expect(try await store.state().venue == mall) }
            }
        }
    }
}
