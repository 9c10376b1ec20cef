import Foundation
import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// A client that repeats its requests while the service fails. A missing response and a 503 are ignored.
/// Every other response is checked.
struct FaultTolerantClient: Sendable {
    /// The nodes, of which each request uses any.
    let services: [RemoteService]
    let venue: String
    let ledger: Ledger
    let isOver: Flag
    let seed: UInt64
    /// The number of newest revisions that prunes keep; nil if nothing is pruned.
    var keptRevisions: Int64?

    private struct Unavailable: Error {}
    /// The revision that a client holds was pruned.
    private struct Pruned: Error {}

    /// Sends a request to a random node.
    ///
    /// - Throws: `Unavailable` when there was no response, or a 503.
    private func ask(
        _ method: String, _ path: String, type: String? = nil, body: [UInt8] = [], using random: inout SplitMix64
    ) async throws -> RemoteService.Response {
        let service = self.services[Int.random(in: self.services.indices, using: &random)]
        let response: RemoteService.Response
        do {
            response = try await service.send(method, path, type: type, body: body, timeout: .seconds(20))
        } catch {
            try Task.checkCancellation()
            throw Unavailable()
        }
        if response.status == 503 { throw Unavailable() }
        return response
    }

    /// Repeats an action until the test is over.
    private func repeatedly(
        within pause: ClosedRange<Int>, seed: UInt64, _ act: (inout SplitMix64) async throws -> Void
    ) async throws {
        var random = SplitMix64(seed: seed)
        while !self.isOver.isSet {
            do { try await act(&random) } catch is Unavailable {}
            try await Task.sleep(for: .milliseconds(Int.random(in: pause, using: &random)))
        }
    }

    /// Uploads states and records the acknowledged uploads.
    func upload() async throws -> Follower? {
        var state = SampleVenue.tiny
        try await self.repeatedly(within: 100...500, seed: self.seed << 4 | 1) { random in
            state.editRandomly(using: &random)
            let response = try await self.ask(
                "POST", "/venues/\(self.venue)/uploads?identity=trust", type: "application/zip", body: state.archive(),
                using: &random)
            // 409: the archive was abandoned, so nothing was acknowledged.
            guard response.status == 202 else {
                #expect(response.status == 409, "\(response.text)")
                return
            }
            await self.ledger.received(try response.decoded(Upload.self).id)
        }
        return nil
    }

    func rollBack() async throws -> Follower? {
        try await self.repeatedly(within: 200...900, seed: self.seed << 4 | 2) { random in
            let venue = try await self.ask("GET", "/venues/\(self.venue)", using: &random)
            try #require(venue.status == 200, "\(venue.status) \(venue.text)")
            let head = try venue.decoded(Venue.self).head
            let request: JSONValue = ["to": .number(Double(Int64.random(in: 1...head, using: &random)))]
            let response = try await self.ask(
                "POST", "/venues/\(self.venue)/rollback", type: "application/json", body: CanonicalJSON.data(request),
                using: &random)
            guard response.status == 201 else {
                #expect(response.status == 409, "\(response.text)")
                return
            }
            let revision = try response.decoded(Revision.self)
            try await self.ledger.reported(revision.digest, of: revision.number, in: self.venue)
        }
        return nil
    }

    /// Edits features, some for a moment only. A request is repeated with its id until there is a response.
    func edit() async throws -> Follower? {
        let occupants = SampleVenue.tiny.features.filter { $0.type == .occupant }.map(\.id)
        var pending: AcknowledgedEdit?
        try await self.repeatedly(within: 20...300, seed: self.seed << 4 | 6) { random in
            let edit =
                try pending
                ?? AcknowledgedEdit(
                    of: #require(occupants.randomElement(using: &random)), in: self.venue,
                    until: Int.random(in: 0..<4, using: &random) == 0 ? Date() + 2 : nil, using: &random)
            pending = edit
            let response = try await self.ask(
                "POST", "/venues/\(self.venue)/edits", type: "application/json", body: edit.body, using: &random)
            pending = nil
            guard [200, 201].contains(response.status) else {
                // The feature was removed, others were faster ten times in a row, or the end of the edit has passed.
                #expect([404, 409, 422].contains(response.status), "\(response.status) \(response.text)")
                return
            }
            await self.ledger.record(edit, outcome: response.text)
        }
        return nil
    }

