import Foundation
import SyncModel

/// `venue up` on a free port, with a database of its own. Ends with ``stop()``.
final class LocalServer: Sendable {
    struct Failure: Error {
        let output: String
    }

    static let adminKey = "key-of-the-example-tests"

    let url: URL
    let folder: URL
    private let process: Process

    /// The program of this checkout, or the one that `VENUE_PROGRAM` names.
    private static let program: URL = {
        if let path = ProcessInfo.processInfo.environment["VENUE_PROGRAM"] { return URL(filePath: path) }
        return DocumentationArticle.root.appending(path: ".build/debug/venue")
    }()

    private static var environment: [String: String] {
        ProcessInfo.processInfo.environment.merging(["VENUE_ADMIN_KEY": adminKey]) { _, new in new }
    }

    init() async throws {
        // PostgreSQL does not run as root, so another user needs access to the folder.
        self.folder = FileManager.default.temporaryDirectory.appending(path: "examples-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(
            at: self.folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        let output = Pipe()
        self.process = Process()
        self.process.executableURL = Self.program
        self.process.arguments = ["up", "--port", "0", "--data", self.folder.appending(path: "data").path]
        self.process.environment = Self.environment
        self.process.standardOutput = output
        self.process.standardError = output
        try self.process.run()
        var text = ""
        while true {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw Failure(output: text) }
            text += String(decoding: data, as: UTF8.self)
            guard let match = text.firstMatch(of: /VenueSync is at (http:\S+)\s/) else { continue }
            guard let url = URL(string: String(match.output.1)) else { throw Failure(output: text) }
            self.url = url
            break
        }
        // Keeps the pipe empty, so that the program can go on writing.
        output.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
    }

    /// Runs a command of the program in the server's folder and waits for its end.
    func venue(_ arguments: String...) throws {
        let output = Pipe()
        let process = Process()
        process.executableURL = Self.program
        process.arguments = arguments
        process.currentDirectoryURL = self.folder
        process.environment = Self.environment.merging([
            "VENUE_SERVER": self.url.absoluteString, "VENUE_KEY": Self.adminKey,
        ]) { _, new in new }
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(output: text) }
    }

    func stop() {
        self.process.terminate()
        self.process.waitUntilExit()
        try? FileManager.default.removeItem(at: self.folder)
    }
}
