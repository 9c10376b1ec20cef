import Foundation
import IMDF
import SyncModel

/// Asks the server, and sorts out what went wrong.
struct Exchange: Sendable {
    let server: ServerAddress
    let transport: any SyncTransport
    let policy: RetryPolicy

    /// What the server says when a cursor cannot be continued.
    struct Restart: Decodable, Sendable {
        struct Level: Decodable, Sendable {
            @OrNull var level: FeatureID?
            let digest: Digest
            let href: String

            enum CodingKeys: String, CodingKey {
                case digest, href
                case level = "level_id"
            }
        }

        let to: Int64
        let cursor: String
        let levels: [Level]
    }

    /// History was lost: what to hold in the end, if the server says it.
    struct LostHistory: Error {
        let restart: Restart?
    }

    /// More than any page or problem takes: bodies of 8 MiB, or one of 32, and what stands around them.
    static let largestPage = 96 << 20
    private static let largestProblem = 16 << 20

    /// The whole body of a successful answer. `attempts`: how often the request is sent before it is given up.
    func bytes(_ path: String, attempts: Int = 1) async throws -> [UInt8] {
        try await self.attempting(attempts) {
            try await Self.collect(self.answer(path).body, most: Self.largestPage)
        }
    }

    /// Does work that may be done again, until it succeeds or there were so many attempts.
    func attempting<Answer>(_ attempts: Int, _ work: () async throws -> Answer) async throws -> Answer {
        var failures = 0
        while true {
            do {
                return try await work()
            } catch let error as SyncError {
                failures += 1
                guard failures < attempts, let wish = error.worthAnotherTry else { throw error }
                try await self.policy.sleep(self.policy.pause(after: failures, wish: wish.after))
            }
        }
    }

    /// A successful answer whose body is still on its way.
    func answer(
        _ path: String, method: String = "GET", type: String? = nil, body: TransportRequest.Body? = nil
    ) async throws -> TransportResponse {
        var request = try self.server.request(path, method: method, body: body)
        if let type { request.headers["Content-Type"] = type }
        let response: TransportResponse
        do {
            response = try await self.transport.send(request)
        } catch let error as CancellationError {
            throw error
        } catch {
            try Task.checkCancellation()
            throw SyncError.unreachable("\(error)")
        }
        guard (200..<300).contains(response.status) else { throw await self.refusal(response) }
        return response
    }

    private func refusal(_ response: TransportResponse) async -> any Error {
        switch response.status {
        case 401, 403: return SyncError.unauthorized
        case 429, 500...:
            return SyncError.unavailable(
                status: response.status, retryAfter: self.policy.wish(response.headers["retry-after"]))
        default: break
        }
        let data = (try? await Self.collect(response.body, most: Self.largestProblem)).map { Data($0) } ?? Data()
        let problem = try? WireJSON.value(Problem.self, from: data)
        switch (response.status, problem?.type) {
        case (404, _): return SyncError.unknownVenue
        case (410, "/problems/venue-gone"): return SyncError.venueGone
        case (410, _): return LostHistory(restart: try? WireJSON.value(Restart.self, from: data))
        default: return SyncError.refused(status: response.status, problem?.words ?? "")
        }
    }

    private struct Problem: Decodable {
        let type: String
        let title: String
        let detail: String?

        var words: String { [self.title, self.detail].compactMap(\.self).joined(separator: ". ") }
    }

    /// - Throws: ``SyncError/unreachable(_:)`` when the body breaks off.
    static func collect(
        _ body: any AsyncSequence<[UInt8], any Error> & Sendable, most: Int
    ) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        try await self.each(body) { piece in
            guard bytes.count + piece.count <= most else {
                throw SyncError.malformed("an answer of more than \(most) bytes")
            }
            if bytes.isEmpty { bytes = piece } else { bytes += piece }
        }
        return bytes
    }

    /// Goes through a body, and tells what breaks off from what is wrong with a piece.
    static func each(
        _ body: any AsyncSequence<[UInt8], any Error> & Sendable, _ take: ([UInt8]) async throws -> Void
    ) async throws {
        var pieces = body.makeAsyncIterator()
        while true {
            let piece: [UInt8]?
            do {
                piece = try await pieces.next(isolation: nil)
            } catch let error as CancellationError {
                throw error
            } catch {
                try Task.checkCancellation()
                throw SyncError.unreachable("the answer broke off: \(error)")
            }
            guard let piece else { return }
            try await take(piece)
        }
    }
}
