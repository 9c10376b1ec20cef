import SyncModel

/// Tells operators the time zone of a venue unless one of them has chosen it.
enum TimeZoneReport {
    static func print(of venue: VenueKey, at server: ServerConnection) async throws {
        // The venue may have been deleted meanwhile, which is no reason for a command to fail that has done its work.
        guard let venue = try? await server.get(Venue.self, "/venues/\(venue)"), let line = Self.line(of: venue) else {
            return
        }
        Terminal.print(Terminal.plain(line))
    }

    private static func line(of venue: Venue) -> String? {
        let change = "venue set \(venue.venue) time_zone="
        let country = venue.about.country ?? "its country"
        return switch (venue.about.timeZone, venue.timeZoneSource) {
        case (let zone?, .country?): "Time zone: \(zone), the only one of \(country)."
        case (let zone?, .position?):
            "Time zone: \(zone), proposed from the address and the position of the venue. To confirm it: \(change)\(zone)"
        case (nil, nil): "Time zone: none, so opening hours are not evaluated. To set it: \(change)Area/City"
        case (_, .operator?), (_?, nil), (nil, _?): nil
        }
    }
}
