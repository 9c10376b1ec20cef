import Foundation
import IMDF
import IMDFArchive
import IMDFDiff
import Ingestion
import SampleVenue
import SyncModel
import Testing

/// What a re-upload under new ids comes to, without a database.
@Suite struct RecognitionTests {
    static func diff(_ old: SampleVenue, _ new: SampleVenue, repairs: Bool = true) async throws -> ArchiveDiff {
        let reader = ArchiveReader()
        return try await ArchiveDiff(
            old: reader.read(bytes: old.archive()), new: reader.read(bytes: new.archive()), repairsIdentity: repairs)
    }

    static let kinds = [
        "rename=3", "move=3", "recategorise=3", "hours=3", "add=2", "remove=2", "relevel=2", "floor", "remove-floor",
        "rename=2,move=2,add=1,remove=1", "noise", "noise,move=2,rename=2", "rename=12,move=15,recategorise=8,hours=9",
        "noise,move=14", "retype=2", "relevel=4,move=6", "floor,move=4,add=4,remove=4,noise", "noise,remove-floor,rename=6",
    ]

    @Test(arguments: Self.kinds, 0..<6 as Range<UInt64>)
    func `explore`(edits: String, seed: UInt64) async throws {
        let venue = SampleVenue(.init(levels: 3, unitsPerLevel: 24, seed: seed, customExtension: seed % 2 == 1))
        var edited = venue
        _ = edited.apply(try Edit.parse(list: edits), seed: seed)
        var reminted = edited
        let report = reminted.apply(try Edit.parse(list: "remint"), seed: seed + 100)
        let ids = report.last?.reminted ?? [:]
        let back = Dictionary(uniqueKeysWithValues: ids.map { ($0.value, $0.key) })
        let expected = try await Self.diff(venue, edited)
        let found = try await Self.diff(venue, reminted)
        var wrong: [String] = []
        for match in found.matches where back[match.archiveID] != match.id {
            let old = venue.features.first { $0.id == match.id }
            let new = reminted.features.first { $0.id == match.archiveID }
            wrong.append("WRONG \(match.type.rawValue) \(match.kind) \(match.reason) \(match.score)")
            if edits.hasPrefix("floor"), seed == 5 { print("OLD", old.map { String(decoding: CanonicalJSON.data(.object($0.body)), as: UTF8.self) } ?? "?", "\nNEW", new.map { String(decoding: CanonicalJSON.data(.object($0.body)), as: UTF8.self) } ?? "?") 
              for level in venue.features where level.type == .level { print("OLDLEVEL", level.id, level["ordinal"] ?? 0) }
              for level in reminted.features where level.type == .level { print("NEWLEVEL", level.id, level["ordinal"] ?? 0, found.matches.first { $0.archiveID == level.id } as Any) }
            }
        }
        let storedIDs = Set(venue.features.map(\.id))
        let matched = Set(found.matches.map(\.archiveID))
        for feature in reminted.features where !matched.contains(feature.id) {
            guard let old = back[feature.id], storedIDs.contains(old) else { continue }
            wrong.append("MISSED \(feature.type.rawValue)")
        }
        print("EXPLORE", edits, seed, expected.counts.tally, found.counts.tally, wrong.sorted().prefix(12))
    }
}
