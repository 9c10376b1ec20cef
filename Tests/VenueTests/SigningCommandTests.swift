import Foundation
import IMDF
import SyncClient
import SyncModel
import TestSupport
import Testing

/// `venue signing-keys`, `sign`, `pull --trust` and `verify`.
@Suite(.serialized)
struct SigningCommandTests {
    private struct Key: Decodable {
        let key_id: String
        let state: String
        let public_key: String
    }

    private struct Keys: Decodable {
        let keys: [Key]
    }

    private static func keys(_ file: String) async throws -> [Key] {
        let listed = try await VenueProgram.run(["signing-keys", "list", "--file", file, "--json"])
        #expect(listed.status == 0 && !listed.output.contains("private"), "\(listed.complaint)")
        return try JSONDecoder().decode(Keys.self, from: Data(listed.output.utf8)).keys
    }

    private static func create(_ file: String) async throws -> String {
        let created = try await VenueProgram.run(["signing-keys", "create", "--file", file])
        #expect(created.status == 0, "\(created.complaint)")
        return created.output.trimmingCharacters(in: .newlines)
    }

    @Test func `signing keys are created, listed and retired in a file that only its owner may read`() async throws {
        let workplace = try Workplace()
        let file = workplace.path("signing.json")
        let first = try await Self.create(file)
        #expect(PublicKey(first) != nil)
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
        let id = try #require(PublicKey(first)?.id)
        let alone = try await VenueProgram.run(["signing-keys", "retire", id, "--file", file])
        #expect(alone.status == 2 && alone.complaint.contains("no other key could sign"))
        let second = try await Self.create(file)
        var keys = try await Self.keys(file)
        #expect(keys.map(\.public_key) == [first, second] && keys.map(\.state) == ["signing", "next"])
        let retired = try await VenueProgram.run(["signing-keys", "retire", keys[0].key_id, "--file", file])
        #expect(retired.status == 0 && retired.output.contains(keys[1].key_id))
        keys = try await Self.keys(file)
        #expect(keys.map(\.state) == ["retired", "signing"])
        #expect(try await VenueProgram.run(["signing-keys", "retire", "none", "--file", file]).status == 4)
        let table = try await VenueProgram.run(["signing-keys", "list"], settings: ["VENUE_SIGNING_KEYS": file])
        #expect(table.status == 0 && table.output.contains(second) && table.output.contains("signing"))
        #expect(try await VenueProgram.run(["signing-keys", "list"]).status == 64)

        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
        for command in [["signing-keys", "list"], ["work"]] {
            let refused = try await VenueProgram.run(
                command,
                settings: [
                    "VENUE_SIGNING_KEYS": file, "VENUE_DATABASE_URL": "postgresql://nobody@127.0.0.1:1/nothing",
                ])
            #expect(refused.status == 64 && refused.complaint.contains("chmod 600"), "\(refused.complaint)")
        }
    }

    @Test(.timeLimit(.minutes(30)))
    func `pull with trusted keys, and verify, accept what was signed and nothing else`() async throws {
        let workplace = try Workplace()
        let signing = workplace.path("signing.json")
        let key = try await Self.create(signing)
        let other = try await Self.create(workplace.path("other.json"))
        let (v1, v2) = (workplace.path("v1.zip"), workplace.path("v2.zip"))
        let (mall, hall) = (workplace.path("mall.sqlite"), workplace.path("hall.sqlite"))
        let unsigned = try await RunningService(in: workplace.folder)
        #expect(try await unsigned.venue("generate", "-o", v1, "--levels", "2", "--units", "4").status == 0)
        #expect(try await unsigned.venue("generate", "-o", v2, "--next-of", v1, "--edit", "rename=2").status == 0)
        #expect(try await unsigned.venue("push", v1, "--to", "hall", "--new").status == 0)
        let refused = try await unsigned.venue("pull", "hall", "--into", hall, "--trust", key)
        #expect(refused.status == 9 && refused.complaint.contains("not signed"), "\(refused.complaint)")
        #expect(!FileManager.default.fileExists(atPath: hall))
        #expect(await unsigned.stop() == 0)

        let service = try await RunningService(in: workplace.folder, environment: ["VENUE_SIGNING_KEYS": signing])
        #expect(try await service.venue("push", v1, "--to", "mall", "--new").status == 0)
        #expect(try await service.venue("pull", "mall", "--into", mall, "--trust", other).status == 9)
        for archive in [v1, v2] {
            #expect(try await service.venue("push", archive, "--to", "mall").status == 0)
            let pulled = try await service.venue(
                "pull", "mall", "--into", mall, "--trust", other, "--trust", key)
            #expect(pulled.status == 0, "\(pulled.complaint)")
        }
        // A revision from before the key is signed by an administrator.
        #expect(try await service.venue("pull", "hall", "--into", hall, "--trust", key).status == 9)
        #expect(try await service.venue("sign", "hall").output.contains("Signed revision 1 of hall"))
        #expect(try await service.venue("pull", "hall", "--into", hall, "--trust", key).status == 0)
        #expect(await service.stop() == 0)

        // Without a server.
        let verified = try await VenueProgram.run(["verify", mall, "--key", other, "--key", key])
        #expect(verified.status == 0 && verified.output.contains("is revision 2 of mall"), "\(verified.complaint)")
        let json = try await VenueProgram.run(["verify", hall, "--key", key, "--json"])
        #expect(json.status == 0 && json.output.contains("\"revision\":1") && json.output.contains("\"as_of\":\""))
        #expect(try await VenueProgram.run(["verify", mall, "--key", other]).status == 9)
        #expect(try await VenueProgram.run(["verify", workplace.path("none.sqlite"), "--key", key]).status == 4)
        #expect(try await VenueProgram.run(["verify", mall]).status == 64)
        #expect(try await VenueProgram.run(["verify", mall, "--key", "ed25519:"]).status == 64)
        try Self.change(mall, "UPDATE feature SET body = replace(body, 'occupant', 'amenity')")
        let changed = try await VenueProgram.run(["verify", mall, "--key", key])
        #expect(changed.status == 9 && changed.complaint.contains("does not match"), "\(changed.complaint)")
        try Self.change(hall, "DELETE FROM feature WHERE level <> x''; DELETE FROM level WHERE level <> x''")
        let partial = try await VenueProgram.run(["verify", hall, "--key", key])
        #expect(partial.status == 9 && partial.complaint.contains("its state is damaged"), "\(partial.complaint)")
    }

    /// Changes a file past the program.
    private static func change(_ file: String, _ statements: String) throws {
        let sqlite = Process()
        sqlite.executableURL = URL(filePath: "/usr/bin/python3")
        sqlite.arguments = [
            "-c", "import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); db.executescript(sys.argv[2]); db.commit()",
            file, statements,
        ]
        try sqlite.run()
        sqlite.waitUntilExit()
        #expect(sqlite.terminationStatus == 0)
    }
}
