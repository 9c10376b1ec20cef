/// One step of the schema: a numbered file of this folder, compiled in.
package struct Migration: Sendable {
    /// Counted on from 1. Steps that were written side by side may be applied in another order than theirs.
    package let number: Int
    /// The file's name without its ending.
    package let name: String
    package let sql: [UInt8]

    /// Every step, in order. A released file is never edited: a change is the next number.
    package static let all: [Migration] = [
        Migration(number: 1, name: "V001__store", sql: PackageResources.V001__store_sql),
        Migration(number: 2, name: "V002__staging", sql: PackageResources.V002__staging_sql),
        Migration(number: 3, name: "V003__identity", sql: PackageResources.V003__identity_sql),
        Migration(number: 4, name: "V004__level_rollback", sql: PackageResources.V004__level_rollback_sql),
        Migration(number: 5, name: "V005__news", sql: PackageResources.V005__news_sql),
        Migration(number: 6, name: "V006__lineage", sql: PackageResources.V006__lineage_sql),
        Migration(number: 7, name: "V007__catalogue_sync", sql: PackageResources.V007__catalogue_sync_sql),
        Migration(number: 8, name: "V008__rule_book", sql: PackageResources.V008__rule_book_sql),
        Migration(number: 10, name: "V010__plans", sql: PackageResources.V010__plans_sql),
        Migration(number: 11, name: "V011__queue", sql: PackageResources.V011__queue_sql),
        Migration(number: 12, name: "V012__authorization", sql: PackageResources.V012__authorization_sql),
        Migration(
            number: 13, name: "V013__upload_notifications", sql: PackageResources.V013__upload_notifications_sql),
    ]
}
