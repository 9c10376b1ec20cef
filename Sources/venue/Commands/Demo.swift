import ArgumentParser
import Foundation
import SampleVenue
import SyncClient
import SyncModel

/// `venue demo`
struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Start a server, and demonstrate two revisions of a sample mall, the changes between them, and a rollback."
    )

    @Flag(help: "Stop after the demonstration instead of continuing to serve.")
    var once = false

    @OptionGroup var listening: PortOption

    func run() async throws {
        try await self.reportingErrors {
            var configuration = try await VenueConfiguration.load()
            configuration.databaseURL = nil  // the demo uses a temporary database
            configuration.archiveStore = nil
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let stack = ServiceStack(
                configuration: configuration, host: "127.0.0.1", port: self.listening.port,
                dataFolder: folder.path + "/data")
            Terminal.print("Starting a private PostgreSQL, a worker and the server …")
            try await stack.run { [once] address, adminKey in
                try await Demonstration(server: ServerConnection(server: address, key: adminKey), folder: folder.path)
                    .run()
                if once { return .stop }
                Terminal.print("Serving at \(address) until you press Ctrl-C. The admin key is \(adminKey)")
                return .keepServing
            }
        }
    }
}

/// A temporary folder that other users can traverse: for root, PostgreSQL runs as another user.
private struct TemporaryFolder {
    let path: String

    init() throws {
        self.path = NSTemporaryDirectory() + "/venue-demo-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(
            atPath: self.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    }

    func remove() {
        try? FileManager.default.removeItem(atPath: self.path)
    }
}

/// The steps of the demonstration: each makes the calls and explains them.
private struct Demonstration {
    let server: ServerConnection
    let folder: String

    func run() async throws {
        var mall = SampleVenue(.init(levels: 3, unitsPerLevel: 24, seed: 7))
        Terminal.print("\n1. An operator uploads a mall: \(Terminal.count(mall.features.count, "feature")).")
        try await self.push(mall, message: "Opening day")
        let first = try await self.sync(since: nil)
        Terminal.print("   A phone requests GET /venues/mall/sync and receives everything:")
        try await self.show(first)

        Terminal.print(
            "\n2. Weeks later: a shop and a unit were renamed, one shop closed, one opened, and a unit was redrawn."
        )
        _ = mall.apply(try Edit.parse(list: "rename=2,remove=1,add=1,move=1,noise,remint"), seed: 11)
        Terminal.print(
            "   The map tool exports everything again, with new ids and another formatting. The operator uploads it:"
        )
        try await self.push(mall, message: "Spring tenants")
        let second = try await self.sync(since: first.cursor)
        Terminal.print("   The phone requests GET /venues/mall/sync?since=\(first.cursor) and receives only this:")
        try await self.show(second)

        Terminal.print("\n3. The operator rolls back: POST /venues/mall/rollback {\"to\": 1}")
        let body = RollbackBody(to: 1, message: "Too early")
        let revision = try await self.server.post(Revision.self, "/venues/mall/rollback", body)
        Terminal.print("   mall is at revision \(revision.number), which restores revision 1.")
        let third = try await self.sync(since: second.cursor)
        Terminal.print("   The phone polls as before and returns to the earlier state:")
        try await self.show(third)
        let same = third.digest == first.digest
        Terminal.print(
            "   The digest of revision 3 \(same ? "equals" : "differs from") that of revision 1: \(third.digest)\n")
    }

    private struct RollbackBody: Encodable {
        let to: Int64
        let message: String
    }

    private func push(_ mall: SampleVenue, message: String) async throws {
        let file = URL(fileURLWithPath: self.folder + "/mall.zip")
        try Data(mall.archive()).write(to: file)
        guard let venue = VenueKey("mall") else { return }
        var options = VenueUploader.Options()
        options.createsVenue = true
        options.message = message
        let received = try await self.server.uploader.send(file, to: venue, options: options)
        let upload = try await UploadReport.wait(for: received.id, at: self.server)
        guard upload.state == .published else {
            throw Failure(.rejected, "the state of the upload is \(upload.state.rawValue)")
        }
        Terminal.print("   mall is at revision \(upload.revision ?? 0).")
        for sentence in upload.changes?.words ?? [] { Terminal.print("   · \(sentence)") }
    }

    private func sync(since cursor: Cursor?) async throws -> ChangeSet {
        let path = "/venues/mall/sync" + (cursor.map { "?since=\($0)" } ?? "")
        return try ChangeSet(json: Array(await self.server.send("GET", path)))
    }

    private func show(_ changes: ChangeSet) async throws {
        let levels = try await LevelDirectory(of: changes.venue, and: changes.to, at: self.server)
        for block in changes.blocks {
            let level = levels.name(of: block.level)
            let bytes = block.features.reduce(0) { $0 + $1.count }
            Terminal.print(
                "     \(level): \(block.kind.rawValue), \(Terminal.count(block.features.count, "feature")) "
                    + "(\(Terminal.count(bytes, "byte"))), \(Terminal.count(block.removed.count, "removal"))")
        }
    }
}
