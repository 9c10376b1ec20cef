import Foundation
import IMDF
import SyncClient
import SyncModel
import TestSupport
import Testing

/// `venue pull` and `venue watch`.
@Suite(.serialized)
struct ReplicaCommandTests {
    private struct Receipt: Decodable {
        let from: Int64?
        let to: Int64
        let added: Int
        let levels: [FeatureID?]
    }

    private struct Update: Decodable {
        struct Change: Decodable {
            let kind: String
            let before: JSONValue?
            let after: JSONValue?
        }

        let revision: Int64
        let changes: [Change]
    }

    @Test(.timeLimit(.minutes(30)))
    func `pull downloads a venue or some levels, and watch reports a publication`() async throws {
        let workplace = try Workplace()
        let service = try await RunningService(in: workplace.folder)
        let (v1, v2, file) = (workplace.path("v1.zip"), workplace.path("v2.zip"), workplace.path("mall.sqlite"))
        #expect(try await service.venue("generate", "-o", v1, "--levels", "2", "--units", "8").status == 0)
        #expect(try await service.venue("generate", "-o", v2, "--next-of", v1, "--edit", "rename=2").status == 0)
        #expect(try await service.venue("push", v1, "--to", "mall", "--new").status == 0)

        let pulled = try await service.venue("pull", "mall", "--into", file, "--json")
        #expect(pulled.status == 0, "\(pulled.complaint)")
        let receipt = try JSONDecoder().decode(Receipt.self, from: Data(pulled.output.utf8))
        #expect(receipt.from == nil && receipt.to == 1 && receipt.added > 50 && receipt.levels.count > 2)
        #expect(try await service.venue("pull", "mall", "--into", file).output.contains("is up to date: revision 1"))

        let some = try await service.venue("pull", "mall", "--into", file, "--level", "ordinal:1")
        #expect(some.status == 0 && some.output.contains("is at revision 1: 0 added"))
        let store = try await ReplicaStore.open(URL(filePath: file))
        #expect(try await store.levels().allSatisfy { $0.ordinal == 1 || $0.level == nil })
        let again = try await service.venue("pull", "mall", "--into", file)
        #expect(again.status == 0 && again.output.contains("up to date"))
        #expect(try await service.venue("pull", "mall", "--into", file, "--level", "Attic").status == 4)
        #expect(try await service.venue("pull", "mall", "--into", file, "--everything").status == 0)
        #expect(try await store.levels().count == receipt.levels.count)

        let watch = try ChildProcess(
            VenueProgram.path, ["watch", "mall", "--into", file, "--json"],
            environment: ["VENUE_SERVER": service.address, "VENUE_KEY": RunningService.key],
            log: workplace.folder.appending(path: "watch.log"))
        let start = try JSONDecoder().decode(Update.self, from: Data(try await Self.line(1, of: watch).utf8))
        #expect(start.revision == 1 && start.changes.isEmpty)
        #expect(try await service.venue("push", v2, "--to", "mall").status == 0)
        let update = try JSONDecoder().decode(Update.self, from: Data(try await Self.line(2, of: watch).utf8))
        #expect(update.revision == 2 && update.changes.count == 2)
        #expect(update.changes.allSatisfy { $0.kind == "changed" && $0.before != $0.after })
        #expect(try await store.state().revision == 2)
        await watch.stop()
        #expect(try await store.damagedLevels().isEmpty)
        #expect(await service.stop() == 0)
    }

    private struct LineMissing: Error {
        let output: String
    }

    /// Waits until a program has printed a line.
    private static func line(_ number: Int, of program: ChildProcess) async throws -> String {
        let deadline = ContinuousClock.now + .seconds(300)
        while ContinuousClock.now < deadline, program.isRunning {
            let lines = program.said.split(separator: "\n", omittingEmptySubsequences: false)
            if lines.count > number { return String(lines[number - 1]) }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw LineMissing(output: program.said)
    }

    @Test func `pull fails with the exit code of the error and leaves no file behind`() async throws {
        let workplace = try Workplace()
        let service = try await RunningService(in: workplace.folder)
        let file = workplace.path("mall.sqlite")
        #expect(try await service.venue("pull", "mall", "--into", file).status == 4)
        #expect(try await VenueProgram.run(["pull", "mall", "--into", file]).status == 6)
        #expect(try await service.venue("pull", "mall", "--into", file, "--level", "1", "--everything").status == 64)
        let wrong = try await VenueProgram.run(["pull", "mall", "--into", file], server: service.address, key: "wrong")
        #expect(wrong.status == 5)
        #expect(try await service.venue("watch", "mall", "--into", file).status == 4)
        // The journal files of SQLite have the same prefix.
        let files = try FileManager.default.contentsOfDirectory(atPath: workplace.folder.path)
        #expect(files.allSatisfy { !$0.hasPrefix("mall") }, "\(files)")

        let archive = workplace.path("v1.zip")
        #expect(try await service.venue("generate", "-o", archive, "--levels", "1", "--units", "4").status == 0)
        #expect(try await service.venue("push", archive, "--to", "hall", "--new").status == 0)
        #expect(try await service.venue("pull", "hall", "--into", file).status == 0)
        let other = try await service.venue("pull", "mall", "--into", file)
        #expect(other.status == 1 && other.complaint.contains("holds the venue hall"))
        // An existing replica stays when a later pull fails.
        #expect(try await VenueProgram.run(["pull", "hall", "--into", file]).status == 6)
        #expect(try await ReplicaStore.open(URL(filePath: file)).state().revision == 1)
        try Data("no database".utf8).write(to: URL(filePath: workplace.path("notes")))
        let notes = try await service.venue("pull", "mall", "--into", workplace.path("notes"))
        #expect(notes.status == 1 && notes.complaint.contains("is not a replica"))
        #expect(await service.stop() == 0)
    }
}
