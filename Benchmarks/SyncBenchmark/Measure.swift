import ArgumentParser
import BenchmarkSupport
import Foundation
import IMDF

/// Everything, one after the other, each beside its control.
struct Measure: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "run", abstract: "Measure everything (the default).")

    @Option(help: "The “venue” program that is measured.")
    var venue = ".build/release/venue"

    @Option(help: "Levels of the large venue; 200 make about 115 000 features.")
    var levels = 200

    @Option(help: "Levels of the venue whose snapshots many read at once; 9 make about 5 000 features.")
    var crowdLevels = 9

    @Flag(help: "Only whole snapshots under 32 clients.")
    var onlyCrowd = false

    @Option(help: "Seconds that each load lasts.")
    var seconds = 5

    @Option(help: "How often each load alternates with its control; medians are printed.")
    var rounds = 3

    @Option(help: "Clients that wait at once while their memory is measured.")
    var waiting = 10_000

    @Option(help: "Listeners that hear of a publish.")
    var listeners = 5_000

    @Option(help: "Publishes that they hear of.")
    var publishes = 20

    @Flag(help: "A smoke run: everything small and short, no figure worth keeping.")
    var quick = false

    func run() async throws {
        var plan = self
        if self.quick {
            (plan.levels, plan.seconds, plan.rounds) = (min(self.levels, 8), 1, 1)
            (plan.waiting, plan.listeners, plan.publishes) = (300, 300, 3)
        }
        raiseFileLimit()
        for (program, package) in Tools.missing {
            report(["name": "missing tool", "tool": .string(program), "install": .string("apt-get install \(package)")])
        }
        try await Stage.run(venue: plan.venue, levels: plan.onlyCrowd ? 1 : plan.levels) { stage in
            try await SnapshotLoads(
                stage: stage, levels: plan.crowdLevels, seconds: plan.seconds, rounds: plan.rounds
            ).measure()
            if plan.onlyCrowd { return }
            try await Loads(stage: stage, seconds: plan.seconds, rounds: plan.rounds).measure()
            try await Snapshots(stage: stage, rounds: plan.rounds).measure()
            try await CompressedSize(stage: stage).measure()
            try await WaitingClients(stage: stage, count: plan.waiting).measure()
            try await FanOut(stage: stage, listeners: plan.listeners, publishes: plan.publishes).measure()
        }
    }
}
