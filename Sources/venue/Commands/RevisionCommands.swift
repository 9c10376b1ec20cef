import ArgumentParser
import Foundation
import SyncModel

/// `venue log mall`
struct Log: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List a venue's revisions, the newest first.")

    @Argument(help: "The venue's key.")
    var venue: VenueKey

    @Option(help: "The maximum number of revisions.")
    var limit = 20

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard self.limit > 0 else { throw ValidationError("--limit must be at least 1, not \(self.limit)") }
    }

    private struct Page: ServerPage {
        let revisions: [Revision]
        let next: String?
    }

    func run() async throws {
        try await self.reportingErrors {
            let server = try await ServerConnection.load()
            let revisions = try await server.first(
                self.limit, \Page.revisions, "/venues/\(self.venue)/revisions?limit=\(min(self.limit, 1_000))")
            if self.json { return try Terminal.print(json: ["revisions": revisions]) }
            for revision in revisions {
                let part = revision.levels.map { " on \(Terminal.count($0.count, "level"))" } ?? ""
                let kind = revision.kind == .edit ? " (edited by hand)" : ""
                let restores = revision.restores.map { " (rollback to revision \($0)\(part))" } ?? ""
                Terminal.print(
                    "\(revision.number)\(kind)\(restores)  \(Timestamp.text(of: revision.publishedAt))  \(revision.author ?? "")"
                        + (revision.message.map { "  “\($0)”" } ?? ""))
                for sentence in revision.changes.words { Terminal.print("  · \(sentence)") }
            }
            try await TimeZoneReport.print(of: self.venue, at: server)
        }
    }
}
