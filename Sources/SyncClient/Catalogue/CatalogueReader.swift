public import Foundation
import GRDB
public import IMDF
public import SyncModel
public import VenueMap

/// A venue of a catalogue.
public struct CatalogueVenue: Hashable, Sendable {
    public let venue: VenueKey
    public let revision: Int64
    /// The digest of the revision.
    public let digest: Digest?
    /// When the revision was published; nil if the server does not report it.
    public let publishedAt: Date?
    /// The language, time zone and country of the venue.
    public let about: ChangeSet.About
}

/// Reads one consistent position of a catalogue.
public struct CatalogueReader {
    let db: Database

    /// The catalogue position: how many revisions of all venues the file contains; nil before the first synchronization.
    public func position() throws -> Int64? {
        try Int64.fetchOne(self.db, sql: "SELECT position FROM catalogue")
    }

    /// The held venues, by key.
    public func venues() throws -> [CatalogueVenue] {
        try Row.fetchAll(self.db, sql: "SELECT * FROM venue WHERE revision IS NOT NULL ORDER BY key").map { row in
            guard let key = VenueKey(row["key"] as String) else { throw SyncError.file("it names no venue") }
            return CatalogueVenue(
                venue: key, revision: row["revision"], digest: (row["digest"] as String?).flatMap { Digest($0) },
                publishedAt: (row["published_at"] as Double?).map { Date(timeIntervalSince1970: $0) },
                about: .init(row))
        }
    }

    /// All features of a venue, by id; none if the venue is not held.
    ///
    /// - Parameter type: Nil: all types.
    public func features(of venue: VenueKey, type: FeatureType? = nil) throws -> [ReplicaFeature] {
        let filter = type == nil ? "" : " AND type = ?"
        var arguments: StatementArguments = [venue.description]
        if let type { arguments += [type.rawValue] }
        return try ReplicaFeature.all(self.db, "\(Self.selection)\(filter) ORDER BY id", arguments)
    }

    /// The features of one level of a venue, by id; nil: those of the venue-wide part.
    public func features(of venue: VenueKey, on level: FeatureID?) throws -> [ReplicaFeature] {
        try ReplicaFeature.all(
            self.db, "\(Self.selection) AND level = ? ORDER BY id", [venue.description, level.blob])
    }

    /// The map of a venue.
    ///
    /// - Complexity: Reads every body.
    public func map(of venue: VenueKey) throws -> VenueMap {
        let about = try self.venues().first { $0.venue == venue }?.about
        return VenueMap(
            try self.features(of: venue).map { .init(id: $0.id, type: $0.type, level: $0.level, body: $0.body) },
            timeZone: about?.timeZone, language: about?.language)
    }

    private static let selection =
        "SELECT id, level, type, body FROM feature WHERE venue = (SELECT number FROM venue WHERE key = ?)"

    func state() throws -> CataloguePosition {
        guard let row = try Row.fetchOne(self.db, sql: "SELECT * FROM catalogue") else {
            throw SyncError.file("it has no catalogue")
        }
        return CataloguePosition(
            commits: row["commits"], position: row["position"], cursor: row["cursor"],
            syncedAt: (row["synced_at"] as Double?).map { Date(timeIntervalSince1970: $0) })
    }

    func digest(of level: FeatureID?, in venue: Int64) throws -> Digest {
        var digest = LevelDigest()
        let rows = try Row.fetchCursor(
            self.db, sql: "SELECT body FROM feature WHERE venue = ? AND level = ? ORDER BY id",
            arguments: [venue, level.blob])
        while let row = try rows.next() {
            try row.withUnsafeData(atIndex: 0) { body in body?.withUnsafeBytes { digest.add(body: $0) } }
        }
        return digest.finalize()
    }
}

/// The state that a request is made from.
struct CataloguePosition: Sendable {
    let commits: Int64
    let position: Int64?
    let cursor: String?
    let syncedAt: Date?
}

extension CatalogueStore {
    /// The held venues, by key.
    public func venues() async throws -> [CatalogueVenue] {
        try await self.read { try $0.venues() }
    }

    /// All features of a venue; see ``CatalogueReader/features(of:type:)``.
    public func features(of venue: VenueKey, type: FeatureType? = nil) async throws -> [ReplicaFeature] {
        try await self.read { try $0.features(of: venue, type: type) }
    }

    /// The map of a venue; see ``CatalogueReader/map(of:)``.
    public func map(of venue: VenueKey) async throws -> VenueMap {
        try await self.read { try $0.map(of: venue) }
    }
}
