import IMDF
import IMDFDiff
import SampleVenue
import Testing

/// A venue for tests: the values of features and their placements.
struct ModelFeature: Hashable {
    var value: JSONValue
    var type: FeatureType = .unit
    var placement = Placement(level: nil, touches: [], depth: 0)
    /// Spaces in front of the body, so that equal values can have different bytes.
    var spelling = 0

    var body: [UInt8] {
        Array(repeating: UInt8(ascii: " "), count: self.spelling) + CanonicalJSON.data(self.value)
    }
}

typealias Model = [FeatureID: ModelFeature]

extension Model {
    var stored: [StoredFeature] {
        self.sorted { $0.key < $1.key }.map { id, feature in
            StoredFeature(
                id: id, type: feature.type, level: feature.placement.level, touches: feature.placement.touches,
                depth: feature.placement.depth, bodyDigest: Digest(of: feature.body))
        }
    }

    var archiveFeatures: [ArchiveFeature] {
        self.sorted { $0.key < $1.key }.map { id, feature in
            ArchiveFeature(
                feature: Feature(id: id, type: feature.type, body: feature.body, references: []),
                placement: feature.placement, bodyDigest: Digest(of: feature.body))
        }
    }

    /// Compares in batches of a few bodies, with a reader that knows the bodies of both models.
    func difference(to other: Model, batch: Int = 3) throws -> Difference {
        var comparison = Comparison(stored: self.stored, features: other.archiveFeatures)
        var values: [[UInt8]: JSONValue] = [:]
        for feature in Array(self.values) + Array(other.values) { values[feature.body] = feature.value }
        var rest = comparison.neededBodies[...]
        while !rest.isEmpty {
            let bodies = rest.prefix(batch).compactMap { id in self[id].map { StoredBody(id: id, body: $0.body) } }
            rest = rest.dropFirst(batch)
            try comparison.resolve(bodies) { try #require(values[$0]) }
        }
        return try comparison.difference()
    }
}

struct ComparisonTests {
    private static let ids = (1...9).map { FeatureID(high: 0, low: $0) }
    private let ids = Self.ids

    private func unit(_ name: String, x: Double = 0) -> JSONValue {
        .feature(geometry: .geometry("Polygon", JSONValue([square(x, 0)])), properties: ["name": ["en": .string(name)]])
    }

    @Test func `comparison: changes are in the order of ids`() throws {
        let before: Model = [self.ids[0]: .init(value: self.unit("a")), self.ids[2]: .init(value: self.unit("b"))]
        let after: Model = [self.ids[2]: .init(value: self.unit("c", x: 1)), self.ids[1]: .init(value: self.unit("d"))]
        let difference = try before.difference(to: after)
        #expect(difference.changes.map(\.id) == [self.ids[0], self.ids[1], self.ids[2]])
        #expect(difference.changes.map(\.kind) == [.removed, .added, .changed])
        #expect(difference.changes.map(\.classes) == [[], [], [.name, .geometry]])
        #expect(difference.versions.map(\.id) == [self.ids[1], self.ids[2]])
        #expect(difference.versions.map(\.body) == [self.ids[1], self.ids[2]].map { .new(after[$0]?.body ?? []) })
        #expect(difference.equivalent.isEmpty)
    }

    @Test func `comparison: only bodies with different digests are needed`() {
        let before: Model = [
            self.ids[0]: .init(value: self.unit("a")), self.ids[1]: .init(value: self.unit("b")),
            self.ids[2]: .init(value: self.unit("c")),
        ]
        var after = before
        after[self.ids[0]] = nil
        after[self.ids[1]]?.spelling = 1
        after[self.ids[3]] = .init(value: self.unit("d"))
        #expect(Comparison(stored: before.stored, features: after.archiveFeatures).neededBodies == [self.ids[1]])
    }

    @Test func `comparison: the stored body is kept if the new one is equivalent`() throws {
        let before: Model = [self.ids[0]: .init(value: self.unit("a"))]
        let drifted: Model = [self.ids[0]: .init(value: self.unit("a", x: 0.9e-7))]
        let difference = try before.difference(to: drifted)
        #expect(difference.equivalent == [self.ids[0]])
        #expect(difference.changes.isEmpty)
        #expect(difference.versions.isEmpty)
    }

    @Test func `comparison: small differences from the stored body do not accumulate`() throws {
        var stored = self.unit("a")
        var changes = 0
        for step in 1...10 {
            let next = self.unit("a", x: Double(step) * 0.4e-7)
            let before: Model = [self.ids[0]: .init(value: stored)]
            let difference = try before.difference(to: [self.ids[0]: .init(value: next)])
            if !difference.changes.isEmpty {
                stored = next
                changes += 1
            }
        }
        #expect(changes == 3)
    }

    @Test func `comparison: a feature that only changes its level keeps its body in a new version`() throws {
        let (l1, l2) = (self.ids[7], self.ids[8])
        var moved: Model = [
            self.ids[0]: .init(
                value: self.unit("a"), type: .anchor, placement: .init(level: l1, touches: [], depth: 0))
        ]
        let before = moved
        moved[self.ids[0]]?.placement.level = l2
        let expected = Change(
            id: self.ids[0], kind: .changed, type: .anchor, levelBefore: l1, levelAfter: l2, classes: .level)
        #expect(try before.difference(to: moved).changes == [expected])
        #expect(try before.difference(to: moved).versions.map(\.body) == [.stored])

        moved[self.ids[0]]?.spelling = 2
        let difference = try before.difference(to: moved)
        #expect(difference.changes == [expected])
        #expect(difference.versions.map(\.body) == [.stored])
        #expect(difference.versions.map(\.bodyDigest) == before.stored.map(\.bodyDigest))
        #expect(difference.versions.map(\.level) == [l2])
        #expect(difference.equivalent == [self.ids[0]])
    }

