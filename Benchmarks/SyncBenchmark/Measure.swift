import ArgumentParser
import BenchmarkSupport
import Foundation
import IMDF

/// Runs all measurements, each with its control.
struct Measure: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "run", abstract: "Measure everything (the default).")

    @Option(help: "The “venue” program that is measured.")
    var venue = ".build/release/venue"

    @Option(help: "Levels of the large venue; 200 make about 115 000 features.")
    var levels = 200

    @Option(help: "Levels of the venue whose snapshots are read concurrently; 9 make about 5 000 features.")
    var crowdLevels = 9

    @Flag(help: "Measure only whole snapshots with 32 clients.")
    var onlyCrowd = false

    @Option(help: "The duration of each load in seconds.")
    var seconds = 5

    @Option(help: "How often each load alternates with its control; the medians are printed.")
    var rounds = 3

    @Option(help: "The number of waiting clients whose memory is measured.")
    var waiting = 10_000

    @Option(help: "The number of listeners for events.")
    var listeners = 5_000

    @Option(help: "The number of publications that they receive.")
    var publishes = 20

    @Flag(help: "A smoke test: everything is small and short; the figures mean nothing.")
    var quick = false

    func run() async throws {
        var options = self
        if self.quick {
            (options.levels, options.seconds, options.rounds) = (min(self.levels, 8), 1, 1)
            (options.waiting, options.listeners, options.publishes) = (300, 300, 3)
        }
        raiseFileLimit()
        for (program, package) in Tools.missing {
            report(["name": "missing tool", "tool": .string(program), "install": .string("apt-get install \(package)")])
        }
        try await BenchmarkEnvironment.run(venue: options.venue, levels: options.onlyCrowd ? 1 : options.levels) {
            environment in
            try await SnapshotLoads(
                environment: environment, levels: options.crowdLevels, seconds: options.seconds, rounds: options.rounds
            ).measure()
            if options.onlyCrowd { return }
            try await Loads(environment: environment, seconds: options.seconds, rounds: options.rounds).measure()
            try await Snapshots(environment: environment, rounds: options.rounds).measure()
            try await CompressedSize(environment: environment).measure()
            try await WaitingClients(environment: environment, count: options.waiting).measure()
            try await FanOut(environment: environment, listeners: options.listeners, publishes: options.publishes)
                .measure()
        }
    }
}
