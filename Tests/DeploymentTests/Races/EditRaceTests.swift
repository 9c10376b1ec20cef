import Foundation
import IMDF
import Postgres
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Edits at two nodes with two workers, while uploads, rollbacks, prunes and the ends of edits happen and processes are killed.
@Suite(.serialized)
struct EditRaceTests {
    @Test(.timeLimit(.minutes(30)), arguments: Seeds.upTo(2))
    func `edits at two nodes are applied once, in one order without gaps, and replicas equal the server`(
        seed: UInt64
    ) async throws {
        try await Deployment.run(nodes: 2, workers: 2, settings: PostgresServer.withoutDurability) { deployment in
            let service = deployment.services[0]
            try await service.publish(.tiny)
            try await service.set("removal_guard", to: false, of: "mall")
            let race = EditRace(services: deployment.services, seed: seed)
            let pool = ConnectionPool(deployment.database.configuration, size: 1)
            var followers = try await race.run { random in
                for round in 0..<6 {
                    try await Task.sleep(for: .milliseconds(Int.random(in: 200...700, using: &random)))
                    if round % 2 == 0 {
                        await deployment.workers[round / 2 % 2].kill()
                        try await deployment.workers[round / 2 % 2].start()
                    } else {
                        await deployment.nodes[round / 2 % 2].kill()
                        try await deployment.nodes[round / 2 % 2].start()
                    }
                }
                try await eventually("a pruned revision", within: .seconds(180)) {
                    try await pool.query("SELECT first_revision > 1 FROM venue").decode(Bool.self) == [true]
                }
            }
            for upload in await race.ledger.uploads {
                try await eventually("the end of upload \(upload)") {
                    try await service.steady("/uploads/\(upload)").decoded(Upload.self).state.isFinal
                }
            }
            try await eventually("the end of all edits whose time is over") {
                try await pool.query(
                    """
                    SELECT FROM feature_override
                    WHERE to_revision = 9223372036854775807 AND expires_at <= now() + interval '3 seconds'
                    """
                ).isEmpty
            }
            let first = try await service.steady("/venues/mall").decoded(Venue.self).first
            for index in followers.indices {
                if followers[index].revision < first { followers[index].startOver() }
                try await followers[index].verifyFinalState { try await service.steady($0).body }
            }
            try await Self.audit(await race.ledger.edits, service)
            try await Self.auditValues(service)
            try await Self.auditTables(pool)
            await pool.close()
        }
    }

    /// A repeated request has the first outcome.
    private static func audit(_ edits: [AcknowledgedEdit: String], _ service: RemoteService) async throws {
        #expect(edits.count > 5)
        for (edit, outcome) in edits {
            let again = try await service.request(
                "POST", "/venues/\(edit.venue)/edits", type: "application/json", body: edit.body)
            #expect(again.text == outcome)
        }
    }

    /// What every override says is published.
    private static func auditValues(_ service: RemoteService) async throws {
        struct Page: Decodable { let overrides: [OverrideEntry] }
        for entry in try await service.get(Page.self, "/venues/mall/overrides?limit=1000").overrides
        where entry.state != .orphaned {
            let feature = try await service.steady("/venues/mall/features/\(entry.feature)").decoded(JSONValue.self)
            #expect(feature["properties"]?["website"] == entry.value, "\(entry)")
        }
    }

    private static func auditTables(_ pool: ConnectionPool) async throws {
        let invariants = try await pool.query(
            """
            SELECT (SELECT count(*) FROM revision) = (SELECT head - first_revision + 1 FROM venue),
                (SELECT max(number) - min(number) + 1 FROM revision) = (SELECT count(*) FROM revision),
                NOT EXISTS (SELECT FROM revision WHERE kind = 'edit' AND message LIKE 'edit %'
                    GROUP BY message HAVING count(*) > 1),
                NOT EXISTS (SELECT FROM feature_override AS one JOIN feature_override AS other
                    USING (venue_id, feature_id, pointer)
                    WHERE one.ctid <> other.ctid AND one.from_revision < other.to_revision
                        AND other.from_revision < one.to_revision),
                (SELECT first_revision > 1 FROM venue)
            """
        ).decode((Bool, Bool, Bool, Bool, Bool).self)
        #expect(
            invariants.count == 1 && invariants.allSatisfy { $0 == (true, true, true, true, true) }, "\(invariants)")
    }
}

