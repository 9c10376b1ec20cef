import Foundation
import IMDF
import IMDFArchive
import IMDFValidation
import Ingestion
import SampleVenue
import Testing

/// Reports on archives that are rejected.
@Suite struct IncompleteArchiveTests {
    private static let kinds = "rename=3,move=4,recategorise=3,hours=2,remove=2,relevel=1,retype=1"

    /// What is found in a part of an archive is found in the whole of it.
    @Test(arguments: 0..<10 as Range<UInt64>)
    func `incomplete archives: no rule reports what only the missing features would explain`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var venue = SampleVenue(.init(levels: 3, unitsPerLevel: 8, seed: seed))
        _ = venue.apply(try Edit.parse(list: Self.kinds), seed: seed)
        for index in venue.features.indices where Int.random(in: 0..<12, using: &random) == 0 {
            for property in ["name", "category", "correlation_id", "display_point", "building_ids", "parents"] {
                guard venue.features[index][property] != nil, Bool.random(using: &random) else { continue }
                venue.features[index][property] = [.null, "x", []].randomElement(using: &random)
            }
        }
        let archive = try ArchiveReader().read(bytes: venue.archive())
        let whole = ValidationContext(of: archive, now: TestArchive.noon)
        let known = Set(RuleBook.report(on: whole).findings.map { Key($0) })
        for round in 0..<6 {
            let type = FeatureType.standard.filter { $0 != .venue }.randomElement(using: &random)
            let share = Int.random(in: 1...4, using: &random)
            let features = whole.features.filter { feature in
                round.isMultiple(of: 2) ? feature.type != type : Int.random(in: 0..<10, using: &random) >= share
            }
            let part = ValidationContext(
                features: features, manifest: whole.manifest, now: whole.now,
                readingFindings: whole.readingFindings, isIncomplete: true)
            let report = RuleBook.report(on: part)
            for finding in report.findings where !known.contains(Key(finding)) {
                Issue.record("\(type?.rawValue ?? "") \(finding.rule): \(finding.message)")
            }
            #expect(report.skipped.contains { $0.rule == "ST-14" && $0.features == nil })
        }
    }

    /// What a finding is about. Messages have numbers of features.
    private struct Key: Hashable {
        let rule: String
        let feature: FeatureID?

        init(_ finding: Finding) {
            (self.rule, self.feature) = (finding.rule, finding.featureID)
        }
    }

    @Test func `rejected archives: a feature without an id does not silence the other rules`() throws {
        var archive = TestArchive.clean
        try archive.edit(.unit) { $0["category"] = "no such room" }
        archive.replace(#""id""#, by: #""ident""#, in: "detail.geojson")
        let report = try archive.report()
        #expect(report.ruleCounts["ST-08"] ?? 0 > 0 && report.ruleCounts["RQ-02"] == 1)
        // What cannot be decided is not reported.
        #expect(report.ruleCounts["ST-14"] == nil && report.skipped.contains { $0.rule == "ST-14" })
        #expect(report.skipped.count < 40)
    }

    @Test func `rejected archives: two venues are rejected, and every other rule runs`() throws {
        var archive = TestArchive.clean
        let venue = try archive.first(.venue)
        archive.copy(venue) { $0["name"] = ["en": "Other"] }
        let report = try archive.report()
        #expect(report.ruleCounts["ST-16"] == 1)
        #expect(!report.skipped.contains { $0.rule == "ST-14" || $0.rule == "TO-09" })
    }

    @Test func `rejected archives: of a file that is no zip nothing is checked`() throws {
        var archive = TestArchive.clean
        archive.bytes = Array("no zip".utf8)
        let report = try archive.report()
        #expect(report.ruleCounts == ["ST-01": 1] && report.skipped.count > 100)
    }
}
