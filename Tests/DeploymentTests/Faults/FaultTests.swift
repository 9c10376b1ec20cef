import Foundation
import IMDF
import Postgres
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Servers, workers, the database and a lagging read replica are killed repeatedly while clients go on.
@Suite(.serialized)
struct FaultTests {
    private static let venues = ["airport", "mall"]

    @Test(.timeLimit(.minutes(30)), arguments: Seeds.upTo(3))
    func `fault tolerance: random kills lose nothing acknowledged and show nothing half applied`(seed: UInt64)
        async throws
    {
        try await Deployment.run(nodes: 2, workers: 2, readsStandby: true) { deployment in
            let service = deployment.services[0]
            for venue in Self.venues {
                try await service.publish(.tiny, to: venue)
                try await service.set("removal_guard", to: false, of: venue)
            }
            let (ledger, isOver) = (Ledger(), Flag())
            var followers = try await withThrowingTaskGroup(of: Follower?.self) { group in
                for (number, venue) in (Self.venues + Self.venues).enumerated() {
                    let client = FaultTolerantClient(
                        services: deployment.services, venue: venue, ledger: ledger, isOver: isOver,
                        seed: seed << 8 | UInt64(number))
                    group.addTask { try await client.follow() }
                    guard number < Self.venues.count else { continue }
                    group.addTask { try await client.upload() }
                    group.addTask { try await client.rollBack() }
                    group.addTask { try await client.edit() }
                    group.addTask { try await client.listen() }
                    group.addTask { try await client.followAll() }
                }
                group.addTask {
                    defer { isOver.set() }
                    var random = SplitMix64(seed: seed)
                    try await Self.killRandomly(deployment, ledger, using: &random)
                    return nil
                }
                return try await group.reduce(into: [Follower]()) { followers, follower in
                    if let follower { followers.append(follower) }
                }
            }
            // Everything runs again, and acknowledged uploads are finished.
            for upload in await ledger.uploads {
                try await eventually("the end of upload \(upload)") {
                    try await service.steady("/uploads/\(upload)").decoded(Upload.self).state.isFinal
                }
            }
            try await Self.audit(ledger, deployment)
            for index in followers.indices {
                try await followers[index].verifyFinalState { try await service.steady($0).body }
            }
            for var catalogue in await ledger.catalogues {
                try await catalogue.verifyFinalState { try await service.steady($0).body }
            }
        }
    }

    /// Kills processes in turn, sometimes one while another is still starting.
    private static func killRandomly(
        _ deployment: Deployment, _ ledger: Ledger, using random: inout SplitMix64
    ) async throws {
        for round in 0..<12 {
            try await Task.sleep(for: .milliseconds(Int.random(in: 50...600, using: &random)))
            // Every kind has its turn with every seed; only the times are random.
            let target = (round + Int.random(in: 0...1, using: &random)) % 4
            switch target {
            case 0:
                await deployment.nodes[Int.random(in: deployment.nodes.indices, using: &random)].kill()
                await ledger.killed("server")
            case 1:
                let worker = deployment.workers[Int.random(in: deployment.workers.indices, using: &random)]
                await worker.kill()
                await ledger.killed("worker")
            case 2:
                await deployment.database.kill()
                await ledger.killed("database")
            default:
                // The replica lags first, which delays its readers.
                try await deployment.standby?.pauseReplay()
                try await Task.sleep(for: .milliseconds(Int.random(in: 50...900, using: &random)))
                await deployment.standby?.kill()
                await ledger.killed("replica")
            }
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...200, using: &random)))
            if target == 2 { try await deployment.database.start() }
            if target == 3 { try await deployment.standby?.start() }
            for worker in deployment.workers { try await worker.start() }
            for node in deployment.nodes { try await node.start() }
        }
    }

    /// Compares the ledger with the database.
    private static func audit(_ ledger: Ledger, _ deployment: Deployment) async throws {
        let service = deployment.services[0]
        let kills = await ledger.kills
        #expect(kills.count == 4, "\(kills)")
        var published = 0
        for id in await ledger.uploads {
            let upload = try await service.steady("/uploads/\(id)").decoded(Upload.self)
            #expect(upload.state != .rejected && upload.state != .discarded, "\(id) is \(upload.state)")
            #expect((upload.state == .published) == (upload.revision != nil))
            published += upload.state == .published ? 1 : 0
            guard let revision = upload.revision else { continue }
            let entry = try await service.steady("/venues/\(upload.venue)/revisions/\(revision)").decoded(Revision.self)
            #expect(entry.kind == .upload)
        }
        #expect(published > 0)
        for (revision, digest) in await ledger.revisions {
            let entry = try await service.steady("/venues/\(revision.venue)/revisions/\(revision.number)").decoded(
                Revision.self)
            #expect(entry.digest == digest, "\(revision)")
        }
        try await Self.audit(await ledger.edits, service)
        let pool = ConnectionPool(deployment.database.configuration, size: 1)
        let invariants = try await pool.query(
            """
            SELECT (SELECT count(*) FROM revision) = (SELECT position FROM catalogue),
                (SELECT count(DISTINCT position) FROM revision) = (SELECT position FROM catalogue),
                (SELECT bool_and(numbers = head) FROM
                    (SELECT head, (SELECT count(*) FROM revision WHERE venue_id = venue.id) AS numbers FROM venue) AS v),
                NOT EXISTS (SELECT FROM revision WHERE upload_id IS NOT NULL GROUP BY upload_id HAVING count(*) > 1),
                NOT EXISTS (SELECT FROM feature_version JOIN venue ON venue.id = venue_id WHERE from_revision > head),
                NOT EXISTS (SELECT FROM revision WHERE kind = 'edit' AND message LIKE 'edit %'
                    GROUP BY message HAVING count(*) > 1)
            """
        ).decode((Bool, Bool, Bool, Bool, Bool, Bool).self)
        let last = try #require(await pool.query("SELECT position FROM catalogue").decode(Int64.self).first)
        await pool.close()
        for var listener in await ledger.listeners {
            // Edits that end after the audit began add further events.
            try await eventually("event \(last)") {
                try await listener.listen(to: service, for: .milliseconds(500))
                return listener.position >= last
            }
        }
        #expect(
            invariants.count == 1 && invariants.allSatisfy { $0 == (true, true, true, true, true, true) },
            "\(invariants)")
    }

    /// Every acknowledged edit has its revision, and is not applied again.
    private static func audit(_ edits: [AcknowledgedEdit: String], _ service: RemoteService) async throws {
        #expect(!edits.isEmpty)
        for (edit, outcome) in edits {
            let again = try await service.request(
                "POST", "/venues/\(edit.venue)/edits", type: "application/json", body: edit.body)
            #expect(again.text == outcome)
            let result = try again.decoded(EditResult.self)
            guard result.isPublished, let number = result.revision else { continue }
            let revision = try await service.steady("/venues/\(edit.venue)/revisions/\(number)").decoded(Revision.self)
            #expect(revision.kind == .edit && revision.message == AcknowledgedEdit.message(of: edit.id))
        }
    }
}