    /// Follows the venue. A change set counts when all its pages arrived, and then its digests must match. A client whose revision
    /// was pruned starts over.
    func follow() async throws -> Follower? {
        var follower = Follower(venue: self.venue)
        try await self.repeatedly(within: 0...60, seed: self.seed << 4 | 3) { random in
            var nodeChoice = SplitMix64(seed: random.next())
            let wait = Int.random(in: 0..<4, using: &random) == 0 ? "&wait=1" : ""
            do {
                let held = follower.revision
                try await follower.pull(using: &random) { path in
                    let response = try await self.ask("GET", path + wait, using: &nodeChoice)
                    if response.status == 410, try self.isPruned(held, by: response) { throw Pruned() }
                    try #require(response.status == 200, "\(path): \(response.status) \(response.text)")
                    return response.body
                }
            } catch is Pruned {
                follower.startOver()
            }
            guard let digest = follower.shown[follower.revision] else { return }
            try await self.ledger.reported(digest, of: follower.revision, in: self.venue)
        }
        return follower
    }

    /// Whether a revision may have been pruned by the time of a 410.
    private func isPruned(_ revision: Int64, by response: RemoteService.Response) throws -> Bool {
        struct Problem: Decodable { let to: Int64 }
        guard let keptRevisions else { return false }
        return try revision <= response.decoded(Problem.self).to - keptRevisions
    }

    /// Follows all venues.
    func followAll() async throws -> Follower? {
        var follower = CatalogueFollower()
        try await self.repeatedly(within: 0...100, seed: self.seed << 4 | 4) { random in
            var nodeChoice = SplitMix64(seed: random.next())
            try await follower.pull(using: &random) { path in
                let response = try await self.ask("GET", path, using: &nodeChoice)
                try #require(response.status == 200, "\(path): \(response.status) \(response.text)")
                return response.body
            }
            for (venue, held) in follower.replica.venues {
                guard let digest = held.digest else { continue }
                try await self.ledger.reported(digest, of: held.revision, in: "\(venue)")
            }
        }
        await self.ledger.record(follower)
        return nil
    }

    /// Receives every event of every venue, however often the connection breaks.
    func listen() async throws -> Follower? {
        var listener = Listener()
        try await self.repeatedly(within: 0...60, seed: self.seed << 4 | 5) { random in
            let service = self.services[Int.random(in: self.services.indices, using: &random)]
            try await listener.listen(to: service, for: .milliseconds(Int.random(in: 200...3_000, using: &random)))
        }
        await self.ledger.record(listener)
        return nil
    }
}

/// A client of `/events` that reconnects with the last id it received.
struct Listener: Sendable {
    /// The id of the last event.
    private(set) var position: Int64 = 0

    /// Listens until the connection breaks or the time is over. Events must arrive once, in order and without a gap.
    mutating func listen(to service: RemoteService, for time: Duration) async throws {
        var unread = ""
        var position = self.position
        let status = try await service.stream(
            "/events", headers: [("Last-Event-ID", "\(self.position)")], for: time
        ) { text in
            unread += text
            while let end = unread.range(of: "\n\n") {
                let event = unread[..<end.lowerBound]
                unread = String(unread[end.upperBound...])
                guard let line = event.split(separator: "\n").first(where: { $0.hasPrefix("id:") }) else { continue }
                let id = try #require(Int64(line.dropFirst(3).trimmingCharacters(in: .whitespaces)))
                #expect(id == position + 1, "event \(id) after \(position)")
                position = id
            }
        }
        self.position = position
        #expect(status == nil || status == 200 || status == 503, "\(status ?? 0)")
    }
}

/// An edit with an id, which may be sent any number of times.
struct AcknowledgedEdit: Hashable, Sendable {
    let venue: String
    let id: FeatureID
    let body: [UInt8]

    init(of feature: FeatureID, in venue: String, until: Date?, using random: inout SplitMix64) {
        self.venue = venue
        self.id = .random(using: &random)
        let patch: JSONValue = ["properties": ["website": .string("https://\(self.id).example")]]
        var request: JSONObject = [
            "id": .string(self.id.description), "message": .string(Self.message(of: self.id)),
            "edits": [["feature": .string(feature.description), "patch": patch]],
        ]
        request["until"] = until.map { .string(Timestamp.text(of: $0)) }
        self.body = CanonicalJSON.data(.object(request))
    }

    static func message(of id: FeatureID) -> String { "edit \(id)" }
}
