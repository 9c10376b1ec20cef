import ArgumentParser
import Foundation
import IMDF
import SyncModel

/// `venue audit`
struct Audit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List who changed settings and keys, the newest change first.")

    @Option(help: "Only changes of this venue.")
    var venue: VenueKey?

    @Option(help: "The maximum number of entries.")
    var limit = 20

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard self.limit > 0 else { throw ValidationError("--limit must be at least 1, not \(self.limit)") }
    }

    private struct Page: ServerPage {
        let entries: [AuditEntry]
        let next: String?
    }

    func run() async throws {
        try await self.reportingErrors {
            let server = try await ServerConnection.load()
            let ofVenue = self.venue.map { "&venue=\($0)" } ?? ""
            let entries = try await server.first(
                self.limit, \Page.entries, "/audit?limit=\(min(self.limit, 1_000))\(ofVenue)")
            if self.json { return try Terminal.print(json: ["entries": entries]) }
            if entries.isEmpty {
                let venue = self.venue.map { " of “\($0)” is recorded. “venue list” lists the venues." }
                Terminal.print("No change\(venue ?? " is recorded.")")
            }
            for entry in entries {
                let venue = entry.venue.map { "  \($0)" } ?? ""
                Terminal.print("\(Timestamp.text(of: entry.at))  \(entry.author)\(venue)  \(entry.action)")
                for line in Self.lines(of: entry.detail) { Terminal.print("  · \(line)") }
            }
        }
    }

    private static func lines(of detail: AuditEntry.Detail) -> [String] {
        if let key = detail.key {
            return ["\(key.id)  \(key.role.rawValue)  \(key.name)  \(key.venues.joined(separator: " "))"]
        }
        return (detail.settings ?? []).map { change in
            let values = [change.before, change.after].map { String(decoding: CanonicalJSON.data($0), as: UTF8.self) }
            return "\(change.setting): \(values.joined(separator: " → "))"
        }
    }
}
