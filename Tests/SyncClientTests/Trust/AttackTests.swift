import Foundation
import HTTPTypes
import IMDF
import RevisionStore
import SampleVenue
import SyncClient
import SyncModel
import Synchronization
import TestSupport
import Testing

/// The attacks on software updates of Samuel et al., *Survivable Key Compromise in Software Update Systems* (2010), by a mirror between
/// the server and a replica that trusts the server's key. After each the replica is as it was, and continues when the attack ends.
@Suite(.database)
struct AttackTests {
    /// Runs `attack` on a replica that holds the first revision, while the server publishes the second.
    private static func attack(
        _ attack: @escaping @Sendable (SignedVenue, VenueReplica) async throws -> Void
    ) async throws {
        try await SignedVenue.run { venue in
            let replica = try await venue.replica()
            try await replica.sync()
            try await attack(venue, replica)
            #expect(try await replica.store.verify(trusting: venue.keys.trusted).revision == 1)
            venue.mirror.attack(nil)
            let head = try await venue.harness.get(Venue.self, "/venues/mall").head
            #expect(try await replica.sync().to == head)
            #expect(try await replica.store.verify(trusting: venue.keys.trusted).revision == head)
        }
    }

    /// Expects that the replica refuses what it receives because of the statement.
    private static func expectUntrusted(
        _ replica: VenueReplica, _ reason: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let error = await #expect(throws: SyncError.self, sourceLocation: sourceLocation) { try await replica.sync() }
        guard case .untrusted(let message)? = error, message.contains(reason) else {
            Issue.record("\(String(describing: error))", sourceLocation: sourceLocation)
            return
        }
    }

    @Test func `arbitrary content: a change set whose own digests match is not applied`() async throws {
        try await Self.attack { venue, replica in
            try await venue.publish(Edit(.rename, 2))
            venue.mirror.attack { path in
                guard path.contains("/sync") else { return nil }
                let plain = path.replacing("&form=delta", with: "")
                return Forgery.changeSet(replacing: "occupant", by: "amenity", in: try await venue.response(to: plain))
            }
            await Self.expectUntrusted(replica, "another digest")
        }
    }

    @Test func `arbitrary content: a level that is fetched again has to match the statement, too`() async throws {
        try await Self.attack { venue, replica in
            try await venue.publish(Edit(.rename, 2))
            venue.mirror.attack { path in
                let body = try await venue.response(to: path.replacing("&form=delta", with: ""))
                guard !path.contains("/head") else { return nil }
                return Array(String(decoding: body, as: UTF8.self).replacing("occupant", with: "amenity").utf8)
            }
            await #expect(throws: SyncError.self) { try await replica.sync() }
        }
    }

    @Test func `rollback: an older signed revision is refused`() async throws {
        try await SignedVenue.run { venue in
            let old = try await venue.response(to: "/venues/mall/head")
            try await venue.publish(Edit(.rename, 2))
            let replica = try await venue.replica()
            try await replica.sync()
            venue.mirror.attack { path in path.contains("/head") ? old : nil }
            await Self.expectUntrusted(replica, "older than 2")
            // Also by another process, from the file.
            try await replica.close()
            let later = try await venue.replica()
            await Self.expectUntrusted(later, "older than 2")
            #expect(try await later.store.state().revision == 2)
        }
    }

    @Test func `rollback: an earlier history is refused`() async throws {
        try await Self.attack { venue, replica in
            let old = try await venue.response(to: "/venues/mall/head")
            #expect(try await venue.send(.post, "/venues/mall/epoch") == .ok)
            #expect(try await replica.sync().hasStartedOver)
            venue.mirror.attack { path in path.contains("/head") ? old : nil }
            await Self.expectUntrusted(replica, "an earlier history")
        }
    }

    @Test func `freeze: a head that has expired is refused, and the replica is not current`() async throws {
        try await Self.attack { venue, replica in
            let old = try await venue.response(to: "/venues/mall/head")
            try await venue.publish(Edit(.rename, 2))
            venue.mirror.attack { path in path.contains("/head") ? old : nil }
            #expect(try await replica.sync().to == 1)  // the head still counts
            venue.mirror.advanceClock(by: 601)
            await Self.expectUntrusted(replica, "expired")
            #expect(replica.status.connection != .current)
            venue.mirror.advanceClock(by: -601)
        }
    }

    @Test func `freeze: a change set that ends before the signed head is refused`() async throws {
        try await Self.attack { venue, replica in
            let cursor = try #require(try await replica.store.state().cursor)
            let nothing = try await venue.response(to: "/venues/mall/sync?since=\(cursor)")
            try await venue.publish(Edit(.rename, 2))
            venue.mirror.attack { path in path.contains("/sync") ? nothing : nil }
            await Self.expectUntrusted(replica, "signed revision 2")
        }
    }