/// Concurrent writers and clients of one venue.
private struct EditRace: Sendable {
    let services: [RemoteService]
    let seed: UInt64
    let ledger = Ledger()
    private let isOver = Flag()
    private static let keptRevisions: Int64 = 20

    init(services: [RemoteService], seed: UInt64) {
        self.services = services
        self.seed = seed
    }

    /// - Parameter disturb: kills processes; when it returns, the writers stop.
    func run(_ disturb: @escaping @Sendable (inout SplitMix64) async throws -> Void) async throws -> [Follower] {
        try await withThrowingTaskGroup(of: Follower?.self) { group in
            for number in 0..<3 as Range<UInt64> {
                let client = FaultTolerantClient(
                    services: self.services, venue: "mall", ledger: self.ledger, isOver: self.isOver,
                    seed: self.seed << 8 | number, keptRevisions: Self.keptRevisions)
                group.addTask { try await client.follow() }
                group.addTask { try await self.edit(number) }
                if number == 0 { group.addTask { try await client.upload() } }
            }
            group.addTask { try await self.rollBackAndPrune() }
            group.addTask {
                defer { self.isOver.set() }
                var random = SplitMix64(seed: self.seed)
                try await disturb(&random)
                return nil
            }
            return try await group.reduce(into: []) { followers, follower in
                if let follower { followers.append(follower) }
            }
        }
    }

    /// Sends every edit to all nodes at the same time, and again until one of them has responded.
    private func edit(_ number: UInt64) async throws -> Follower? {
        var random = SplitMix64(seed: self.seed << 16 | 0x100 | number)
        let occupants = SampleVenue.tiny.features.filter { $0.type == .occupant }.map(\.id)
        while !self.isOver.isSet {
            let edit = AcknowledgedEdit(
                of: try #require(occupants.randomElement(using: &random)), in: "mall",
                until: Int.random(in: 0..<2, using: &random) == 0 ? Date() + 2 : nil, using: &random)
            var texts: Set<String>?
            repeat {
                try Task.checkCancellation()
                texts = await self.outcomes(of: edit)
            } while texts == nil && !self.isOver.isSet
            #expect((texts?.count ?? 0) <= 1, "\(texts ?? [])")
            if let text = texts?.first { await self.ledger.record(edit, outcome: text) }
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...40, using: &random)))
        }
        return nil
    }

    /// The outcomes that nodes respond with; nil if none of them responds.
    private func outcomes(of edit: AcknowledgedEdit) async -> Set<String>? {
        let responses = await withTaskGroup(of: RemoteService.Response?.self) { group in
            for service in self.services {
                group.addTask {
                    try? await service.send(
                        "POST", "/venues/mall/edits", type: "application/json", body: edit.body, timeout: .seconds(20))
                }
            }
            return await group.reduce(into: [RemoteService.Response]()) { responses, response in
                if let response, response.status != 503 { responses.append(response) }
            }
        }
        guard !responses.isEmpty else { return nil }
        let refused = responses.filter { ![200, 201].contains($0.status) }
        // The feature was removed, others were faster ten times in a row, or the end of the edit has passed.
        #expect(refused.allSatisfy { [404, 409, 422].contains($0.status) }, "\(refused.map(\.text))")
        return Set(responses.filter { [200, 201].contains($0.status) }.map(\.text))
    }

    private func rollBackAndPrune() async throws -> Follower? {
        var random = SplitMix64(seed: self.seed << 16 | 0x200)
        while !self.isOver.isSet {
            try await Task.sleep(for: .milliseconds(Int.random(in: 50...300, using: &random)))
            let service = self.services[Int.random(in: self.services.indices, using: &random)]
            let isPrune = Int.random(in: 0..<3, using: &random) == 0
            guard let head = try? await service.get(Venue.self, "/venues/mall").head else { continue }
            let body: JSONObject =
                isPrune
                ? ["keep_revisions": .number(Double(Self.keptRevisions))] : ["to": .number(Double(max(1, head - 3)))]
            let response = try? await service.send(
                "POST", "/venues/mall/\(isPrune ? "prune" : "rollback")", type: "application/json",
                body: CanonicalJSON.data(.object(body)))
            // The revision may be the newest one's equal, or other writers were faster.
            if let response { #expect([200, 201, 202, 409, 503].contains(response.status), "\(response.text)") }
        }
        return nil
    }
}
