import Postgres
package import SyncModel

/// A time zone for a venue for which no operator has chosen one.
package struct TimeZoneProposal: Sendable, Hashable {
    package let name: String
    /// Not `operator`.
    package let source: Venue.TimeZoneSource

    package init(name: String, source: Venue.TimeZoneSource) {
        self.name = name
        self.source = source
    }
}

extension VenueRecord {
    /// Whether a time zone may be proposed: none was set, removed or proposed before.
    package var lacksTimeZone: Bool { self.settings.timeZone == nil && self.timeZoneSource == nil }
}

extension RevisionStore {
    /// Stores a proposed time zone, unless there is one or an operator removed it. The row of the venue is locked, so a concurrent
    /// change of the settings either was committed, and is respected, or is written over the proposal.
    static func propose(_ timeZone: TimeZoneProposal, for venue: VenueRecord, on connection: Connection) async throws {
        _ = try await connection.query(
            """
            UPDATE venue SET time_zone = \(timeZone.name), time_zone_source = \(timeZone.source.rawValue)
            WHERE id = \(venue.id) AND time_zone IS NULL AND time_zone_source IS NULL
            """)
    }
}
