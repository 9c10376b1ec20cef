import Foundation
import GRDB
import IMDF
import SyncModel

extension ReplicaTransaction {
    /// The new state of the replica, known when everything was received.
    struct Outcome: Sendable {
        var cursor: String
        var revision: Int64
        var digest: Digest?
        /// Nil: unchanged.
        var about: ChangeSet.About?
        var selection: LevelSelection
        /// When revision `revision` was published; nil if the server did not report it.
        var publishedAt: Date?
        /// When the response arrived.
        var syncedAt: Date
        /// The statement that the replica has to fit; nil if the app trusts no keys.
        var head: SignedHead?
    }

    /// Writes the new state. All levels were verified before.
    func finish(_ outcome: Outcome, _ db: Database) throws {
        let level = try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO level (level, digest, since) VALUES (?, ?, ?)")
        for (id, expected) in self.expectedDigests {
            guard let digest = expected.digest else { throw SyncError.wrongDigest(level: id) }
            try level.execute(arguments: [id.blob, Data(digest.bytes), self.number])
        }
        if let head = outcome.head {
            guard outcome.revision == head.statement.revision else {
                throw SyncError.untrusted("the server sends revision \(outcome.revision), which is not the signed one")
            }
            let reader = ReplicaReader(db: db)
            try head.check(reader.digests(), outcome.selection, reader)
        }
        // Level features are in the venue-wide part, so ordinals are known for all levels. Values that no building has are ignored.
        try db.execute(
            sql: """
                UPDATE level SET ordinal = (
                    SELECT iif(
                        json_type(body, '$.properties.ordinal') = 'integer'
                            AND json_extract(body, '$.properties.ordinal') BETWEEN -2147483648 AND 2147483647,
                        json_extract(body, '$.properties.ordinal'), NULL)
                    FROM feature WHERE feature.level = x'' AND feature.id = level.level AND json_valid(body))
                """)
        try db.execute(
            sql: """
                UPDATE state SET commits = :number, selection = :selection, cursor = :cursor, revision = :revision, digest = :digest,
                    published_at = :published_at, synced_at = :synced_at, signed_head = :signed_head
                """,
            arguments: [
                "number": self.number, "selection": outcome.selection.stored, "cursor": outcome.cursor,
                "revision": outcome.revision, "digest": outcome.digest?.description,
                "published_at": outcome.publishedAt?.timeIntervalSince1970,
                "synced_at": outcome.syncedAt.timeIntervalSince1970,
                "signed_head": outcome.head.map { String(decoding: $0.document, as: UTF8.self) },
            ])
        try EditRetirement.run(db)
        if let about = outcome.about {
            try db.execute(
                sql: "UPDATE state SET language = ?, time_zone = ?, country = ?, wayfinding = ?",
                arguments: [about.language, about.timeZone, about.country, about.storedWayfinding])
        }
        try ReplicaChecksums.writeState(db)
    }
}
