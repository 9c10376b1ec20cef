import Foundation
import GRDB
import IMDF
import SyncModel

/// The state of an open write transaction, which is passed from one call on the writer's connection to the next.
struct CatalogueTransaction: Sendable {
    /// A venue that the change set contains.
    private struct Update {
        let number: Int64
        var rules: PageRules
        var page: ChangeSetPage
        /// The digests that levels must have at the end; nil: the level is not held then.
        var digests: [FeatureID?: Digest?] = [:]
        let isNew: Bool
    }

    /// A level whose digest is wrong.
    struct Mismatch: Hashable {
        let venue: VenueKey
        let revision: Int64
        let level: FeatureID?
    }

    private var updates: [VenueKey: Update] = [:]
    private var gone: Set<VenueKey> = []

    /// The venues that were received, by key.
    var updated: [VenueKey] { self.updates.keys.sorted() }

    mutating func apply(_ page: CataloguePage, _ db: Database) throws {
        self.gone.formUnion(page.gone)
        for part in page.venues {
            guard let key = VenueKey(part.frame.venue) else { throw SyncError.malformed("not a venue key") }
            guard !self.gone.contains(key) else { continue }
            var update: Update
            if let known = self.updates[key] {
                guard !known.page.isComplete else { throw SyncError.contradiction("a duplicate venue") }
                update = known
            } else {
                update = try self.begin(key, part, db)
            }
            try update.rules.check(part)
            update.page = part
            try self.apply(part, to: &update, db)
            self.updates[key] = update
        }
    }

    /// Without `from`, the venue is new, was created again, or the held revision was pruned: what is held is deleted.
    private func begin(_ key: VenueKey, _ part: ChangeSetPage, _ db: Database) throws -> Update {
        if part.frame.from == nil { try self.delete(key, db) }
        try db.execute(sql: "INSERT OR IGNORE INTO venue (key) VALUES (?)", arguments: [key.description])
        guard
            let row = try Row.fetchOne(
                db, sql: "SELECT number, revision FROM venue WHERE key = ?", arguments: [key.description])
        else { throw SyncError.file("a venue is missing") }
        return Update(
            number: row["number"], rules: PageRules(venue: key, from: row["revision"], cursor: nil), page: part,
            isNew: part.frame.from == nil)
    }

    private func apply(_ part: ChangeSetPage, to update: inout Update, _ db: Database) throws {
        for block in part.blocks {
            if block.kind != .changes, !block.isContinued { try self.clear(block.level, of: update.number, db) }
            try self.put(block.bodies, of: part.text, under: block.level, of: &update, db)
            for removal in block.removed {
                try db.cachedStatement(sql: "DELETE FROM feature WHERE venue = ? AND id = ? AND level = ?")
                    .execute(arguments: [update.number, removal.blob, block.level.blob])
            }
            if block.kind == .gone || block.digest != nil { update.digests[block.level] = .some(block.digest?.digest) }
        }
    }

    private func put(
        _ bodies: [Range<Int>], of text: [UInt8], under level: FeatureID?, of update: inout Update, _ db: Database
    ) throws {
        let put = try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO feature (venue, level, id, type, body) VALUES (?, ?, ?, ?, ?)")
        for range in bodies {
            let body = text[range]
            guard let line = body.withUnsafeBytes({ FeatureLine($0) }) else {
                throw SyncError.malformed("not a feature")
            }
            let type = try FeatureLine.unescaped(body.dropFirst(line.type.lowerBound).prefix(line.type.count))
            if !update.isNew { try self.expectLoss(of: line.id, to: level, &update, db) }
            try put.execute(
                arguments: [update.number, level.blob, line.id.blob, type, String(decoding: body, as: UTF8.self)])
        }
    }

