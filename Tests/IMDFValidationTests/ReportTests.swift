import Foundation
import IMDF
import IMDFArchive
import IMDFValidation
import Ingestion
import SampleVenue
import Testing

@Suite struct ReportTests {
    /// A venue with something wrong everywhere.
    private static func messy(seed: UInt64) -> SampleVenue {
        var random = SplitMix64(seed: seed)
        var venue = SampleVenue(.small)
        for index in venue.features.indices where Int.random(in: 0..<3, using: &random) == 0 {
            for property in ["name", "category", "level_id", "unit_ids", "phone", "accessibility", "building_ids"] {
                guard venue.features[index][property] != nil, Bool.random(using: &random) else { continue }
                let values: [JSONValue] = [.null, "", "x", 5, [], ["x"], [:], ["": ""]]
                venue.features[index][property] = values.randomElement(using: &random)
            }
        }
        return venue
    }

    @Test(arguments: 0..<6 as Range<UInt64>)
    func `report: it does not depend on the order of features and files`(seed: UInt64) throws {
        var venue = Self.messy(seed: seed)
        let before = try TestArchive(venue: venue).report()
        #expect(before.findings.count > 20)
        var random = SplitMix64(seed: seed)
        venue.features.shuffle(using: &random)
        venue.style.fileOrder = seed
        let after = try TestArchive(venue: venue).report()
        #expect(Self.withoutPlaces(after.findings) == Self.withoutPlaces(before.findings))
        #expect(after.counts == before.counts && after.skipped == before.skipped)
    }

    @Test(arguments: 0..<6 as Range<UInt64>)
    func `report: it does not depend on the order of features in the context`(seed: UInt64) throws {
        let archive = try ArchiveReader().read(bytes: Self.messy(seed: seed).archive())
        let context = ValidationContext(of: archive, now: TestArchive.noon)
        let before = RuleBook.report(on: context)
        var random = SplitMix64(seed: seed)
        let shuffled = ValidationContext(
            features: context.features.shuffled(using: &random), manifest: context.manifest,
            now: context.now, readingFindings: context.readingFindings)
        let after = RuleBook.report(on: shuffled)
        #expect(after.findings == before.findings && after.counts == before.counts)
        #expect(after.skipped == before.skipped)
    }

    private static func withoutPlaces(_ findings: [Finding]) -> [Finding] {
        findings.map { finding in
            var finding = finding
            finding.pointer = nil
            return finding
        }
    }

    @Test func `report: all findings are counted, and the first thousand are reported`() throws {
        var archive = TestArchive.clean
        let amenity = try archive.first(.amenity)
        for _ in 0..<2_500 { archive.copy(amenity) { $0["phone"] = "none" } }
        let report = try archive.report(RuleSelection(only: ["PV-08"]))
        #expect(report.ruleCounts == ["PV-08": 2_500] && report.findings.count == 1_000 && report.isTruncated)
        // Those of the lowest ids, whichever came first.
        let ids = archive.venue.features.filter { $0["phone"] == "none" }.map(\.id).sorted()
        #expect(report.findings.compactMap(\.featureID) == Array(ids.prefix(1_000)))
    }

    @Test func `report: rules without their needs are reported as skipped`() throws {
        var archive = TestArchive.clean
        archive.replace(#""properties""#, by: #""attributes""#, in: "detail.geojson")
        let report = try archive.report()
        let skipped = report.skipped.filter { $0.rule == "RQ-05" }
        #expect(skipped.map(\.features) == [nil] || skipped.isEmpty)
        archive.editFiles = { files in
            guard let index = files.firstIndex(where: { $0.name == "detail.geojson" }) else { return }
            let content = String(decoding: files[index].content, as: UTF8.self)
            files[index].content = Array(
                content.replacing(/"properties": ?\{/, with: #""properties": 5, "x": {"#, maxReplacements: 1).utf8)
        }
        let broken = try archive.report()
        #expect(broken.skipped.contains { $0.rule == "RQ-05" && $0.features == 1 })
        #expect(broken.ruleCounts["RQ-05"] == nil)
        archive.editFiles = nil
        archive.venue.manifest = [:]
        let bare = try archive.report()
        #expect(bare.skipped.contains { $0.rule == "MF-01" && $0.features == nil })
        #expect(bare.skipped.contains { $0.rule == "RV-01" && $0.features == nil })
    }

    @Test func `report: only selected rules are reported`() throws {
        let venue = Self.messy(seed: 1)
        let all = try TestArchive(venue: venue).report()
        let some = try TestArchive(venue: venue).report(RuleSelection(only: ["PV-08", "RQ-02"], ignored: ["RQ-02"]))
        #expect(Set(some.findings.map(\.rule)) == ["PV-08"] && some.counts["PV-08"] == all.counts["PV-08"])
    }

    @Test func `report: a finding has file, pointer and position`() throws {
        var archive = TestArchive.clean
        try archive.edit(.occupant) { $0["phone"] = "5" }
        let finding = try #require(try archive.report(RuleSelection(only: ["PV-08"])).findings.first)
        #expect(finding.featureType == .occupant && finding.file == "occupant.geojson")
        #expect(finding.pointer == "/features/0/properties/phone")
        // An occupant has no geometry; its anchor has.
        let anchor = try archive.first(.anchor) { anchor in
            archive.venue.features.contains { $0.id == finding.featureID && $0["anchor_id"] == anchor.id.json }
        }
        #expect(finding.at == anchor.geometry["coordinates"]?.array?.compactMap(\.number))
    }

    @Test func `report: values are shortened and have no control characters`() throws {
        var archive = TestArchive.clean
        let value = String(repeating: "a\u{0}\u{1B}[31m\u{202E}", count: 500)
        try archive.edit(.unit) {
            $0["category"] = .string(value)
            $0["name"] = [value: "x"]
        }
        let findings = try archive.report(RuleSelection(only: ["RQ-02", "PV-03"])).findings
        #expect(findings.count == 2)
        for text in findings.flatMap({ [$0.message, $0.pointer ?? ""] }) {
            #expect(text.count < 200 && !text.unicodeScalars.contains { $0.value < 32 || $0.value == 0x202E })
        }
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment["VENUE_SAMPLES"] != nil))
    func `report: real archives have the same report every time`() throws {
        let samples = URL(filePath: ProcessInfo.processInfo.environment["VENUE_SAMPLES"] ?? "")
        let files = try #require(FileManager.default.enumerator(at: samples, includingPropertiesForKeys: nil))
            .compactMap { $0 as? URL }.filter { $0.pathExtension == "zip" }
        #expect(!files.isEmpty)
        for file in files {
            let bytes = try Array(Data(contentsOf: file))
            guard let archive = try? ArchiveReader().read(bytes: bytes) else { continue }
            let first = RuleBook.report(on: ValidationContext(of: archive, now: TestArchive.noon))
            let second = RuleBook.report(on: ValidationContext(of: archive, now: TestArchive.noon))
            #expect(first.findings == second.findings && first.counts == second.counts, "\(file.lastPathComponent)")
            var venue = try SampleVenue(reading: bytes)
            var random = SplitMix64(seed: 4)
            venue.features.shuffle(using: &random)
            let shuffled = try TestArchive(venue: venue).report()
            let rules = RuleBook.all.filter { $0.family != "ST" }.map(\.id)
            #expect(rules.allSatisfy { first.counts[$0] == shuffled.counts[$0] }, "\(file.lastPathComponent)")
        }
    }
}
