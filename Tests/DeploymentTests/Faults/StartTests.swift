import Foundation
import Postgres
import RevisionStore
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Nodes and workers that are started while their database cannot be used.
@Suite(.serialized)
struct StartTests {
    @Test(.timeLimit(.minutes(30)))
    func `node and worker that start without the database wait for it, and report that once`() async throws {
        let workplace = try Workplace()
        let database = try PostgresServer(
            in: workplace.folder.appending(path: "primary"), settings: PostgresServer.withoutDurability)
        try await database.start()
        try await Migrator.migrate(database.configuration)
        await database.stop()
        let (nodeLog, workerLog) = (
            workplace.folder.appending(path: "node.log"), workplace.folder.appending(path: "worker.log")
        )
        let node = try ServedNode(databaseURL: database.url, log: nodeLog)
        let worker = WorkerNode(databaseURL: database.url, log: workerLog)
        try await node.start()
        try await worker.start()
        do {
            let service = node.service
            #expect(try await service.send("GET", "/ready").status == 503)
            #expect(try await service.send("GET", "/venues/mall").status == 503)
            for command in [["log", "mall"], ["pull", "mall", "--into", workplace.path("mall.sqlite")]] {
                let outcome = try await VenueProgram.run(command, server: node.address, key: Harness.adminKey)
                #expect(outcome.status == 6, "\(command) \(outcome.complaint)")
            }
            try await eventually("the message of the worker") { Self.count(Self.waiting, in: workerLog) == 1 }
            try await database.start()
            try await eventually("the node to be ready") { try await service.send("GET", "/ready").status == 200 }
            try await service.publish(.tiny)
            #expect(try await service.send("GET", "/venues/mall/sync").status == 200)
            #expect(Self.count(Self.waiting, in: nodeLog) == 1 && Self.count(Self.waiting, in: workerLog) == 1)
            await worker.stop()
            await node.stop()
            await database.stop()
        } catch {
            await worker.stop()
            await node.stop()
            await database.stop()
            throw error
        }
    }

    @Test(.timeLimit(.minutes(30)))
    func `database that does not exist is named in the log, and the node starts when it was created`() async throws {
        let workplace = try Workplace()
        let database = try PostgresServer(
            in: workplace.folder.appending(path: "primary"), settings: PostgresServer.withoutDurability)
        try await database.start()
        let log = workplace.folder.appending(path: "node.log")
        let url = database.url.replacing("///venuesync?", with: "///other?")
        let node = try ServedNode(databaseURL: url, log: log)
        try await node.start()
        do {
            #expect(Self.count(#"database "other" does not exist"#, in: log) == 1)
            #expect(try await node.service.send("GET", "/ready").status == 503)
            try await database.execute("CREATE DATABASE migrated")
            try await Migrator.migrate(
                ConnectionConfiguration(url: database.url.replacing("///venuesync?", with: "///migrated?")))
            try await database.execute("ALTER DATABASE migrated RENAME TO other")
            try await eventually("the node to be ready") {
                try await node.service.send("GET", "/ready").status == 200
            }
            await node.stop()
            await database.stop()
        } catch {
            await node.stop()
            await database.stop()
            throw error
        }
    }

    private static let waiting = "Waiting for the database"

    private static func count(_ text: String, in log: URL) -> Int {
        ((try? String(contentsOf: log, encoding: .utf8)) ?? "").split(separator: "\n").count { $0.contains(text) }
    }
}
