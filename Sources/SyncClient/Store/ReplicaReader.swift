import Foundation
import GRDB
public import IMDF

/// Reads one consistent revision of a replica.
public struct ReplicaReader {
    let db: Database

    /// The venue, revision and selection of the replica.
    public func state() throws -> ReplicaState {
        guard let row = try Row.fetchOne(self.db, sql: "SELECT * FROM state") else {
            throw SyncError.file("it names no venue")
        }
        return try ReplicaState(row)
    }

    /// The held levels: the venue-wide part first, then the others by ordinal and id.
    public func levels() throws -> [ReplicaLevel] {
        try Row.fetchAll(
            self.db,
            sql: """
                SELECT level, ordinal, digest, (SELECT count(*) FROM feature WHERE feature.level = level.level) AS features
                FROM level ORDER BY level <> x'', ordinal, level
                """
        ).map { row in
            ReplicaLevel(
                level: try FeatureID?(blob: row["level"]), ordinal: row["ordinal"],
                digest: try Self.digest(row["digest"]),
                features: row["features"])
        }
    }

    /// The key of the venue; nil if the file is new.
    func venue() throws -> String? { try self.text("SELECT venue FROM state") }

    /// The text that a query selects.
    func text(_ sql: String) throws -> String? { try String.fetchOne(self.db, sql: sql) }

    /// The digest that the server reported for each held level.
    func digests() throws -> [FeatureID?: Digest] {
        try Row.fetchAll(self.db, sql: "SELECT level, digest FROM level").reduce(into: [:]) { digests, row in
            digests[try FeatureID?(blob: row["level"])] = try Self.digest(row["digest"])
        }
    }

    private static func digest(_ blob: Data) throws -> Digest {
        guard let digest = Digest(bytes: blob) else { throw SyncError.file("a digest of the wrong length") }
        return digest
    }

    /// The features of one level, by id.
    ///
    /// - Parameters:
    ///   - level: Nil: the venue-wide part. It includes every feature of type `level`, so that a level picker can show levels that
    ///     are not held.
    ///   - type: Nil: all types.
    /// - Complexity: O(*n*) in the number of features of the level.
    public func features(on level: FeatureID?, type: FeatureType? = nil) throws -> [ReplicaFeature] {
        let filter = type == nil ? "" : " AND type = ?"
        let arguments: StatementArguments = type.map { [level.blob, $0.rawValue] } ?? [level.blob]
        return try ReplicaFeature.all(
            self.db, "SELECT id, level, type, body FROM feature WHERE level = ?\(filter) ORDER BY id", arguments)
    }

    /// The features of one type on all held levels, by id; nil: of all types.
    public func features(type: FeatureType? = nil) throws -> [ReplicaFeature] {
        let filter = type == nil ? "" : "WHERE type = ?"
        return try ReplicaFeature.all(
            self.db, "SELECT id, level, type, body FROM feature \(filter) ORDER BY id", type.map { [$0.rawValue] } ?? []
        )
    }

    /// The feature with this id; nil if the replica does not hold it.
    public func feature(_ id: FeatureID) throws -> ReplicaFeature? {
        try ReplicaFeature.all(
            self.db, "SELECT id, level, type, body FROM feature WHERE id = ?", [id.blob]
        ).first
    }

    /// The digest of a level, computed from the stored bodies.
    public func digest(of level: FeatureID?) throws -> Digest {
        var digest = LevelDigest()
        let rows = try Row.fetchCursor(
            self.db, sql: "SELECT body FROM feature WHERE level = ? ORDER BY id", arguments: [level.blob])
        while let row = try rows.next() {
            try row.withUnsafeData(atIndex: 0) { body in body?.withUnsafeBytes { digest.add(body: $0) } }
        }
        return digest.finalize()
    }
}

extension ReplicaStore {
    /// The features of one level, by id; see ``ReplicaReader/features(on:type:)``.
    public func features(on level: FeatureID?, type: FeatureType? = nil) async throws -> [ReplicaFeature] {
        try await self.read { try $0.features(on: level, type: type) }
    }

    /// The feature with this id; nil if the replica does not hold it.
    public func feature(_ id: FeatureID) async throws -> ReplicaFeature? {
        try await self.read { try $0.feature(id) }
    }

    /// The held levels: the venue-wide part first, then the others by ordinal and id.
    public func levels() async throws -> [ReplicaLevel] {
        try await self.read { try $0.levels() }
    }

    /// The venue, revision and selection of the replica.
    public func state() async throws -> ReplicaState {
        try await self.read { try $0.state() }
    }

    /// The levels whose bodies do not match their digest, because something else wrote to the file. Empty if there are none.
    ///
    /// - Complexity: Reads every body.
    public func damagedLevels() async throws -> [FeatureID?] {
        try await self.read { reader in
            try reader.levels().filter { try reader.digest(of: $0.level) != $0.digest }.map(\.level)
        }
    }
}