    @Test func `comparison: other touched levels or another depth make a version and no change`() throws {
        let before: Model = [self.ids[0]: .init(value: self.unit("a")), self.ids[1]: .init(value: self.unit("b"))]
        var after = before
        after[self.ids[0]]?.placement.touches = [self.ids[8]]
        after[self.ids[1]]?.placement.depth = 1
        let difference = try before.difference(to: after)
        #expect(difference.changes.isEmpty)
        #expect(difference.versions.map(\.touches) == [[self.ids[8]], []])
        #expect(difference.versions.map(\.depth) == [0, 1])
        #expect(difference.versions.allSatisfy { $0.body == .stored })
    }

    @Test func `comparison: ids of either side are references`() throws {
        let gone = JSONValue.string(self.ids[5].description)
        let come = JSONValue.string(self.ids[6].description)
        let before: Model = [
            self.ids[0]: .init(value: .feature(properties: ["doors": [gone, come]])),
            self.ids[5]: .init(value: self.unit("a")),
        ]
        let after: Model = [
            self.ids[0]: .init(value: .feature(properties: ["doors": [come, gone]])),
            self.ids[6]: .init(value: self.unit("b")),
        ]
        #expect(try before.difference(to: after).equivalent == [self.ids[0]])
    }

    @Test func `comparison: a missing body is an error, an unneeded one is ignored`() throws {
        let before: Model = [self.ids[0]: .init(value: self.unit("a"))]
        let after: Model = [self.ids[0]: .init(value: self.unit("b"))]
        var comparison = Comparison(stored: before.stored, features: after.archiveFeatures)
        try comparison.resolve([StoredBody(id: self.ids[4], body: [])]) { _ in try #require(nil as JSONValue?) }
        #expect(throws: MissingBodies(ids: [self.ids[0]])) { try comparison.difference() }
    }

    @Test func `comparison: errors of the body parser are passed on`() {
        struct Unreadable: Error, Equatable {}
        let before: Model = [self.ids[0]: .init(value: self.unit("a"))]
        let after: Model = [self.ids[0]: .init(value: self.unit("b"))]
        var comparison = Comparison(stored: before.stored, features: after.archiveFeatures)
        #expect(throws: Unreadable()) {
            try comparison.resolve([StoredBody(id: self.ids[0], body: [])]) { _ throws(Unreadable) in throw Unreadable()
            }
        }
    }

    /// The comparison against a simple model: the difference is applied to a dictionary.
    @Test(arguments: 0..<32 as Range<UInt64>)
    func `comparison: applying the difference to the stored state gives the archive`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var stored = Model()
        for _ in 0..<12 {
            let archive = self.edited(stored, using: &random)
            let difference = try stored.difference(to: archive, batch: .random(in: 1...4, using: &random))
            #expect(difference.changes.map(\.id) == difference.changes.map(\.id).sorted())
            #expect(difference.versions.map(\.id) == difference.versions.map(\.id).sorted())
            #expect(difference.changes.allSatisfy { ($0.kind == .changed) == !$0.classes.isEmpty })
            #expect(
                difference.changes.count <= difference.versions.count + difference.changes.count { $0.kind == .removed }
            )

            var applied = stored
            for change in difference.changes where change.kind == .removed { applied[change.id] = nil }
            for version in difference.versions {
                var feature = try #require(archive[version.id])
                if version.body == .stored {
                    let before = try #require(stored[version.id])
                    (feature.value, feature.spelling) = (before.value, before.spelling)
                }
                #expect(version.bodyDigest == Digest(of: feature.body))
                applied[version.id] = feature
            }
            #expect(applied.keys.sorted() == archive.keys.sorted())
            for (id, feature) in archive {
                let there = try #require(applied[id])
                #expect(there.placement == feature.placement)
                #expect(Equivalence.plain.same(there.value, feature.value))
                if difference.equivalent.contains(id) { #expect(there.value == stored[id]?.value) }
            }
            #expect(try applied.difference(to: archive).changes.isEmpty, "an applied difference leaves no other")
            #expect(try applied.difference(to: archive).versions.isEmpty)
            stored = applied
        }
    }

    private func edited(_ model: Model, using random: inout SplitMix64) -> Model {
        var model = model
        for id in self.ids where random.chance(0.5) {
            switch Int.random(in: 0..<6, using: &random) {
            case 0: model[id] = nil
            case 1: model[id]?.spelling = .random(in: 0...3, using: &random)
            case 2: model[id]?.placement.level = self.ids.randomElement(using: &random)
            case 3: model[id]?.placement.depth = .random(in: 0...1, using: &random)
            case 4: model[id]?.placement.touches = [self.ids[.random(in: 6...8, using: &random)]]
            default:
                let x = Double.random(in: 0...3e-7, using: &random)
                model[id, default: .init(value: nil)].value = self.unit(random.chance(0.5) ? "a" : "b", x: x)
            }
        }
        return model
    }
}
