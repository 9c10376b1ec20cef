package import Foundation
import Subprocess
import SystemPackage

/// The built `venue` program, run as by an operator.
package enum VenueProgram {
    package struct Outcome: Sendable {
        package let status: Int32
        package let output: String
        package let complaint: String
    }

    /// The program is built beside the test bundle.
    package static let path = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "venue").path

    package static func run(
        _ arguments: [String], server: String = "http://127.0.0.1:1", key: String = "", settings: [String: String] = [:]
    ) async throws -> Outcome {
        var environment: [Environment.Key: String?] = ["VENUE_SERVER": server, "VENUE_KEY": key, "LANG": "C"]
        for (name, value) in settings { environment[Environment.Key(stringLiteral: name)] = value }
        let record = try await Subprocess.run(
            .path(FilePath(Self.path)), arguments: Arguments(arguments),
            environment: .inherit.updating(environment),
            output: .string(limit: 1 << 24), error: .string(limit: 1 << 20))
        let status: Int32 = if case .exited(let code) = record.terminationStatus { code } else { -1 }
        return Outcome(status: status, output: record.standardOutput, complaint: record.standardError)
    }
}

/// A `venue up` process, whose data folder outlives it.
package final class RunningService: Sendable {
    package static let key = "the operator's key"
    package let address: String
    private let process: ChildProcess

    package struct NotUp: Error {
        let said: String
    }

    /// Starts it and waits until it prints its address.
    package init(in folder: URL, environment: [String: String] = [:]) async throws {
        let log = folder.appending(path: "service-\(UUID().uuidString.prefix(8)).log")
        self.process = try ChildProcess(
            VenueProgram.path, ["up", "--port", "0", "--data", folder.appending(path: "data").path],
            environment: environment.merging(["VENUE_ADMIN_KEY": Self.key]) { $1 }, log: log)
        while true {
            if let address = self.process.said.firstMatch(of: /VenueSync is at (\S+)\n/)?.output.1 {
                self.address = String(address)
                let file = folder.appending(path: "data/postgresql/postmaster.pid")
                let number = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").first
                self.database = number.flatMap { Int32($0) } ?? 0
                return
            }
            guard self.process.isRunning else { throw NotUp(said: self.process.said) }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Its output so far.
    package var said: String { self.process.said }

    /// The process of its private PostgreSQL.
    package let database: Int32

    /// Waits until it has ended by itself, and returns its exit status.
    package func exitStatus() async throws -> Int32 { try await self.process.exitStatus() }

    /// Sends it a signal.
    package func signal(_ signal: Int32) {
        if self.process.isRunning { Foundation.kill(self.process.processID, signal) }
    }

    /// The processes of its workers.
    package var workers: [Int32] {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { Int32($0) } ?? []
        let parent = "work\0--parent\0\(self.process.processID)\0"
        return processes.filter { process in
            (try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8))?.hasSuffix(parent) ?? false
        }
    }

    package func venue(_ arguments: String...) async throws -> VenueProgram.Outcome {
        try await VenueProgram.run(arguments, server: self.address, key: Self.key)
    }

    /// A client with the operator's key.
    package var remote: RemoteService { RemoteService(address: self.address, key: Self.key) }

    /// The body of a reply to the operator.
    package func get(_ path: String) async throws -> Data { Data(try await self.remote.send("GET", path).body) }

    /// Ends it without a chance to clean up.
    package func kill() async { await self.process.kill() }

    package func stop() async -> Int32 { await self.process.stop() }
}

/// A temporary folder for one test.
package final class Workplace: Sendable {
    package let folder: URL

    package init() throws {
        self.folder = FileManager.default.temporaryDirectory.appending(
            path: "venue-program-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(
            at: self.folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    }

    deinit {
        try? FileManager.default.removeItem(at: self.folder)
    }

    package func path(_ name: String) -> String { self.folder.appending(path: name).path }
}
