import CMigrations

/// A step of the database schema: a numbered SQL file of this folder, embedded in the program.
package struct Migration: Sendable {
    /// Counted from 1. Steps that were developed side by side may be applied in another order than that of their numbers.
    package let number: Int
    /// The name of the file without its extension.
    package let name: String
    package let sql: [UInt8]

    package init(number: Int, name: String, sql: [UInt8]) {
        self.number = number
        self.name = name
        self.sql = sql
    }

    private init(number: Int, name: String, file: EmbeddedFile) {
        self.init(number: number, name: name, sql: Array(UnsafeBufferPointer(start: file.bytes, count: file.count)))
    }

    /// Every step, in order. A released file is never edited: a change of the schema is a new file with the next number.
    package static let all: [Migration] = [
        Migration(number: 1, name: "V001__schema", file: V001__schema()),
        Migration(number: 2, name: "V002__archive_objects", file: V002__archive_objects()),
        Migration(number: 3, name: "V003__match_compression", file: V003__match_compression()),
        Migration(number: 4, name: "V004__wayfinding", file: V004__wayfinding()),
        Migration(number: 5, name: "V005__key_expiry", file: V005__key_expiry()),
        Migration(number: 6, name: "V006__key_use", file: V006__key_use()),
        Migration(number: 7, name: "V007__audit", file: V007__audit()),
        Migration(number: 8, name: "V008__upload_file_name", file: V008__upload_file_name()),
    ]
}
