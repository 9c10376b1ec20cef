import Foundation
import IMDF
import SampleVenue
import Testing
import VenueMap

@Suite struct SearchTests {
    private static let map = VenueMap([
        .init(1, .level, ["ordinal": 2, "short_name": ["en": "L2", "ja": "２階"]]),
        .init(10, .occupant, on: 1, ["name": ["en": "Café Crème", "ja": "カフェ・クレーム"], "category": "restaurant"]),
        .init(11, .occupant, on: 1, ["name": ["ja": "ｶﾌｪ"], "anchor_id": Make.id(20)]),
        .init(12, .occupant, on: 1, ["name": "THE COFFEE Straße", "category": "foodservice.coffee"]),
        .init(13, .occupant, ["name": ["en": "Internetcafe"], "validity": ["start": "2031-01-01T00:00:00+09:00"]]),
        .init(14, .unit, on: 1, ["name": ["ja": "カフェ"], "alt_name": ["en": "Coffee corner"]]),
        .init(15, .occupant, ["name": ["ja": "ガスト"]]),
        .init(16, .occupant, ["name": ["ja": "カスト"]]),
        .init(17, .amenity, touching: [1, 2], ["category": "restroom.female"], geometry: Make.point(1, 2)),
        .init(20, .anchor, on: 1, geometry: Make.point(139.7, 35.6)),
    ])

    private func ids(_ text: String) -> [UInt64] { Self.map.search(text).map(\.id.low) }

    @Test(arguments: ["カフェ", "ｶﾌｪ", "かふぇ", " カフェ "])
    func `search ignores kana and width`(text: String) {
        #expect(self.ids(text) == [14, 11, 10])
        #expect(Self.map.search(text).map(\.match) == [.exact, .exact, .prefix])
    }

    @Test func `search distinguishes voiced kana`() {
        #expect(self.ids("がすと") == [15])
        #expect(self.ids("ｶﾞｽﾄ") == [15])
        #expect(self.ids("かすと") == [16])
    }

    @Test func `search ignores case, accents and punctuation, and better matches come first`() {
        #expect(self.ids("CAFE") == [10, 13])
        #expect(Self.map.search("CAFE").map(\.match) == [.prefix, .substring])
        #expect(self.ids("cafe creme") == [10])
        #expect(self.ids("crem caf") == [10])
        #expect(self.ids("strasse") == [12])
        #expect(self.ids("coffee") == [14, 12])
        #expect(self.ids("カフェクレーム") == [])
        #expect(self.ids("カフェ クレーム") == [10])
        #expect(self.ids("・!") == [])
        #expect(self.ids("restroom female") == [17])
        #expect(self.ids("2") == [1])
        #expect(self.ids("2階") == [1])
    }

    @Test func `a search result has what a list and a map show`() throws {
        let result = try #require(Self.map.search("ｶﾌｪ", types: [.occupant]).first)
        #expect(result.id == FeatureID(11))
        #expect(result.level == FeatureID(1))
        #expect(result.ordinal == 2)
        #expect(result.point?.position == Position(longitude: 139.7, latitude: 35.6))
        #expect(result.point?.rule == .anchor)
        #expect(result.text == "ｶﾌｪ")
        #expect(Self.map.search("cafe", on: FeatureID(1)).map(\.id.low) == [10])
        #expect(Self.map.search("restroom", on: FeatureID(1)).map(\.id.low) == [17])
        #expect(Self.map.search("cafe", limit: 1).count == 1)
        #expect(Self.map.search("cafe", limit: -1).isEmpty)
        let before = try Date("2030-12-31T14:59:59Z", strategy: .iso8601)
        #expect(Self.map.search("cafe", at: before).map(\.id.low) == [10])
        #expect(Self.map.search("cafe", at: before + 1).map(\.id.low) == [10, 13])
    }

    @Test func `search in a cancelled task ends early`() async {
        let task = Task { () -> (before: Int, between: Int, after: [VenueMap.SearchResult]) in
            let before = Self.map.search("").count
            var between = 0
            _ = Self.map.search("") { _ in
                between += 1
                if between == 2 { withUnsafeCurrentTask { $0?.cancel() } }
                return true
            }
            return (before, between, Self.map.search("cafe") + Self.map.search("coffee l2", isRelated: true))
        }
        let result = await task.value
        #expect(result.before == 9 && result.between == 2 && result.after.isEmpty)
    }

    @Test(arguments: 0..<5 as Range<UInt64>)
    func `search order does not depend on the order of features`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let entries = Self.map.features.values.map {
            VenueMap.Entry(id: $0.id, type: $0.type, placement: $0.placement, body: $0.body)
        }
        let shuffled = VenueMap(entries.shuffled(using: &random))
        for text in ["c", "カ", "cafe", "o"] { #expect(shuffled.search(text) == Self.map.search(text)) }
    }
}
