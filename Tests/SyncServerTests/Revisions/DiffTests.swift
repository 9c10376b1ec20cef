import Foundation
import HTTPTypes
import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing

@Suite(.server)
struct DiffTests {
    private static let next = SampleVenue.tiny.edited(
        Edit(.rename, 2), Edit(.add, 2), Edit(.remove, 1), Edit(.relevel, 1), seed: 11)

    private static func prepare(_ harness: Harness) async throws {
        try await harness.push(SampleVenue.tiny.archive())
        try await harness.push(Self.next.archive())
    }

    @Test func `diff has every change with its body before and after`() async throws {
        let harness = Harness.current
        try await Self.prepare(harness)
        let (old, new) = (SampleVenue.tiny, Self.next)
        let response = try await harness.send(.get, "/venues/mall/diff?from=1&to=2&bodies=true")
        let diff = try response.decoded(RevisionDiff.self)
        #expect(diff.venue.description == "mall" && diff.from == 1 && diff.to == 2 && diff.next == nil)
        #expect(!diff.words.isEmpty)
        let ids = Set(diff.changes.map(\.id))
        #expect(ids.count == diff.changes.count)
        #expect(ids.isSuperset(of: new.features(otherThanIn: old).map(\.id)))
        #expect(ids.isSuperset(of: old.features(otherThanIn: new).map(\.id)))
        for change in diff.changes {
            #expect(change.before == old.feature(change.id).map { JSONValue.object($0.body) })
            #expect(change.after == new.feature(change.id).map { JSONValue.object($0.body) })
            switch change.kind {
            case .added: #expect(change.before == .none && change.after != .none)
            case .removed: #expect(change.before != .none && change.after == .none)
            case .changed: #expect(change.before != .none && change.after != .none && !change.classes.isEmpty)
            }
        }
        let renamed = new.features.filter { feature in
            guard let before = old.feature(feature.id) else { return false }
            return before["name"] != feature["name"]
        }
        #expect(Set(diff.changes.filter { $0.classes.contains("name") }.map(\.id)) == Set(renamed.map(\.id)))
        #expect(diff.changes.contains { $0.type == .unit && $0.classes.contains("level") })
        let listed = try #require(response.json["changes"]?.array)
        let members: Set = ["id", "feature_type", "level_id", "kind", "classes", "before", "after"]
        #expect(listed.allSatisfy { $0.keys.isSuperset(of: members) })
    }

    @Test func `diff in the other direction is the mirror image`() async throws {
        let harness = Harness.current
        try await Self.prepare(harness)
        let there = try await harness.get(RevisionDiff.self, "/venues/mall/diff?from=1&to=2&bodies=true")
        let back = try await harness.get(RevisionDiff.self, "/venues/mall/diff?from=2&to=1&bodies=true")
        #expect(back.from == 2 && back.to == 1 && back.changes.count == there.changes.count)
        let mirrored = Dictionary(uniqueKeysWithValues: back.changes.map { ($0.id, $0) })
        for change in there.changes {
            let mirror = try #require(mirrored[change.id])
            #expect(mirror.before == change.after && mirror.after == change.before)
            #expect(mirror.classes == change.classes)
            switch change.kind {
            case .added: #expect(mirror.kind == .removed)
            case .removed: #expect(mirror.kind == .added)
            case .changed: #expect(mirror.kind == .changed)
            }
        }
    }

    @Test func `diff in pages is complete and keeps the parameters of the request`() async throws {
        let harness = Harness.current
        try await Self.prepare(harness)
        let level = try #require(SampleVenue.tiny.ids(of: .level).sorted().first)
        for query in ["from=1&to=2&bodies=false", "from=2&to=1&bodies=true&level=\(level)&level=venue"] {
            let whole = try await harness.get(RevisionDiff.self, "/venues/mall/diff?\(query)")
            #expect(whole.next == nil)
            var next: String? = "/venues/mall/diff?\(query)&limit=2"
            var changes: [RevisionDiff.Change] = []
            while let path = next {
                let page = try await harness.get(RevisionDiff.self, path)
                #expect(page.changes.count <= 2 && page.from == whole.from)
                changes += page.changes
                next = page.next
            }
            #expect(changes.map(\.id) == whole.changes.map(\.id))
            #expect(changes.map(\.before) == whole.changes.map(\.before))
        }
    }

    @Test func `diff can leave out bodies and be limited to levels`() async throws {
        let harness = Harness.current
        try await Self.prepare(harness)
        let bare = try await harness.get(RevisionDiff.self, "/venues/mall/diff?from=1&to=2&bodies=false")
        #expect(!bare.changes.isEmpty)
        #expect(bare.changes.allSatisfy { $0.before == .none && $0.after == .none })
        let unit = try #require(bare.changes.first { $0.type == .unit && $0.classes.contains("level") })
        let here = try #require(unit.level)
        let part = try await harness.get(RevisionDiff.self, "/venues/mall/diff?from=1&to=2&level=\(here)")
        #expect(part.changes.contains { $0.id == unit.id } && part.changes.count <= bare.changes.count)
        let none = try await harness.get(RevisionDiff.self, "/venues/mall/diff?from=1&to=2&level=\(Handmade.id(1))")
        #expect(none.changes.isEmpty)
    }

    @Test func `diff describes the whole change on its first page only`() async throws {
        let harness = Harness.current
        try await Self.prepare(harness)
        let whole = try await harness.get(RevisionDiff.self, "/venues/mall/diff?from=1&to=2")
        var next: String? = "/venues/mall/diff?from=1&to=2&limit=2"
        var pages: [RevisionDiff] = []
        while let path = next {
            pages.append(try await harness.get(RevisionDiff.self, path))
            next = pages.last?.next
        }
        #expect(pages.count > 2 && pages[0].words == whole.words && !whole.words.isEmpty)
        #expect(pages.dropFirst().flatMap(\.words).isEmpty)
        #expect(pages.flatMap(\.changes).map(\.id) == whole.changes.map(\.id))
    }

    @Test func `diff of a revision with itself is empty`() async throws {
        let harness = Harness.current
        try await Self.prepare(harness)
        let diff = try await harness.get(RevisionDiff.self, "/venues/mall/diff?from=2&to=2")
        #expect(diff.changes.isEmpty && diff.next == nil)
    }

    @Test func `diff with invalid or unknown revisions is refused`() async throws {
        let harness = Harness.current
        try await Self.prepare(harness)
        for query in ["", "to=2", "from=one&to=2", "from=0&to=1", "from=1&to=x", "from=1&to=2&bodies=1"] {
            try await harness.send(.get, "/venues/mall/diff?\(query)").problem(400)
        }
        for query in ["from=1&to=2&level=foo", "from=1&to=2&limit=0"] {
            try await harness.send(.get, "/venues/mall/diff?\(query)").problem(400)
        }
        for query in ["from=1&to=3", "from=3&to=1", "from=9&to=9"] {
            try await harness.send(.get, "/venues/mall/diff?\(query)").problem(404)
        }
    }
}
