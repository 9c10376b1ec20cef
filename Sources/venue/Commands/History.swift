import ArgumentParser
import IMDF
import SyncModel

/// `venue history mall FEATURE`
struct History: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the versions of a feature, the newest first.",
        discussion:
            "Every line has the revisions that contain the version, its level, its time and author, what changed, and the message."
    )

    @Argument(help: "The venue's key.")
    var venue: VenueKey

    @Argument(help: "The feature's id, a UUID. “venue find FILE TEXT --json” prints ids.")
    var feature: FeatureID

    @Flag(help: "Print JSON, with the bodies.")
    var json = false

    private struct Page: ServerPage {
        var versions: [HistoryEntry]
        var next: String?
    }

    func run() async throws {
        try await self.reportingErrors {
            let server = try await ServerConnection.load()
            let pages = try await server.pages(
                Page.self, "/venues/\(self.venue)/features/\(self.feature)/history?limit=1000")
            let versions = pages.flatMap(\.versions)
            if self.json { return try Terminal.print(json: ["versions": versions]) }
            let levels = try await LevelDirectory(of: self.venue, at: server)
            Terminal.print(
                table: versions.map { version in
                    [
                        "\(version.from)–\(version.to.map(String.init) ?? "now")", levels.name(of: version.level),
                        version.publishedAt.map(Timestamp.text(of:)) ?? "", version.author ?? "",
                        version.classes.isEmpty && version.author != nil
                            ? "added" : version.classes.joined(separator: ", "),
                        HistoryEntry.Origin.label(version.overrides),
                        version.message.map { "“\($0)”" } ?? "",
                    ]
                })
        }
    }
}

extension HistoryEntry.Origin {
    /// The edited parts of a feature, and who edited them; empty if there are none.
    static func label(_ origins: [Self]) -> String {
        origins.isEmpty ? "" : "by hand: \(origins.map(\.label).joined(separator: ", "))"
    }

    /// The part of the feature, and who edited it.
    private var label: String {
        let part = self.pointer.isEmpty ? "the feature" : self.pointer.replacing("/properties/", with: "")
        return self.author.map { "\(part) (\($0))" } ?? part
    }
}