    /// Expects the previous digest of a level that loses a feature to another one. If the change set does not mention that level, the
    /// digest will not match, and the level is fetched again.
    private func expectLoss(of id: FeatureID, to level: FeatureID?, _ update: inout Update, _ db: Database) throws {
        let statement = try db.cachedStatement(sql: "SELECT level FROM feature WHERE venue = ? AND id = ?")
        guard let blob = try Data.fetchOne(statement, arguments: [update.number, id.blob]) else { return }
        let former = try FeatureID?(blob: blob)
        guard former != level, update.digests[former] == nil else { return }
        let digest = try Data.fetchOne(
            db, sql: "SELECT digest FROM level WHERE venue = ? AND level = ?", arguments: [update.number, blob])
        guard let digest = digest.flatMap({ Digest(bytes: $0) }) else { return }
        update.digests[former] = .some(digest)
    }

    private func clear(_ level: FeatureID?, of venue: Int64, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM feature WHERE venue = ? AND level = ?", arguments: [venue, level.blob])
        try db.execute(sql: "DELETE FROM level WHERE venue = ? AND level = ?", arguments: [venue, level.blob])
    }

    private func delete(_ key: VenueKey, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM venue WHERE key = ?", arguments: [key.description])
    }

    /// Ends the download: deletes venues that are gone, and for a change set from nothing all that it does not contain.
    ///
    /// - Returns: The venues that were held before and are not held now, by key.
    mutating func end(isWhole: Bool, _ db: Database) throws -> [VenueKey] {
        for key in self.gone { self.updates[key] = nil }
        guard self.updates.values.allSatisfy(\.page.isComplete) else {
            throw SyncError.malformed("the last page ends inside a venue")
        }
        let held = try String.fetchAll(db, sql: "SELECT key FROM venue").compactMap { VenueKey($0) }
        let removed = held.filter { self.gone.contains($0) || (isWhole && self.updates[$0] == nil) }
        for key in removed { try self.delete(key, db) }
        return removed.sorted()
    }

    func mismatches(_ db: Database) throws -> [Mismatch] {
        let reader = CatalogueReader(db: db)
        return try self.updates.flatMap { key, update in
            try update.digests.compactMap { level, digest in
                guard let digest, try reader.digest(of: level, in: update.number) != digest else { return nil }
                return Mismatch(venue: key, revision: update.page.frame.to, level: level)
            }
        }
    }

    /// Deletes the features of a level, which is fetched again.
    func clear(_ level: Mismatch, _ db: Database) throws {
        guard let update = self.updates[level.venue] else { return }
        try self.clear(level.level, of: update.number, db)
    }

    mutating func put(_ batch: FeatureStream.Batch, into level: Mismatch, _ db: Database) throws {
        guard var update = self.updates[level.venue] else { return }
        try self.put(batch.bodies, of: batch.text, under: level.level, of: &update, db)
        self.updates[level.venue] = update
    }

    func finish(position: Int64, cursor: String, at date: Date, _ db: Database) throws {
        for update in self.updates.values {
            for case (let level, let digest?) in update.digests {
                try db.cachedStatement(sql: "INSERT OR REPLACE INTO level (venue, level, digest) VALUES (?, ?, ?)")
                    .execute(arguments: [update.number, level.blob, Data(digest.bytes)])
            }
            let frame = update.page.frame
            try db.execute(
                sql: """
                    UPDATE venue SET revision = ?, digest = ?, published_at = ?, language = ?, time_zone = ?, country = ?,
                        wayfinding = ?
                    WHERE number = ?
                    """,
                arguments: [
                    frame.to, frame.digest.description, update.page.publishedAt?.timeIntervalSince1970,
                    frame.about.language, frame.about.timeZone, frame.about.country,
                    frame.about.storedWayfinding, update.number,
                ])
        }
        try db.execute(
            sql: "UPDATE catalogue SET commits = commits + 1, position = ?, cursor = ?, synced_at = ?",
            arguments: [position, cursor, date.timeIntervalSince1970])
        try CatalogueChecksum.write(db)
    }
}
