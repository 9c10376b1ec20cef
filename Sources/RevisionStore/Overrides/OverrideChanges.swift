package import IMDF
package import IMDFDiff
import Postgres
import SyncModel

/// The overrides that hold in a revision, and the number by which a later change of them is noticed.
package struct OverrideSet: Sendable {
    /// `override_number` of the venue, read before the overrides.
    package var number: Int64
    package var overrides: [Override]

    package init(number: Int64 = 0, overrides: [Override] = []) {
        self.number = number
        self.overrides = overrides
    }
}

/// What a publication, an upload without changes or a decision changes about the overrides of a venue.
package struct OverrideChanges: Sendable {
    /// The number of the set that the changes were computed from.
    package var basedOn: Int64
    /// Overrides that do not hold any more.
    package var ended: [FeatureID]
    /// New overrides, and overrides of which anything changes.
    package var written: [Override]

    package init(basedOn: Int64, ended: [FeatureID] = [], written: [Override] = []) {
        self.basedOn = basedOn
        self.ended = ended
        self.written = written
    }

    package var isEmpty: Bool { self.ended.isEmpty && self.written.isEmpty }
}

extension RevisionStore {
    /// `to_revision` of what holds now, as text: only a statement with the literal can use a partial index.
    static let current: Query = "to_revision = 9223372036854775807"

    /// Writes changes of overrides that hold from a revision on: from the next one, or in place of those of the newest one.
    ///
    /// The venue's row is locked by this statement, or was before.
    ///
    /// - Throws: `headMoved` if the overrides were changed since the changes were computed.
    static func write(
        _ changes: OverrideChanges, at number: Int64, of venue: Int64, on connection: Connection
    ) async throws {
        let counted = try await connection.query(
            """
            UPDATE venue SET override_number = override_number + \(changes.isEmpty ? Int64(0) : 1)
            WHERE id = \(venue) AND override_number = \(changes.basedOn)
            """)
        guard counted.affected == 1 else { throw StoreError.headMoved }
        try await Self.end(changes.ended + changes.written.map(\.id), at: number, of: venue, on: connection)
        try await Self.insert(changes.written, from: number, of: venue, on: connection)
    }

    /// Ends overrides with the revision before; those that began with this one disappear.
    private static func end(
        _ ids: [FeatureID], at number: Int64, of venue: Int64, on connection: Connection
    ) async throws {
        guard !ids.isEmpty else { return }
        let lookup: Query = """
            SELECT ctid AS tid FROM feature_override
            WHERE venue_id = \(venue) AND id = wanted.id AND to_revision = \(Self.unended)
            """
        let rows: Query = "ctid = ANY(ARRAY(SELECT tid FROM \(Self.lookup(of: ids, lookup))))"
        _ = try await connection.query("DELETE FROM feature_override WHERE \(rows) AND from_revision >= \(number)")
        _ = try await connection.query("UPDATE feature_override SET to_revision = \(number) WHERE \(rows)")
    }

    private static func insert(
        _ overrides: [Override], from number: Int64, of venue: Int64, on connection: Connection
    ) async throws {
        guard !overrides.isEmpty else { return }
        _ = try await connection.copyIn(
            """
            COPY feature_override (venue_id, id, from_revision, feature_id, pointer, feature_type, feature_name, level_id, base,
                value, source, state, orphaned_at, author, message, made_at, expires_at, covered) FROM STDIN (FORMAT binary)
            """
        ) { writer in
            for override in overrides.sorted(by: { $0.id < $1.id }) {
                try await writer.row(
                    venue, override.id, number, override.feature, override.pointer.description,
                    override.witness.type.rawValue, override.witness.name.map(TextBytes.init), override.level,
                    override.base.map(TextBytes.init), override.value.map(TextBytes.init),
                    override.source.map(TextBytes.init), override.state.rawValue, override.orphanedAt, override.author,
                    override.message, override.since, override.until, try CoveredOverride.text(of: override))
            }
        }
    }

    /// Lets the overrides of an earlier revision hold again.
    static func restoreOverrides(
        of venue: Int64, to restored: Int64, as number: Int64, on connection: Connection
    ) async throws {
        let ended = try await connection.query(
            """
            UPDATE feature_override SET to_revision = \(number)
            WHERE venue_id = \(venue) AND to_revision > \(number) AND (from_revision < \(number)) IS TRUE
                AND \(Self.overridesByToRevision)
            """)
        let restoredRows = try await connection.query(
            """
            INSERT INTO feature_override (venue_id, id, from_revision, feature_id, pointer, feature_type, feature_name,
                level_id, base, value, source, state, orphaned_at, author, message, made_at, expires_at, covered)
            SELECT venue_id, id, \(number), feature_id, pointer, feature_type, feature_name, level_id, base, value, source,
                state, orphaned_at, author, message, made_at, expires_at, covered
            FROM feature_override
            WHERE venue_id = \(venue) AND \(Self.holds(at: restored)) AND \(Self.overridesByToRevision)
            """)
        guard ended.affected + restoredRows.affected > 0 else { return }
        _ = try await connection.query(
            "UPDATE venue SET override_number = override_number + 1 WHERE id = \(venue)")
    }

    /// Changes overrides without a new revision, because no feature changes.
    ///
    /// - Throws: `headMoved` if a revision was published or an override changed since the changes were computed.
    package func amend(
        _ changes: OverrideChanges, in venue: VenueRecord, recording request: EditRecord? = nil,
        by authorization: Authorization
    ) async throws {
        _ = try await self.withPublication(in: venue) { connection in
            try await Self.check(authorization, on: connection)
            try await Self.lockHead(of: venue, on: connection)
            try await Self.write(changes, at: venue.head, of: venue.id, on: connection)
            if let request { try await Self.record(request, of: venue.id, on: connection) }
            return venue.head
        }
    }

    /// Locks the venue's row if its head is still that of the record.
    static func lockHead(of venue: VenueRecord, on connection: Connection) async throws {
        let rows = try await connection.query(
            """
            SELECT FROM venue WHERE id = \(venue.id) AND head = \(venue.head) AND epoch = \(venue.epoch)
                AND deleted_at IS NULL
            FOR UPDATE
            """)
        guard !rows.isEmpty else { throw StoreError.headMoved }
    }
}
