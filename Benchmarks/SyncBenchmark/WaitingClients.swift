import BenchmarkSupport
import Foundation
import IMDF

/// What a client costs that waits for news, in the server's memory, beside connections that a bare Hummingbird holds.
struct WaitingClients {
    let stage: Stage
    let count: Int

    /// Clients that come and go first, so that what is made once is not counted.
    private static let warmUp = 200

    func measure() async throws {
        let itself = Bundle.main.executablePath ?? CommandLine.arguments[0]
        var bare: Double?
        for (name, path, unanswered) in [
            ("bare Hummingbird, idle", "/idle", false), ("bare Hummingbird, answer begun", "/hold", false),
            ("bare Hummingbird, no answer yet", "/wait", true),
        ] {
            let port = try freePort()
            let server = try Program(itself, ["bare", "--port", "\(port)"])
            defer { server.stop() }
            try await waitUntilAnswering(port: port, path: "/idle")
            let cost = try self.cost(of: name, at: path, port: port, unanswered: unanswered, server)
            if path == "/hold" { bare = cost }
        }
        let wait = "/venues/mall/sync?since=\(self.stage.cursors.second)&wait=25"
        for (name, path, unanswered) in [("/events", "/events", false), ("sync with wait=25", wait, true)] {
            let node = try await self.stage.node()
            defer { node.stop() }
            try self.cost(of: name, at: path, port: node.port, unanswered: unanswered, node.program, over: bare)
        }
    }

    /// Bytes a client, and the report of it.
    @discardableResult
    private func cost(
        of name: String, at path: String, port: Int, unanswered: Bool, _ server: Program, over bare: Double? = nil
    ) throws -> Double {
        try Listeners(Self.warmUp, at: path, port: port, unanswered: unanswered).stop()
        sleep(1)
        let before = server.memory.resident
        let clients = try Listeners(self.count, at: path, port: port, unanswered: unanswered)
        defer { clients.stop() }
        // The last ones' requests are on their way still when nobody waits for an answer.
        sleep(2)
        let after = server.memory.resident
        let cost = Double(after - before) * 1_024 / Double(self.count)
        var line: JSONObject = [
            "name": .string("waiting client: \(name)"), "clients": .number(Double(self.count)),
            "refused": .number(Double(clients.refused)), "server_kib_before": .number(Double(before)),
            "server_kib_after": .number(Double(after)), "kib_each": .figure(cost / 1_024, places: 2),
        ]
        if let bare { line["kib_each_over_bare"] = .figure((cost - bare) / 1_024, places: 2) }
        report(line)
        return cost
    }
}
