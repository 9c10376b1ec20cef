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

    private struct Page: Codable {
        var revisions: [Revision]
        var next: String?
    }

    private struct Report: Encodable {
        let revisions: [Revision]
    }

    func run() async throws {
        try await self.reportingErrors {
            let server = try await ServerConnection.load()
            var page = try await server.get(Page.self, "/venues/\(self.venue)/revisions?limit=\(self.limit)")
            var revisions = page.revisions
            // A page may be shorter than requested.
            while let next = page.next, revisions.count < self.limit {
                page = try await server.get(Page.self, next)
                revisions += page.revisions.prefix(self.limit - revisions.count)
            }
            if self.json { return try Terminal.print(json: Report(revisions: revisions)) }
            for revision in revisions {
                let part = revision.levels.map { " on \(Terminal.count($0.count, "level"))" } ?? ""
                let kind = revision.kind == .edit ? " (edited by hand)" : ""
                let restores = revision.restores.map { " (rollback to revision \($0)\(part))" } ?? ""
                Terminal.print(
                    "\(revision.number)\(kind)\(restores)  \(Timestamp.text(of: revision.publishedAt))  \(revision.author)"
                        + (revision.message.map { "  “\($0)”" } ?? ""))
                for sentence in revision.changes.words { Terminal.print("  · \(sentence)") }
            }
            try await TimeZoneReport.print(of: self.venue, at: server)
        }
    }
}

/// `venue export mall -o mall.zip`
struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Write a revision as an IMDF archive.")

    @Argument(help: "The venue's key.")
    var venue: VenueKey

    @Option(help: "The revision; by default the newest.")
    var revision: Int64?

    @Flag(help: "Repair features for strict decoders, and leave out those that cannot be repaired.")
    var strict = false

    @Flag(help: "Leave edits out: what the source said.")
    var source = false

    @Option(name: .shortAndLong, help: "The file to write.", completion: .file(extensions: ["zip"]))
    var output: String

    @Flag(help: "Print JSON.")
    var json = false

    private struct Receipt: Encodable {
        let venue: VenueKey
        let revision: Int64
        let file: String
        let bytes: Int
    }

    func run() async throws {
        try await self.reportingErrors {
            let server = try await ServerConnection.load()
            var number = self.revision
            if number == nil { number = try await server.get(Venue.self, "/venues/\(self.venue)").head }
            let zip = try await server.send(
                "GET",
                "/venues/\(self.venue)/revisions/\(number ?? 0)/archive.zip?strict=\(self.strict)&overrides=\(!self.source)"
            )
            try zip.write(to: URL(fileURLWithPath: self.output), options: .atomic)
            if self.json {
                return try Terminal.print(
                    json: Receipt(venue: self.venue, revision: number ?? 0, file: self.output, bytes: zip.count))
            }
            Terminal.print(
                "Wrote revision \(number ?? 0) of \(self.venue) to \(self.output), \(Terminal.count(zip.count, "byte"))."
            )
        }
    }
}
