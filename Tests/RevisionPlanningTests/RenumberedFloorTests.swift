import Foundation
import IMDF
import IMDFArchive
import IMDFDiff
import RevisionPlanning
import SampleVenue
import SyncModel
import Testing

/// Floors with other numbers in archives whose ids are all new.
@Suite struct RenumberedFloorTests {
    /// Moves the numbers of the floors of every building by `step`: ordinals, names and short names. Names go with the ordinals, so that
    /// most levels have what another one had before.
    private static func renumber(_ venue: inout SampleVenue, by step: Int, cyclic: Bool) {
        let indices = venue.features.indices.filter {
            venue.features[$0].type == .level && venue.features[$0]["outdoor"] != true
        }
        let groups = Dictionary(grouping: indices) { venue.features[$0]["building_ids"] ?? .null }
        for group in groups.values {
            let floors = group.sorted { venue.features[$0].floor < venue.features[$1].floor }
            let before = floors.map { venue.features[$0] }
            for (number, index) in floors.enumerated() {
                let target = number + step
                if cyclic || floors.indices.contains(target) {
                    let other = before[(target % floors.count + floors.count) % floors.count]
                    for member in ["ordinal", "name", "short_name"] { venue.features[index][member] = other[member] }
                } else {
                    let ordinal = before[number].floor + step
                    venue.features[index]["ordinal"] = .number(Double(ordinal))
                    venue.features[index]["name"] = ["en": .string("Floor \(ordinal)")]
                    venue.features[index]["short_name"] = ["en": .string("\(ordinal)")]
                }
            }
        }
    }

    @Test(
        arguments: [(1, false), (-1, false), (2, false), (1, true), (2, true)],
        ["", "noise", "rename=4", "move=3,hours=2", "add=2,remove=2"])
    func `renumbered floors: with new ids for all features, floors are renumbered and nothing is moved`(
        numbering: (Int, Bool), edits: String
    ) async throws {
        for seed in 0..<2 as Range<UInt64> {
            let venue = SampleVenue(.init(levels: 4, unitsPerLevel: 16, seed: seed))
            var kept = venue
            Self.renumber(&kept, by: numbering.0, cyclic: numbering.1)
            _ = kept.apply(try Edit.parse(list: edits), seed: seed)
            var reminted = kept
            let report = reminted.apply(try Edit.parse(list: "remint"), seed: seed + 50).last
            let (before, same, new) = (try read(venue), try read(kept), try read(reminted))
            let expected = try await ArchiveDiff(old: before, new: same)
            let found = try await ArchiveDiff(old: before, new: new)
            let truth = Dictionary(uniqueKeysWithValues: (report?.reminted ?? [:]).map { ($0.value, $0.key) })
            for match in found.matches where match.type == .level {
                #expect(truth[match.archiveID] == match.id, "\(numbering) \(edits) \(seed)")
            }
            #expect(found.matches.count { $0.type == .level } == venue.features.count { $0.type == .level })
            #expect(found.difference.changes.allSatisfy { !$0.classes.contains(.level) }, "\(numbering) \(edits)")
            #expect(found.summary.total <= expected.summary.total + 2, "\(numbering) \(edits) \(seed)")
        }
    }

    @Test func `renumbered floors: a floor that was added below is new, and the others keep what they were`()
        async throws
    {
        let venue = SampleVenue(.init(levels: 3, unitsPerLevel: 16, seed: 4))
        var next = venue
        // The new floor on top gets the number of the ground floor, and all others go up by one.
        _ = next.apply(try Edit.parse(list: "floor"), seed: 4)
        Self.renumber(&next, by: 1, cyclic: true)
        var reminted = next
        _ = reminted.apply(try Edit.parse(list: "remint"), seed: 9)
        let expected = try await ArchiveDiff(old: read(venue), new: read(next))
        let found = try await ArchiveDiff(old: read(venue), new: read(reminted))
        #expect(found.difference.changes.allSatisfy { !$0.classes.contains(.level) })
        #expect(found.summary.counts == expected.summary.counts)
    }
}

extension SampleFeature {
    fileprivate var floor: Int { Int(self["ordinal"]?.number ?? 0) }
}

private func read(_ venue: SampleVenue) throws -> Archive { try ArchiveReader().read(bytes: venue.archive()) }
