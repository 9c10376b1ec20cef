import ArgumentParser
import AsyncHTTPTransport
import Foundation
import IMDF
import SyncClient
import SyncModel

/// `venue pull mall --into mall.sqlite`
struct Pull: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Bring a file up to date with a venue, or with some of its levels: as a map app holds them.")

    @OptionGroup var wish: ReplicaOptions

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
        let repaired: [FeatureID?]
        let started_over: Bool
    }

    func run() async throws {
        try await self.reporting {
            let (replica, report) = try await self.wish.sync()
            if self.json {
                return try Terminal.say(
                    json: Receipt(
                        venue: self.wish.venue, from: report.from, to: report.to, added: report.changes.added,
                        changed: report.changes.changed, removed: report.changes.removed,
                        levels: try await replica.store.levels().map(\.level), repaired: report.repaired,
                        started_over: report.hasStartedOver))
            }
            self.wish.say(report)
        }
    }
}

/// `venue watch mall --into mall.sqlite`
struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Keep a file up to date with a venue, and say what changes, until it is stopped.")

    @OptionGroup var wish: ReplicaOptions

    @Flag(help: "Print a line of JSON for every revision, with the bodies.")
    var json = false

    func run() async throws {
        try await self.reporting {
            let (replica, report) = try await self.wish.sync()
            let changes = try await replica.changes(on: .everything, from: .now)
            if self.json {
                try Terminal.say(json: ReplicaUpdateDocument(venue: self.wish.venue, revision: report.to))
            } else {
                self.wish.say(report)
            }
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask {
                    try await replica.follow { event in
                        guard case .failed(let error, let pause) = event else { return }
                        Terminal.complain("\(error); trying again in \(pause.formatted(.units(maximumUnitCount: 1)))")
                    }
                }
                tasks.addTask { [json, venue = self.wish.venue] in
                    for try await news in changes { try await Self.say(news, of: venue, in: replica.store, json: json) }
                }
                // Whichever ends first ends the other.
                try await tasks.next()
                tasks.cancelAll()
            }
        }
    }

    private static func say(
        _ news: ReplicaUpdate, of venue: VenueKey, in store: ReplicaStore, json: Bool
    ) async throws {
        if json { return try Terminal.say(json: ReplicaUpdateDocument(news, of: venue)) }
        let names = try await LevelNames(in: store)
        Terminal.say("\(venue) is at revision \(news.revision ?? 0).")
        for change in news.changes { Terminal.say("  \(names.line(of: change))") }
    }
}

/// Which venue, which part of it, and where to keep it.
struct ReplicaOptions: ParsableArguments {
    @Argument(help: "The venue's key.")
    var venue: VenueKey

    @Option(
        help: """
            A level that is wanted: a short name, an id, ordinal:N, or venue for what belongs to no level; repeatable. \
            Without this, what the file held before, and everything the first time.
            """)
    var level: [String] = []

    @Flag(help: "Everything, whatever the file held before.")
    var everything = false

    @Option(help: "The file, a SQLite database; made if it is not there.", completion: .file(extensions: ["sqlite"]))
    var into: String

    func validate() throws {
        guard self.level.isEmpty || !self.everything else {
            throw ValidationError("It is either --level or --everything.")
        }
    }

    /// The replica, brought up to date. A file belongs to its venue from the first moment on: one that was made for nothing, as for
    /// a mistyped venue, would refuse the right one, so it is not made before the server has answered, and does not stay.
    func sync() async throws -> (VenueReplica, SyncReport) {
        let file = URL(fileURLWithPath: self.into)
        let isNew = !FileManager.default.fileExists(atPath: file.path)
        let server = try await ServerConnection.load()
        guard let address = URL(string: server.server) else {
            throw Failure(.usage, "“\(server.server)” is no address")
        }
        var levels: LevelSelection? = self.everything ? .everything : nil
        if !self.level.isEmpty {
            let directory = try await LevelDirectory(of: self.venue, at: server)
            levels = LevelSelection(values: try self.level.map { try directory.resolve($0) })
        }
        if isNew { _ = try await server.send("GET", "/venues/\(self.venue)") }
        let replica = try await VenueReplica.open(
            file, server: address, venue: self.venue, key: server.key, transport: AsyncHTTPClientTransport())
        do {
            return (replica, try await replica.sync(levels: levels))
        } catch {
            if isNew { await Self.remove(file, of: replica) }
            throw error
        }
    }

    private static func remove(_ file: URL, of replica: VenueReplica) async {
        try? await replica.close()
        for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + ending) }
    }

    func say(_ report: SyncReport) {
        let changes = report.changes
        if report.hasStartedOver { Terminal.say("The server has another history now; what was still right was kept.") }
        for level in report.repaired {
            Terminal.say(
                "Fetched once more, because its digest differed: \(level?.description ?? "the venue-wide part").")
        }
        guard report.hasCommitted else { return Terminal.say("\(self.into) is up to date: revision \(report.to).") }
        Terminal.say(
            "\(self.into) is at revision \(report.to): \(changes.added) added, \(changes.changed) changed, \(changes.removed) removed."
        )
    }
}
