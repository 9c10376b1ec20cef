import Foundation
import HTTPTypes
import IMDF
import IMDFArchive
import IMDFDiff
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Uploads of known features under new ids, through the whole service.
@Suite(.server) struct IdentityTests {
    private func reminted(_ venue: SampleVenue, seed: UInt64 = 5) throws -> (SampleVenue, ids: [FeatureID: FeatureID]) {
        var next = venue
        let reports = next.apply(try Edit.parse(list: "remint"), seed: seed)
        return (next, try #require(reports.last?.reminted))
    }

    @Test func `identity matching: an upload in which only the ids are new publishes nothing`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.extended.archive())
        let before = try await harness.sync()
        let (next, ids) = try self.reminted(.extended)
        let upload = try await harness.push(next.archive())
        #expect(upload.state == .unchanged)
        #expect(upload.identity == .init(kept: 0, aliased: 0, matched: ids.count, near: 0, new: 0, gone: 0))
        let after = try await harness.sync("since=\(before.cursor)")
        #expect(after.blocks.isEmpty && after.cursor == before.cursor)
    }

    @Test func `alias leads to its feature, with the address in Content-Location`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let (next, ids) = try self.reminted(.tiny)
        try await harness.push(next.archive())
        for (old, new) in ids.sorted(by: { $0.key < $1.key }).prefix(10) {
            let own = try await harness.send(.get, "/venues/mall/features/\(old)")
            let alias = try await harness.send(.get, "/venues/mall/features/\(new.description.uppercased())")
            #expect(own.status == .ok && own.text == alias.text)
            #expect(own.headers[.contentLocation] == nil)
            #expect(alias.headers[.contentLocation] == "/venues/mall/features/\(old)")
            let history = try await harness.send(.get, "/venues/mall/features/\(new)/history")
            #expect(history.status == .ok)
            #expect(history.headers[.contentLocation] == "/venues/mall/features/\(old)/history")
        }
    }

    @Test func `aliases: an upload after new ids uses them, and reports changes of the original features`() async throws
    {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        var (next, ids) = try self.reminted(.tiny)
        try await harness.push(next.archive())
        let report = next.apply(try Edit.parse(list: "rename=1"), seed: 3)
        let renamed = try #require(report.first?.changed.first)
        let upload = try await harness.push(next.archive())
        #expect(upload.state == .published)
        #expect(upload.identity == .init(kept: 0, aliased: ids.count, matched: 0, near: 0, new: 0, gone: 0))
        let old = try #require(ids.first { $0.value == renamed }?.key)
        let diff = try await harness.get(RevisionDiff.self, "/venues/mall/diff?from=1&to=2")
        #expect(diff.changes.map(\.id) == [old] && diff.changes.first?.classes == ["name"])
        let body = try #require(diff.changes.first?.after)
        #expect(body["id"] == .string(old.description))
    }

    @Test func `matches are listed with reason and score, in pages`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        var next = SampleVenue.tiny
        let edits = next.apply(try Edit.parse(list: "rename=2,move=1"), seed: 8)
        var reminted = next
        let ids = try #require(reminted.apply(try Edit.parse(list: "remint"), seed: 9).last?.reminted)
        let upload = try await harness.push(reminted.archive())
        let matches = try await Self.matches(of: upload, limit: 7, in: harness)
        #expect(Dictionary(uniqueKeysWithValues: matches.map { ($0.id, $0.archiveID) }) == ids)
        let near = try await harness.get(Page.self, "/uploads/\(upload.id)/matches?kind=near").matches
        #expect(near == matches.filter { $0.kind == .near })
        #expect(Set(near.map(\.id)) == Set(edits.flatMap(\.changed)))
        #expect(near.allSatisfy { 0.5...0.99 ~= $0.score && $0.reason != .content })
        #expect(matches.filter { $0.kind == .exact }.allSatisfy { $0.score == 1 && $0.reason == .content })
        #expect(upload.identity?.near == near.count && upload.identity?.matched == ids.count - near.count)
        try await harness.send(.get, "/uploads/\(upload.id)/matches?kind=likely").problem(400)
    }

    @Test func `identity matching is off where the venue or the upload says so`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let count = SampleVenue.tiny.features.count
        let (next, _) = try self.reminted(.tiny)
        try await harness.set("removal_guard", to: false)
        let trusted = try await harness.push(next.archive(), query: "?identity=trust")
        #expect(trusted.identity == .init(kept: 0, aliased: 0, matched: 0, near: 0, new: count, gone: count))
        try await harness.set("identity", to: "trust")
        let (third, _) = try self.reminted(next, seed: 6)
        let repaired = try await harness.push(third.archive(), query: "?identity=repair")
        #expect(repaired.state == .unchanged && repaired.identity?.matched == count)
        let again = try await harness.push(third.archive())
        #expect(again.identity?.new == count)
    }

    @Test func `alias ends when its id becomes a feature of its own`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let (next, ids) = try self.reminted(.tiny)
        try await harness.push(next.archive())
        let shops = next.ids(of: .occupant)
        let (old, alias) = try #require(ids.first { shops.contains($0.value) })
        // The first export again, with another shop under the id that was an alias of the first one.
        var both = SampleVenue.tiny
        var shop = try #require(both.feature(old))
        shop.id = alias
        shop["name"] = ["en": "Quite another shop"]
        shop["phone"] = .null
        shop["website"] = .null
        both.features.append(shop)
        let upload = try await harness.push(both.archive())
        #expect(upload.state == .published && upload.identity?.new == 1)
        let response = try await harness.send(.get, "/venues/mall/features/\(alias)")
        #expect(response.headers[.contentLocation] == nil)
        #expect(try response.json["properties"]?["name"]?["en"] == "Quite another shop")
        // The alias does not return when the shop is removed again.
        try await harness.push(SampleVenue.tiny.archive())
        try await harness.send(.get, "/venues/mall/features/\(alias)").problem(404)
    }

    @Test func `alias expires with the first sweep after twenty uploads that did not use it`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let (next, ids) = try self.reminted(.tiny)
        try await harness.push(next.archive())
        let alias = try #require(ids.values.min())
        for count in 1...23 {  // the next sweep is that of the 25th upload
            let response = try await harness.send(.get, "/venues/mall/features/\(alias)")
            #expect(response.status == .ok, "before upload \(count)")
            try await harness.push(SampleVenue.tiny.archive())
        }
        try await harness.send(.get, "/venues/mall/features/\(alias)").problem(404)
    }

    @Test func `alias: a removed feature that returns under it gets its original id`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let (next, ids) = try self.reminted(.tiny)
        try await harness.push(next.archive())
        let shop = try #require(next.ids(of: .occupant).min())
        let closing = try await harness.push(next.without(shop).archive())
        #expect(closing.identity?.gone == 1)
        let opening = try await harness.push(next.archive())
        #expect(opening.changes?.added == 1)
        let old = try #require(ids.first { $0.value == shop }?.key)
        #expect(try await harness.send(.get, "/venues/mall/features/\(old)").status == .ok)
    }

    @Test(arguments: [600, 999, 1_000, 1_001, 7])
    func `match pages lose no match for any limit`(limit: Int) async throws {
        let harness = Harness.current
        let venue = SampleVenue(.init(levels: 6, unitsPerLevel: 130, seed: 2))
        try await harness.push(venue.archive())
        var next = venue
        let some = try #require(next.apply(try Edit.parse(list: "remint=300"), seed: 3).last?.reminted)
        try await harness.push(next.archive())
        _ = next.apply(try Edit.parse(list: "hours=40"), seed: 4)
        var last = next
        for index in last.features.indices where !some.values.contains(last.features[index].id) {
            last.features[index].replace([last.features[index].id: .random()])
        }
        let upload = try await harness.push(last.archive())
        let identity = try #require(upload.identity)
        #expect(identity.aliased == some.count && identity.near > 0 && identity.matched > 1_000)
        let count = try await Self.matches(of: upload, limit: limit, in: harness).count
        #expect(count == identity.aliased + identity.near + identity.matched)
    }

    struct Page: Decodable {
        let matches: [IdentityMatch]
        let next: String?
    }

    private static func matches(of upload: Upload, limit: Int, in harness: Harness) async throws -> [IdentityMatch] {
        var path: String? = "/uploads/\(upload.id)/matches?limit=\(limit)"
        var matches: [IdentityMatch] = []
        while let here = path {
            let page = try await harness.get(Page.self, here)
            #expect(page.matches.count <= limit)
            matches += page.matches
            path = page.next
        }
        return matches
    }

    @Test func `identity matching: an upload with new level ids but old references to them is unchanged`()
        async throws
    {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        var next = SampleVenue.tiny
        for index in next.features.indices where next.features[index].type == .level {
            next.features[index].id = .random()
        }
        let upload = try await harness.push(next.archive())
        #expect(upload.state == .unchanged)
        let export = try await harness.send(.get, "/venues/mall/revisions/1/archive.zip")
        #expect(try await harness.push(Array(export.data)).state == .unchanged)
    }

    @Test func `alias is followed to the current id, also after its feature was removed and returned`()
        async throws
    {
        let harness = Harness.current
        let (first, alias, second) = (Handmade.id(1), Handmade.id(2), Handmade.id(3))
        let shop = try #require(SampleVenue.tiny.ids(of: .occupant).min())
        let venue = { (id: FeatureID) in SampleVenue.tiny.renamed(shop, to: id) }
        try await harness.push(venue(first).archive())
        #expect(try await harness.push(venue(alias).archive()).state == .unchanged)
        try await harness.push(venue(first).without(first).archive())
        #expect(try await harness.push(venue(second).archive()).identity?.new == 1)
        #expect(try await harness.push(venue(first).archive()).state == .unchanged)
        let response = try await harness.send(.get, "/venues/mall/features/\(alias)")
        #expect(response.headers[.contentLocation] == "/venues/mall/features/\(second)")
        let again = try await harness.push(venue(alias).archive())
        #expect(again.state == .unchanged && again.identity?.aliased == 1)
    }

    @Test func `alias ends when a rollback restores the feature of that id`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        try await harness.set("removal_guard", to: false)
        let (next, ids) = try self.reminted(.tiny)
        let trusted = try await harness.push(next.archive(), query: "?identity=trust")
        // Revision 2 has all features under new ids.
        #expect(try await harness.decide(trusted, ["confirm": ["other_venue"]]).status == .ok)
        _ = try await harness.send(.post, "/venues/mall/rollback", json: ["to": 1])
        #expect(try await harness.push(next.archive()).state == .unchanged)  // the new ids are aliases now
        _ = try await harness.send(.post, "/venues/mall/rollback", json: ["to": 2])
        let id = try #require(ids.values.min())
        let response = try await harness.send(.get, "/venues/mall/features/\(id)")
        #expect(response.status == .ok && response.headers[.contentLocation] == nil)
        #expect(try await harness.count("feature_alias") == 0)
    }
}

extension SampleVenue {
    fileprivate func renamed(_ old: FeatureID, to new: FeatureID) -> SampleVenue {
        var renamed = self
        for index in renamed.features.indices { renamed.features[index].replace([old: new]) }
        return renamed
    }

    fileprivate func without(_ id: FeatureID) -> SampleVenue {
        var rest = self
        rest.features.removeAll { $0.id == id }
        return rest
    }
}
