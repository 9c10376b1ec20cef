import ArgumentParser
import Foundation
import SampleVenue
import SyncClient
import SyncModel

/// `venue demo`
struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Bring everything up and show it: two revisions of a sample mall, what changed, a rollback.")

    @Flag(help: "End after the story instead of serving on.")
    var once = false

    @Option(help: "The port to listen on; 0 takes any that is free.")
    var port = 8080

    func run() async throws {
        try await self.reporting {
            var configuration = try await VenueConfiguration.load()
            configuration.databaseURL = nil  // the demo has a database of its own and leaves nothing behind
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let stack = ServiceStack(
                configuration: configuration, host: "127.0.0.1", port: self.port, dataFolder: folder.path + "/data")
            Terminal.say("Starting a private PostgreSQL, a worker and the server …")
            try await stack.run { [once] address, adminKey in
                try await DemoStory(server: ServerConnection(server: address, key: adminKey), folder: folder.path)
                    .tell()
                if once { return .stop }
                Terminal.say("Serving on at \(address) until you press Ctrl-C. The admin key is \(adminKey)")
                return .goOn
            }
        }
    }
}

/// A folder that another user may pass through, because PostgreSQL does not run as root.
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

/// What a newcomer is shown, with the calls that make it.
private struct DemoStory {
    let server: ServerConnection
    let folder: String

    func tell() async throws {
        var mall = SampleVenue(.init(levels: 3, unitsPerLevel: 24, seed: 7))
        Terminal.say("\n1. An operator uploads a mall: \(Terminal.count(mall.features.count, "feature")).")
        try await self.push(mall, message: "Opening day")
        let first = try await self.sync(since: nil)
        Terminal.say("   A phone asks GET /venues/mall/sync and holds all of it:")
        Self.show(first)

        Terminal.say(
            "\n2. Weeks later: a shop and a unit have a new name, one shop closed, a new one opened, a unit was redrawn."
        )
        _ = mall.apply(try Edit.parse(list: "rename=2,remove=1,add=1,move=1,noise,remint"), seed: 11)
        Terminal.say(
            "   The tool exports everything anew: every line spelt otherwise, every id another. The operator uploads it:"
        )
        try await self.push(mall, message: "Spring tenants")
        let second = try await self.sync(since: first.cursor)
        Terminal.say("   The phone asks GET /venues/mall/sync?since=\(first.cursor) and gets just this:")
        Self.show(second)

        Terminal.say("\n3. The operator takes it back: POST /venues/mall/rollback {\"to\": 1}")
        let wish = Wish(to: 1, message: "Too early")
        let revision = try await self.server.post(Revision.self, "/venues/mall/rollback", wish)
        Terminal.say("   mall is at revision \(revision.number), which is revision 1 again.")
        let third = try await self.sync(since: second.cursor)
        Terminal.say("   The phone polls as ever, and is back where it was:")
        Self.show(third)
        let same = third.digest == first.digest
        Terminal.say("   The digest of revision 3 is \(same ? "that" : "not that") of revision 1: \(third.digest)\n")
    }

    private struct Wish: Encodable {
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
            throw Failure(.rejected, "the upload ended as \(upload.state.rawValue)")
        }
        Terminal.say("   mall is at revision \(upload.revision ?? 0).")
        for sentence in upload.changes?.words ?? [] { Terminal.say("   · \(sentence)") }
    }

    private func sync(since cursor: Cursor?) async throws -> ChangeSet {
        let path = "/venues/mall/sync" + (cursor.map { "?since=\($0)" } ?? "")
        return try ChangeSet(json: Array(await self.server.send("GET", path)))
    }

    private static func show(_ changes: ChangeSet) {
        for block in changes.blocks {
            let level = block.ordinal.map { "floor \($0)" } ?? (block.level == nil ? "venue-wide" : "a floor")
            let bytes = block.features.reduce(0) { $0 + $1.count }
            Terminal.say(
                "     \(level): \(block.kind.rawValue), \(Terminal.count(block.features.count, "feature")) "
                    + "(\(Terminal.count(bytes, "byte"))), \(Terminal.count(block.removed.count, "removal"))")
        }
    }
}
