import ArgumentParser
import Foundation
import IMDF
import SyncClient
import SyncModel

/// `venue pull mall --into mall.sqlite`
struct Pull: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Download a venue, or some of its levels, into a SQLite file, or update that file.")

    @OptionGroup var options: ReplicaOptions

    @Flag(help: "Print JSON.")
    var json = false

    private struct Receipt: Encodable {
        let venue: VenueKey
        @OrNull var from: Int64?
        let to: Int64
        let added: Int
        let changed: Int
        let removed: Int
        let levels: [FeatureID?]
        let dropped: [FeatureID]
        let repaired: [FeatureID?]
        let started_over: Bool
    }

    func run() async throws {
        try await self.reportingErrors {
            let (replica, report) = try await self.options.sync()
            if self.json {
                return try Terminal.print(
                    json: Receipt(
                        venue: self.options.venue, from: report.from, to: report.to, added: report.changes.added,
                        changed: report.changes.changed, removed: report.changes.removed,
                        levels: try await replica.store.levels().map(\.level), dropped: report.dropped,
                        repaired: report.repaired,
                        started_over: report.hasStartedOver))
            }
            self.options.print(report)
        }
    }
}

/// `venue watch mall --into mall.sqlite`
struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Keep a SQLite file up to date with a venue, and print every change, until you press Ctrl-C.")

    @OptionGroup var options: ReplicaOptions

    @Flag(help: "Print a line of JSON for every revision, with the bodies.")
    var json = false

    func run() async throws {
        try await self.reportingErrors {
            let (replica, report) = try await self.options.sync()
            let changes = try await replica.changes(on: .everything, from: .now)
            if self.json {
                try Terminal.print(json: ReplicaUpdateDocument(venue: self.options.venue, revision: report.to))
            } else {
                self.options.print(report)
            }
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask {
                    try await replica.follow { event in
                        guard case .failed(let error, let pause) = event else { return }
                        Terminal.printError("\(error); retrying in \(pause.formatted(.units(maximumUnitCount: 1)))")
                    }
                }
                tasks.addTask { [json, venue = self.options.venue] in
                    for try await update in changes {
                        try await Self.print(update, of: venue, in: replica.store, json: json)
                    }
                }
                // When one of the two tasks ends, the other one is cancelled.
                try await tasks.next()
                tasks.cancelAll()
            }
        }
    }

    private static func print(
        _ update: ReplicaUpdate, of venue: VenueKey, in store: ReplicaStore, json: Bool
    ) async throws {
        if json { return try Terminal.print(json: ReplicaUpdateDocument(update, of: venue)) }
        let names = try await LevelNames(in: store)
        Terminal.print("\(venue) is at revision \(update.revision ?? 0).")
        for change in update.changes { Terminal.print("  \(names.line(of: change))") }
    }
}

/// The arguments of `pull` and `watch`: the venue, its levels and the file.
struct ReplicaOptions: ParsableArguments {
    @Argument(help: "The venue's key.")
    var venue: VenueKey

    @Option(
        help: """
            A level to download: a short name, an id, ordinal:N, or venue for the venue-wide part alone; repeatable. \
            By default the levels that the file has; for a new file, all levels.
            """)
    var level: [String] = []

    @Flag(help: "Download all levels, not only those that the file has.")
    var everything = false

    @Option(
        help: "The SQLite file; the command creates it if it does not exist.", completion: .file(extensions: ["sqlite"])
    )
    var into: String

    @Option(
        help: """
            A public key that you trust, as “venue signing-keys list” prints it; repeatable. Every revision then needs a signature of \
            a trusted key. By default, revisions need no signature.
            """)
    var trust: [PublicKey] = []

    func validate() throws {
        guard self.level.isEmpty || !self.everything else {
            throw ValidationError("--level and --everything cannot be used together.")
        }
    }

    /// Opens the replica and brings it up to date.
    ///
    /// A file belongs to one venue from its creation on. A file that was created for a mistyped venue would later refuse the
    /// right one, so a new file is created only after the server has confirmed the venue, and removed when the first
    /// synchronization fails.
    func sync() async throws -> (VenueReplica, SyncReport) {
        try Failure.checkReplica(at: self.into, isNew: true)
        let file = URL(fileURLWithPath: self.into)
        let isNew = !FileManager.default.fileExists(atPath: file.path)
        let server = try await ServerConnection.load()
        guard let address = URL(string: server.server) else {
            throw Failure(.usage, "“\(server.server)” is not a valid URL")
        }
        var levels: LevelSelection? = self.everything ? .everything : nil
        if !self.level.isEmpty {
            let directory = try await LevelDirectory(of: self.venue, at: server)
            levels = LevelSelection(values: try self.level.map { try directory.resolve($0) })
        }
        if isNew { _ = try await server.send("GET", "/venues/\(self.venue)") }
        let replica = try await VenueReplica.open(
            file, server: address, venue: self.venue, key: server.key,
            trusting: self.trust.isEmpty ? nil : self.trust)
        do {
            guard let levels else { return (replica, try await replica.sync()) }
            return (replica, try await replica.select(levels))
        } catch {
            if isNew { await Self.remove(file, of: replica) }
            guard let error = error as? SyncError else { throw error }
            let explained = await server.explained(error)
            throw explained is SyncError ? Failure(error, isTrusting: !self.trust.isEmpty) : explained
        }
    }

    private static func remove(_ file: URL, of replica: VenueReplica) async {
        try? await replica.close()
        for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + ending) }
    }

    func print(_ report: SyncReport) {
        let changes = report.changes
        if report.hasStartedOver {
            Terminal.print("The history of the venue has changed. The file keeps the levels that still match.")
        }
        for level in report.repaired {
            Terminal.print(
                "Downloaded again, because the digest did not match: \(level?.description ?? "the venue-wide part").")
        }
        if !report.dropped.isEmpty {
            Terminal.print("Removed from the file: \(report.dropped.map(\.description).joined(separator: ", ")).")
        }
        guard report.hasCommitted else { return Terminal.print("\(self.into) is up to date: revision \(report.to).") }
        Terminal.print(
            "\(self.into) is at revision \(report.to): \(changes.added) added, \(changes.changed) changed, \(changes.removed) removed."
        )
    }
}
