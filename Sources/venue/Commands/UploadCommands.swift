import ArgumentParser
import Foundation
import IMDF
import IMDFDiff
import SyncClient
import SyncModel

/// `venue push FILE.zip --to mall`
struct Push: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Upload an IMDF archive, wait until it is processed, and print what changed.",
        discussion:
            "Once the server has the archive, Ctrl-C ends only the command: the server continues, and “venue status” shows the upload."
    )

    @Argument(help: "The archive, or a folder with its files.", completion: .file(extensions: ["zip"]))
    var file: String

    @Option(help: "The venue's key: a–z, 0–9 and - with single dots between, such as mall or mall.staging.")
    var to: VenueKey

    @Flag(help: "Create the venue; without this option an unknown key is an error.")
    var new = false

    @Flag(
        help: "Stage the upload: print what would change, and leave the decision to “venue publish” or “venue discard”."
    )
    var hold = false

    @Option(
        help: """
            Publish at this time, such as 2031-04-01T09:00:00Z. If the changes would then be different, the upload stays staged.
            """)
    var at: String?

    @Option(
        help: """
            The revision that you expect to be the newest. If there is a newer one, and the changes are different now, the server stages the upload.
            """)
    var base: Int64?

    @Option(
        help:
            "Match features with new ids (repair), or trust the ids (trust); by default, the setting of the venue applies."
    )
    var identity: String?

    @Option(
        help: "Repair ids that cannot be used as they are (repair), or reject an archive that has such ids (strict).")
    var ids = ArchiveIDs.repair

    @Option(help: "The message in the log.")
    var message: String?

    @Flag(help: "Reject the archive if the rule book finds an error (see “venue validate”).")
    var strict = false

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard !self.hold || self.at == nil else { throw ValidationError("--hold and --at cannot be used together.") }
        if let at, Timestamp.date(of: at) == nil {
            throw ValidationError("“\(at)” is not a time such as 2031-04-01T09:00:00Z or 2031-04-01T18:00:00+09:00.")
        }
        guard self.identity.map({ Venue.Settings.Identity(rawValue: $0) != nil }) ?? true else {
            throw ValidationError("--identity must be repair or trust.")
        }
        if let base, base < 0 {
            throw ValidationError("--base must be the number of a revision, or 0 before the first.")
        }
    }

    private var options: VenueUploader.Options {
        var options = VenueUploader.Options()
        options.createsVenue = self.new
        options.message = self.message
        options.fileName = URL(fileURLWithPath: self.file).lastPathComponent
        options.isStrict = self.strict
        options.identity = self.identity
        options.requiresValidIDs = self.ids == .strict
        options.base = self.base
        if self.hold { options.publishing = .hold }
        if let time = self.at.flatMap(Timestamp.date(of:)) { options.publishing = .at(time) }
        return options
    }

    func run() async throws {
        try await self.reportingErrors {
            let server = try await ServerConnection.load()
            let archive = try ArchiveInput(self.file, limits: try await VenueConfiguration.archiveLimits())
            try archive.checkContent(of: self.file)
            let interruption = InterruptMessage(
                "interrupted before the server had the whole archive. Probably there is no upload; you can safely push the archive again."
            ) { archive.removeTemporaryFile() }
            let received: Upload
            do {
                received = try await server.uploader.send(archive.file, to: self.to, options: self.options)
            } catch SyncError.unknownVenue where !self.new {
                throw await server.unknownVenue(self.to.description, remedy: " To create it, add --new.")
            } catch let error as SyncError {
                throw await server.explained(error)
            }
            interruption.now(InterruptMessage.uploadGoesOn(received.id))
            defer { withExtendedLifetime(interruption) {} }
            let upload = try await UploadReport.wait(for: received.id, at: server)
            if self.json { try Terminal.print(json: upload) } else { try await UploadReport.print(upload, at: server) }
            try upload.expectSuccess()
        }
    }
}

extension Upload {
    /// Throws an exit code if the upload was rejected, failed, or was staged by a guard.
    fileprivate func expectSuccess() throws {
        switch self.state {
        case .rejected, .failed: throw ExitCode(ExitStatus.rejected.rawValue)
        case .staged where !self.reasons.isEmpty: throw ExitCode(ExitStatus.refused.rawValue)
        case .received, .processing, .staged, .published, .unchanged, .discarded: break
        }
    }
}

/// `venue status UPLOAD`
struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Show the state of an upload.")

    @Argument(help: "The upload's id.")
    var upload: String

    @Flag(help: "List the features that were matched by similarity, and why.")
    var matches = false

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await self.reportingErrors {
            let server = try await ServerConnection.load()
            let path = "/uploads/\(HTTPAddress.escaped(self.upload))"
            if self.matches {
                let matches = try await server.pages(MatchPage.self, "\(path)/matches?kind=near").flatMap(\.matches)
                return self.json ? try Terminal.print(json: MatchPage(matches: matches)) : UploadReport.print(matches)
            }
            let upload = try await server.get(Upload.self, path)
            if self.json { try Terminal.print(json: upload) } else { try await UploadReport.print(upload, at: server) }
        }
    }
}

/// `venue publish UPLOAD`
struct Publish: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Publish a staged upload, and print what changed.")

    @Argument(help: "The upload's id.")
    var upload: String

    @Option(
        help:
            "The revision that you expect to be the newest. If there is a newer one, and the changes are different now, the command prints them and publishes nothing."
    )
    var base: Int64?

    @Option(
        help:
            "The reasons of guards that you confirm, separated by commas, such as removal,other_origin. “venue status” lists them."
    )
    var confirm: String?

    @Flag(help: "Print JSON.")
    var json = false

    private struct PublishBody: Encodable {
        let base: Int64?
        let confirm: [String]
    }

    func run() async throws {
        try await self.reportingErrors {
            let server = try await ServerConnection.load()
            let id = HTTPAddress.escaped(self.upload)
            let confirm = self.confirm.map { $0.split(separator: ",").map { String($0) } } ?? []
            let queued = try await server.post(
                Upload.self, "/uploads/\(id)/publish?wait=0", PublishBody(base: self.base, confirm: confirm))
            let interruption = InterruptMessage(InterruptMessage.uploadGoesOn(queued.id))
            defer { withExtendedLifetime(interruption) {} }
            let upload = try await UploadReport.wait(for: queued.id, at: server)
            if self.json { try Terminal.print(json: upload) } else { try await UploadReport.print(upload, at: server) }
            try upload.expectSuccess()
        }
    }
}

/// `venue discard UPLOAD`
struct Discard: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Discard an upload that is queued or staged.")

    @Argument(help: "The upload's id.")
    var upload: String

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await self.reportingErrors {
            let server = try await ServerConnection.load()
            let path = "/uploads/\(HTTPAddress.escaped(self.upload))"
            try await server.delete(path)
            if self.json { return try await Terminal.print(json: server.get(Upload.self, path)) }
            Terminal.print("Discarded the upload. The newest revision did not change.")
        }
    }
}

private struct MatchPage: Codable, ServerPage {
    let matches: [IdentityMatch]
    var next: String?
}
