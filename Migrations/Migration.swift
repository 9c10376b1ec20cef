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

    /// Every step, in order. A released file is never edited: a change of the schema is a new file with the next number.
    package static let all: [Migration] = [
        Migration(number: 1, name: "V001__schema", sql: PackageResources.V001__schema_sql),
        Migration(number: 2, name: "V002__archive_objects", sql: PackageResources.V002__archive_objects_sql),
        Migration(number: 3, name: "V003__match_compression", sql: PackageResources.V003__match_compression_sql),
    ]
}
