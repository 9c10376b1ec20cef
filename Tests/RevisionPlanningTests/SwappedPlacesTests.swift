import IMDF
import IMDFArchive
import RevisionPlanning
import SampleVenue
import SyncModel
import Testing

/// Shops that change places: the difference says that shops have moved, and not that anchors were changed.
@Suite struct SwappedPlacesTests {
    /// The shops of a floor whose anchors are in different units.
    private static func shops(of venue: SampleVenue) -> [FeatureID: [Int]] {
        func feature(_ id: JSONValue?) -> Int? { venue.features.firstIndex { .string($0.id.description) == id } }
        var anchors: [FeatureID: [Int]] = [:]
        for shop in venue.features where shop.type == .occupant {
            guard let anchor = feature(shop["anchor_id"]), let unit = feature(venue.features[anchor]["unit_id"]),
                let level = feature(venue.features[unit]["level_id"])
            else { continue }
            let known = anchors[venue.features[level].id] ?? []
            guard !known.contains(where: { venue.features[$0]["unit_id"] == venue.features[anchor]["unit_id"] }) else {
                continue
            }
            anchors[venue.features[level].id] = known + [anchor]
        }
        return anchors
    }

    /// Moves anchors to the units and positions of one another, in a circle.
    private static func rotate(_ anchors: [Int], of venue: inout SampleVenue) {
        let before = anchors.map { venue.features[$0] }
        for (index, anchor) in anchors.enumerated() {
            let other = before[(index + 1) % before.count]
            venue.features[anchor]["unit_id"] = other["unit_id"]
            venue.features[anchor].geometry = other.geometry
        }
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func `shops that change places on some floors have moved within them`(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let venue = SampleVenue(.init(levels: 3, unitsPerLevel: 14, seed: seed))
        var next = venue
        var (moved, floors) = (0, 0)
        for (_, anchors) in Self.shops(of: venue).sorted(by: { $0.key < $1.key }) where anchors.count >= 2 {
            guard floors == 0 || Bool.random(using: &random) else { continue }
            let count = Int.random(in: 2...min(anchors.count, 4), using: &random)
            Self.rotate(Array(anchors.shuffled(using: &random).prefix(count)), of: &next)
            (moved, floors) = (moved + count, floors + 1)
        }
        try #require(moved > 0)
        let diff = try await ArchiveDiff(
            old: ArchiveReader().read(bytes: venue.archive()), new: ArchiveReader().read(bytes: next.archive()))
        let sentences = diff.sentences(in: "en")
        #expect(sentences.count == 1, "\(sentences)")
        #expect(sentences.first?.hasPrefix("\(moved) shops moved within ") == true, "\(sentences)")
        #expect(diff.summary.changed == moved && diff.summary.added == 0 && diff.summary.removed == 0)
    }

    @Test(arguments: [[], [.occupant], [.anchor], [.occupant, .anchor], FeatureType.standard] as [[FeatureType]])
    func `shops that change places have moved, whatever ids are new`(types: [FeatureType]) async throws {
        for seed in 0..<4 as Range<UInt64> {
            // Not the seed of the venue, whose ids would come again.
            var random = SplitMix64(seed: seed + 1_000)
            let venue = SampleVenue(.init(levels: 2, unitsPerLevel: 14, seed: seed))
            let kiosks = Set(venue.features.filter { $0.type == .kiosk }.compactMap { $0["anchor_id"]?.string })
            let floors = Self.shops(of: venue).sorted { $0.key < $1.key }.map { _, anchors in
                anchors.filter { !kiosks.contains(venue.features[$0].id.description) }
            }
            let anchors = try #require(floors.max { $0.count < $1.count }).prefix(seed.isMultiple(of: 2) ? 2 : 3)
            try #require(anchors.count > 1)
            var next = venue
            Self.rotate(Array(anchors), of: &next)
            let reminted = next.features.filter { types.contains($0.type) }.map(\.id)
            let ids = Dictionary(uniqueKeysWithValues: reminted.map { ($0, FeatureID.random(using: &random)) })
            for index in next.features.indices { next.features[index].replace(ids) }
            let difference = try await diff(venue, next)
            let counts = [difference.summary.added, difference.summary.removed]
            #expect(counts == [0, 0], "seed \(seed)")
            for (language, expected) in [
                ("en", "\(anchors.count) shops moved within "), ("ja", "内で店舗が\(anchors.count)件移動"),
            ] {
                let sentences = difference.sentences(in: language)
                #expect(sentences.count == 1 && sentences[0].contains(expected), "seed \(seed): \(sentences)")
            }
        }
    }
}
