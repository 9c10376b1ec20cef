import Foundation
import Synchronization
import TestSupport
import Testing

/// A server under load is stopped by SIGTERM repeatedly. Clients keep their connections alive.
@Suite(.serialized)
struct StopTests {
    private static let clients = 48
    private static let paths = ["/health", "/venues", "/sync"]

    /// The outcomes of all clients.
    private struct Counts: Sendable {
        var answered = 0
        /// Requests on a connection that had answered before and was not announced to close.
        var lost: [String] = []
        /// Requests on a connection that was never accepted.
        var refused = 0
        /// Clients whose last response announced the close.
        var announced = 0
    }

    private final class Tally: Sendable {
        private let counts = Mutex(Counts())

        var now: Counts { self.counts.withLock { $0 } }

        func note(_ change: (inout Counts) -> Void) { self.counts.withLock { change(&$0) } }
    }

    @Test(.timeLimit(.minutes(5)))
    func `graceful stop: a server under load loses no request on a connection it did not announce to close`()
        async throws
    {
        try await Deployment.run(workers: 0, settings: PostgresServer.withoutDurability) { deployment in
            let node = deployment.nodes[0]
            for round in 1...3 {
                let tally = try await Self.round(of: node)
                #expect(tally.lost.isEmpty, "\(tally.lost.count) lost in round \(round): \(tally.lost.prefix(3))")
                #expect(tally.announced == Self.clients && tally.answered > 20 * Self.clients, "\(tally)")
                try await node.start()
            }
        }
    }

    private static func round(of node: ServedNode) async throws -> Counts {
        let tally = Tally()
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for number in 0..<Self.clients {
                tasks.addTask {
                    await withCheckedContinuation { continuation in
                        Thread.detachNewThread {
                            Self.load(node.port, Self.paths[number % Self.paths.count], tally)
                            continuation.resume()
                        }
                    }
                }
            }
            try await eventually("the load") { tally.now.answered > 20 * Self.clients }
            await node.stop()
            try await tasks.waitForAll()
        }
        return tally.now
    }

    /// Sends requests until the port refuses connections.
    private static func load(_ port: Int, _ path: String, _ tally: Tally) {
        let request = "GET \(path) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(Harness.adminKey)\r\n\r\n"
        var isAnnounced = false
        while let client = try? RawClient(port: port) {
            var responses = 0
            let wasAnnounced = isAnnounced
            isAnnounced = false
            while !isAnnounced {
                let isSent = (try? client.send(request)) != nil
                let response = isSent ? client.blockingResponse(within: 30) : nil
                guard let response, response.isComplete else {
                    let received = response?.text.prefix(80) ?? (isSent ? "silence" : "reset")
                    let what = "\(path) after \(responses): \(received)"
                    return tally.note {
                        if responses > 0 { $0.lost.append(what) } else { $0.refused += 1 }
                        if wasAnnounced { $0.announced += 1 }
                    }
                }
                responses += 1
                tally.note { $0.answered += 1 }
                isAnnounced = response.text.lowercased().contains("\r\nconnection: close\r\n")
            }
        }
        if isAnnounced { tally.note { $0.announced += 1 } }
    }
}
