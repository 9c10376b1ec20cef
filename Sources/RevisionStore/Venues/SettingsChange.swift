import Postgres

/// The settings that a request names. All others stay as they are when the change is written, whatever they are by then.
package struct SettingsChange: Sendable, Hashable {
    package var `public`: Bool?
    package var validation: String?
    package var identity: String?
    package var removalGuard: Bool?
    /// `.some(nil)` resets it.
    package var timeZone: String??
    /// `.some(nil)` resets it.
    package var keepRevisions: Int??

    package init() {}
}

extension RevisionStore {
    /// Changes settings of a venue.
    ///
    /// - Throws: `venueGone` or `venueReplaced` when it is not the venue any more that the request was about.
    package func change(
        _ change: SettingsChange, of venue: VenueRecord, by authorization: Authorization
    ) async throws {
        let (timeZone, keepRevisions) = (change.timeZone, change.keepRevisions)
        try await self.write(to: venue.key, by: authorization) { connection in
            let changed = try await connection.query(
                """
                UPDATE venue SET public = coalesce(\(change.public), public),
                    validation = coalesce(\(change.validation), validation),
                    identity = coalesce(\(change.identity), identity),
                    removal_guard = coalesce(\(change.removalGuard), removal_guard),
                    time_zone = CASE WHEN \(timeZone != nil) THEN \(timeZone ?? nil) ELSE time_zone END,
                    keep_revisions = CASE WHEN \(keepRevisions != nil)
                        THEN \((keepRevisions ?? nil).map(Int32.init(clamping:))) ELSE keep_revisions END
                WHERE id = \(venue.id) AND epoch = \(venue.epoch) AND deleted_at IS NULL
                """)
            guard changed.affected == 1 else { throw try await Self.refusal(toWrite: venue, on: connection) }
            try await Self.tellNews(of: venue.id, on: connection)
        }
    }
}
