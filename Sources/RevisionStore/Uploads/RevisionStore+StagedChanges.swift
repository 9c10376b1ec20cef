package import IMDF
import Postgres
package import SyncModel

/// What was shown of a staged upload.
package struct StagedDifference: Sendable {
    /// 0 before the first revision.
    package let base: Int64
    package let digest: Digest
    /// What the change log would be told from, as JSON text.
    package let facts: String
    /// Bodies of the levels that would come or change, as they would be.
    package let levels: [FeatureRecord]
}

/// A change of a staged upload, with its bodies where they were asked for.
package struct StagedChange: Sendable {
    package let feature: FeatureID
    package let kind: RevisionDiff.Change.Kind
    package let type: FeatureType
    package let levelBefore: FeatureID?
    package let levelAfter: FeatureID?
    package let classes: [String]
    /// Nil also when the revision was pruned that the upload was compared with.
    package let before: [UInt8]?
    package let after: [UInt8]?
}

extension RevisionStore {
    /// - Throws: `wrongState` unless the upload is staged.
    package func stagedDifference(of upload: FeatureID) async throws -> StagedDifference {
        let rows = try await self.pool.query(
            """
            SELECT upload.state, upload.base, upload.shown, upload.facts::text, staged.feature_id, staged.body
            FROM upload LEFT JOIN staged_change AS staged
                ON staged.upload_id = upload.id AND staged.feature_type = 'level' AND staged.body IS NOT NULL
            WHERE upload.id = \(upload)
            ORDER BY staged.feature_id
            """)
        guard let row = rows.first else { throw StoreError.unknownUpload }
        guard let state = Upload.State(rawValue: try row.decode(0)), state == .staged,
            let digest = try row.decode(2, as: Digest?.self)
        else { throw StoreError.wrongState(Upload.State(rawValue: try row.decode(0)) ?? .failed) }
        let levels = try rows.compactMap { row -> FeatureRecord? in
            guard let id = try row.decode(4, as: FeatureID?.self) else { return nil }
            return FeatureRecord(id: id, type: .level, level: nil, body: try row.decode(5, as: TextBytes.self).bytes)
        }
        return StagedDifference(
            base: try row.decode(1, as: Int64?.self) ?? 0, digest: digest,
            facts: try row.decode(3, as: String?.self) ?? "[]", levels: levels)
    }

    /// The changes of a staged upload by id, handed out one by one: nothing when it is not staged any more, or shows another
    /// difference by now.
    ///
    /// - Parameters:
    ///   - levels: As for ``changedBodies(in:from:to:levels:after:limit:_:)``.
    ///   - after: Only features with a greater id.
    package func stagedChanges(
        of upload: FeatureID, showing difference: StagedDifference, levels: [FeatureID?]?, after id: FeatureID?,
        limit: Int, withBodies: Bool, _ change: (StagedChange) async throws -> Void
    ) async throws {
        let named = levels?.compactMap { $0 }
        let venueWide = levels?.contains(nil) ?? false
        let query: Query = """
            WITH page AS (
                SELECT staged.*, upload.venue_id, upload.base FROM staged_change AS staged
                JOIN upload ON upload.id = staged.upload_id
                WHERE upload.id = \(upload) AND upload.state = 'staged' AND upload.base = \(difference.base)
                    AND upload.shown = \(difference.digest)
                    AND (\(named)::uuid[] IS NULL OR level_before = ANY(\(named)) OR level_after = ANY(\(named))
                        OR \(venueWide) AND (kind <> 'added' AND level_before IS NULL
                            OR kind <> 'removed' AND level_after IS NULL))
                    AND (\(id)::uuid IS NULL OR staged.feature_id > \(id))
                ORDER BY staged.feature_id LIMIT \(Int64(limit))
            )
            SELECT page.feature_id, page.kind, page.feature_type, page.level_before, page.level_after, page.classes,
                before.body, CASE WHEN \(withBodies) THEN page.body END
            FROM page LEFT JOIN feature_version AS before ON \(withBodies) AND page.kind <> 'added'
                AND before.venue_id = page.venue_id AND before.feature_id = page.feature_id
                AND before.from_revision <= page.base AND before.to_revision > page.base
                AND page.base >= (SELECT first_revision FROM venue WHERE id = page.venue_id)
            ORDER BY page.feature_id
            """
        try await self.pool.withConnection { connection in
            try await connection.stream(query) { row in
                guard let kind = RevisionDiff.Change.Kind(rawValue: try row.decode(1)) else {
                    throw PostgresError.decoding("a staged change")
                }
                try await change(
                    StagedChange(
                        feature: try row.decode(0), kind: kind, type: FeatureType(rawValue: try row.decode(2)),
                        levelBefore: try row.decode(3), levelAfter: try row.decode(4), classes: try row.decode(5),
                        before: try row.decode(6, as: TextBytes?.self)?.bytes,
                        after: try row.decode(7, as: TextBytes?.self)?.bytes))
            }
        }
    }
}
