import Foundation
import GRDB
public import IMDF

/// Reads a replica at one revision.
public struct ReplicaReader {
    let db: Database

    /// What the replica holds, and of what.
    public func state() throws -> ReplicaState {
        guard let row = try Row.fetchOne(self.db, sql: "SELECT * FROM state") else {
            throw SyncError.file("it says of no venue")
        }
        return try ReplicaState(row)
    }

    /// The venue-wide part, if it is held, and then every level that is held, by ordinal and id.
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

    /// What the server said of every part that is held.
    func digests() throws -> [FeatureID?: Digest] {
        try Row.fetchAll(self.db, sql: "SELECT level, digest FROM level").reduce(into: [:]) { digests, row in
            digests[try FeatureID?(blob: row["level"])] = try Self.digest(row["digest"])
        }
    }

    private static func digest(_ blob: Data) throws -> Digest {
        guard let digest = Digest(bytes: blob) else { throw SyncError.file("a digest is cut short") }
        return digest
    }

    /// The features of one level, by id.
    ///
    /// - Parameters:
    ///   - level: Nil is the venue-wide part, which also has the features of the type `level`: what a level picker shows, whichever
    ///     levels are held.
    ///   - type: Nil: of all types.
    /// - Complexity: O(*n*) in the number of features of the level.
    public func features(on level: FeatureID?, type: FeatureType? = nil) throws -> [ReplicaFeature] {
        let filter = type == nil ? "" : " AND type = ?"
        let arguments: StatementArguments = type.map { [level.blob, $0.rawValue] } ?? [level.blob]
        return try ReplicaFeature.all(
            self.db, "SELECT id, level, type, body FROM feature WHERE level = ?\(filter) ORDER BY id", arguments)
    }

    /// All features of one type, wherever they are, by id; nil: every feature.
    public func features(type: FeatureType? = nil) throws -> [ReplicaFeature] {
        let filter = type == nil ? "" : "WHERE type = ?"
        return try ReplicaFeature.all(
            self.db, "SELECT id, level, type, body FROM feature \(filter) ORDER BY id", type.map { [$0.rawValue] } ?? []
        )
    }

    /// One feature, by its id; nil when the replica does not hold it.
    public func feature(_ id: FeatureID) throws -> ReplicaFeature? {
        try ReplicaFeature.all(
            self.db, "SELECT id, level, type, body FROM feature WHERE id = ?", [id.blob]
        ).first
    }

    /// The digest of what is held under a level, worked out anew from every body.
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

    /// One feature, by its id; nil when the replica does not hold it.
    public func feature(_ id: FeatureID) async throws -> ReplicaFeature? {
        try await self.read { try $0.feature(id) }
    }

    /// What is held: the venue-wide part first, then levels by ordinal and id.
    public func levels() async throws -> [ReplicaLevel] {
        try await self.read { try $0.levels() }
    }

    /// Which revision is held, and with which selection.
    public func state() async throws -> ReplicaState {
        try await self.read { try $0.state() }
    }

    /// The parts whose bodies are not what the server said of them: something else wrote into the file. Empty when all is well.
    ///
    /// - Complexity: Reads every body.
    public func damagedLevels() async throws -> [FeatureID?] {
        try await self.read { reader in
            try reader.levels().filter { try reader.digest(of: $0.level) != $0.digest }.map(\.level)
        }
    }
}
