public import Foundation
import GRDB
public import IMDF
public import SyncModel

/// A feature of a replica.
public struct ReplicaFeature: Hashable, Sendable {
    public let id: FeatureID
    /// Nil for the venue-wide part.
    public let level: FeatureID?
    public let type: FeatureType
    /// A GeoJSON Feature as canonical JSON (RFC 8785) in UTF-8, byte for byte equal to the server's.
    public let body: [UInt8]

    static func all(_ db: Database, _ sql: String, _ arguments: StatementArguments) throws -> [ReplicaFeature] {
        let statement = try db.cachedStatement(sql: sql)
        let rows = try Row.fetchCursor(statement, arguments: arguments)
        var features: [ReplicaFeature] = []
        while let row = try rows.next() { features.append(try ReplicaFeature(row)) }
        return features
    }

    /// Reads `id, level, type, body`.
    init(_ row: Row) throws {
        guard let id = try FeatureID?(blob: row[0]) else { throw SyncError.file("a feature has no id") }
        self.id = id
        self.level = try FeatureID?(blob: row[1])
        self.type = FeatureType(rawValue: row[2])
        self.body = try row.withUnsafeData(atIndex: 3) { $0.map { Array($0) } ?? [] }
    }
}

/// A level that a replica holds, or the venue-wide part.
public struct ReplicaLevel: Hashable, Sendable {
    /// Nil for the venue-wide part.
    public let level: FeatureID?
    /// The ordinal of the level feature; nil for the venue-wide part, and if the feature has none.
    public let ordinal: Int?
    /// The digest that the bodies were verified with.
    public let digest: Digest
    /// The number of features.
    public let features: Int
}

/// The venue, revision and selection of a replica.
public struct ReplicaState: Hashable, Sendable {
    public let venue: VenueKey
    /// Nil before the first synchronization.
    public let revision: Int64?
    /// The digest of the revision; nil before the first synchronization, after damaged levels were deleted, and for a
    /// moment after the server lost its history.
    public let digest: Digest?
    /// The language, time zone and country of the venue.
    public let about: ChangeSet.About
    /// The levels to keep up to date; nil until they were chosen.
    public let selection: LevelSelection?
    /// The opaque token that the next request sends as `since`; nil before the first synchronization, and after damaged levels were
    /// deleted: then the next synchronization fetches everything that is selected.
    public let cursor: String?
    /// When ``revision`` was published; nil if the server does not report it.
    public let publishedAt: Date?
    /// When the replica last had the newest revision; nil before the first synchronization. It is exact to five minutes.
    public let syncedAt: Date?
    /// Whether the file was damaged, and what was deleted of it has not been downloaded again yet.
    public var isDamaged: Bool { self.cursor == nil && self.commits > 0 }
    /// The number of commits so far, which is the number of the last one.
    let commits: Int64
    /// The statement that the content was verified with, as received; nil if the app trusted no keys.
    let signedHead: [UInt8]?

    init(_ row: Row) throws {
        guard let venue = VenueKey(row["venue"] as String) else { throw SyncError.file("it names no venue") }
        self.venue = venue
        self.revision = row["revision"]
        self.digest = (row["digest"] as String?).flatMap { Digest($0) }
        self.about = .init(row)
        self.selection = try (row["selection"] as String?).map(LevelSelection.init(stored:))
        self.cursor = row["cursor"]
        self.publishedAt = (row["published_at"] as Double?).map { Date(timeIntervalSince1970: $0) }
        self.syncedAt = (row["synced_at"] as Double?).map { Date(timeIntervalSince1970: $0) }
        self.commits = row["commits"]
        self.signedHead = (row["signed_head"] as String?).map { Array($0.utf8) }
    }
}

extension ChangeSet.About {
    /// Reads `language`, `time_zone`, `country` and `wayfinding`.
    init(_ row: Row) {
        let wayfinding = (row["wayfinding"] as String?).flatMap {
            try? WireJSON.value(JSONValue.self, from: Data($0.utf8))
        }
        self.init(
            language: row["language"], timeZone: row["time_zone"], country: row["country"], wayfinding: wayfinding)
    }

    var storedWayfinding: String? {
        self.wayfinding.map { String(decoding: CanonicalJSON.data($0), as: UTF8.self) }
    }
}

extension LevelSelection {
    /// A JSON list of names, or null for everything.
    init(stored: String) throws {
        guard let values = try? JSONDecoder().decode([String]?.self, from: Data(stored.utf8)) else {
            self = .everything
            return
        }
        guard let selection = LevelSelection(values: values) else {
            throw SyncError.file("it contains an unknown selection")
        }
        self = selection
    }

    var stored: String {
        guard let names else { return "null" }
        let list = names.map { "\"\($0)\"" }.sorted()
        return "[\(list.joined(separator: ","))]"
    }
}

extension FeatureID {
    /// The sixteen bytes, most significant first.
    var blob: Data {
        withUnsafeBytes(of: (self.high.bigEndian, self.low.bigEndian)) { Data($0) }
    }
}

extension FeatureID? {
    /// An empty blob for the venue-wide part.
    var blob: Data { self?.blob ?? Data() }

    init(blob: Data) throws {
        guard !blob.isEmpty else {
            self = nil
            return
        }
        guard blob.count == 16 else { throw SyncError.file("an id of \(blob.count) bytes") }
        func word(_ bytes: Data) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        self = FeatureID(high: word(blob.prefix(8)), low: word(blob.suffix(8)))
    }
}
