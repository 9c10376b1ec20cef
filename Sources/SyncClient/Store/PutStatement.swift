import Foundation
import GRDB
import GRDBSQLite
import IMDF

/// Inserts features into one level. A first download does this a hundred thousand times, so the body goes from the received page to
/// SQLite without a copy in between.
struct PutStatement {
    private let statement: Statement

    init(_ db: Database, level: FeatureID?, number: Int64) throws {
        self.statement = try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO feature (level, id, since, type, body) VALUES (?, ?, ?, ?, ?)")
        let statement = self.statement.sqliteStatement
        try self.check(sqlite3_reset(statement))
        let level = Array(level.blob)
        // A byte more, because SQLite takes a blob without an address for NULL. SQLite copies the level: it stays bound for all rows.
        try (level + [0]).withUnsafeBytes { bytes in
            try self.check(
                sqlite3_bind_blob(
                    statement, 1, bytes.baseAddress, CInt(level.count),
                    unsafeBitCast(-1, to: sqlite3_destructor_type.self)))
        }
        try self.check(sqlite3_bind_int64(statement, 3, number))
    }

    func run(_ line: FeatureLine, _ body: UnsafeRawBufferPointer) throws {
        let statement = self.statement.sqliteStatement
        let type = UnsafeRawBufferPointer(rebasing: body[line.type])
        // Only the type of an IMDF extension can contain an escape, and almost none does.
        let unescaped = type.contains(UInt8(ascii: "\\")) ? Array(try FeatureLine.unescaped(type).utf8) : []
        try withUnsafeBytes(of: (line.id.high.bigEndian, line.id.low.bigEndian)) { id in
            try self.check(sqlite3_bind_blob(statement, 2, id.baseAddress, CInt(id.count), nil))
            try self.bind(body, at: 5)
            try unescaped.withUnsafeBytes { unescaped in
                try self.bind(unescaped.isEmpty ? type : unescaped, at: 4)
                let outcome = sqlite3_step(statement)
                let reset = sqlite3_reset(statement)
                guard outcome == SQLITE_DONE else { throw self.error(reset) }
            }
        }
    }

    /// Binds text without copying it; it has to stay valid while the statement runs.
    private func bind(_ text: UnsafeRawBufferPointer, at index: CInt) throws {
        try self.check(
            sqlite3_bind_text(
                self.statement.sqliteStatement, index, text.assumingMemoryBound(to: CChar.self).baseAddress,
                CInt(text.count), nil))
    }

    private func check(_ code: CInt) throws {
        guard code == SQLITE_OK else { throw self.error(code) }
    }

    private func error(_ code: CInt) -> DatabaseError {
        DatabaseError(resultCode: .init(rawValue: code), message: String(cString: sqlite3_errstr(code)))
    }
}
