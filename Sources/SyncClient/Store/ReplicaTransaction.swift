import Foundation
import GRDB
import IMDF
import SyncModel

/// The state of an open write transaction. It is passed from one call on the writer's connection to the next.
struct ReplicaTransaction: Sendable {
    /// The number of the commit.
    let number: Int64
    /// See ``ReplicaCheckpoint``.
    let postponesCheckpoint: Bool
    /// Whether the replica was empty, so that no former features have to be looked up. Its indexes are made when they are needed:
    /// sorting all features once takes less time than finding the place of each.
    private let wasEmpty: Bool
    /// The levels that have got features since.
    private var filledLevels: Set<FeatureID?> = []
    /// The digests that levels must have at the end; at least of those that were changed. When a level was verified, the computed one.
    private(set) var expectedDigests: [FeatureID?: ExpectedDigest] = [:]
    /// The digests of levels that were received whole, computed from the received bodies. Nil if the file was not empty, or once rows
    /// may have been replaced or deleted: then a level need not have the features that were received for it.
    private var receivedDigests: [FeatureID?: Digest]?
    private var putCount = 0
    private(set) var hasDropped = false
    /// The levels that were held and were deleted in this transaction, perhaps to be filled again.
    private var deletedLevels: Set<FeatureID> = []

    init(number: Int64, postponesCheckpoint: Bool, _ db: Database) throws {
        self.number = number
        self.postponesCheckpoint = postponesCheckpoint
        self.wasEmpty = try Self.isEmpty(db)
        if self.wasEmpty { try ReplicaSchema.dropFeatureIndexes(db) }
        self.receivedDigests = self.wasEmpty ? [:] : nil
    }

    /// Whether the replica holds no features, so that the transaction is a first download.
    static func isEmpty(_ db: Database) throws -> Bool {
        try !(Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM feature)") ?? false)
    }

    private mutating func createIndexes(_ db: Database) throws {
        guard self.wasEmpty else { return }
        if try !ReplicaSchema.createFeatureIndexes(db) { self.receivedDigests = nil }
    }

    /// Inserts or replaces features of a level by id. A feature that was on another level moves.
    mutating func put(_ lines: FeatureLines, under level: FeatureID?, _ db: Database) throws {
        guard !lines.features.isEmpty else { return }
        self.filledLevels.insert(level)
        let put = try PutStatement(db, level: level, number: self.number)
        try lines.text.withUnsafeBytes { bytes in
            for feature in lines.features {
                let id = feature.line.id
                if !self.wasEmpty, let former = try self.level(of: id, db) {
                    if former != level { try self.expectUnchanged(former, db) }
                    try self.retire(id, db)
                }
                try put.run(feature.line, UnsafeRawBufferPointer(rebasing: bytes[feature.body]))
                self.putCount += 1
            }
        }
    }

    /// Deletes a feature if it is still on this level. It may have moved to another one.
    mutating func remove(_ id: FeatureID, from level: FeatureID?, _ db: Database) throws {
        try self.createIndexes(db)
        self.receivedDigests = nil
        guard let held = try self.level(of: id, db), held == level else { return }
        try self.retire(id, db)
        try db.cachedStatement(sql: "DELETE FROM feature WHERE id = ?").execute(arguments: [id.blob])
    }

    /// Deletes a level with its features.
    mutating func drop(_ level: FeatureID?, _ db: Database) throws {
        if !self.wasEmpty || self.filledLevels.contains(level) { try self.dropFeatures(of: level, db) }
        try db.execute(sql: "DELETE FROM level WHERE level = ?", arguments: [level.blob])
        if let level, db.changesCount > 0 { self.deletedLevels.insert(level) }
    }

    private mutating func dropFeatures(of level: FeatureID?, _ db: Database) throws {
        try self.createIndexes(db)
        self.receivedDigests = nil
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO former (id, until, since, level, type, body)
                SELECT id, ?, since, level, type, body FROM feature WHERE level = ? AND since < ?
                """, arguments: [self.number, level.blob, self.number])
        try db.execute(sql: "DELETE FROM feature WHERE level = ?", arguments: [level.blob])
        self.hasDropped = self.hasDropped || db.changesCount > 0
    }

    /// Deletes all levels but those in `kept`.
    mutating func dropAll(except kept: Set<FeatureID?> = [], _ db: Database) throws {
        for level in try ReplicaReader(db: db).digests().keys where !kept.contains(level) {
            try self.drop(level, db)
        }
    }

    /// Sets the digest that a level must have at the end; nil: the level is not held then.
    ///
    /// - Parameter received: The digest of the features that were put; nil if they are not all of the level.
    mutating func expect(_ digest: ExpectedDigest?, of level: FeatureID?, received: Digest? = nil) {
        self.expectedDigests[level] = digest
        self.receivedDigests?[level] = received
    }

    /// Expects the previous digest of a level that lost a feature although the change set does not mention the level. The digest will
    /// not match, so the level is fetched again.
    private mutating func expectUnchanged(_ level: FeatureID?, _ db: Database) throws {
        guard self.expectedDigests[level] == nil else { return }
        self.expectedDigests[level] = try ReplicaReader(db: db).digests()[level].map(ExpectedDigest.whole)
    }

    /// The levels whose digests differ from the expected ones.
    ///
    /// A level that was received whole into an empty file, with ids that no other feature has, consists of the bytes that were passed to
    /// SQLite, so it is not read again. This applies to the first call. What is fetched after it may replace features of any level.
    mutating func mismatches(_ db: Database) throws -> [FeatureID?] {
        try self.createIndexes(db)
        let received = self.receivedDigests ?? [:]
        self.receivedDigests = nil
        var mismatches: [FeatureID?] = []
        for (level, expected) in self.expectedDigests {
            let digest = try received[level] ?? ReplicaReader(db: db).digest(of: level)
            if expected.matches(digest) {
                self.expectedDigests[level] = .whole(digest)
            } else {
                mismatches.append(level)
            }
        }
        return mismatches.sorted { ($0?.description ?? "") < ($1?.description ?? "") }
    }

    /// The net number of changes on the levels that were changed, counted from the rows that observers get their updates from.
    func changes(_ db: Database) throws -> SyncReport.Changes {
        var changes = SyncReport.Changes()
        guard !self.wasEmpty || self.hasDropped else {
            changes.added = self.putCount
            return changes
        }
        for level in self.expectedDigests.keys {
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

    /// The levels that were held before the transaction and are not held now, by id. For use after ``finish(_:_:)``.
    func droppedLevels(_ db: Database) throws -> [FeatureID] {
        guard !self.deletedLevels.isEmpty else { return [] }
        return self.deletedLevels.subtracting(try ReplicaReader(db: db).digests().keys.compactMap(\.self)).sorted()
    }

    /// What a transaction changed.
    struct Effect: Sendable {
        let changes: SyncReport.Changes
        let dropped: [FeatureID]
    }
}

extension ReplicaTransaction {
    /// The level of a stored feature; nil if the feature is not stored.
    private func level(of id: FeatureID, _ db: Database) throws -> FeatureID?? {
        let statement = try db.cachedStatement(sql: "SELECT level FROM feature WHERE id = ?")
        guard let blob = try Data.fetchOne(statement, arguments: [id.blob]) else { return nil }
        return .some(try FeatureID?(blob: blob))
    }

    /// Keeps the row of a feature before this commit, for observers.
    private func retire(_ id: FeatureID, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO former (id, until, since, level, type, body)
                SELECT id, ?, since, level, type, body FROM feature WHERE id = ? AND since < ?
                """
        ).execute(arguments: [self.number, id.blob, self.number])
    }
}
