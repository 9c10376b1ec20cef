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
        "rename=2,move=2,add=1,remove=1", "noise", "noise,move=2,rename=2",
    ]

    @Test(arguments: Self.kinds, 0..<4 as Range<UInt64>)
    func `explore`(edits: String, seed: UInt64) async throws {
        let venue = SampleVenue(.init(levels: 3, unitsPerLevel: 24, seed: seed))
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
            wrong.append("WRONG \(match.type.rawValue) \(match.kind) \(match.reason) \(match.score)")
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
