import IMDF
package import Postgres

/// How statements are written so that each has one good plan, whatever the planner knows of the tables.
///
/// An index that is not the one a statement needs can look better by a hair while nothing was analysed, or on the day when the plan
/// was made and kept. So indexes are partial by conditions that hold for every row, and a statement names the one that it may use by
/// repeating its condition; what is looked up row by row is looked up in a lateral subquery with `OFFSET 0`, which is never turned
/// into a join of whole tables (`feature_id = ANY(ids)` would be a filter over the whole venue while the planner takes it for a few
/// rows); and rows to change are found in the same way and then changed by their `ctid`, under the lock of the venue's row.
extension RevisionStore {
    /// Versions by the revision that they end with: those that hold at a revision, or that were superseded between two.
    static let byEnd: Query = "generation >= 0"
    /// Versions by the revision that they begin with.
    static let byBeginning: Query = "to_revision > from_revision"
    /// Level states by the revision that made them.
    static let byRevision: Query = "revision > 0"
    /// Revisions of a venue by their position among those of all venues.
    static let byPosition: Query = "position > 0"

    /// The versions that hold at a revision, by ``byEnd``: the other bound is not for an index.
    static func hold(at number: Int64) -> Query {
        "to_revision > \(number) AND (from_revision <= \(number)) IS TRUE"
    }

    /// What a statement over the ids of features says of each, one row for each row that it finds.
    static func each(of ids: [FeatureID], _ lookup: Query) -> Query {
        "unnest(\(ids)) AS wanted (id) CROSS JOIN LATERAL (\(lookup) OFFSET 0) AS found"
    }

    /// The aliases among some ids, to be changed while the venue's row is locked.
    static func aliases(_ ids: [FeatureID], of venue: Int64) -> Query {
        let lookup: Query = "SELECT ctid AS tid FROM feature_alias WHERE venue_id = \(venue) AND alias = wanted.id"
        return "ctid = ANY(ARRAY(SELECT tid FROM \(Self.each(of: ids, lookup))))"
    }

    /// The version of a feature that began with a revision, for a lateral join.
    static func version(_ columns: Query, of venue: Int64, _ feature: Query, from revision: Query) -> Query {
        """
        SELECT \(columns) FROM feature_version
        WHERE venue_id = \(venue) AND feature_id = \(feature) AND from_revision = \(revision) OFFSET 0
        """
    }

    /// The rows of several statements, one after the other.
    static func union(_ parts: [Query]) -> Query {
        parts.dropFirst().reduce(parts.first ?? "") { "\($0) UNION ALL \($1)" }
    }
}

extension RevisionStore {
    /// From so many new versions on, what the planner knows of the tables is brought up to date at once.
    package static let largeImport = 2_000

    /// Brings what the planner knows of the large tables up to date, as the server does by itself some time after an import.
    package func analyze() async throws {
        try await self.pool.withConnection { try await $0.execute(Self.analyze) }
    }

    /// Only the owner of the tables may; for anybody else it does nothing.
    static let analyze = "ANALYZE feature_version, level_state, revision, feature_alias, upload"
}

extension ConnectionConfiguration {
    /// For the statements of a store: none of them is meant to read a table from end to end, none waits long for a row that
    /// somebody else holds, and a transaction whose owner went silent does not hold its rows for ever.
    ///
    /// - Parameter lockTimeout: For how long a statement waits for a row.
    package func forStore(lockTimeout: Duration = .seconds(3)) -> ConnectionConfiguration {
        var configuration = self
        configuration.settings = [
            "enable_seqscan": "off", "jit": "off", "lock_timeout": "\(Int(lockTimeout / .milliseconds(1)))",
            "idle_in_transaction_session_timeout": "60000",
        ]
        return configuration
    }
}
