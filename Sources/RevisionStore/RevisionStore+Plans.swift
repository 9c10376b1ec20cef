import IMDF
package import Postgres

/// How statements are written so that each has one good plan, whatever statistics the planner has.
///
/// Without statistics, or with those of the day on which a plan was cached, a wrong index may have a slightly lower estimated cost.
/// So indexes are partial with conditions that hold for every row that is looked for, and a statement selects the index that it may use
/// by repeating its condition. What is looked up row by row is looked up in a lateral subquery with `OFFSET 0`, which is never turned into a join of
/// whole tables (`feature_id = ANY(ids)` would become a filter over the whole venue while the planner assumes that it has few rows).
/// Rows to change are found in the same way and then changed by their `ctid`, while the venue's row is locked.
extension RevisionStore {
    /// Selects the index by `to_revision`: for versions that hold at a revision, or that were superseded between two revisions.
    static let byToRevision: Query = "depth >= 0"
    /// Selects the index by `from_revision`, for versions that began after some revision. It does not have those of the first revision,
    /// so that a first import writes fewer index entries.
    static let byFromRevision: Query = "from_revision > 1"
    /// Selects the index of level states by revision.
    static let byRevision: Query = "revision > 0"
    /// Selects the index of a venue's revisions by catalogue position.
    static let byPosition: Query = "position > 0"

    /// Selects the index of overrides by `to_revision`.
    static let overridesByToRevision: Query = "octet_length(pointer) >= 0"

    /// The condition for versions that hold at a revision, for ``byToRevision``: `IS TRUE` keeps the other bound from being used for an index.
    static func holds(at number: Int64) -> Query {
        "to_revision > \(number) AND (from_revision <= \(number)) IS TRUE"
    }

    /// Runs a lookup for each of some feature ids, with one row for each row that it finds.
    static func lookup(of ids: [FeatureID], _ lookup: Query) -> Query {
        "unnest(\(ids)) AS wanted (id) CROSS JOIN LATERAL (\(lookup) OFFSET 0) AS found"
    }

    /// The condition for the aliases among some ids, which are changed while the venue's row is locked.
    static func aliases(_ ids: [FeatureID], of venue: Int64) -> Query {
        let lookup: Query = "SELECT ctid AS tid FROM feature_alias WHERE venue_id = \(venue) AND alias = wanted.id"
        return "ctid = ANY(ARRAY(SELECT tid FROM \(Self.lookup(of: ids, lookup))))"
    }

    /// The version of a feature that began with a revision, for a lateral join.
    static func version(_ columns: Query, of venue: Int64, _ feature: Query, from revision: Query) -> Query {
        """
        SELECT \(columns) FROM feature_version
        WHERE venue_id = \(venue) AND feature_id = \(feature) AND from_revision = \(revision) OFFSET 0
        """
    }

    /// The rows of several statements, concatenated.
    static func union(_ parts: [Query]) -> Query {
        parts.dropFirst().reduce(parts.first ?? "") { "\($0) UNION ALL \($1)" }
    }
}

extension RevisionStore {
    /// The number of new versions from which an import is followed by `ANALYZE`.
    package static let largeImport = 2_000

    /// Updates the statistics of the large tables, which autovacuum would do some time after an import.
    package func analyze() async throws {
        try await self.pool.withConnection { try await $0.execute(Self.analyze) }
    }

    /// Has no effect for a role that does not own the tables.
    static let analyze = "ANALYZE feature_version, level_state, revision, feature_alias, upload"
}

extension ConnectionConfiguration {
    /// The configuration for a store: no sequential scans, a timeout for locks, a timeout for transactions whose client does not
    /// continue, and the end of a statement whose client is gone: what a killed process locked is free again within a second.
    ///
    /// - Parameter lockTimeout: How long a statement waits for a lock.
    package func forStore(lockTimeout: Duration = .seconds(3)) -> ConnectionConfiguration {
        var configuration = self
        configuration.settings = [
            "enable_seqscan": "off", "jit": "off", "lock_timeout": "\(Int(lockTimeout / .milliseconds(1)))",
            "idle_in_transaction_session_timeout": "60000", "client_connection_check_interval": "1000",
        ]
        return configuration
    }
}
