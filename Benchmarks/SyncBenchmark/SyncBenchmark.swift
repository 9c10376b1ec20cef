import ArgumentParser

/// Measures the read side compared with nginx: polls, change sets, snapshots, and waiting clients.
@main
struct SyncBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "SyncBenchmark", abstract: "Measure the read side and nginx in one run.",
        subcommands: [Measure.self, ChangeSetSizes.self, Listen.self, BareServer.self], defaultSubcommand: Measure.self)
}
