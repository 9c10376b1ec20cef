import Foundation
import GRDB
import IMDF

/// The checksum of a catalogue's own state; the server's digests cover the features only.
enum CatalogueChecksum {
    private static let queries = [
        "SELECT commits, position, cursor, synced_at FROM catalogue",
        """
        SELECT number, key, revision, digest, published_at, language, time_zone, country, wayfinding FROM venue
        ORDER BY number
        """,
        "SELECT venue, level, digest FROM level ORDER BY venue, level",
    ]

    /// Ends a change of a catalogue.
    static func write(_ db: Database) throws {
        try db.execute(sql: "UPDATE catalogue SET checksum = ?", arguments: [try RowChecksum.of(Self.queries, db)])
    }

    static func isSound(_ db: Database) throws -> Bool {
        try Data.fetchOne(db, sql: "SELECT checksum FROM catalogue") == RowChecksum.of(Self.queries, db)
    }
}

/// The venues with levels that are not as they were verified.
struct CatalogueDamage {
    /// The numbers of the venues.
    let venues: Set<Int64>

    /// - Throws: ``ReplicaFile/Damaged`` or an error of SQLite if nothing of the file can be relied on.
    /// - Complexity: Reads the whole file.
    init(_ db: Database) throws {
        try ReplicaFile.checkIntegrity(db, CatalogueSchema.migrator)
        guard try CatalogueChecksum.isSound(db) else { throw ReplicaFile.Damaged(reason: "its state is damaged") }
        let strays = "SELECT EXISTS (SELECT venue, level FROM feature EXCEPT SELECT venue, level FROM level)"
        guard try Bool.fetchOne(db, sql: strays) == false else {
            throw ReplicaFile.Damaged(reason: "it has features of a level that it does not hold")
        }
        var venues: Set<Int64> = []
        for row in try Row.fetchAll(db, sql: "SELECT venue, level, digest FROM level") {
            let (venue, level): (Int64, Data) = (row[0], row[1])
            let features = try Row.fetchCursor(
                db, sql: "SELECT id, type, body FROM feature WHERE venue = ? AND level = ? ORDER BY id",
                arguments: [venue, level])
            if try StoredLevel.digest(features)?.bytes.elementsEqual(row[2] as Data) != true { venues.insert(venue) }
        }
        self.venues = venues
    }

    /// Deletes the damaged venues, so that nothing wrong is read and the next synchronization fetches everything again.
    func remove(_ db: Database) throws {
        for venue in self.venues { try db.execute(sql: "DELETE FROM venue WHERE number = ?", arguments: [venue]) }
        try db.execute(sql: "UPDATE catalogue SET commits = commits + 1, cursor = NULL")
        try CatalogueChecksum.write(db)
    }
}
