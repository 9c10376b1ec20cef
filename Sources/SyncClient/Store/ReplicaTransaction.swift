import Foundation
import GRDB
import IMDF
import SyncModel

/// A commit in the making: what was done to the replica since its transaction began. It is handed from one piece of work on the
/// writer's connection to the next.
struct ReplicaTransaction: Sendable {
    /// Of this commit.
    let number: Int64
    /// Nothing was held: then nothing needs to be looked for before it is put.
    private let isFresh: Bool
    /// What levels have to be in the end, those that were touched at least.
    private var said: [FeatureID?: Digest] = [:]
    private var put = 0
    private(set) var hasForgotten = false

    init(number: Int64, _ db: Database) throws {
        self.number = number
        self.isFresh = try !(Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM feature)") ?? false)
    }

    /// Puts features under a level, by their ids: what was held of them before is replaced, also where it was under another level.
    ///
    /// - Throws: ``SyncError/malformed(_:)`` for a body that is no feature.
    mutating func put(_ bodies: [Range<Int>], of text: [UInt8], under level: FeatureID?, _ db: Database) throws {
        guard !bodies.isEmpty else { return }
        let put = try PutStatement(db, level: level, number: self.number)
        try text.withUnsafeBytes { bytes in
            for range in bodies {
                let body = UnsafeRawBufferPointer(rebasing: bytes[range])
                guard let line = FeatureLine(body) else {
                    throw SyncError.malformed("a body that is no feature: \(Self.beginning(of: body))")
                }
                if !self.isFresh, let former = try self.level(of: line.id, db) {
                    if former != level { try self.sayAsBefore(of: former, db) }
                    try self.retire(line.id, db)
                }
                try put.run(line, body)
                self.put += 1
            }
        }
    }

    /// Deletes a feature, if it is still held under this level; it may have moved.
    mutating func remove(_ id: FeatureID, from level: FeatureID?, _ db: Database) throws {
        guard let held = try self.level(of: id, db), held == level else { return }
        try self.retire(id, db)
        try db.cachedStatement(sql: "DELETE FROM feature WHERE id = ?").execute(arguments: [id.blob])
    }

    /// Forgets what is held under a level.
    mutating func forget(_ level: FeatureID?, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO former (id, until, since, level, type, body)
                SELECT id, ?, since, level, type, body FROM feature WHERE level = ? AND since < ?
                """, arguments: [self.number, level.blob, self.number])
        try db.execute(sql: "DELETE FROM feature WHERE level = ?", arguments: [level.blob])
        self.hasForgotten = self.hasForgotten || db.changesCount > 0
        try db.execute(sql: "DELETE FROM level WHERE level = ?", arguments: [level.blob])
    }

    /// The same for every level that a list does not name.
    mutating func forgetAll(but kept: Set<FeatureID?> = [], _ db: Database) throws {
        for level in try ReplicaReader(db: db).digests().keys where !kept.contains(level) {
            try self.forget(level, db)
        }
    }

    /// What the level has to be in the end; nil: it is not held then.
    mutating func say(_ digest: Digest?, of level: FeatureID?) {
        self.said[level] = digest
    }

    /// A level that lost a feature without a word about it has to be what it was; so it will not be, and be fetched.
    private mutating func sayAsBefore(of level: FeatureID?, _ db: Database) throws {
        guard self.said[level] == nil else { return }
        self.said[level] = try ReplicaReader(db: db).digests()[level]
    }

    /// Levels that do not come out as the server said.
    func mismatches(_ db: Database) throws -> [FeatureID?] {
        let wrong = try self.said.filter { try ReplicaReader(db: db).digest(of: $0.key) != $0.value }.keys
        return wrong.sorted { ($0?.description ?? "") < ($1?.description ?? "") }
    }

    /// What became of features on the levels that were touched, net: it is asked of what observers are told from.
    func changes(_ db: Database) throws -> SyncReport.Changes {
        var changes = SyncReport.Changes()
        guard !self.isFresh || self.hasForgotten else {
            changes.added = self.put
            return changes
        }
        for level in self.said.keys {
            let count = try Row.fetchOne(
                db,
                sql: """
                    SELECT count(*) AS put, count(former.id) AS known,
                        count(CASE WHEN former.level = feature.level AND former.body = feature.body THEN 1 END) AS same,
                        (SELECT count(*) FROM former WHERE until = :number AND level = :level
                            AND NOT EXISTS (SELECT 1 FROM feature WHERE feature.id = former.id)) AS gone
                    FROM feature LEFT JOIN former ON former.id = feature.id AND former.until = :number
                    WHERE feature.level = :level AND feature.since = :number
                    """, arguments: ["number": self.number, "level": level.blob])
            guard let count else { continue }
            changes.added += count["put"] - count["known"]
            changes.changed += count["known"] - count["same"]
            changes.removed += count["gone"]
        }
        return changes
    }

    /// What is known when all has been received.
    struct Outcome: Sendable {
        var cursor: String
        var revision: Int64
        var digest: Digest?
        /// Nil: as it was.
        var about: ChangeSet.About?
        var selection: LevelSelection
    }

    func finish(_ outcome: Outcome, _ db: Database) throws {
        let level = try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO level (level, digest, since) VALUES (?, ?, ?)")
        for (id, digest) in self.said {
            try level.execute(arguments: [id.blob, Data(digest.bytes), self.number])
        }
        // The level features are in the venue-wide part, and say their ordinal at any time. One that no building has is none.
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
                UPDATE state SET commits = :number, selection = :selection, cursor = :cursor, revision = :revision, digest = :digest
                """,
            arguments: [
                "number": self.number, "selection": outcome.selection.stored, "cursor": outcome.cursor,
                "revision": outcome.revision, "digest": outcome.digest?.description,
            ])
        guard let about = outcome.about else { return }
        try db.execute(
            sql: "UPDATE state SET language = ?, time_zone = ?, country = ?",
            arguments: [about.language, about.timeZone, about.country])
    }
}

extension ReplicaTransaction {
    /// Where a feature is now; nil when it is nowhere.
    private func level(of id: FeatureID, _ db: Database) throws -> FeatureID?? {
        let statement = try db.cachedStatement(sql: "SELECT level FROM feature WHERE id = ?")
        guard let blob = try Data.fetchOne(statement, arguments: [id.blob]) else { return nil }
        return .some(try FeatureID?(blob: blob))
    }

    /// Keeps what a feature was before this commit, for observers.
    private func retire(_ id: FeatureID, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO former (id, until, since, level, type, body)
                SELECT id, ?, since, level, type, body FROM feature WHERE id = ? AND since < ?
                """
        ).execute(arguments: [self.number, id.blob, self.number])
    }

    private static func beginning(of body: UnsafeRawBufferPointer) -> String {
        String(decoding: body.prefix(60), as: UTF8.self)
    }
}
