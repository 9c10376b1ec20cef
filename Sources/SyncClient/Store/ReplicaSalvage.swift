import Foundation
import GRDB
import IMDF
import SyncModel

/// What can be read of a damaged file and is not on the server: a new file begins with it.
struct ReplicaSalvage {
    private var selection: LevelSelection?
    /// Protects from an older revision than the one that was verified.
    private var signedHead: String?
    private var edits: [Row] = []

    private static let editColumns = [
        "number", "id", "operations", "seen", "base", "message", "until", "made_at", "state", "request", "revision",
        "refusal", "checksum", "forced",
    ]

    init(_ file: ReplicaFile) {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(10)
        // A table whose definition is damaged then does not keep SQLite from reading the others.
        configuration.prepareDatabase { db in try? db.execute(sql: "PRAGMA writable_schema = ON") }
        guard let queue = try? DatabaseQueue(path: file.path, configuration: configuration) else { return }
        defer { try? queue.close() }
        self = (try? queue.read { db in Self(db) }) ?? self
    }

    private init(_ db: Database) {
        if let row = try? Row.fetchOne(db, sql: "SELECT * FROM state") {
            self.signedHead = String.fromDatabaseValue(row["signed_head"] ?? .null)
            self.selection = String.fromDatabaseValue(row["selection"] ?? .null).flatMap {
                try? LevelSelection(stored: $0)
            }
        }
        if (try? ReplicaChecksums.isStateSound(db)) != true {
            // The names of levels may be damaged, so that what the replica held is selected too.
            let held = (try? Data.fetchAll(db, sql: "SELECT level FROM level WHERE length(level) = 16")) ?? []
            let names = Set(held.compactMap { try? FeatureID?(blob: $0) }.map(LevelSelection.Name.level))
            if !names.isEmpty { self.selection = .adding(names, to: self.selection) }
        }
        for number in (try? Int64.fetchAll(db, sql: "SELECT number FROM edit ORDER BY number")) ?? [] {
            let row = try? Row.fetchOne(db, sql: "SELECT * FROM edit WHERE number = ?", arguments: [number])
            if let row { self.edits.append(row) }
        }
    }

    /// Fills a new file.
    func write(for venue: VenueKey, _ db: Database) throws {
        // An edit is compared with the level of its feature.
        let selection = self.selection ?? (self.edits.isEmpty ? nil : .everything)
        try db.execute(
            // A commit without a cursor: see ReplicaState.isDamaged.
            sql: "INSERT INTO state (one, venue, commits, selection, signed_head) VALUES (1, ?, 1, ?, ?)",
            arguments: [venue.description, selection?.stored, self.signedHead])
        try ReplicaChecksums.writeState(db)
        let columns = Self.editColumns.joined(separator: ", ")
        let marks = Self.editColumns.map { _ in "?" }.joined(separator: ", ")
        for row in self.edits {
            let values = Self.editColumns.map { row[$0] ?? DatabaseValue.null }
            // A value of a wrong type is refused, and the edit is lost.
            try? db.execute(
                sql: "INSERT INTO edit (\(columns)) VALUES (\(marks))", arguments: StatementArguments(values))
        }
    }
}
