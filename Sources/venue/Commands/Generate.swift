import ArgumentParser
import Foundation
import SampleVenue

/// `venue generate -o v1.zip`
struct Generate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write a synthetic venue, or the next revision of an archive.",
        discussion: """
            The same arguments write the same bytes on every machine. Edits:
            \(Edit.Kind.allCases.map { "  \($0.form): \($0.meaning)" }.joined(separator: "\n"))
            """)

    @Option(name: .shortAndLong, help: "The archive to write.", completion: .file(extensions: ["zip"]))
    var output: String

    @Option(help: "Levels of the main building.")
    var levels = 4

    @Option(help: "Units on each level.")
    var units = 250

    @Option(help: "The seed of all random choices in the venue and the edits.")
    var seed: UInt64 = 7

    @Option(help: "Start from this archive.", completion: .file(extensions: ["zip"]))
    var nextOf: String?

    @Option(help: "The edits to apply, such as rename=10,move=5,remint.")
    var edit: String?

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
        do {
            if let edit { _ = try Edit.parse(list: edit) }
        } catch {
            throw ValidationError(error.description)
        }
    }

    func run() async throws {
        try await self.reportingErrors {
            var venue: SampleVenue
            if let nextOf {
                venue = try SampleVenue(reading: Array(Data(contentsOf: URL(fileURLWithPath: nextOf))))
            } else {
                venue = SampleVenue(.init(levels: self.levels, unitsPerLevel: self.units, seed: self.seed))
            }
            if let edit { _ = venue.apply(try Edit.parse(list: edit), seed: self.seed) }
            try Data(venue.archive()).write(to: URL(fileURLWithPath: self.output), options: .atomic)
            if self.json {
                return try Terminal.print(json: Receipt(file: self.output, features: venue.features.count))
            }
            Terminal.print("Wrote \(self.output): \(Terminal.count(venue.features.count, "feature")).")
        }
    }
}
