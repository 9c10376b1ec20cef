import ArgumentParser
import Foundation
import SampleVenue

/// `venue generate -o v1.zip` · `venue generate --venues 10000`
struct Generate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write a synthetic venue, or the next revision of an archive, or fill a database with venues.",
        discussion: """
            The same arguments write the same bytes on every machine. Edits:
            \(Edit.Kind.allCases.map { "  \($0.form): \($0.meaning)" }.joined(separator: "\n"))
            """)

    @Option(name: .shortAndLong, help: "The archive to write.", completion: .file(extensions: ["zip"]))
    var output: String?

    @Option(help: "The number of levels of the main building.")
    var levels = 4

    @Option(help: "The number of units on each level.")
    var units = 250

    @Option(help: "The seed of all random choices in the venue and the edits.")
    var seed: UInt64 = 7

    @Option(help: "The archive to apply the edits to, instead of a new venue.", completion: .file(extensions: ["zip"]))
    var nextOf: String?

    @Option(
        help: "The edits to apply, such as rename=10,move=5,remint. With --venues, before every revision but the first."
    )
    var edit: String?

    @Option(
        help: """
            The number of ids to damage in each of these ways: a text that is no UUID, a number, white space around it, the id of a \
            feature of another type.
            """)
    var faultyIds = 0

    @Option(help: "Instead of writing an archive, publish this many venues in the database of VENUE_DATABASE_URL.")
    var venues: Int?

    @Option(help: "With --venues: the number of revisions of each venue.")
    var revisions = 1

    @Option(help: "With --venues: the beginning of the venue keys; a number follows.")
    var prefix = "venue"

    @Flag(help: "Print JSON.")
    var json = false

    private struct Receipt: Encodable {
        let file: String
        let features: Int
    }

    func validate() throws {
        guard (1...10_000).contains(self.levels), (1...100_000).contains(self.units) else {
            throw ValidationError("--levels must be 1 to 10000, --units 1 to 100000")
        }
        guard (self.output == nil) != (self.venues == nil) else {
            throw ValidationError("use either --output or --venues")
        }
        guard self.venues != nil || self.revisions == 1 else { throw ValidationError("--revisions needs --venues") }
        guard self.venues == nil || self.nextOf == nil else { throw ValidationError("--next-of needs --output") }
        guard (1...1_000_000).contains(self.venues ?? 1), (1...1_000_000).contains(self.revisions) else {
            throw ValidationError("--venues and --revisions must be 1 to 1000000")
        }
        guard SampleDatabase.key(of: 1, prefix: self.prefix) != nil else {
            throw ValidationError("--prefix must be the beginning of a venue key, such as mall")
        }
        guard (0...100_000).contains(self.faultyIds) else { throw ValidationError("--faulty-ids must be 0 to 100000") }
        do {
            if let edit { _ = try Edit.parse(list: edit) }
        } catch {
            throw ValidationError(error.description)
        }
    }

    func run() async throws {
        try await self.reportingErrors {
            guard let output else { return try await self.fillDatabase() }
            var venue: SampleVenue
            if let nextOf {
                venue = try SampleVenue(reading: Array(Data(contentsOf: URL(fileURLWithPath: nextOf))))
            } else {
                venue = SampleVenue(.init(levels: self.levels, unitsPerLevel: self.units, seed: self.seed))
            }
            if let edit { _ = venue.apply(try Edit.parse(list: edit), seed: self.seed) }
            var random = SplitMix64(seed: self.seed)
            venue.damageIDs(count: self.faultyIds, using: &random)
            try Data(venue.archive()).write(to: URL(fileURLWithPath: output), options: .atomic)
            if self.json {
                return try Terminal.print(json: Receipt(file: output, features: venue.features.count))
            }
            Terminal.print("Wrote \(output): \(Terminal.count(venue.features.count, "feature")).")
        }
    }

    private func fillDatabase() async throws {
        let content = SampleDatabase.Content(
            venues: self.venues ?? 1, revisions: self.revisions, levels: self.levels, units: self.units,
            seed: self.seed, edits: try Edit.parse(list: self.edit ?? "rename=1"), prefix: self.prefix)
        let receipt = try await SampleDatabase.fill(content, configuration: VenueConfiguration.load())
        if self.json { return try Terminal.print(json: receipt) }
        Terminal.print(
            "Published \(Terminal.count(receipt.revisions, "revision")) of \(Terminal.count(receipt.venues, "venue"))"
                + " with \(Terminal.count(receipt.features, "feature")) in \(receipt.seconds) s.")
    }
}
