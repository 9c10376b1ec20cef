import Foundation
import Synchronization

/// `venue up` on a free port, with a database of its own. Ends with ``stop()``.
final class LocalServer: Sendable {
    struct Failure: Error {
        let output: String
    }

    static let adminKey = "key-of-the-example-tests"

    let url: URL
    let folder: URL
    private let process: Mutex<Process>

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
        let (process, url) = try Self.start(in: self.folder, port: 0)
        self.process = Mutex(process)
        self.url = url
    }

    private static func start(in folder: URL, port: Int) throws -> (Process, URL) {
        let output = Pipe()
        let process = Process()
        process.executableURL = Self.program
        process.arguments = ["up", "--port", "\(port)", "--data", folder.appending(path: "data").path]
        process.environment = Self.environment
        process.standardOutput = output
        process.standardError = output
        try process.run()
        var text = ""
        while true {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw Failure(output: text) }
            text += String(decoding: data, as: UTF8.self)
            guard let match = text.firstMatch(of: /VenueSync is at (http:\S+)\s/) else { continue }
            guard let url = URL(string: String(match.output.1)) else { throw Failure(output: text) }
            // Keeps the pipe empty, so that the program can go on writing.
            output.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
            return (process, url)
        }
    }

    /// Stops the program; the data stays.
    func shutDown() {
        self.process.withLock { process in
            process.terminate()
            process.waitUntilExit()
        }
    }

    /// Starts the program again, at the same address.
    func startAgain() throws {
        let (process, _) = try Self.start(in: self.folder, port: self.url.port ?? 0)
        self.process.withLock { $0 = process }
    }

    /// Changes the features of one type in an archive with a statement of Python; `p` are the properties and `g` is the geometry.
    func edit(_ archive: String, into result: String, _ type: String, _ statement: String) throws {
        let script = """
            import json, zipfile
            old, new = zipfile.ZipFile("\(archive)"), zipfile.ZipFile("\(result)", "w")
            for name in old.namelist():
                content = json.loads(old.read(name))
                for feature in content["features"] if name == "\(type).geojson" else []:
                    p, g = feature["properties"], feature["geometry"]
                    \(statement)
                new.writestr(name, json.dumps(content))
            new.close()
            """
        try self.run(URL(filePath: "/usr/bin/env"), ["python3", "-c", script])
    }

    /// Runs a command of the program in the server's folder and waits for its end.
    func venue(_ arguments: String...) throws {
        try self.run(Self.program, arguments)
    }

    private func run(_ program: URL, _ arguments: [String]) throws {
        let output = Pipe()
        let process = Process()
        process.executableURL = program
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

    /// Runs the program of `Examples/Consumer` until it has printed something.
    func consume(ordinal: Int, until text: String) throws -> String {
        let output = Pipe()
        let process = Process()
        process.executableURL = DocumentationArticle.root.appending(path: ".build/examples/debug/Consumer")
        process.arguments = [
            self.url.absoluteString, "mall", self.folder.appending(path: "consumer.sqlite").path, "\(ordinal)",
        ]
        process.environment = Self.environment.merging(["VENUE_KEY": Self.adminKey]) { _, new in new }
        process.standardOutput = output
        try process.run()
        defer {
            process.terminate()
            process.waitUntilExit()
        }
        var printed = ""
        while !printed.contains(text) {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw Failure(output: printed) }
            printed += String(decoding: data, as: UTF8.self)
        }
        return printed
    }

    func stop() {
        self.shutDown()
        try? FileManager.default.removeItem(at: self.folder)
    }
}
