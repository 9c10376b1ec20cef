import Foundation
import GRDB
import IMDF
public import SyncModel

extension ReplicaStore {
    /// Verifies the file without a server: that a trusted key has signed the revision that it holds, and that all its features are as
    /// they were signed. Whether there is a newer revision by now cannot be known without a server.
    ///
    /// The file has a statement if its last synchronization verified one; see
    /// ``VenueReplica/open(_:server:venue:key:trusting:transport:policy:)``.
    ///
    /// - Returns: The statement. Its ``RevisionStatement/validity`` says when the revision was the newest one.
    /// - Throws: ``SyncError/untrusted(_:)`` or ``SyncError/wrongDigest(level:)``.
    /// - Complexity: Reads every body.
    public func verify(trusting keys: [PublicKey]) async throws -> RevisionStatement {
        try await self.read { reader in
            let state = try reader.state()
            guard let document = state.signedHead else {
                throw SyncError.untrusted("the file has no statement: it was not synchronized with trusted keys")
            }
            let head: SignedHead
            do {
                head = try SignedHead(document, of: state.venue, trusting: keys)
            } catch let error as StatementError {
                throw SyncError.untrusted(error.description)
            }
            guard state.revision == head.statement.revision else {
                throw SyncError.untrusted("the statement is about revision \(head.statement.revision)")
            }
            let held = try reader.digests()
            for (level, digest) in held where try reader.digest(of: level) != digest {
                throw SyncError.wrongDigest(level: level)
            }
            guard try reader.levelsWithFeatures().isSubset(of: held.keys) else {
                throw SyncError.untrusted("the file has features of a level that it does not hold")
            }
            try head.check(held, state.selection ?? .everything, reader)
            return head.statement
        }
    }
}

extension ReplicaStore {
    /// The number of features before the transaction that is open.
    func featureCount() async throws -> Int {
        try await self.read { try Int.fetchOne($0.db, sql: "SELECT count(*) FROM feature") ?? 0 }
    }
}

extension ReplicaReader {
    /// The ordinals of all levels of the revision, also of those that are not held.
    func ordinals() throws -> [FeatureID: Int] {
        let rows = try Row.fetchAll(
            self.db,
            sql: """
                SELECT id, json_extract(body, '$.properties.ordinal') AS ordinal FROM feature
                WHERE level = x'' AND type = 'level' AND json_valid(body)
                    AND json_type(body, '$.properties.ordinal') = 'integer'
                """)
        return try rows.reduce(into: [:]) { ordinals, row in
            if let id = try FeatureID?(blob: row["id"]) { ordinals[id] = row["ordinal"] }
        }
    }

    func levelsWithFeatures() throws -> Set<FeatureID?> {
        Set(
            try Data.fetchAll(self.db, sql: "SELECT DISTINCT level FROM feature").map { try FeatureID?(blob: $0) })
    }
}
