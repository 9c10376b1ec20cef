import ArgumentParser
import SyncModel

/// `venue prune mall --keep-revisions 20`
struct Prune: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Delete all but the newest revisions of a venue.",
        discussion: """
            This cannot be undone. Clients with older cursors start over. To prune after every revision, use the setting:
            venue set mall keep_revisions=20
            """)

    @Argument(help: "The venue's key.")
    var venue: VenueKey

    @Option(help: "How many revisions to keep; at least 1.")
    var keepRevisions: Int

    @Flag(help: "Show what would be deleted, and delete nothing.")
    var dryRun = false

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard (1...1_000_000_000).contains(self.keepRevisions) else {
            throw ValidationError("--keep-revisions must be a number from 1 to 1000000000")
        }
    }

    private struct PruneBody: Encodable {
        let keep_revisions: Int
        let dry_run: Bool
    }

    func run() async throws {
        try await self.reportingErrors {
            let body = PruneBody(keep_revisions: self.keepRevisions, dry_run: self.dryRun)
            let pruning = try await ServerConnection.load().post(Pruning.self, "/venues/\(self.venue)/prune", body)
            if self.json { return try Terminal.print(json: pruning) }
            let verb = self.dryRun ? "would begin" : "begins"
            Terminal.print("The history of \(self.venue) \(verb) at revision \(pruning.first).")
            let amount = [
                Terminal.count(pruning.revisions, "revision"), Terminal.count(pruning.versions, "feature version"),
                Terminal.count(pruning.bytes, "byte"),
            ].joined(separator: ", ")
            Terminal.print(self.dryRun ? "The command would delete \(amount)." : "Deleted \(amount).")
        }
    }
}

/// `venue epoch …`
struct EpochCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "epoch", abstract: "Manage the epoch of a venue.",
        subcommands: [RenewEpoch.self])
}

/// `venue epoch renew mall`
struct RenewEpoch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "renew", abstract: "Invalidate all cursors of a venue, so that its clients start over.",
        discussion: """
            Use this command after a restore that the server cannot detect, such as that of a copied data folder. Clients compare the
            digests of all levels, and download only the levels that differ.
            """)

    @Argument(help: "The venue's key.")
    var venue: VenueKey

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await self.reportingErrors {
            _ = try await ServerConnection.load().send("POST", "/venues/\(self.venue)/epoch")
            if self.json { return try Terminal.print(json: ["renewed": self.venue]) }
            Terminal.print("Renewed the epoch of \(self.venue). Its clients will verify every level once.")
        }
    }
}
