import Foundation
import GRDB

/// The schema of a replica's file. A released migration is never edited. Changes are new migrations, which keep the downloaded data.
enum ReplicaSchema {
    /// SQLite's `application_id` of a replica: “VSyn”.
    static let applicationID: Int32 = 0x5653_796E

    static let migrator: DatabaseMigrator = {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { db in
            try db.execute(sql: "PRAGMA application_id = \(Self.applicationID)")
            try db.execute(sql: Self.tables)
        }
        return migrator
    }()

    static func file(_ url: URL) -> ReplicaFile {
        ReplicaFile(
            url: url, applicationID: Self.applicationID, migrator: Self.migrator, mark: "CREATE TABLE former (")
    }

    /// A level is the sixteen bytes of its id, or an empty blob for the venue-wide part. Commits are numbered; a row is valid from
    /// the commit `since` up to, but not including, the commit `until`. Times are seconds since 1970.
    private static let tables = """
        CREATE TABLE state (
            one          INTEGER PRIMARY KEY CHECK (one = 1),
            venue        TEXT    NOT NULL,
            commits      INTEGER NOT NULL DEFAULT 0,
            selection    TEXT,                          -- a JSON list of names of levels, 'null' for everything; NULL: not chosen yet
            cursor       TEXT,
            revision     INTEGER,
            digest       TEXT,
            language     TEXT,
            time_zone    TEXT,
            country      TEXT,
            published_at REAL,                          -- when the revision was published; NULL: not reported
            synced_at    REAL,                          -- the last successful synchronization
            summary      TEXT,                          -- the last response of GET /venues/{venue}
            signed_head  TEXT,                          -- the signed statement that the content was verified with; NULL: it was not
            wayfinding   TEXT,                          -- the setting of the venue as JSON; NULL: there is none
            checksum     BLOB                           -- SHA-256 of what the digests of the levels do not cover; see ReplicaChecksums
        ) STRICT;

        CREATE TABLE level (
            level   BLOB    NOT NULL PRIMARY KEY,
            ordinal INTEGER,
            digest  BLOB    NOT NULL,
            since   INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE feature (
            level BLOB    NOT NULL,
            id    BLOB    NOT NULL,
            since INTEGER NOT NULL,
            type  TEXT    NOT NULL,
            body  TEXT    NOT NULL                      -- the line as received, byte for byte
        ) STRICT;                                       -- rows lie as they came, which fills pages to the brim
        \(Self.featureIndexes)

        -- What observers saw and what is no more, for as long as one of them has not heard of it.
        CREATE TABLE former (
            id    BLOB    NOT NULL,
            until INTEGER NOT NULL,
            since INTEGER NOT NULL,
            level BLOB    NOT NULL,
            type  TEXT    NOT NULL,
            body  TEXT    NOT NULL,
            PRIMARY KEY (id, until)
        ) STRICT, WITHOUT ROWID;

        -- The edits of VenueEditor. They are beside the verified features, never in them.
        CREATE TABLE edit (
            number     INTEGER PRIMARY KEY AUTOINCREMENT,   -- edits are sent in this order
            id         TEXT    NOT NULL UNIQUE,
            operations TEXT    NOT NULL,                    -- a JSON list, as in the request
            seen       TEXT    NOT NULL,                    -- a JSON object: what the person saw of the features, by id
            base       INTEGER,
            message    TEXT,
            until      REAL,
            made_at    REAL    NOT NULL,
            state      TEXT    NOT NULL CHECK (state IN ('queued', 'sending', 'published', 'refused', 'overtaken')),
            request    TEXT,                                -- the body of the last request; NULL: not sent
            revision   INTEGER,                             -- of a published edit
            refusal    TEXT,                                -- JSON: why it was not published
            forced     INTEGER,                             -- whether it is published although it causes errors; NULL: it is not
            checksum   BLOB                                 -- SHA-256 of the other columns
        ) STRICT;
        """

    private static let featureIndexes = """
        CREATE UNIQUE INDEX IF NOT EXISTS feature_place ON feature (level, id);   -- a floor is read, and its digest made, in this order
        CREATE UNIQUE INDEX IF NOT EXISTS feature_id ON feature (id);
        """

    static func dropFeatureIndexes(_ db: Database) throws {
        try db.execute(sql: "DROP INDEX IF EXISTS feature_place; DROP INDEX IF EXISTS feature_id")
    }

    /// Creates the indexes that do not exist. Of rows with the same id, the last one stays.
    ///
    /// - Returns: Whether all ids were unique, so that no row was deleted.
    @discardableResult
    static func createFeatureIndexes(_ db: Database) throws -> Bool {
        do {
            try db.execute(sql: Self.featureIndexes)
            return true
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            try db.execute(
                sql: "DELETE FROM feature WHERE rowid NOT IN (SELECT max(rowid) FROM feature GROUP BY id)")
            try db.execute(sql: Self.featureIndexes)
            return false
        }
    }
}
