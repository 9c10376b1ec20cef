import Foundation
import HTTPTransport
import IMDF
import SyncModel

/// Sends requests to the server and maps failures to ``SyncError``.
struct Exchange: Sendable {
    let server: ServerAddress
    let transport: any SyncTransport
    let policy: RetryPolicy

    /// What the server sends if it cannot continue from a cursor.
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

    /// The server lost the history of a cursor.
    struct LostHistory: Error {
        let restart: Restart?
    }

    /// The longest cursor that is kept, in bytes: it has to fit into the address of a request.
    static let longestCursor = 65_536

    /// Upper bounds in bytes. A page has bodies of 8 MiB, or a single one of 32 MiB, and JSON around them.
    static let maximumPageSize = 96 << 20
    static let maximumProblemSize = 16 << 20

    /// The whole body of a successful response.
    ///
    /// - Parameter progress: Is called with every block of it.
    func bytes(_ path: String, progress: ([UInt8]) -> Void = { _ in }) async throws -> [UInt8] {
        try await Self.collect(self.response(path).body, upTo: Self.maximumPageSize, progress: progress)
    }

    /// Repeats work until it succeeds, fails for good, or was attempted so many times.
    func retrying<Answer>(_ attempts: Int, _ work: () async throws -> Answer) async throws -> Answer {
        var failures = 0
        while true {
            do {
                return try await work()
            } catch let error as SyncError {
                failures += 1
                guard failures < attempts, let retry = error.retry else { throw error }
                try await self.policy.sleep(self.policy.pause(after: failures, retryAfter: retry.after))
            }
        }
    }

    /// A successful response whose body may still be arriving.
    func response(
        _ path: String, method: String = "GET", type: String? = nil, body: TransportRequest.Body? = nil
    ) async throws -> TransportResponse {
        let response = try await self.send(path, method: method, type: type, body: body)
        guard (200..<300).contains(response.status) else { throw await self.error(of: response) }
        return response
    }

    /// A response of any status.
    func send(
        _ path: String, method: String = "GET", type: String? = nil, body: TransportRequest.Body? = nil
    ) async throws -> TransportResponse {
        var request = try self.server.request(path, method: method, body: body)
        if let type { request.headers["Content-Type"] = type }
        do {
            return try await self.transport.send(request)
        } catch let error as CancellationError {
            throw error
        } catch {
            try Task.checkCancellation()
            let failure = TransportFailure(error)
            throw SyncError.unreachable(failure.reason, failure.obstacle)
        }
    }

    private func error(of response: TransportResponse) async -> any Error {
        let isOverloaded = response.status == 429 || response.status >= 500
        let data =
            isOverloaded
            ? Data() : Data((try? await Self.collect(response.body, upTo: Self.maximumProblemSize)) ?? [])
        // What the server refuses, it explains. Any other response is that of a proxy or of a hotspot, and may be gone soon.
        guard let problem = try? WireJSON.value(Problem.self, from: data), problem.type.hasPrefix("/problems/") else {
            return Self.interposed(response, self.policy)
        }
        switch (response.status, problem.type) {
        case (401, _), (403, _): return SyncError.unauthorized
        case (404, "/problems/not-signed"): return SyncError.untrusted(problem.message)
        // The revision is one that the server, or the operator's statement, has named.
        case (404, "/problems/revision-not-found"): return SyncError.contradiction(problem.message)
        case (404, _): return SyncError.unknownVenue
        case (410, "/problems/venue-gone"): return SyncError.venueGone
        case (410, _): return LostHistory(restart: Self.restart(data))
        // Only what the client holds decides on these, and nothing that it holds may keep it from the next revision.
        case (400, "/problems/invalid-cursor"), (400, "/problems/target-before-cursor"):
            return LostHistory(restart: nil)
        default: return SyncError.refused(status: response.status, problem.message)
        }
    }

    private static func restart(_ data: Data) -> Restart? {
        guard let restart = try? WireJSON.value(Restart.self, from: data), restart.to >= 1,
            restart.cursor.utf8.count <= Self.longestCursor
        else { return nil }
        return restart
    }

    /// The error for a response without the server's explanation.
    static func interposed(_ response: TransportResponse, _ policy: RetryPolicy) -> SyncError {
        guard !(300..<400).contains(response.status) else {
            let target = response.headers["location"].map { String($0.prefix(200)) }
            return .redirected(status: response.status, to: target)
        }
        return .unavailable(
            status: response.status, retryAfter: policy.retryAfter(response.headers["retry-after"]))
    }

    private struct Problem: Decodable {
        let type: String
        let title: String
        let detail: String?

        var message: String { [self.title, self.detail].compactMap(\.self).joined(separator: ". ") }
    }

    /// - Throws: ``SyncError/unreachable(_:_:)`` if the body ends early.
    static func collect(
        _ body: any AsyncSequence<[UInt8], any Error> & Sendable, upTo limit: Int,
        progress: ([UInt8]) -> Void = { _ in }
    ) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        try await self.forEachBlock(of: body) { block in
            progress(block)
            guard bytes.count + block.count <= limit else {
                throw SyncError.malformed("it is larger than \(limit) bytes")
            }
            if bytes.isEmpty { bytes = block } else { bytes += block }
        }
        return bytes
    }

    /// Reads a body block by block. An error of the body becomes ``SyncError/unreachable(_:_:)``; an error of `process` does not.
    static func forEachBlock(
        of body: any AsyncSequence<[UInt8], any Error> & Sendable, _ process: ([UInt8]) async throws -> Void
    ) async throws {
        var blocks = body.makeAsyncIterator()
        while true {
            let block: [UInt8]?
            do {
                block = try await blocks.next(isolation: nil)
            } catch let error as CancellationError {
                throw error
            } catch {
                try Task.checkCancellation()
                let failure = TransportFailure(error)
                throw SyncError.unreachable("the response ended early: \(failure.reason)", failure.obstacle)
            }
            guard let block else { return }
            try await process(block)
        }
    }
}

extension TransportFailure {
    fileprivate var obstacle: SyncError.Obstacle {
        switch self {
        case .offline, .noRoute: .offline
        case .unknownHost: .unknownHost
        case .refused: .refused
        case .timedOut: .timedOut
        case .noTLS, .untrustedCertificate, .interrupted, .invalidAddress, .noHTTP, .other: .other
        }
    }
}
