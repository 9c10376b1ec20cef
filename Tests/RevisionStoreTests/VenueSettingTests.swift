import IMDF
import Postgres
import RevisionStore
import SyncModel
import TestSupport
import Testing

@Suite(.database)
struct VenueSettingTests {
    private let workshop = Workshop(store: TestDatabase.current.store)
    private var store: RevisionStore { self.workshop.store }

    private func settings() async throws -> Venue.Settings {
        try await self.store.venue(self.workshop.key).settings
    }

    @Test func `venue settings have the same defaults and choices in the database`() async throws {
        try await self.workshop.enqueue("zip")
        #expect(try await self.settings() == Venue.Settings())
        for setting in VenueSetting.allCases {
            guard case .choice(let names) = setting.values else { continue }
            let definitions = try await self.store.pool.query(
                "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = \("venue_\(setting.rawValue)_check")"
            ).decode(String.self)
            let values = definitions.flatMap { $0.matches(of: /'([a-z]+)'::text/).map { String($0.output.1) } }
            #expect(values == names, "\(setting.rawValue)")
        }
    }

    @Test(
        arguments: [
            (.public, true), (.timeZone, "Asia/Tokyo"), (.identity, "trust"), (.validation, "strict"),
            (.removalGuard, false), (.keepRevisions, 20), (.overrides, "ask"),
            (.appearance, ["colours": ["restaurant": "#ffcc00"], "hidden": ["parking"]]),
            (.embedOrigins, ["https://example.com", "https://*.example.org:8443"]),
            (.wayfinding, ["walk_speed": 1.1, "elevator_seconds": 60]),
            (.basemap, ["style": "https://tiles.example.com/style.json", "attribution": "© Example"]),
        ] as [(VenueSetting, JSONValue)])
    func `venue setting is changed without affecting the others, and reset`(
        setting: VenueSetting, value: JSONValue
    ) async throws {
        try await self.workshop.enqueue("zip")
        let venue = try await self.store.venue(self.workshop.key)
        for new in [value, venue.settings[setting]] {
            var change = SettingsChange()
            change[setting] = new
            try await self.store.change(change, of: venue, by: .ops)
            let settings = try await self.settings()
            for other in VenueSetting.allCases {
                #expect(settings[other] == (other == setting ? new : venue.settings[other]), "\(other.rawValue)")
            }
        }
    }
}
