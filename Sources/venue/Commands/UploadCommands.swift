import ArgumentParser
import Foundation
import SyncModel

/// `venue push FILE.zip --to mall`
struct Push: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Upload an IMDF archive, wait for it, and say what changed.")

    @Argument(help: "The archive.", completion: .file(extensions: ["zip"]))
    var file: String

    @Option(help: "The venue's key.")
    var to: VenueKey

    @Flag(help: "Make the venue; without this a mistyped key is told, not made.")
    var new = false

    @Option(help: "What the log will say.")
    var message: String?

    @Flag(help: "Hold the archive to the whole rule book, of which only what always blocks is there yet.")
    var strict = false

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await self.reporting {
            let server = try await ServerConnection.load()
            var path = "/venues/\(self.to)/uploads?create=\(self.new)"
            if let message { path += "&message=\(ServerConnection.escaped(message))" }
            if self.strict { path += "&strict=true" }
            let received = try await server.upload(URL(fileURLWithPath: self.file), to: path)
            let upload = try await UploadReport.wait(for: received.id, at: server)
            if self.json { try Terminal.say(json: upload) } else { try await UploadReport.say(upload, at: server) }
            if upload.state == .rejected || upload.state == .failed { throw ExitCode(ExitStatus.rejected.rawValue) }
        }
    }
}

/// `venue status UPLOAD`
struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Say how an upload stands.")

    @Argument(help: "The upload's id.")
    var upload: String

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await self.reporting {
            let server = try await ServerConnection.load()
            let upload = try await server.get(Upload.self, "/uploads/\(ServerConnection.escaped(self.upload))")
            if self.json { try Terminal.say(json: upload) } else { try await UploadReport.say(upload, at: server) }
        }
    }
}
