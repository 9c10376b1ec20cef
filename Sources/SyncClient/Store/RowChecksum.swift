import Foundation
import GRDB
import IMDF

/// Checksums of rows that no digest of the server covers. They show that a disk, or another program, has changed them.
enum RowChecksum {
    /// The checksum of all rows that queries return.
    static func of(_ queries: [String], _ db: Database) throws -> Data {
        var bytes: [UInt8] = []
        for query in queries {
            let rows = try Row.fetchCursor(db, sql: query)
            while let row = try rows.next() { Self.append(row.databaseValues, to: &bytes) }
        }
        return Data(Digest(of: bytes).bytes)
    }

    /// The checksum of one row without its member `checksum`.
    static func of(_ row: Row) -> Data {
        var bytes: [UInt8] = []
        Self.append(row.filter { column, _ in column != "checksum" }.map(\.1), to: &bytes)
        return Data(Digest(of: bytes).bytes)
    }

    /// Every value with its type and its length, so that different rows never have the same bytes.
    private static func append(_ values: some Sequence<DatabaseValue>, to bytes: inout [UInt8]) {
        func append(_ type: Character, _ content: some Collection<UInt8>) {
            bytes += "\(type)\(content.count):".utf8
            bytes += content
        }
        for value in values {
            switch value.storage {
            case .null: append("n", [])
            case .int64(let number): append("i", "\(number)".utf8)
            case .double(let number): append("d", "\(number.bitPattern)".utf8)
            case .string(let text): append("t", text.utf8)
            case .blob(let data): append("b", data)
            }
        }
        bytes.append(UInt8(ascii: "\n"))
    }
}
