import Foundation
import IMDF
import IMDFArchive
import IMDFDiff
import RevisionPlanning
import SampleVenue
import SyncModel
import Testing

/// Matching of archives whose features have new ids, without a database.
@Suite struct MatcherTests {
    /// The difference that an edit makes, with the old ids and with new ids for all features.
    private struct Pair {
        let kept: ArchiveDiff
        let reminted: ArchiveDiff
        /// Old ids by new ones.
        let truth: [FeatureID: FeatureID]
        let venue: SampleVenue

        init(_ edits: String, seed: UInt64, options: SampleVenue.Options) async throws {
            self.venue = SampleVenue(options)
            var edited = self.venue
            _ = edited.apply(try Edit.parse(list: edits), seed: seed)
            var reminted = edited
            let report = reminted.apply(try Edit.parse(list: "remint"), seed: seed + 100).last
            self.truth = Dictionary(uniqueKeysWithValues: (report?.reminted ?? [:]).map { ($0.value, $0.key) })
            self.kept = try await diff(self.venue, edited)
            self.reminted = try await diff(self.venue, reminted)
        }

        /// Wrong matches, without those of features that are equal in everything but their ids.
        var wrong: [IdentityMatch] {
            let looks = Dictionary(
                uniqueKeysWithValues: self.venue.features.map { ($0.id, CanonicalJSON.data($0.withoutIDs)) })
            return self.reminted.matches.filter { match in
                guard let old = self.truth[match.archiveID], old != match.id else { return false }
                return looks[old] == nil || looks[old] != looks[match.id]
            }
        }
    }

    @Test(
        arguments: [
            "rename=3", "move=3", "recategorise=3", "hours=3", "add=2", "remove=2", "floor", "remove-floor", "retype=2",
            "rename=2,move=2,add=1,remove=1", "noise,move=2,rename=2", "noise,remove-floor,rename=6",
        ], 0..<6 as Range<UInt64>)
    func `matcher: an edit is the same edit when every id is new`(edits: String, seed: UInt64) async throws {
        let options = SampleVenue.Options(levels: 3, unitsPerLevel: 24, seed: seed, customExtension: seed % 2 == 1)
        let pair = try await Pair(edits, seed: seed, options: options)
        #expect(pair.wrong.isEmpty)
        #expect(pair.reminted.summary.counts == pair.kept.summary.counts)
        #expect(pair.reminted.summary.types == pair.kept.summary.types)
        let changed = { (diff: ArchiveDiff) in diff.difference.changes.filter { $0.kind != .added } }
        #expect(changed(pair.reminted) == changed(pair.kept))
    }

