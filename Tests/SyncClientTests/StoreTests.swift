import Foundation
import GRDB
import IMDF
import SyncClient
import SyncModel
import Testing

/// Opening files.
struct StoreTests {
    private static func mall() throws -> VenueKey { try #require(VenueKey("mall")) }

    @Test func `a missing file is created only for a venue`() async throws {
        let folder = try Folder()
        await #expect(throws: ReplicaFileError.missing(folder.file.path)) { try await ReplicaStore.open(folder.file) }
        let store = try await ReplicaStore.open(folder.file, for: Self.mall())
        let state = try await store.state()
        #expect(state.venue == (try Self.mall()) && state.revision == nil && state.selection == nil)
        try store.close()
        #expect(try await ReplicaStore.open(folder.file).levels().isEmpty)
        let hall = try #require(VenueKey("hall"))
        await #expect(throws: ReplicaFileError.otherVenue("mall")) {
            try await ReplicaStore.open(folder.file, for: hall)
        }
    }

    @Test func `a file that is not a replica is reported and not changed`() async throws {
        let folder = try Folder()
        try Data("no database at all, though long enough to be read as one".utf8).write(to: folder.file)
        let bytes = try Data(contentsOf: folder.file)
        await #expect(throws: ReplicaFileError.notAReplica(folder.file.path)) {
            try await ReplicaStore.open(folder.file, for: Self.mall())
        }
        #expect(try Data(contentsOf: folder.file) == bytes)

        let other = folder.url.appending(path: "notes.sqlite")
        let queue = try DatabaseQueue(path: other.path)
        try await queue.write { db in try db.execute(sql: "CREATE TABLE note (text TEXT)") }
        try queue.close()
        let notes = try Data(contentsOf: other)
        await #expect(throws: ReplicaFileError.notAReplica(other.path)) {
            try await ReplicaStore.open(other, for: Self.mall())
        }
        #expect(try Data(contentsOf: other) == notes)
    }

    @Test func `a file whose creation ended before its first table is used, unless it lists a migration`() async throws
    {
        for isMigrated in [false, true] {
            let folder = try Folder()
            let queue = try DatabaseQueue(path: folder.file.path)
            try await queue.write { db in
                try db.execute(sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
                if isMigrated { try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('1')") }
            }
            try queue.close()
            if isMigrated {
                await #expect(throws: ReplicaFileError.notAReplica(folder.file.path)) {
                    try await ReplicaStore.open(folder.file, for: Self.mall())
                }
            } else {
                let store = try await ReplicaStore.open(folder.file, for: Self.mall())
                #expect(try await store.state().venue == Self.mall())
                try store.close()
            }
        }
    }

    @Test func `a file of a newer version is reported and not changed`() async throws {
        let folder = try Folder()
        try await ReplicaStore.open(folder.file, for: Self.mall()).close()
        let queue = try DatabaseQueue(path: folder.file.path)
        try await queue.write { db in
            try db.execute(sql: "INSERT INTO grdb_migrations SELECT count(*) + 1 FROM grdb_migrations")
        }
        try queue.close()
        await #expect(throws: ReplicaFileError.newerSchema(folder.file.path)) {
            try await ReplicaStore.open(folder.file)
        }
        await #expect(throws: ReplicaFileError.newerSchema(folder.file.path)) {
            try await ReplicaStore.open(folder.file, for: Self.mall())
        }
    }

    @Test(arguments: [
        "ftp://maps.example", "maps.example", "https://", "https://user@maps.example", "https://maps.example?x=1",
    ])
    func `an invalid server URL is refused`(_ text: String) throws {
        let error = #expect(throws: SyncError.self) { try ServerAddress(#require(URL(string: text)), key: "secret") }
        #expect(error == .configuration("“\(text)” is not the base URL of a server"))
    }

    @Test(arguments: ["secret\n", " secret", "secret ", "sec\tret", "secret\r\nX-Other: 1"])
    func `server address: a key that a header field cannot contain is refused`(key: String) throws {
        let url = try #require(URL(string: "https://maps.example.com"))
        #expect(throws: SyncError.configuration("the key has characters that are not allowed in a header field")) {
            try ServerAddress(url, key: key)
        }
        _ = try ServerAddress(url, key: "an admin's clé")
    }

    @Test func `an overwritten body is detected`() async throws {
        let folder = try Folder()
        let test = try #require(ConformanceCase.all.first { $0.name == "first-snapshot" })
        let replica = try await VenueReplica.open(
            folder.file, server: #require(URL(string: "https://maps.example/")), venue: test.venue, key: nil,
            transport: ScriptedTransport(test.steps[0].exchanges.map(\.reply.scripted)))
        try await replica.sync()
        #expect(try await replica.store.damagedLevels().isEmpty)
        let levels = try await replica.store.levels()
        #expect(levels.map(\.ordinal) == [nil, 0, 1] && levels.map(\.features) == [3, 3, 2])
        let queue = try DatabaseQueue(path: folder.file.path)
        try await queue.write { db in try db.execute(sql: "UPDATE feature SET body = body || ' ' WHERE type = 'venue'")
        }
        #expect(try await replica.store.damagedLevels() == [nil])
    }
}
