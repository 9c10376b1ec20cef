import Foundation
import GRDB
import IMDF
import SyncModel

/// What is damaged in a file whose rest can be used.
struct ReplicaDamage {
    /// Nil: the venue-wide part.
    var levels: [FeatureID?] = []
    /// The numbers of edits.
    var edits: [Int64] = []

    var isEmpty: Bool { self.levels.isEmpty && self.edits.isEmpty }

    /// - Throws: ``ReplicaFile/Damaged`` or an error of SQLite if nothing of the file can be relied on.
    /// - Complexity: Reads the whole file.
    init(_ reader: ReplicaReader) throws {
        let db = reader.db
        try ReplicaFile.checkIntegrity(db, ReplicaSchema.migrator)
        guard try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM state)") == true else {
            guard try ReplicaTransaction.isEmpty(db) else { throw ReplicaFile.Damaged(reason: "it names no venue") }
            return
        }
        guard try ReplicaChecksums.isStateSound(db) else { throw ReplicaFile.Damaged(reason: "its state is damaged") }
        let held = try reader.digests()
        guard try reader.levelsWithFeatures().isSubset(of: held.keys) else {
            throw ReplicaFile.Damaged(reason: "it has features of a level that it does not hold")
        }
        // Observers would get features of a later commit again and again.
        guard try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM feature, state WHERE since > commits)") == false
        else { throw ReplicaFile.Damaged(reason: "it has features of a later commit") }
        self.levels = try held.filter { level, digest in
            let rows = try Row.fetchCursor(
                db, sql: "SELECT id, type, body FROM feature WHERE level = ? ORDER BY id", arguments: [level.blob])
            return try StoredLevel.digest(rows) != digest
        }.map(\.key)
        self.edits = try ReplicaChecksums.damagedEdits(db)
    }

    /// Deletes damaged levels, so that nothing wrong is read and the next synchronization fetches everything again. Damaged edits are not
    /// sent: they become refused.
    func remove(_ db: Database) throws {
        for level in self.levels {
            try db.execute(sql: "DELETE FROM feature WHERE level = ?", arguments: [level.blob])
            try db.execute(sql: "DELETE FROM level WHERE level = ?", arguments: [level.blob])
        }
        if !self.levels.isEmpty {
            try db.execute(sql: "UPDATE state SET commits = commits + 1, cursor = NULL, digest = NULL")
            try ReplicaChecksums.writeState(db)
        }
        let refusal = String(decoding: try WireJSON.data(EditRefusal.damaged), as: UTF8.self)
        for number in self.edits {
            try db.execute(
                sql: "UPDATE edit SET state = 'refused', refusal = ? WHERE number = ?", arguments: [refusal, number])
            let row = try Row.fetchOne(db, sql: "SELECT * FROM edit WHERE number = ?", arguments: [number])
            if let row, (try? StoredEdit(row)) == nil {
                try db.execute(sql: "DELETE FROM edit WHERE number = ?", arguments: [number])
            }
        }
        try ReplicaChecksums.writeEdits(db)
    }
}

/// The features of a level as they are in a file.
enum StoredLevel {
    /// The digest of rows with `id, type, body`; nil if the columns of one do not say what its body does.
    static func digest(_ rows: RowCursor) throws -> Digest? {
        var digest = LevelDigest()
        while let row = try rows.next() {
            let id: Data = row[0]
            let isSound = try row.withUnsafeData(atIndex: 2) { body in
                try body?.withUnsafeBytes { body in
                    digest.add(body: body)
                    guard let line = FeatureLine(body), line.id.blob == id else { return false }
                    return try row[1] == FeatureLine.text(body[line.type])
                } ?? false
            }
            guard isSound else { return nil }
        }
        return digest.finalize()
    }
}
