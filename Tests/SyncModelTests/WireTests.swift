import Foundation
import IMDF
import SyncModel
import Testing

struct WireTests {
    private let set = ChangeSet(
        venue: VenueKey("mall")!, from: nil, to: 44, digest: Digest(of: [1]),
        about: .init(language: "ja-JP", timeZone: "Asia/Tokyo", country: nil), isComplete: true,
        cursor: Cursor(epoch: 5, holding: .init(revision: 44, digestPrefix: 3, levels: .all)),
        blocks: [
            .init(
                level: nil, ordinal: nil, kind: .changes, digest: Digest(of: [2]),
                features: [
                    Array(#"{"feature_type":"address","id":"x"}"#.utf8), Array(#"{"a":"],\"removed\":["}"#.utf8),
                ],
                removed: [
                    .init(
                        id: FeatureID(high: 1, low: 2), type: .unit, reason: .moved, movedTo: FeatureID(high: 3, low: 4)
                    ),
                    .init(id: FeatureID(high: 1, low: 3), type: .unit, reason: .moved, movedTo: nil),
                    .init(id: FeatureID(high: 1, low: 4), type: .unit, reason: .deleted, movedTo: nil),
                ]),
            .init(level: FeatureID(high: 7, low: 7), ordinal: -1, kind: .snapshot, isContinued: true, digest: nil),
            .init(level: FeatureID(high: 7, low: 8), ordinal: nil, kind: .gone, digest: nil),
        ])

    @Test func `names of members with more combining marks than any language needs are refused`() throws {
        func document(_ marks: Int) -> Data { Data("{\"a\(String(repeating: "\u{301}", count: marks))\":1}".utf8) }
        #expect(try WireJSON.value(JSONValue.self, from: document(30)).object?.members.count == 1)
        #expect(throws: DecodingError.self) { try WireJSON.value(JSONValue.self, from: document(31)) }
    }

    @Test func `change set survives a round trip through JSON`() throws {
        #expect(try ChangeSet(json: self.set.json()) == self.set)
    }

    @Test func `published_at of a change set is optional, and no value in its place makes a change set invalid`() throws
    {
        var set = self.set
        set.publishedAt = Date(timeIntervalSince1970: 1_775_034_000.125)
        let text = String(decoding: try set.json(), as: UTF8.self)
        #expect(text.contains(#""published_at":"2026-04-01T09:00:00.125Z""#))
        #expect(try ChangeSet(json: Array(text.utf8)) == set)
        for value in ["null", "7", #""yesterday""#] {
            let other = text.replacing(#""2026-04-01T09:00:00.125Z""#, with: value)
            #expect(try ChangeSet(json: Array(other.utf8)) == self.set, "\(value)")
        }
        #expect(try !String(decoding: self.set.json(), as: UTF8.self).contains("published_at"))
    }

    @Test func `change set has every body on a line of its own`() throws {
        let lines = String(decoding: try self.set.json(), as: UTF8.self).split(separator: "\n").map(String.init)
        for body in self.set.blocks.flatMap(\.features).map({ String(decoding: $0, as: UTF8.self) }) {
            #expect(lines.filter { $0 == body || $0 == body + "," }.count == 1)
        }
    }

    @Test func `change set: unknown members are null, and members that do not apply are left out`() throws {
        let text = String(decoding: try self.set.json(), as: UTF8.self)
        let json = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(json["from"] is NSNull && json["protocol"] as? Int == 1 && json["complete"] as? Bool == true)
        #expect((json["about"] as? [String: Any])?["country"] is NSNull)
        let levels = try #require(json["levels"] as? [[String: Any]])
        #expect(levels[0]["level_id"] is NSNull && levels[0]["continued"] == nil)
        #expect(levels[1]["continued"] as? Bool == true && levels[1]["digest"] is NSNull)
        let removed = try #require(levels[0]["removed"] as? [[String: Any]])
        #expect(removed[1]["moved_to"] is NSNull && removed[2]["moved_to"] == nil)
    }

    @Test func `change set: another document is refused`() {
        for text in ["", "{}", "[]", #"{"protocol":2}"#, "nonsense"] {
            #expect(throws: (any Error).self) { try ChangeSet(json: Array(text.utf8)) }
        }
    }

    @Test func `catalogue change set survives a round trip, and every body is a line of its own`() throws {
        var (whole, part, nothing) = (
            CatalogueChangeSet.VenueChanges(self.set), CatalogueChangeSet.VenueChanges(self.set),
            CatalogueChangeSet.VenueChanges(self.set)
        )
        (whole.from, part.isComplete, nothing.blocks) = (41, false, [])
        for venues in [[whole, nothing, part], [nothing], []] {
            let set = CatalogueChangeSet(
                from: venues.isEmpty ? nil : 7, to: 9, isComplete: venues.isEmpty,
                cursor: CatalogueCursor(
                    holding: .init(checkpoint: .init(position: 9, chain: 1), venues: VenueSet([2, 3]))),
                venues: venues, gone: venues.isEmpty ? [] : [VenueKey("old-mall")!])
            #expect(try CatalogueChangeSet(json: set.json()) == set)
            let text = String(decoding: try set.json(), as: UTF8.self)
            let lines = text.split(separator: "\n").map(String.init)
            for body in self.set.blocks.flatMap(\.features).map({ String(decoding: $0, as: UTF8.self) }) {
                #expect(lines.filter { $0 == body || $0 == body + "," }.count == venues.count { !$0.blocks.isEmpty })
            }
            let json = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            let replies = try #require(json["venues"] as? [[String: Any]])
            #expect(replies.count == venues.count && replies.allSatisfy { $0["cursor"] == nil })
        }
        for text in ["", "{}", "[]", #"{"protocol":2}"#, String(decoding: try self.set.json(), as: UTF8.self)] {
            #expect(throws: (any Error).self) { try CatalogueChangeSet(json: Array(text.utf8)) }
        }
    }

    @Test func `venue key is a name and not an id or a path`() {
        for key in ["mall", "mall.staging", "a-1.b-2.c", "-", String(repeating: "a", count: 64)] {
            #expect(VenueKey(key) != nil)
        }
        for key in [
            "", "Mall", "a..b", ".a", "a.", "a/b", "a b", "ü", "8d0a6c1e-0c3b-4f0e-9a51-3f2a1d7c5b01",
            String(repeating: "a", count: 65),
        ] { #expect(VenueKey(key) == nil, "\(key)") }
    }

    @Test func `timestamps are written in UTC and read with any offset`() throws {
        let date = try #require(Timestamp.date(of: "2026-11-21T02:07:23.250+09:00"))
        #expect(Timestamp.text(of: date) == "2026-11-20T17:07:23.250Z")
        #expect(Timestamp.date(of: "2026-11-20T17:07:23Z") != nil)
        #expect(Timestamp.date(of: "yesterday") == nil)
    }

    @Test func `level name is an id in upper or lower case, an ordinal, or the venue-wide part`() throws {
        let id = FeatureID(high: 0xABCD_EF01_2345_6789, low: 1)
        let selection = try #require(LevelSelection(values: [id.description.uppercased(), "ordinal:-2", "venue"]))
        #expect(selection.names == [.level(id), .ordinal(-2), .venueWide])
        #expect(
            selection.includes(level: id, ordinal: nil)
                && selection.includes(level: FeatureID(high: 0, low: 0), ordinal: -2))
        #expect(!selection.includes(level: FeatureID(high: 0, low: 0), ordinal: 2))
        #expect(LevelSelection(values: []) == .everything)
        for value in ["", "L1", "ordinal:", "ordinal:one", "ordinal:1.5"] {
            #expect(LevelSelection(values: [value]) == nil)
        }
    }
}
