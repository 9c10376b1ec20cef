import ArgumentParser

/// The read side beside nginx: what polls, change sets and snapshots cost, and what clients cost that wait for news.
@main
struct SyncBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "SyncBenchmark", abstract: "Measure the read side beside nginx, in one run.",
        subcommands: [Measure.self, Listen.self, Bare.self], defaultSubcommand: Measure.self)
}
