import Foundation
import IMDF
import LoopbackHTTP
import NIOHTTP1
package import SyncModel

/// The server in a process of its own.
package struct Service: Sendable {
    package static let key = "the benchmark's key"

    package let port: Int
    private let process: Int32

    /// A server that another process has started. Its memory is not known.
    package init(port: Int) {
        self.init(port: port, process: 0)
    }

    private init(port: Int, process: Int32) {
        self.port = port
        self.process = process
    }

    package struct Refused: Error {
        package let path: String
        package let status: Int

        package init(path: String, status: Int) {
            self.path = path
            self.status = status
        }
    }

    /// Runs `venue up` with a private database that is deleted afterwards.
    package static func run(program path: String, _ body: (Service) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "venue-neighbour-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        defer { try? FileManager.default.removeItem(at: folder) }
        let port = try freePort()
        let program = try Program(
            path, ["up", "--port", "\(port)", "--data", folder.path + "/data"],
            environment: ["VENUE_ADMIN_KEY": Self.key])
        defer { program.stop() }
        let service = Service(port: port, process: program.identifier)
        try await service.waitUntilReady()
        try await body(service)
    }

    /// Runs `venue serve` and `venue work` on a database.
    package static func run(
        program path: String, on databaseURL: String, _ body: (Service) async throws -> Void
    ) async throws {
        let environment = ["VENUE_DATABASE_URL": databaseURL, "VENUE_ADMIN_KEY": Self.key]
        let port = try freePort()
        let server = try Program(path, ["serve", "--port", "\(port)"], environment: environment)
        defer { server.stop() }
        let worker = try Program(path, ["work"], environment: environment)
        defer { worker.stop() }
        let service = Service(port: port, process: server.identifier)
        try await service.waitUntilReady()
        try await body(service)
    }

    /// The same server behind a proxy at another port.
    package func reached(through port: Int) -> Service { Service(port: port, process: self.process) }

    package func waitUntilReady() async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while (try? await self.send("GET", "/ready")) == nil {
            guard ContinuousClock.now < deadline else { throw Refused(path: "/ready", status: 0) }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Of the server and its worker together, without PostgreSQL.
    package var residentMebibytes: Int {
        let children =
            (try? String(contentsOfFile: "/proc/\(self.process)/task/\(self.process)/children", encoding: .utf8))
            ?? ""
        let processes = [self.process] + children.split(separator: " ").compactMap { Int32($0) }
        let ours = processes.filter { process in
            let name = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
            return name?.hasPrefix("venue") ?? false
        }
        return ours.reduce(0) { $0 + MemoryReading(of: $1).resident } / 1_024
    }

    @discardableResult
    package func send(
        _ method: String, _ path: String, key: String? = Self.key, type: String? = nil, body: [UInt8] = [],
        timeout: Duration = .seconds(300)
    ) async throws -> [UInt8] {
        let response = try await LoopbackClient.shared.open(
            HTTPMethod(rawValue: method), "http://127.0.0.1:\(self.port)", path,
            headers: (key.map { [("Authorization", "Bearer \($0)")] } ?? [])
                + (type.map { [("Content-Type", $0)] } ?? []),
            body: body,
            timeout: timeout)
        let content = try await response.bytes()
        guard (200..<300).contains(response.status) else { throw Refused(path: path, status: response.status) }
        return content
    }

    /// Sends an archive and returns the id of its upload.
    package func upload(_ archive: [UInt8], to venue: String, options: String = "") async throws -> String {
        let response = try await self.send(
            "POST", "/venues/\(venue)/uploads\(options)", type: "application/zip", body: archive)
        return try WireJSON.value(Upload.self, from: Data(response)).id
    }

    /// Waits until an upload is final or staged. Validation may still be running.
    @discardableResult
    package func outcome(of upload: String) async throws -> Upload.State {
        while true {
            let response = try await self.send("GET", "/uploads/\(upload)?wait=20")
            let state = try WireJSON.value(Upload.self, from: Data(response)).state
            if state.isFinal || state == .staged { return state }
            try Task.checkCancellation()
        }
    }

    /// Waits until an upload's report is complete as well.
    package func report(of upload: String) async throws {
        _ = try await self.outcome(of: upload)
        while true {
            let response = try await self.send("GET", "/uploads/\(upload)")
            let upload = try WireJSON.value(Upload.self, from: Data(response))
            if upload.findings.complete || upload.state == .rejected { return }
            try await Task.sleep(for: .milliseconds(200))
        }
    }
}
