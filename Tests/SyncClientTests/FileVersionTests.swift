import Foundation
import GRDB
import IMDF
import SampleVenue
import SyncClient
import SyncModel
import TestSupport
import Testing

/// Files that an earlier version of the library wrote.
@Suite(.database)
struct FileVersionTests {
    /// Makes the file of a replica one of version 6, which had no travel times.
    private func downgrade(_ file: URL, damaging: Bool) throws {
        let queue = try DatabaseQueue(path: file.path)
        try queue.write { db in
            try db.execute(sql: "ALTER TABLE state DROP COLUMN wayfinding")
            try db.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = '7'")
            var bytes: [UInt8] = []
            for query in [
                """
                SELECT venue, commits, selection, cursor, revision, digest, language, time_zone, country, published_at,
                    synced_at, summary, signed_head
                FROM state
                """, "SELECT level, ordinal, digest, since FROM level ORDER BY level",
            ] {
                for row in try Row.fetchAll(db, sql: query) {
                    for value in row.databaseValues { Self.append(value, to: &bytes) }
                    bytes.append(UInt8(ascii: "\n"))
                }
            }
            try db.execute(sql: "UPDATE state SET checksum = ?", arguments: [Data(Digest(of: bytes).bytes)])
            if damaging { try db.execute(sql: "UPDATE state SET country = 'XX'") }
        }
        try queue.close()
    }

    private static func append(_ value: DatabaseValue, to bytes: inout [UInt8]) {
        let (type, content): (String, [UInt8]) =
            switch value.storage {
            case .null: ("n", [])
            case .int64(let number): ("i", Array("\(number)".utf8))
            case .double(let number): ("d", Array("\(number.bitPattern)".utf8))
            case .string(let text): ("t", Array(text.utf8))
            case .blob(let data): ("b", Array(data))
            }
        bytes += "\(type)\(content.count):".utf8
        bytes += content
    }

    @Test(arguments: [false, true])
    func `a file without travel times keeps its content, and a damaged one stays damaged`(isDamaged: Bool) async throws
    {
        try await Harness.run { harness in
            try await harness.push(SampleVenue(.init(levels: 2, unitsPerLevel: 6)).archive())
            let transport = try HarnessTransport(harness)
            let mall = try #require(VenueKey("mall"))
            let file = transport.folder.file
            let replica = VenueReplica(
                store: try await .open(file, for: mall), venue: mall,
                server: try ServerAddress(try #require(URL(string: HarnessTransport.address)), key: Harness.adminKey),
                transport: transport)
            try await replica.sync()
            let levels = try await replica.store.levels()
            try await replica.close()
            try self.downgrade(file, damaging: isDamaged)
            let store = try await ReplicaStore.open(file, for: mall)
            #expect(try await store.read { try $0.state().revision } == (isDamaged ? nil : 1))
            #expect(try await store.levels() == (isDamaged ? [] : levels))
            #expect(try await store.read { try $0.state().about.wayfinding } == nil)
        }
    }
}
