import ArgumentParser
import BenchmarkSupport
import Foundation
import IMDF
import SampleVenue

/// Measures how long maps for routes take to build, how long routes take in this process and from a server, and how routes slow down polls.
/// `Scripts/measure-wayfinding` also compares with another program.
@main
struct WayfindingBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "WayfindingBenchmark", abstract: "Measure routes.",
        subcommands: [Measure.self, Load.self, Paths.self], defaultSubcommand: Measure.self)
}

/// The venue that is measured.
struct VenueOptions: ParsableArguments {
    @Option(help: "Levels of the generated venue.")
    var levels = 4

    @Option(help: "Units on each of its levels.")
    var units = 250

    @Option(help: "The number of concurrent clients.")
    var clients = 32

    @Option(help: "The duration of each load in seconds.")
    var seconds = 15

    var sample: SampleVenue { SampleVenue(.init(levels: self.levels, unitsPerLevel: self.units, seed: 7)) }

    func validate() throws {
        guard self.levels >= 2, self.units >= 12, self.clients >= 1, self.seconds >= 1 else {
            throw ValidationError("2 levels, 12 units, a client and a second are the least")
        }
    }
}

/// Runs all measurements.
struct Measure: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Measure everything (the default).")

    @OptionGroup var options: VenueOptions

    @Option(help: "The “venue” program that is measured.")
    var venue = ".build/release/venue"

    @Option(help: "How often the map of a level is built.")
    var rounds = 100

    @Option(help: "The number of routes of each kind.")
    var queries = 5_000

    @Flag(help: "Measure only what runs in this process.")
    var onlyLibrary = false

    func run() async throws {
        raiseFileLimit()
        LevelMap(rounds: max(self.rounds, 1)).measure()
        let queries = Queries(self.options.sample, count: self.queries)
        queries.measure()
        await queries.measure(clients: self.options.clients)
        if self.onlyLibrary { return }
        try await Service.run(program: self.venue) { service in
            try await ServedRoutes(service: service, options: self.options).measure()
        }
    }
}

/// Prints the distribution of times in milliseconds, with further members.
func reportTimes(_ name: String, _ times: [Double], _ more: JSONObject = [:]) {
    var line: JSONObject = [
        "name": .string(name), "count": .number(Double(times.count)), "p50_ms": .rounded(times.median, decimals: 3),
        "p95_ms": .rounded(times.percentile(95), decimals: 3), "p99_ms": .rounded(times.percentile(99), decimals: 3),
        "max_ms": .rounded(times.max() ?? 0, decimals: 3),
    ]
    for member in more.members { line[member.key] = member.value }
    report(line)
}

extension ContinuousClock.Instant {
    /// The time since then.
    var elapsedMilliseconds: Double { self.duration(to: .now) / .milliseconds(1) }
}
