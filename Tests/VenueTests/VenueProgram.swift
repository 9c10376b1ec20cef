import Foundation
import Subprocess
import SystemPackage

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The built program, run as an operator runs it.
enum VenueProgram {
    struct Outcome {
        let status: Int32
        let output: String
        let complaint: String
    }

    /// Beside the test bundle.
    static let path = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "venue").path

    static func run(_ arguments: [String], server: String = "http://127.0.0.1:1", key: String = "") async throws
        -> Outcome
    {
        let record = try await Subprocess.run(
            .path(FilePath(Self.path)), arguments: Arguments(arguments),
            environment: .inherit.updating(["VENUE_SERVER": server, "VENUE_KEY": key, "LANG": "C"]),
            output: .string(limit: 1 << 24), error: .string(limit: 1 << 20))
        let status: Int32 = if case .exited(let code) = record.terminationStatus { code } else { -1 }
        return Outcome(status: status, output: record.standardOutput, complaint: record.standardError)
    }
}

/// `venue up` in a process of its own, with a folder that outlives it.
final class RunningService {
    static let key = "the operator's key"
    let address: String
    private let process = Process()

    /// Starts it and waits until it says where it is.
    init(in folder: URL) async throws {
        let output = Pipe()
        self.process.executableURL = URL(filePath: VenueProgram.path)
        self.process.arguments = ["up", "--port", "0", "--data", folder.appending(path: "data").path]
        self.process.environment = ProcessInfo.processInfo.environment.merging(["VENUE_ADMIN_KEY": Self.key]) { $1 }
        self.process.standardOutput = output
        try self.process.run()
        var said = ""
        while !said.contains("\n") {
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { break }
            said += String(decoding: data, as: UTF8.self)
        }
        self.address = said.split(separator: " ").last.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) } ?? ""
    }

    func venue(_ arguments: String...) async throws -> VenueProgram.Outcome {
        try await VenueProgram.run(arguments, server: self.address, key: Self.key)
    }

    /// What the service answers to its operator.
    func get(_ path: String) async throws -> Data {
        var request = URLRequest(url: URL(string: self.address + path) ?? URL(filePath: path))
        request.setValue("Bearer \(Self.key)", forHTTPHeaderField: "Authorization")
        return try await URLSession.shared.data(for: request).0
    }

    /// No farewell: as when the power fails.
    func kill() {
        Foundation.kill(self.process.processIdentifier, SIGKILL)
        self.process.waitUntilExit()
    }

    func stop() -> Int32 {
        self.process.terminate()
        self.process.waitUntilExit()
        return self.process.terminationStatus
    }
}

/// A folder for one test.
final class Workplace {
    let folder: URL

    init() throws {
        self.folder = FileManager.default.temporaryDirectory.appending(
            path: "venue-program-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(
            at: self.folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    }

    deinit {
        try? FileManager.default.removeItem(at: self.folder)
    }

    func path(_ name: String) -> String { self.folder.appending(path: name).path }
}
