import BenchmarkSupport
import Foundation
import IMDF

/// Measures the memory of the server for each waiting client, compared with connections of a minimal Hummingbird server.
struct WaitingClients {
    let environment: BenchmarkEnvironment
    let count: Int

    /// Clients that connect and disconnect first, so that one-time allocations are not counted.
    private static let warmUp = 200

    func measure() async throws {
        let executable = Bundle.main.executablePath ?? CommandLine.arguments[0]
        var bare: Double?
        for (name, path, unanswered) in [
            ("bare Hummingbird, idle", "/idle", false), ("bare Hummingbird, response begun", "/hold", false),
            ("bare Hummingbird, no response yet", "/wait", true),
        ] {
            let port = try freePort()
            let server = try Program(executable, ["bare", "--port", "\(port)"])
            defer { server.stop() }
            try await waitUntilResponding(port: port, path: "/idle")
            let cost = try self.cost(of: name, at: path, port: port, unanswered: unanswered, server)
            if path == "/hold" { bare = cost }
        }
        let wait = "/venues/mall/sync?since=\(self.environment.cursors.second)&wait=25"
        for (name, path, unanswered) in [("/events", "/events", false), ("sync with wait=25", wait, true)] {
            let node = try await self.environment.node()
            defer { node.stop() }
            try self.cost(of: name, at: path, port: node.port, unanswered: unanswered, node.program, over: bare)
        }
    }

    /// Measures and reports the memory of each client; returns it in bytes.
    @discardableResult
    private func cost(
        of name: String, at path: String, port: Int, unanswered: Bool, _ server: Program, over bare: Double? = nil
    ) throws -> Double {
        try Listeners(Self.warmUp, at: path, port: port, unanswered: unanswered).stop()
        sleep(1)
        let before = server.memory.resident
        let clients = try Listeners(self.count, at: path, port: port, unanswered: unanswered)
        defer { clients.stop() }
        // Without waiting for responses, the last requests may still be in transit.
        sleep(2)
        let after = server.memory.resident
        let cost = Double(after - before) * 1_024 / Double(self.count)
        var line: JSONObject = [
            "name": .string("waiting client: \(name)"), "clients": .number(Double(self.count)),
            "refused": .number(Double(clients.refused)), "server_kib_before": .number(Double(before)),
            "server_kib_after": .number(Double(after)), "kib_each": .rounded(cost / 1_024, decimals: 2),
        ]
        if let bare { line["kib_each_over_bare"] = .rounded((cost - bare) / 1_024, decimals: 2) }
        report(line)
        return cost
    }
}
