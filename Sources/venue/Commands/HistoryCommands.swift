import ArgumentParser
import SyncModel

/// `venue prune mall --keep-revisions 20`
struct Prune: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "End a venue's history: forget all but the newest revisions.",
        discussion: """
            Nothing brings them back. Clients whose cursors are older are told how to go on. To have it done after every
            revision, set it: venue set mall keep_revisions=20
            """)

    @Argument(help: "The venue's key.")
    var venue: VenueKey

    @Option(help: "How many revisions to keep; at least 1.")
    var keepRevisions: Int

    @Flag(help: "Say what would go, and forget nothing.")
    var dryRun = false

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard (1...1_000_000_000).contains(self.keepRevisions) else {
            throw ValidationError("--keep-revisions takes a whole number from 1")
        }
    }

    private struct Wish: Encodable {
        let keep_revisions: Int
        let dry_run: Bool
    }

    func run() async throws {
        try await self.reporting {
            let wish = Wish(keep_revisions: self.keepRevisions, dry_run: self.dryRun)
            let pruning = try await ServerConnection.load().post(Pruning.self, "/venues/\(self.venue)/prune", wish)
            if self.json { return try Terminal.say(json: pruning) }
            let verb = self.dryRun ? "would begin" : "begins"
            Terminal.say("The history of \(self.venue) \(verb) at revision \(pruning.first).")
            let gone = [
                Terminal.count(pruning.revisions, "revision"), Terminal.count(pruning.versions, "feature version"),
                Terminal.count(pruning.bytes, "byte"),
            ].joined(separator: ", ")
            Terminal.say(self.dryRun ? "Would go: \(gone)" : "Gone: \(gone)")
        }
    }
}

/// `venue epoch …`
struct EpochCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "epoch", abstract: "Tell a venue's clients that its history is another one now.",
        subcommands: [RenewEpoch.self])
}

/// `venue epoch renew mall`
struct RenewEpoch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "renew", abstract: "Make every cursor of a venue start over.",
        discussion: """
            After a restore into the same database, which the service cannot know of. Clients compare the digest of every
            level and fetch only those that differ.
            """)

    @Argument(help: "The venue's key.")
    var venue: VenueKey

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await self.reporting {
            _ = try await ServerConnection.load().send("POST", "/venues/\(self.venue)/epoch")
            if self.json { return try Terminal.say(json: ["renewed": self.venue]) }
            Terminal.say("The epoch of \(self.venue) is a new one; its clients look at every level once.")
        }
    }
}
