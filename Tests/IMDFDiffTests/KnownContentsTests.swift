import IMDF
import SampleVenue
import Testing

@testable import IMDFDiff

@Suite struct KnownContentsTests {
    /// A venue whose features refer to each other and to ids that may become those of features.
    private struct Venue {
        var random: SplitMix64
        private(set) var bodies: [FeatureID: [UInt8]] = [:]
        /// The ids that features have or refer to.
        private let ids: [FeatureID]

        init(seed: UInt64) {
            self.random = SplitMix64(seed: seed)
            var ids: [FeatureID] = []
            for _ in 0..<40 { ids.append(self.random.id()) }
            self.ids = ids
            for id in ids where self.random.chance(0.6) { self.write(id) }
        }

        private mutating func write(_ id: FeatureID) {
            var properties: JSONObject = ["category": .string(self.random.chance(0.5) ? "room" : "office")]
            for name in ["level_id", "parent_id"] where self.random.chance(0.5) {
                properties[name] = self.ids.randomElement(using: &self.random).map { .string("\($0)") }
            }
            if self.random.chance(0.5) { properties["name"] = ["en": "Name"] }
            self.bodies[id] = CanonicalJSON.data([
                "type": "Feature", "id": .string("\(id)"), "feature_type": "unit", "geometry": nil,
                "properties": .object(properties),
            ])
        }

        /// Changes, removes and adds some features.
        mutating func change() {
            for id in self.ids where self.random.chance(0.2) {
                if self.random.chance(0.5) { self.write(id) } else { self.bodies[id] = nil }
            }
        }

        var stored: [StoredFeature] {
            self.bodies.sorted { $0.key < $1.key }.map {
                StoredFeature(
                    id: $0.key, type: .unit, level: nil, touches: [], depth: 0, bodyDigest: Digest(of: $0.value))
            }
        }

        var imported: [ArchiveFeature] {
            self.bodies.sorted { $0.key < $1.key }.map {
                ArchiveFeature(
                    feature: Feature(id: $0.key, type: .unit, body: $0.value, references: []),
                    placement: Placement(level: nil, touches: [], depth: 0), bodyDigest: Digest(of: $0.value))
            }
        }
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `known contents: kept digests equal those that are computed again`(seed: UInt64) async {
        var venue = Venue(seed: seed)
        var contents = KnownContents.none
        for _ in 0..<4 {
            contents = await KnownContents(of: venue.stored, imported: venue.imported, reusing: contents)
            // All bodies were at hand.
            let own = contents.digests(of: venue.stored) { venue.bodies[$0] != nil }
            #expect(own.map(\.id) == venue.stored.map(\.id))
            // The next archive has other features, some of which have ids that others mention already.
            let before = venue.bodies
            venue.change()
            let isKnown = { (id: FeatureID) in before[id] != nil || venue.bodies[id] != nil }
            let kept = contents.digests(of: venue.stored, isKnown)
            for digest in kept {
                let fresh = ContentDigest(
                    id: digest.id, type: .unit, body: venue.bodies[digest.id] ?? [], isKnown: isKnown)
                #expect(digest.content == fresh.content && digest.links == fresh.links)
                #expect(digest.isDistinctive == fresh.isDistinctive && digest.isNamed == fresh.isNamed)
            }
            #expect(kept.contains { venue.bodies[$0.id] == before[$0.id] })
        }
    }

    @Test func `known contents: a body that only the store has is not known`() async {
        let venue = Venue(seed: 1)
        let contents = await KnownContents(
            of: venue.stored, imported: Array(venue.imported.dropFirst()), reusing: .none)
        let digests = contents.digests(of: venue.stored) { venue.bodies[$0] != nil }
        #expect(digests.map(\.id) == venue.stored.dropFirst().map(\.id))
    }
}
