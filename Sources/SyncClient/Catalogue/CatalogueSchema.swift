import Foundation
import GRDB

/// The schema of a catalogue's file. A released migration is never edited.
enum CatalogueSchema {
    /// SQLite's `application_id` of a catalogue: “VSyC”.
    static let applicationID: Int32 = 0x5653_7943

    static let migrator: DatabaseMigrator = {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { db in
            try db.execute(sql: "PRAGMA application_id = \(Self.applicationID)")
            try db.execute(sql: Self.tables)
            try CatalogueChecksum.write(db)
        }
        return migrator
    }()

    static func file(_ url: URL) -> ReplicaFile {
        ReplicaFile(
            url: url, applicationID: Self.applicationID, migrator: Self.migrator, mark: "CREATE TABLE catalogue (")
    }

    /// A level is the sixteen bytes of its id, or an empty blob for the venue-wide part. Times are seconds since 1970.
    private static let tables = """
        CREATE TABLE catalogue (
            one       INTEGER PRIMARY KEY CHECK (one = 1),
            commits   INTEGER NOT NULL,
            position  INTEGER,
            cursor    TEXT,
            synced_at REAL,
            checksum  BLOB                              -- SHA-256 of what the digests of the levels do not cover
        ) STRICT;
        INSERT INTO catalogue (one, commits) VALUES (1, 0);

        CREATE TABLE venue (
            number       INTEGER PRIMARY KEY,
            key          TEXT    NOT NULL UNIQUE,
            revision     INTEGER,
            digest       TEXT,
            published_at REAL,
            language     TEXT,
            time_zone    TEXT,
            country      TEXT,
            wayfinding   TEXT                           -- the setting of the venue as JSON; NULL: there is none
        ) STRICT;

        CREATE TABLE level (
            venue  INTEGER NOT NULL REFERENCES venue ON DELETE CASCADE,
            level  BLOB    NOT NULL,
            digest BLOB    NOT NULL,
            PRIMARY KEY (venue, level)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE feature (
            venue INTEGER NOT NULL REFERENCES venue ON DELETE CASCADE,
            level BLOB    NOT NULL,
            id    BLOB    NOT NULL,
            type  TEXT    NOT NULL,
            body  TEXT    NOT NULL                      -- the line as received, byte for byte
        ) STRICT;
        CREATE UNIQUE INDEX feature_place ON feature (venue, level, id);
        CREATE UNIQUE INDEX feature_id ON feature (venue, id);   -- archives of several venues may contain the same ids
        """
}