    @Test func `freeze: follow reports a head that expires, although long polls are answered`() async throws {
        try await Self.attack { venue, replica in
            let old = try await venue.response(to: "/venues/mall/head")
            let cursor = try #require(try await replica.store.state().cursor)
            let nothing = try await venue.response(to: "/venues/mall/sync?since=\(cursor)")
            try await venue.publish(Edit(.rename, 2))
            venue.mirror.attack { path in
                if path.contains("/head") { return old }
                venue.mirror.advanceClock(by: 60)
                return nothing
            }
            let failures = AsyncStream.makeStream(of: SyncError.self)
            let task = Task {
                try await replica.follow { event in
                    if case .failed(let error, _) = event { failures.continuation.yield(error) }
                }
            }
            for await error in failures.stream {
                guard case .untrusted(let reason) = error else { continue }
                #expect(reason.contains("expired"))
                break
            }
            task.cancel()
            _ = await task.result
            venue.mirror.advanceClock(by: venue.mirror.now.distance(to: Date()))
        }
    }

    @Test func `mix and match: levels of two revisions do not make one`() async throws {
        try await Self.attack { venue, replica in
            try await venue.publish(Edit(.rename, 6))
            let state = try await replica.store.state()
            let cursor = try #require(state.cursor)
            let second = try await venue.response(to: "/venues/mall/sync?since=\(cursor)&to=2")
            try await venue.publish(Edit(.move, 6))
            let third = try await venue.response(to: "/venues/mall/sync?since=\(cursor)&to=3")
            #expect(second != third)
            // The frame is that of the third revision, the levels are those of the second.
            let digests = try [second, third].map { try JSONDecoder().decode(Frame.self, from: Data($0)).digest }
            let mixed = String(decoding: second, as: UTF8.self).replacing("\"to\":2", with: "\"to\":3")
                .replacing(digests[0], with: digests[1])
            venue.mirror.attack { path in path.contains("/sync") ? Array(mixed.utf8) : nil }
            await Self.expectUntrusted(replica, "another digest")
        }
    }

    private struct Frame: Decodable {
        let digest: String
    }

    @Test func `mix and match: a level cannot be left out`() async throws {
        try await Self.attack { venue, replica in
            try await venue.publish(Edit(.rename, 6))
            venue.mirror.attack { path in
                guard path.contains("/sync") else { return nil }
                // A valid change set for a client that selects the venue-wide part alone.
                let plain = path.replacing("&form=delta", with: "")
                return try await venue.response(to: plain + "&level=venue")
            }
            await Self.expectUntrusted(replica, "leaves out level")
        }
    }

    @Test func `mix and match: the statement of another venue is refused`() async throws {
        try await Self.attack { venue, replica in
            try await venue.publish(Edit(.rename, 2), to: "hall")
            let other = try await venue.response(to: "/venues/hall/head")
            venue.mirror.attack { path in path.contains("/head") ? other : nil }
            await Self.expectUntrusted(replica, "about the venue hall")
        }
    }

    @Test func `wrong key: a head that another key has signed is refused`() async throws {
        let thief = try SigningKeys.random()
        try await Self.attack { venue, replica in
            let head = try await venue.response(to: "/venues/mall/head")
            let signed = try SignedVenue.forged(head, by: thief) { $0["key_id"] = .string(thief.signerID ?? "") }
            venue.mirror.attack { path in path.contains("/head") ? signed : nil }
            await Self.expectUntrusted(replica, "not trusted")
            // Under the name of the trusted key.
            let renamed = String(decoding: signed, as: UTF8.self).replacing(
                thief.signerID ?? "", with: venue.keys.signerID ?? "")
            venue.mirror.attack { path in path.contains("/head") ? Array(renamed.utf8) : nil }
            await Self.expectUntrusted(replica, "signature of the statement is wrong")
        }
    }

    @Test(arguments: ["revision", "digest", "epoch", "expires", "bytes"])
    func `wrong signature: no member of the head can be changed`(member: String) async throws {
        try await Self.attack { venue, replica in
            let head = try await venue.response(to: "/venues/mall/head")
            guard case .object(var members) = try JSONDecoder().decode(JSONValue.self, from: Data(head)) else {
                throw ScriptedTransport.Unexpected()
            }
            switch member {
            case "revision", "bytes": members[member] = .number(9_999)
            case "digest": members[member] = .string("\(Digest(of: []))")
            case "epoch": members[member] = .string("Oz5vD0AjYK0")
            default: members[member] = .string("2099-01-01T00:00:00.000Z")
            }
            let changed = CanonicalJSON.data(.object(members))
            venue.mirror.attack { path in path.contains("/head") ? changed : nil }
            await Self.expectUntrusted(replica, "signature of the statement is wrong")
        }
    }

