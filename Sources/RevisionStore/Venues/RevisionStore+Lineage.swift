import Postgres
import SyncModel

/// The result of comparing the server of a database with the one on which it was last seen.
package enum LineageCheck: Hashable, Sendable {
    /// The same server and timeline.
    case unchanged
    /// Another server, or rows of a dump: a copy was restored. The epochs of that many venues were renewed, and no cursor stays valid.
    case renewed(venues: Int)
    /// A later timeline of the same server: a replica was promoted. The epochs of that many venues were renewed. Cursors stay valid
    /// unless they name a revision that was lost.
    case promoted(venues: Int)
    /// The server is a replica, which has the lineage of its primary.
    case replica
    /// The database role may not read all of the lineage, and the rest is unchanged.
    case unknown
}

extension RevisionStore {
    /// Checks whether the database is still on the server and the timeline on which it was last seen, and whether its rows were
    /// written there or loaded from a dump. If not, cursors may name revisions that differ in this history, so every venue gets
    /// another epoch. Of several processes that check at the same time, one renews the epochs.
    ///
    /// After a promotion, cursors of the former epoch stay valid up to the newest revision that exists now. This is right only because
    /// nothing is published on a timeline before this check has seen it; see ``isOfKnownTimeline``.
    ///
    /// To be called for the primary at every start, when the connection for notifications was made again, and when a statement has
    /// found an unknown timeline.
    @discardableResult
    package func checkLineage() async throws -> LineageCheck {
        let isReplica = try await self.pool.query("SELECT pg_is_in_recovery()").decode(Bool.self)
        guard isReplica == [false] else { return .replica }
        let system = try await self.ifPermitted("SELECT system_identifier FROM pg_control_system()", as: Int64.self)
        let timeline = try await self.pool.query("SELECT server_timeline()").decode(Int32?.self).first ?? nil
        let outcome: LineageCheck? = try await self.pool.transaction { connection in
            // The row is locked: a second process finds nothing to change.
            let known = try await connection.query(
                """
                SELECT coalesce(\(system) <> coalesce(system_identifier, 0), false)
                        OR pg_database.oid::bigint <> coalesce(database_id, 0)
                        OR coalesce(writer_xid <> lineage.xmin, false),
                    coalesce(\(timeline) <> coalesce(timeline, 0), false),
                    coalesce(\(timeline) > timeline AND \(system) = system_identifier, false),
                    writer_xid IS NOT NULL, pg_database.oid::bigint
                FROM lineage, pg_database WHERE datname = current_database() FOR UPDATE OF lineage
                """
            ).decode((Bool, Bool, Bool, Bool, Int64).self).first
            guard let (isCopy, isOtherTimeline, isLater, hasWriter, database) = known else {
                throw StoreError.incompleteDatabase
            }
            let isOther = isCopy || isOtherTimeline
            guard isOther || !hasWriter else { return nil }
            _ = try await connection.query(
                """
                UPDATE lineage SET system_identifier = coalesce(\(system), system_identifier),
                    timeline = coalesce(\(timeline), timeline), database_id = \(database),
                    writer_xid = pg_current_xact_id()::xid
                """)
            guard isOther else { return nil }
            // Whenever anything else differs, it is not certain that this is a prefix of the known history.
            let isPromotion = !isCopy && isLater && hasWriter
            let venues = try await Self.renewEpochs(afterPromotion: isPromotion, on: connection)
            return isPromotion ? .promoted(venues: venues) : .renewed(venues: venues)
        }
        if let outcome { return outcome }
        return system == nil || timeline == nil ? .unknown : .unchanged
    }

    /// The result of a statement, or nil if the server refuses it: database providers restrict such functions.
    private func ifPermitted<Value: PostgresDecodable>(_ query: Query, as type: Value.Type) async throws -> Value? {
        do {
            return try await self.pool.query(query).decode(type).first
        } catch let error as PostgresError where error.kind == .server && !error.isRetryable {
            return nil
        }
    }

    /// Whether the server writes to the timeline on which the database was last seen. A promotion that was not noticed yet makes it
    /// false: nothing is published or shown before the epochs are renewed. True on a standby.
    static let isOfKnownTimeline: Query = "coalesce((SELECT server_timeline() = timeline FROM lineage), true)"

    /// The row of `lineage` as text. A promotion and a restore write this row, and only a replica has the same one.
    static let lineageText: Query =
        "(SELECT concat_ws(' ', system_identifier, timeline, database_id, writer_xid) FROM lineage)"

    /// - Parameter afterPromotion: Whether the revisions that exist are those of the former epochs.
    /// - Returns: The number of venues.
    private static func renewEpochs(afterPromotion: Bool, on connection: Connection) async throws -> Int {
        let venues = try await connection.query(
            """
            UPDATE venue SET epoch = \(Self.randomEpoch), former_epochs = CASE WHEN \(afterPromotion) THEN
                (former_epochs || ARRAY[epoch, head])[cardinality(former_epochs) + 3 - \(Int32(2 * FormerEpoch.limit)) : ]
                ELSE '{}' END
            RETURNING id
            """
        ).decode(Int64.self)
        // The venues' rows are locked by now, so the catalogue's row, for which their publications wait, may be locked. The other
        // history may be ahead of this one: its numbers are left far behind, so that none is used twice, and so are its positions,
        // unless there are none. The distance is random, because the same copy may be restored twice.
        let leap = CatalogueChanges.leap * Int64.random(in: 1...4_096)
        _ = try await connection.pipeline([
            """
            WITH catalogue AS (UPDATE catalogue SET change_number = change_number + \(leap) + \(Int64(venues.count)),
                    key_change_number = change_number + \(leap),
                    position = CASE WHEN position = 0 THEN 0 ELSE position + \(leap) END
                RETURNING change_number, position, chain_hash),
            recorded_position AS (INSERT INTO catalogue_position (position, chain_hash)
                SELECT position, chain_hash FROM catalogue ON CONFLICT DO NOTHING)
            UPDATE venue SET change_number = catalogue.change_number + 1 - numbered.number
            FROM catalogue, unnest(\(venues)) WITH ORDINALITY AS numbered (id, number) WHERE venue.id = numbered.id
            """,
            "SELECT pg_notify(\(Channel.change), '')::text",
        ])
        return venues.count
    }

    /// Gives a venue another epoch: its clients compare the digest of every level, and fetch what differs.
    ///
    /// - Throws: `venueGone` or `venueReplaced` if the venue was deleted or replaced since the request arrived.
    package func renewEpoch(of venue: VenueRecord, by authorization: Authorization) async throws {
        try await self.write(to: venue.key, by: authorization) { connection in
            let renewed = try await connection.query(
                """
                UPDATE venue SET epoch = \(Self.randomEpoch), former_epochs = '{}'
                WHERE id = \(venue.id) AND epoch = \(venue.epoch) AND deleted_at IS NULL
                """)
            guard renewed.affected == 1 else { throw try await Self.writeError(for: venue, on: connection) }
            try await Self.recordChange(of: venue.id, on: connection)
        }
    }

    /// 64 random bits, different for every row.
    private static let randomEpoch: Query = "('x' || left(md5(gen_random_uuid()::text), 16))::bit(64)::bigint"
}
