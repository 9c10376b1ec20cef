import Foundation
import HTTPTypes
import IMDF
import RevisionStore
import SampleVenue
import SyncClient
import SyncModel
import TestSupport
import Testing

/// A replica that trusts keys, with a server that signs.
@Suite(.database)
struct TrustTests {
    @Test func `replica that trusts the key of the server synchronizes, also with any selection`() async throws {
        try await SignedVenue.run { venue in
            let replica = try await venue.replica()
            #expect(try await replica.select(.levels([.ordinal(0)])).to == 1)
            try await venue.publish(Edit(.rename, 2))
            #expect(try await replica.sync().to == 2)
            #expect(try await replica.add(.ordinal(1)).hasCommitted)
            try await venue.publish(Edit(.relevel, 1), Edit(.remove, 1))
            #expect(try await replica.select(.everything).to == 3)
            #expect(try await replica.sync().hasCommitted == false)
            let statement = try await replica.store.verify(trusting: venue.keys.trusted)
            #expect(statement.revision == 3 && statement.keyID == venue.keys.signerID)
            #expect(try await replica.store.levels().map(\.digest).count == statement.levels.count)
        }
    }

    @Test func `replica synchronizes page by page, in both forms, and after a rollback and a lost history`()
        async throws
    {
        try await SignedVenue.run { venue in
            let replica = try await venue.replica(pageLimit: 7)
            #expect(try await replica.sync().requests > 3)
            try await venue.publish(Edit(.rename, 3), Edit(.relevel, 2))
            #expect(try await replica.sync().to == 2)
            #expect(venue.transport.deltaRequestCount > 0 && venue.transport.fallbackCount == 0)
            #expect(try await venue.send(.post, "/venues/mall/rollback", "{\"to\":1}") == .created)
            #expect(try await replica.sync().to == 3)
            #expect(try await venue.send(.post, "/venues/mall/epoch") == .ok)
            #expect(try await replica.sync().hasStartedOver)
            #expect(try await replica.store.verify(trusting: venue.keys.trusted).revision == 3)
        }
    }

    @Test func `replica that was filled without trusted keys is verified when it gets some`() async throws {
        try await SignedVenue.run { venue in
            let unverified = try await venue.replica(trusting: nil)
            try await unverified.sync()
            await #expect(throws: SyncError.self) { try await unverified.store.verify(trusting: venue.keys.trusted) }
            let replica = try await venue.replica()
            #expect(try await replica.sync().hasCommitted == false)
            #expect(try await replica.store.verify(trusting: venue.keys.trusted).revision == 1)
        }
    }

    @Test func `replica that was filled with forged content is filled again when it gets trusted keys`() async throws {
        try await SignedVenue.run { venue in
            // The digests match the forged bodies, so only the statement tells.
            venue.mirror.attack { path in
                guard path.contains("/sync") else { return nil }
                return Forgery.changeSet(replacing: "occupant", by: "amenity", in: try await venue.response(to: path))
            }
            let deceived = try await venue.replica(trusting: nil)
            try await deceived.sync()
            venue.mirror.attack(nil)
            let replica = try await venue.replica()
            #expect(try await replica.sync().hasCommitted)
            #expect(try await replica.store.verify(trusting: venue.keys.trusted).revision == 1)
        }
    }

    @Test func `replica that trusts the old and the new key follows a change of keys`() async throws {
        let keys = try SigningKeys.random(2)
        let folder = try Folder()
        try await SignedVenue.run(signing: keys) { venue in
            let replica = try await venue.replica(in: folder)
            #expect(try await replica.sync().to == 1)
            try await replica.close()
        }
        try await SignedVenue.run(signing: keys.rotated()) { venue in
            let outdated = try await venue.replica(in: folder, trusting: [keys.trusted[0]])
            await #expect(throws: SyncError.self) { try await outdated.sync() }
            try await outdated.close()
            let replica = try await venue.replica(in: folder, trusting: keys.trusted)
            try await venue.publish(Edit(.rename, 1))
            #expect(try await replica.sync().to == 2)
            try await replica.close()
            let next = try await venue.replica(in: folder, trusting: [keys.trusted[1]])
            #expect(try await next.sync().hasCommitted == false)
        }
    }
}
