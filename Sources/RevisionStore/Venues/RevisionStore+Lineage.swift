import Postgres
import SyncModel

/// What was found out about the server that a database is on.
package enum Lineage: Hashable, Sendable {
    /// The one that it was on before, in the same history.
    case same
    /// Another one: a copy was restored there, or a replica was promoted. So many venues have another epoch now.
    case renewed(venues: Int)
    /// A replica, whose own lineage nobody asks for: it has no history but its primary's.
    case replica
    /// The server does not tell this role all of it, and the rest is as it was.
    case untold
}

extension RevisionStore {
    /// Looks whether the database is still on the server, and in the history, that it was when somebody looked last, and whether
    /// its rows were written there or loaded from a dump. If it is another one, cursors may lead to revisions that this history has otherwise, and so every venue gets another epoch. Of any number of
    /// processes that look at the same time one does it.
    ///
    /// To be called at every start, and when the connection that waits for notifications was made again: the server at the other
    /// end may be another one by now. Of the primary.
    @discardableResult
    package func settleLineage() async throws -> Lineage {
        let isReplica = try await self.pool.query("SELECT pg_is_in_recovery()").decode(Bool.self)
        guard isReplica == [false] else { return .replica }
        let system = try await self.told("SELECT system_identifier FROM pg_control_system()", as: Int64.self)
        // The first eight digits of a WAL file's name. The control file tells of a new timeline only after a checkpoint.
        let timeline = try await self.told(
            "SELECT ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer", as: Int32.self)
        let renewed: Int? = try await self.pool.transaction { connection in
            // The row is locked: who comes second finds nothing to change.
            let known = try await connection.query(
                """
                SELECT coalesce(\(system) <> coalesce(system_identifier, 0), false)
                        OR coalesce(\(timeline) <> coalesce(timeline, 0), false)
                        OR pg_database.oid::bigint <> coalesce(database_id, 0)
                        OR coalesce(writer_xid <> lineage.xmin, false),
                    writer_xid IS NOT NULL, pg_database.oid::bigint
                FROM lineage, pg_database WHERE datname = current_database() FOR UPDATE OF lineage
                """
            ).decode((Bool, Bool, Int64).self).first
            guard let (isAnother, isMarked, database) = known else { throw StoreError.incompleteDatabase }
            guard isAnother || !isMarked else { return nil }
            _ = try await connection.query(
                """
                UPDATE lineage SET system_identifier = coalesce(\(system), system_identifier),
                    timeline = coalesce(\(timeline), timeline), database_id = \(database),
                    writer_xid = pg_current_xact_id()::xid
                """)
            return isAnother ? try await Self.renewEpochs(on: connection) : nil
        }
        if let renewed { return .renewed(venues: renewed) }
        return system == nil || timeline == nil ? .untold : .same
    }

    /// What a statement says, or nothing when the server will not have it: providers of databases keep such functions to
    /// themselves.
    private func told<Value: PostgresDecodable>(_ query: Query, as type: Value.Type) async throws -> Value? {
        do {
            return try await self.pool.query(query).decode(type).first
        } catch let error as PostgresError where error.kind == .server && !error.isRetryable {
            return nil
        }
    }

    /// How many venues that were.
    private static func renewEpochs(on connection: Connection) async throws -> Int {
        let venues = try await connection.query("UPDATE venue SET epoch = \(Self.freshEpoch) RETURNING id")
            .decode(Int64.self)
        // The venues' rows are locked by now, so the catalogue's, for which their publications wait, may be. The other history
        // may have got further than this one: its numbers are left far behind, so that none comes twice, and neither do its
        // positions, once there are any. How far is chance: the same copy may be restored twice.
        let leap = News.leap * Int64.random(in: 1...4_096)
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

    /// Gives a venue another epoch: its clients look at every level's digest, and fetch what differs.
    ///
    /// - Throws: `venueGone` or `venueReplaced` when it is not the venue any more that the request was about.
    package func renewEpoch(of venue: VenueRecord, by authorization: Authorization) async throws {
        try await self.write(to: venue.key, by: authorization) { connection in
            let renewed = try await connection.query(
                """
                UPDATE venue SET epoch = \(Self.freshEpoch)
                WHERE id = \(venue.id) AND epoch = \(venue.epoch) AND deleted_at IS NULL
                """)
            guard renewed.affected == 1 else { throw try await Self.refusal(toWrite: venue, on: connection) }
            try await Self.tellNews(of: venue.id, on: connection)
        }
    }

    /// 64 bits that nobody has seen, for every row others.
    private static let freshEpoch: Query = "('x' || left(md5(gen_random_uuid()::text), 16))::bit(64)::bigint"
}