    /// Many edits of similar features at once leave some without a match; but only few, and at most one match is wrong.
    @Test(
        arguments: [
            "rename=12,move=15,recategorise=8,hours=9", "noise,move=14", "relevel=4,move=6", "relevel=6",
            "floor,move=4,add=4,remove=4,noise", "noise,add=9,remove=9,move=9", "remove-floor,rename=9,noise",
        ], 0..<6 as Range<UInt64>)
    func `matcher: many edits at once hardly lead to wrong matches`(edits: String, seed: UInt64) async throws {
        let options = SampleVenue.Options(levels: 3, unitsPerLevel: 24, seed: seed, customExtension: seed % 2 == 0)
        let pair = try await Pair(edits, seed: seed, options: options)
        let (kept, reminted) = (pair.kept.summary.total, pair.reminted.summary.total)
        #expect(pair.wrong.count <= 1, "\(pair.wrong)")
        #expect(Double(reminted) <= max(1.2 * Double(kept), Double(kept + 4)), "\(reminted) for \(kept)")
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `matcher: other formatting and new ids for all features are no change`(seed: UInt64) async throws {
        let options = SampleVenue.Options(levels: 2, unitsPerLevel: 30, seed: seed, customExtension: true)
        let pair = try await Pair("noise", seed: seed, options: options)
        #expect(pair.reminted.difference.changes.isEmpty)
        #expect(pair.reminted.sentences(in: "en") == ["Nothing but formatting changed"])
        #expect(pair.reminted.matches.count == pair.venue.features.count)
    }

    @Test(arguments: 0..<6 as Range<UInt64>)
    func `matcher: the result does not depend on the order of features or on which of them keep their ids`(seed: UInt64)
        async throws
    {
        var random = SplitMix64(seed: seed)
        let venue = SampleVenue(.init(levels: 2, unitsPerLevel: 20, seed: seed))
        var edited = venue
        _ = edited.apply(try Edit.parse(list: "rename=3,move=3,noise,remint=60"), seed: seed)
        let expected = try await diff(venue, edited)
        var (old, new) = (venue, edited)
        old.features.shuffle(using: &random)
        new.features.shuffle(using: &random)
        let found = try await diff(old, new)
        #expect(found.matches == expected.matches)
        #expect(found.difference.changes == expected.difference.changes)
        #expect(expected.summary.added == 0 && expected.summary.removed == 0)
    }

    @Test func `matcher: buildings do not change when only their addresses have new ids`() async throws {
        let venue = SampleVenue(.init(levels: 2, unitsPerLevel: 30, seed: 4))
        var next = venue
        let addresses = Set(venue.features.filter { $0.type == .address || $0.type == .footprint }.map(\.id))
        let ids = Dictionary(uniqueKeysWithValues: addresses.map { ($0, FeatureID.random()) })
        for index in next.features.indices { next.features[index].replace(ids) }
        let trusted = try await diff(venue, next, repairs: false)
        #expect(trusted.summary.changed > 0 && trusted.summary.added == addresses.count)
        let repaired = try await diff(venue, next)
        #expect(repaired.difference.changes.isEmpty)
        #expect(Set(repaired.matches.map(\.id)) == addresses)
    }

    @Test(arguments: ["remint", "noise,remint"])
    func `matcher: equal features at the same position match in any order`(edits: String) async throws {
        var venue = SampleVenue(.init(levels: 2, unitsPerLevel: 10, seed: 3))
        let template = try #require(venue.features.first { $0.type == .amenity })
        for _ in 0..<40 {
            var copy = template
            copy.id = .random()
            venue.features.append(copy)
        }
        var next = venue
        _ = next.apply(try Edit.parse(list: edits), seed: 5)
        #expect(try await diff(venue, next).difference.changes.isEmpty)
    }

    private static let crowd = 1_500

    @Test func `matcher: thousands of indistinguishable features match`() async throws {
        var venue = SampleVenue(.init(levels: 1, unitsPerLevel: 6, seed: 1))
        let template = try #require(venue.features.first { $0.type == .amenity })
        var random = SplitMix64(seed: 3)
        for _ in 0..<Self.crowd {
            var copy = template
            copy.id = .random(using: &random)
            venue.features.append(copy)
        }
        var next = venue
        _ = next.apply(try Edit.parse(list: "remint"), seed: 2)
        #expect(try await diff(venue, next).difference.changes.isEmpty)
        // The same when each of them differs slightly from before.
        for index in next.features.indices where next.features[index].type == .amenity {
            next.features[index]["hours"] = "24/7"
        }
        let changed = try await diff(venue, next)
        #expect(changed.summary.changed + changed.summary.added > Self.crowd)
    }
}

func diff(_ old: SampleVenue, _ new: SampleVenue, repairs: Bool = true) async throws -> ArchiveDiff {
    let reader = ArchiveReader()
    return try await ArchiveDiff(
        old: reader.read(bytes: old.archive()), new: reader.read(bytes: new.archive()), repairsIdentity: repairs)
}

extension SampleFeature {
    /// The feature with every id in it taken out.
    fileprivate var withoutIDs: JSONValue {
        func blanked(_ value: JSONValue) -> JSONValue {
            switch value {
            case .string(let text) where FeatureID(text) != nil: "id"
            case .array(let items): .array(items.map(blanked))
            case .object(let object):
                .object(JSONObject(object.members.map { .init(key: $0.key, value: blanked($0.value)) }))
            default: value
            }
        }
        return blanked(.object(self.body))
    }
}