    @Test func `a statement without a time does not count as the newest`() async throws {
        try await Self.attack { venue, replica in
            let statement = try await venue.response(to: "/venues/mall/revisions/1/statement")
            venue.mirror.attack { path in path.contains("/head") ? statement : nil }
            await Self.expectUntrusted(replica, "until when")
        }
    }

    @Test func `endless data: a download ends when it is larger than the signed revision`() async throws {
        try await SignedVenue.run { venue in
            let replica = try await venue.replica(pageLimit: 5)
            let pages = Endless(try await venue.response(to: "/venues/mall/sync?limit=5"))
            venue.mirror.attack { path in path.contains("/sync") ? pages.next() : nil }
            await Self.expectUntrusted(replica, "larger than the signed revision")
            #expect(try await replica.store.state().revision == nil)
            #expect(pages.count < 1_000)
        }
    }

    @Test func `endless data: a level that is fetched again ends, too`() async throws {
        try await Self.attack { venue, replica in
            try await venue.publish(Edit(.rename, 2))
            let body = Array(repeating: UInt8(ascii: "\n"), count: 4 << 20)
            venue.mirror.attack { path in
                if path.contains("/features") { return body }
                guard path.contains("/sync") else { return nil }
                let page = try await venue.response(to: path.replacing("&form=delta", with: ""))
                return Array(String(decoding: page, as: UTF8.self).replacing("occupant", with: "amenity").utf8)
            }
            await Self.expectUntrusted(replica, "larger than the signed revision")
        }
    }

    @Test func `slow retrieval: a head that arrives after it has expired is refused`() async throws {
        try await Self.attack { venue, replica in
            try await venue.publish(Edit(.rename, 2))
            venue.mirror.drip("/head") { venue.mirror.advanceClock(by: 60) }
            await Self.expectUntrusted(replica, "expired")
            #expect(replica.status.connection != .current)
            venue.mirror.drip("/head", nil)
            venue.mirror.advanceClock(by: venue.mirror.now.distance(to: Date()))
        }
    }

    @Test func `slow retrieval: a change set that drips confirms the replica only until its head expires`() async throws
    {
        try await SignedVenue.run { venue in
            let replica = try await venue.replica()
            try await replica.sync()
            try await venue.publish(Edit(.rename, 2))
            let before = try #require(replica.status.lastSync)
            let times = Mutex<[Date?]>([])
            venue.mirror.drip("/sync") {
                venue.mirror.advanceClock(by: 120)
                times.withLock { $0.append(replica.status.lastSync) }
            }
            let expiry = Date() + 600
            #expect(try await replica.sync().to == 2)
            #expect(times.withLock(\.count) > 6)
            #expect(times.withLock { $0.allSatisfy { $0 == before } })
            // The rest of the time is that of the test itself.
            let confirmed = try #require(try await replica.store.state().syncedAt)
            #expect(confirmed < expiry + 60 && expiry + 60 < venue.mirror.now)
            // The file has the seconds as a floating-point number.
            let reported = try #require(replica.status.lastSync)
            #expect(abs(reported.timeIntervalSince(confirmed)) < 0.001)
        }
    }

    @Test func `server that does not sign is refused, and a replica without trusted keys does not ask`() async throws {
        let keys = try SigningKeys.random()
        try await Harness.run { harness in
            try await harness.push(SampleVenue(.init(levels: 1, unitsPerLevel: 2)).archive())
            let transport = try HarnessTransport(harness)
            let mirror = HostileMirror(origin: transport)
            let mall = try #require(VenueKey("mall"))
            let address = try ServerAddress(
                #require(URL(string: HarnessTransport.address)), key: Harness.adminKey)
            let store = try await ReplicaStore.open(transport.folder.file, for: mall)
            let strict = VenueReplica(
                store: store, venue: mall, server: address, trusting: keys.trusted, transport: mirror)
            await Self.expectUntrusted(strict, "not signed")
            #expect(mirror.takePaths() == ["/venues/mall/head"])
            let replica = VenueReplica(store: store, venue: mall, server: address, transport: mirror)
            #expect(try await replica.sync().to == 1)
            #expect(mirror.takePaths().allSatisfy { !$0.contains("/head") && !$0.contains("to=") })
        }
    }
}
