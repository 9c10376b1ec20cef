package import IMDF
package import IMDFDiff
import Postgres
package import SyncModel

/// The difference that is shown for a staged upload, or for one that the rule book rejected.
package struct StagedDifference: Sendable {
    /// 0 before the first revision.
    package let base: Int64
    package let digest: Digest
    /// JSON text; nil if it exceeds the limit.
    let storedFacts: String?
    /// JSON text; nil if there are none.
    let storedContested: String?
    /// The new bodies of levels that would be added or changed, without those that are too large.
    package let levels: [FeatureRecord]

    /// What the description of the changes is made from; nil when they are too many to be read.
    package func facts() throws -> [Fact]? {
        try self.storedFacts.map { try RevisionStore.json($0, as: [Fact].self) }
    }

    /// The first overrides that the archive newly contests.
    package func contested() throws -> [OverrideEntry] {
        try self.storedContested.map { try RevisionStore.json($0, as: [OverrideEntry].self) } ?? []
    }
}

/// A change of such an upload, with its bodies if they were requested.
package struct StagedChange: Sendable {
    package let feature: FeatureID
    package let kind: RevisionDiff.Change.Kind
    package let type: FeatureType
    package let levelBefore: FeatureID?
    package let levelAfter: FeatureID?
    package let classes: [String]
    /// Nil also if the revision was pruned that the archive was compared with.
    package let before: [UInt8]?
    package let after: [UInt8]?
}

extension RevisionStore {
    /// The maximum size of the facts of an upload that are read.
    private static let stagedFactBytes: Int32 = 8 << 20

    /// - Throws: `wrongState` unless the upload is staged, or rejected and its changes are kept: ``reject(_:of:findings:)``.
    package func stagedDifference(of upload: UploadID) async throws -> StagedDifference {
        let rows = try await self.pool.query(
            """
            SELECT upload.state, upload.base, CASE WHEN upload.changes IS NOT NULL THEN upload.difference_digest END,
                CASE WHEN octet_length(upload.facts::text) <= \(Self.stagedFactBytes) THEN upload.facts::text END,
                staged.feature_id, staged.body, upload.contested
            FROM upload LEFT JOIN LATERAL (
                SELECT feature_id, body, sum(octet_length(body)) OVER (ORDER BY feature_id) AS running FROM staged_change
                WHERE upload_id = upload.id AND feature_type = 'level' AND octet_length(body) <= \(Self.namedFeatureBytes)
            ) AS staged ON running <= \(Int64(Self.pageBytes))
            WHERE upload.id = \(upload)
            ORDER BY staged.feature_id
            """)
        guard let row = rows.first else { throw StoreError.unknownUpload }
        let state = Upload.State(rawValue: try row.decode(0)) ?? .failed
        guard [.staged, .rejected].contains(state), let digest = try row.decode(2, as: Digest?.self) else {
            throw StoreError.wrongState(state)
        }
        let levels = try rows.compactMap { row -> FeatureRecord? in
            guard let id = try row.decode(4, as: FeatureID?.self) else { return nil }
            return FeatureRecord(id: id, type: .level, level: nil, body: try row.decode(5, as: TextBytes.self).bytes)
        }
        return StagedDifference(
            base: try row.decode(1, as: Int64?.self) ?? 0, digest: digest,
            storedFacts: try row.decode(3), storedContested: try row.decode(6), levels: levels)
    }

    /// Passes the changes of a staged or rejected upload to a closure, by id: none if they are not stored any more, or if its difference
    /// is another one by now.
    ///
    /// - Parameters:
    ///   - levels: As for ``changedBodies(in:from:to:levels:after:page:_:)``.
    ///   - after: Only features with a greater id.
    /// - Returns: Whether there are no further changes.
    @discardableResult
    package func stagedChanges(
        of upload: UploadID, showing difference: StagedDifference, levels: [FeatureID?]?, after id: FeatureID?,
        page: ChangePage, withBodies: Bool, _ change: (StagedChange) async throws -> Void
    ) async throws -> Bool {
        let named = levels?.compactMap { $0 }
        let venueWide = levels?.contains(nil) ?? false
        let query: Query = """
            WITH staged AS (
                SELECT staged.*, upload.venue_id, upload.base FROM staged_change AS staged
                JOIN upload ON upload.id = staged.upload_id
                WHERE upload.id = \(upload) AND upload.state IN ('staged', 'rejected') AND upload.base = \(difference.base)
                    AND upload.difference_digest = \(difference.digest)
                    AND (\(named)::uuid[] IS NULL OR level_before = ANY(\(named)) OR level_after = ANY(\(named))
                        OR \(venueWide) AND (kind <> 'added' AND level_before IS NULL
                            OR kind <> 'removed' AND level_after IS NULL))
                    AND (\(id)::uuid IS NULL OR staged.feature_id > \(id))
                ORDER BY staged.feature_id LIMIT \(page.limit.map { Int64($0) + 1 })
            ), page AS (
                SELECT staged.feature_id, staged.kind, staged.feature_type, staged.level_before, staged.level_after,
                    staged.classes, before.body AS before, CASE WHEN \(withBodies) THEN staged.body END AS after,
                    row_number() OVER (ORDER BY staged.feature_id) AS row_index, count(*) OVER () AS count,
                    sum(coalesce(octet_length(before.body), 0) + CASE WHEN \(withBodies)
                        THEN coalesce(octet_length(staged.body), 0) ELSE 0 END) OVER (ORDER BY staged.feature_id) AS running
                FROM staged LEFT JOIN LATERAL (
                    SELECT body FROM feature_version
                    WHERE \(withBodies) AND staged.kind <> 'added'
                        AND venue_id = staged.venue_id AND feature_id = staged.feature_id
                        AND from_revision <= staged.base AND to_revision > staged.base
                        AND staged.base >= (SELECT first_revision FROM venue WHERE id = staged.venue_id)
                    LIMIT 1
                ) AS before ON true
            )
            SELECT feature_id, kind, feature_type, level_before, level_after, classes, before, after, row_index = count FROM page
            WHERE (running <= \(page.bytes) OR row_index = 1) AND row_index <= coalesce(\(page.limit.map(Int64.init)), row_index)
            ORDER BY feature_id
            """
        var isLast = true
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
                isLast = try row.decode(8)
            }
        }
        return isLast
    }
}
