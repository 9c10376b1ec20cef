import Foundation
import HTTPTypes
import IMDF
import Ingestion
import SyncModel
import TestSupport
import Testing

/// Edits with an end over values that were edited before.
@Suite(.server)
struct CoveredOverrideTests {
    private static let shop = EditedVenue.shop
    private static let start = Date().addingTimeInterval(86_400)
    private static let kiosk: JSONValue = Handmade.feature(
        20, .unit, ["category": "room", "level_id": Handmade.reference(EditedVenue.level)],
        geometry: Handmade.square(0.0003))

    /// A time in the future.
    private static func time(_ hours: Double) -> Date { Self.start.addingTimeInterval(hours * 3_600) }

    private static func until(_ hours: Double) -> String { "?until=\(Timestamp.text(of: Self.time(hours)))" }

    private static func end(_ hours: Double) async throws {
        try await Harness.current.worker.endExpiredOverrides(at: Self.time(hours))
    }

    private static var hours: JSONValue? {
        get async throws { try await Harness.current.properties(Self.shop)?["hours"] }
    }

    @Test func `closure over edited hours ends with the edited hours`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        #expect(try await harness.patch(Self.shop, ["hours": "24/7"], "?message=Always").status == .created)
        let edited = try #require(try await harness.overrides().first)
        #expect(try await harness.patch(Self.shop, ["hours": "off"], Self.until(2)).status == .created)
        let closed = try #require(try await harness.overrides().first)
        #expect(closed.id != edited.id && closed.covered.map(\.id) == [edited.id] && closed.value == "off")
        #expect(closed.covered.map(\.value) == ["24/7"] && closed.covered.map(\.message) == ["Always"])
        try await Self.end(1)
        #expect(try await Self.hours == "off")
        try await Self.end(2)
        #expect(try await Self.hours == "24/7")
        let restored = try await harness.overrides()
        #expect(restored.map(\.id) == [edited.id] && restored.allSatisfy { $0.covered.isEmpty && $0.until == nil })
        #expect(restored.map(\.message) == ["Always"] && restored.map(\.level) == [edited.level])
        #expect(try await harness.head == 4)
        _ = try await harness.verifiedReplica()
    }

    @Test func `closure whose value the source has keeps edited hours for afterwards`() async throws {
        let harness = Harness.current
        var venue = EditedVenue()
        venue.set("hours", of: Self.shop, to: "off")
        try await harness.push(venue.archive())
        #expect(try await harness.patch(Self.shop, ["hours": "24/7"]).status == .created)
        #expect(try await harness.patch(Self.shop, ["hours": "off"], Self.until(1)).status == .created)
        #expect(try await Self.hours == "off")
        #expect(try await harness.push(venue.archive(), query: "?message=again").overrides == .init(quiet: 1))
        try await Self.end(1)
        #expect(try await Self.hours == "24/7")
    }

    @Test func `language that was added by hand comes back after an edit that removes it for a time`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        let name: JSONValue? = try await harness.properties(Self.shop)?["name"]
        #expect(try await harness.patch(Self.shop, ["name": ["fr": "Boutique"]]).status == .created)
        let added = try #require(try await harness.overrides().first)
        #expect(try await harness.patch(Self.shop, ["name": ["fr": .null]], Self.until(2)).status == .created)
        #expect(try await harness.properties(Self.shop)?["name"] == name)
        // Other languages do not end what waits.
        #expect(try await harness.patch(Self.shop, ["name": ["de": "Laden"]]).status == .created)
        let removed = try #require(try await harness.overrides().first { $0.pointer == "/properties/name/fr" })
        #expect(removed.value == nil && removed.covered.map(\.id) == [added.id])
        try await Self.end(2)
        #expect(try await harness.properties(Self.shop)?["name"]?["fr"] == "Boutique")
        #expect(try await harness.properties(Self.shop)?["name"]?["de"] == "Laden")
        #expect(try await harness.overrides().contains { $0.id == added.id && $0.covered.isEmpty })
    }

    @Test func `covered override is compared with every upload`() async throws {
        let harness = Harness.current
        var venue = EditedVenue()
        try await harness.push(venue.archive())
        _ = try await harness.patch(Self.shop, ["hours": "24/7"])
        _ = try await harness.patch(Self.shop, ["hours": "off"], Self.until(1))
        // The source says what the closure says. That is not the end of the closure, because the edit would hold at once.
        venue.set("hours", of: Self.shop, to: "off")
        #expect(try await harness.push(venue.archive()).overrides == .init(quiet: 1))
        #expect(try await Self.hours == "off")
        // The source says what the edit says, which is not needed any more.
        venue.set("hours", of: Self.shop, to: "24/7")
        #expect(try await harness.push(venue.archive()).overrides == .init(contested: 1))
        #expect(try await harness.overrides().map(\.covered.count) == [0])
        #expect(try await Self.hours == "off")
        try await Self.end(1)
        #expect(try await Self.hours == "24/7")
        #expect(try await harness.overrides().isEmpty)
    }

    @Test func `restored override is contested if the source has changed meanwhile`() async throws {
        let harness = Harness.current
        var venue = EditedVenue()
        try await harness.push(venue.archive())
        _ = try await harness.patch(Self.shop, ["hours": "24/7"])
        _ = try await harness.patch(Self.shop, ["hours": "off"], Self.until(1))
        venue.set("hours", of: Self.shop, to: "Sa 10:00-20:00")
        #expect(try await harness.push(venue.archive()).overrides == .init(contested: 1))
        try await Self.end(1)
        let entry = try #require(try await harness.overrides().first)
        #expect(entry.state == .contested && entry.value == "24/7" && entry.source == "Sa 10:00-20:00")
        #expect(entry.base == "Mo-Su 10:00-20:00")
    }

    @Test func `edits with ends hold one after the other, and one without an end replaces them`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        _ = try await harness.patch(Self.shop, ["hours": "24/7"])
        _ = try await harness.patch(Self.shop, ["hours": "Sa 10:00-20:00"], Self.until(3))
        _ = try await harness.patch(Self.shop, ["hours": "Su 10:00-20:00"], Self.until(1))
        _ = try await harness.patch(Self.shop, ["hours": "off"], Self.until(2))
        // The one that ends before the newest one does not come back.
        try await Self.end(2)
        #expect(try await Self.hours == "Sa 10:00-20:00")
        #expect(try await harness.head == 6)
        _ = try await harness.patch(Self.shop, ["hours": "off"], Self.until(2.5))
        // Several ends at once are one revision.
        try await Self.end(4)
        #expect(try await Self.hours == "24/7")
        #expect(try await harness.head == 8)
        _ = try await harness.patch(Self.shop, ["hours": "off"], Self.until(5))
        _ = try await harness.patch(Self.shop, ["hours": "Fr 10:00-20:00"])
        #expect(try await harness.overrides().map(\.covered.count) == [0])
        try await Self.end(9)
        #expect(try await Self.hours == "Fr 10:00-20:00")
    }

    @Test func `decision for the source, or its end, also ends what an override covers`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        _ = try await harness.patch(Self.shop, ["hours": "24/7"])
        _ = try await harness.patch(Self.shop, ["hours": "off"], Self.until(1))
        let entry = try #require(try await harness.overrides().first)
        #expect(try await harness.send(.delete, "/venues/mall/overrides/\(entry.id)").status == .created)
        #expect(try await Self.hours == "Mo-Su 10:00-20:00")
        #expect(try await harness.overrides().isEmpty)
    }

    @Test func `removal of a name for a time covers the edits of its languages`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        _ = try await harness.patch(Self.shop, ["name": ["ja": "くつ", "fr": "Souliers"]])
        _ = try await harness.patch(Self.shop, ["name": .null], Self.until(1) + "&force=true")
        #expect(try await harness.overrides().map(\.covered.count) == [2])
        _ = try await harness.patch(Self.shop, ["name": ["en": "Sale"]], Self.until(0.5))
        try await Self.end(0.5)
        #expect(try await harness.properties(Self.shop)?["name"]?.isNull != false)
        try await Self.end(1)
        #expect(try await harness.properties(Self.shop)?["name"] == ["en": "Shoes", "fr": "Souliers", "ja": "くつ"])
        #expect(try await harness.overrides().count == 2)
    }

    @Test func `closure of an added feature ends without the feature, and later edits hold beyond it`() async throws {
        let harness = Harness.current
        let venue = EditedVenue()
        try await harness.push(venue.archive())
        #expect(try await harness.edit([["add": Self.kiosk]]).status == .created)
        #expect(try await harness.patch(20, ["name": ["en": "Closed"]], Self.until(1)).status == .created)
        #expect(try await harness.patch(20, ["alt_name": ["en": "Kiosk"]]).status == .created)
        #expect(try await harness.push(venue.archive(), query: "?message=again").overrides == .init(quiet: 1))
        try await Self.end(1)
        let properties = try #require(try await harness.properties(20))
        #expect(properties["name"]?.isNull != false && properties["alt_name"] == ["en": "Kiosk"])
        #expect(try await harness.overrides().map(\.kind) == [.added])
    }

    @Test func `added feature that is hidden for a time comes back`() async throws {
        let harness = Harness.current
        let venue = EditedVenue()
        try await harness.push(venue.archive())
        _ = try await harness.edit([["add": Self.kiosk]])
        let until: JSONValue = ["until": .string(Timestamp.text(of: Self.time(1)))]
        #expect(try await harness.edit([["hide": Handmade.reference(20)]], until).status == .created)
        #expect(try await harness.properties(20) == nil)
        #expect(try await harness.push(venue.archive(), query: "?message=again").overrides == .init(quiet: 1))
        try await Self.end(1)
        #expect(try await harness.properties(20)?["category"] == "room")
        #expect(try await harness.edit([["hide": Handmade.reference(20)]], until).status == .created)
        #expect(try await harness.edit([["show": Handmade.reference(20)]]).status == .created)
        #expect(try await harness.properties(20)?["category"] == "room")
    }

    @Test func `edit that more than five edits would wait for is refused`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        for number in 0..<5 {
            let until = Self.until(10 - Double(number))
            #expect(
                try await harness.patch(Self.shop, ["phone": .string("+8131234567\(number)")], until).status == .created
            )
        }
        try await harness.patch(Self.shop, ["phone": "+81312345679"], Self.until(1)).problem(422)
        #expect(try await harness.patch(Self.shop, ["phone": "+81312345679"], Self.until(8)).status == .created)
    }
}
