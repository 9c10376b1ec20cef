import ArgumentParser
import Foundation
import IMDF
import SyncModel

/// `venue list`
struct ListVenues: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the venues that the key may see.",
        discussion: """
            Every line has the venue's key, its newest revision, its name and its time zone. Only keys that may publish see venues without a
            revision.
            """)

    @Flag(help: "Print JSON.")
    var json = false

    private struct Entry: Codable {
        let venue: VenueKey
        /// Nil, like the rest, for a venue without a revision.
        var head: Int64?
        var name: JSONValue?
        var about: ChangeSet.About?
        var `public`: Bool?
    }

    private struct Page: ServerPage {
        let venues: [Entry]
        let next: String?
    }

    func run() async throws {
        try await self.reportingErrors {
            let server = try await ServerConnection.load()
            let venues = try await server.pages(Page.self, "/venues?unpublished=true").flatMap(\.venues)
            if self.json { return try Terminal.print(json: ["venues": venues]) }
            guard !venues.isEmpty else {
                return Terminal.print(
                    "There is no venue that the key may see. To publish the first one: venue push FILE.zip --to KEY --new"
                )
            }
            Terminal.print(
                table: venues.map { venue in
                    [
                        venue.venue.description, venue.head.map { "revision \($0)" } ?? "no revision yet",
                        Labels(venue.name)?.text(for: [Terminal.language], archiveLanguage: venue.about?.language)
                            ?? "",
                        venue.about?.timeZone ?? "", venue.public == true ? "public" : "",
                    ]
                })
        }
    }
}

/// `venue info mall`
struct VenueInfo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Show a venue: its newest revision, its levels and, to administrators, its settings.")

    @Argument(help: "The venue's key.")
    var venue: VenueKey

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await self.reportingErrors {
            let server = try await ServerConnection.load()
            let data = try await server.send("GET", "/venues/\(self.venue)")
            if self.json { return try Terminal.print(json: server.value(JSONValue.self, from: data)) }
            let venue = try server.value(Venue.self, from: data)
            func text(_ labels: JSONValue?) -> String {
                Labels(labels)?.text(for: [Terminal.language], archiveLanguage: venue.about.language) ?? ""
            }
            Terminal.print(
                table: [
                    ["venue", venue.venue.description], ["name", text(venue.name)],
                    ["revision", "\(venue.head)" + (venue.first > 1 ? "; the oldest is \(venue.first)" : "")],
                    ["language", venue.about.language ?? "–"], ["country", venue.about.country ?? "–"],
                    ["time zone", venue.about.timeZone ?? "–"], ["public", venue.public ? "yes" : "no"],
                ])
            Terminal.print("Levels:")
            Terminal.print(
                table: venue.levels.filter { $0.level != nil }.sorted { ($0.ordinal ?? 0) > ($1.ordinal ?? 0) }.map {
                    level in
                    [
                        "  \(text(level.shortName))", text(level.name), level.ordinal.map { "ordinal:\($0)" } ?? "",
                        Terminal.count(level.features, "feature"), level.level?.description ?? "",
                    ]
                })
            guard let settings = venue.settings else {
                return Terminal.print("Only keys with the role admin see the settings.")
            }
            Terminal.print("Settings (to change one: venue set \(venue.venue) name=value):")
            Terminal.print(table: settings.rows.map { ["  \($0[0])"] + $0.dropFirst() })
        }
    }
}
