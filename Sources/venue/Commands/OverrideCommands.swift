import ArgumentParser
import Foundation
import IMDF
import SyncModel

/// `venue overrides mall --contested`
struct Overrides: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the values that were edited (overrides), with the values of the source.",
        discussion: """
            The source is the newest archive of the venue. Every override has an id, a state, the feature and its edited part, the value of
            the source when the edit was made (base), the edited value (edit) and, if it is not the base, the present value of the source
            (source).
            """)

    @Argument(help: "The venue's key.")
    var venue: VenueKey

    @Flag(help: "List only the contested overrides: the source has a new value, and somebody has to decide.")
    var contested = false

    @Option(help: "List only the overrides of this feature.")
    var feature: FeatureID?

    @Flag(help: "Print JSON.")
    var json = false

    private struct Page: ServerPage {
        var overrides: [OverrideEntry]
        var next: String?
    }

    func run() async throws {
        try await self.reportingErrors {
            let server = try await ServerConnection.load()
            var path = "/venues/\(self.venue)/overrides?limit=1000"
            if self.contested { path += "&state=contested" }
            if let feature = self.feature { path += "&feature=\(feature)" }
            let overrides = try await server.pages(Page.self, path).flatMap(\.overrides)
            if self.json { return try Terminal.print(json: ["overrides": overrides]) }
            if overrides.isEmpty { Terminal.print("There are no \(self.contested ? "contested " : "")overrides.") }
            for line in overrides.flatMap(OverrideReport.lines) { Terminal.print(line) }
        }
    }
}

/// `venue resolve OVERRIDE --take mine`
struct Resolve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Decide about a contested override: keep the edit, or use the value of the source.")

    @Argument(help: "The override's id.")
    var override: FeatureID

    enum Side: String, ExpressibleByArgument, CaseIterable {
        case mine, source
    }

    @Option(help: "mine keeps the edit; source ends it, and uses the value of the source.")
    var take: Side

    @Option(help: "The venue's key; by default, the command searches all venues for the override.")
    var venue: VenueKey?

    @Option(help: "The message in the log.")
    var message: String?

    @Flag(help: "Print JSON.")
    var json = false

    private struct Body: Encodable {
        let take: String
        let message: String?
    }

    func run() async throws {
        try await self.reportingErrors {
            let server = try await ServerConnection.load()
            let venue = try await self.found(at: server)
            let body = Body(take: self.take.rawValue, message: self.message)
            let result = try await server.post(
                EditResult.self, "/venues/\(venue)/overrides/\(self.override)/resolve", body)
            try EditReport.print(result, asJSON: self.json)
        }
    }

    /// The venue that has the override.
    private func found(at server: ServerConnection) async throws -> VenueKey {
        if let venue = self.venue { return venue }
        for venue in try await server.venues(at: "/venues") {
            do {
                _ = try await server.get(OverrideEntry.self, "/venues/\(venue)/overrides/\(self.override)")
                return venue
            } catch let failure as Failure where failure.status == .notFound || failure.status == .unauthorized {
                continue
            }
        }
        throw Failure(.notFound, "no venue has an override \(self.override)")
    }
}
