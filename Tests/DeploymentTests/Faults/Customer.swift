import Foundation
import IMDF
import NIOCore
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Somebody who uses the service and takes it as it comes: an answer that does not come, or one that says “not now”, is no answer.
/// Every other is held against what is right.
struct Customer: Sendable {
    let service: RemoteService
    let venue: String
    let ledger: Ledger
    let isOver: Flag
    let seed: UInt64

    private struct NotNow: Error {}

    /// The answer, if one comes whole.
    ///
    /// - Throws: `NotNow` when none came, or the service said that it cannot answer now.
    private func ask(
        _ method: String, _ path: String, type: String? = nil, body: [UInt8] = []
    ) async throws -> RemoteService.Answer {
        let answer: RemoteService.Answer
        do {
            answer = try await self.service.send(method, path, type: type, body: body, timeout: .seconds(20))
        } catch {
            try Task.checkCancellation()
            await self.ledger.count(answered: false)
            throw NotNow()
        }
        await self.ledger.count(answered: answer.status < 500)
        if answer.status == 503 { throw NotNow() }
        return answer
    }

    /// Does something again and again until it is over.
    private func repeatedly(
        within pause: ClosedRange<Int>, _ act: (inout SplitMix64) async throws -> Void, seed: UInt64
    ) async throws {
        var random = SplitMix64(seed: seed)
        while !self.isOver.isSet {
            do { try await act(&random) } catch is NotNow {}
            try await Task.sleep(for: .milliseconds(Int.random(in: pause, using: &random)))
        }
    }

    /// Uploads one state after the other, and notes what was acknowledged.
    func upload() async throws -> Follower? {
        var state = SampleVenue.tiny
        try await self.repeatedly(
            within: 100...500,
            { random in
                state.editAnyhow(using: &random)
                let answer = try await self.ask(
                    "POST", "/venues/\(self.venue)/uploads?identity=trust", type: "application/zip",
                    body: state.archive())
                // 409: the archive was swept or given up under way, so nothing was promised.
                guard answer.status == 202 else {
                    #expect(answer.status == 409, "\(answer.text)")
                    return
                }
                await self.ledger.received(try answer.decoded(Upload.self).id)
            }, seed: self.seed << 4 | 1)
        return nil
    }

    func rollBack() async throws -> Follower? {
        try await self.repeatedly(
            within: 200...900,
            { random in
                let venue = try await self.ask("GET", "/venues/\(self.venue)").decoded(Venue.self)
                let wish: JSONValue = ["to": .number(Double(Int64.random(in: 1...venue.head, using: &random)))]
                let answer = try await self.ask(
                    "POST", "/venues/\(self.venue)/rollback", type: "application/json", body: CanonicalJSON.data(wish))
                guard answer.status == 201 else {
                    #expect(answer.status == 409, "\(answer.text)")
                    return
                }
                let revision = try answer.decoded(Revision.self)
                try await self.ledger.told(revision.digest, of: revision.number, in: self.venue)
            }, seed: self.seed << 4 | 2)
        return nil
    }

    /// Follows the venue. A change set counts when all its pages came, and then its digests are right.
    func follow() async throws -> Follower? {
        var follower = Follower(venue: self.venue)
        try await self.repeatedly(
            within: 0...60,
            { random in
                try await follower.pull(using: &random) { path in
                    let answer = try await self.ask("GET", path)
                    try #require(answer.status == 200, "\(path): \(answer.status) \(answer.text)")
                    return answer.body
                }
                guard let digest = follower.shown[follower.revision] else { return }
                try await self.ledger.told(digest, of: follower.revision, in: self.venue)
            }, seed: self.seed << 4 | 3)
        return follower
    }
}
