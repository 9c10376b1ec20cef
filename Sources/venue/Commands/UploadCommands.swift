import ArgumentParser
import Foundation
import IMDF
import SyncClient
import SyncModel

/// `venue push FILE.zip --to mall`
struct Push: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Upload an IMDF archive, wait for it, and say what changed.")

    @Argument(help: "The archive.", completion: .file(extensions: ["zip"]))
    var file: String

    @Option(help: "The venue's key: a–z, 0–9 and - with single dots between, such as mall or mall.staging.")
    var to: VenueKey

    @Flag(help: "Make the venue; without this a mistyped key is told, not made.")
    var new = false

    @Flag(help: "Publish nothing yet: say what would change, and keep the upload until “publish” or “discard”.")
    var hold = false

    @Option(
        help: """
            Publish at this time, such as 2031-04-01T09:00:00Z, unless a revision comes before that makes it change something else.
            """)
    var at: String?

    @Option(
        help: """
            The revision you believe to be the newest. If it is not, and the archive would change something else now, it is held back.
            """)
    var base: Int64?

    @Option(
        help: "Recognise features under new ids (repair), or take ids at their word (trust); else as the venue is set.")
    var identity: String?

    @Option(help: "What the log will say.")
    var message: String?

    @Flag(help: "Publish nothing if a rule of the whole rule book makes an error of it (see “venue validate”).")
    var strict = false

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard !self.hold || self.at == nil else { throw ValidationError("It is either --hold or --at.") }
        if let at, Timestamp.date(of: at) == nil {
            throw ValidationError("“\(at)” is no time such as 2031-04-01T09:00:00Z or 2031-04-01T18:00:00+09:00.")
        }
        guard self.identity.map({ VenueSetting.identity.accepts(.string($0)) }) ?? true else {
            throw ValidationError("--identity takes repair or trust.")
        }
        if let base, base < 0 { throw ValidationError("--base takes the number of a revision, or 0 before the first.") }
    }

    private var wishes: VenueUploader.Wishes {
        var wishes = VenueUploader.Wishes()
        wishes.createsVenue = self.new
        wishes.message = self.message
        wishes.isStrict = self.strict
        wishes.identity = self.identity
        wishes.base = self.base
        if self.hold { wishes.publishing = .hold }
        if let time = self.at.flatMap(Timestamp.date(of:)) { wishes.publishing = .at(time) }
        return wishes
    }

    func run() async throws {
        try await self.reporting {
            let server = try await ServerConnection.load()
            let file = URL(fileURLWithPath: self.file)
            guard FileManager.default.isReadableFile(atPath: file.path) else {
                throw Failure(.failure, "\(file.path) cannot be read")
            }
            let received = try await server.uploader.send(file, to: self.to, wishes: self.wishes)
            let upload = try await UploadReport.wait(for: received.id, at: server)
            if self.json { try Terminal.say(json: upload) } else { try await UploadReport.say(upload, at: server) }
            try upload.end()
        }
    }
}

extension Upload {
    /// Ends the program otherwise than well when the upload did not come to what was asked for.
    fileprivate func end() throws {
        switch self.state {
        case .rejected, .failed: throw ExitCode(ExitStatus.rejected.rawValue)
        case .staged where !self.reasons.isEmpty: throw ExitCode(ExitStatus.refused.rawValue)
        case .received, .processing, .staged, .published, .unchanged, .discarded: break
        }
    }
}

/// `venue status UPLOAD`
struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Say how an upload stands.")

    @Argument(help: "The upload's id.")
    var upload: String

    @Flag(help: "List what was recognised by resemblance, and why.")
    var matches = false

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await self.reporting {
            let server = try await ServerConnection.load()
            let path = "/uploads/\(ServerConnection.escaped(self.upload))"
            if self.matches {
                let matches = try await server.pages(MatchPage.self, "\(path)/matches?kind=near").flatMap(\.matches)
                return self.json ? try Terminal.say(json: MatchPage(matches: matches)) : UploadReport.say(matches)
            }
            let upload = try await server.get(Upload.self, path)
            if self.json { try Terminal.say(json: upload) } else { try await UploadReport.say(upload, at: server) }
        }
    }
}

/// `venue publish UPLOAD`
struct Publish: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Publish an upload that is held back, and say what changed.")

    @Argument(help: "The upload's id.")
    var upload: String

    @Option(help: "The revision you believe to be the newest. If it is not, you are told what would change now.")
    var base: Int64?

    @Option(help: "Reasons that are not to stop it, with commas between them, such as removal,other_origin.")
    var confirm: String?

    @Flag(help: "Print JSON.")
    var json = false

    private struct Wish: Encodable {
        let base: Int64?
        let confirm: [String]
    }

    func run() async throws {
        try await self.reporting {
            let server = try await ServerConnection.load()
            let id = ServerConnection.escaped(self.upload)
            let confirm = self.confirm.map { $0.split(separator: ",").map { String($0) } } ?? []
            let queued = try await server.post(
                Upload.self, "/uploads/\(id)/publish?wait=0", Wish(base: self.base, confirm: confirm))
            let upload = try await UploadReport.wait(for: queued.id, at: server)
            if self.json { try Terminal.say(json: upload) } else { try await UploadReport.say(upload, at: server) }
            try upload.end()
        }
    }
}

/// `venue discard UPLOAD`
struct Discard: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Give up an upload that waits, in the queue or for a decision.")

    @Argument(help: "The upload's id.")
    var upload: String

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await self.reporting {
            let server = try await ServerConnection.load()
            let path = "/uploads/\(ServerConnection.escaped(self.upload))"
            try await server.delete(path)
            if self.json { return try await Terminal.say(json: server.get(Upload.self, path)) }
            Terminal.say("Discarded. The published state is as it was.")
        }
    }
}

private struct MatchPage: Codable, ServerPage {
    let matches: [IdentityMatch]
    var next: String?
}
