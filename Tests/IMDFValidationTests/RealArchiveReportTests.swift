import Foundation
import IMDF
import IMDFValidation
import SampleVenue
import Testing

@Suite(.enabled(if: ProcessInfo.processInfo.environment["VENUE_SAMPLES"] != nil))
struct RealArchiveReportTests {
    @Test(arguments: ["r1-20220404-be1ef9c", "r2-20220405-fdfa3dd", "r3-20220610-ff1471b", "r4-20220612-d4d8818"])
    func `geometry pass: a real archive has the same report in every run and order`(
        name: String
    ) throws {
        let folder = URL(filePath: ProcessInfo.processInfo.environment["VENUE_SAMPLES"] ?? "")
        let bytes = [UInt8](try Data(contentsOf: folder.appending(path: "polytech/\(name).zip")))
        let archive = TestArchive(venue: try SampleVenue(reading: bytes))
        let report = try archive.report()
        let rules = Set(report.findings.map(\.rule))
        #expect(rules.isSuperset(of: ["GE-05", "GE-08", "GE-09", "TO-01", "TO-08", "TO-14"]))
        #expect(try Self.lines(archive.report()) == Self.lines(report))
        var shuffled = archive
        var random = SplitMix64(seed: 3)
        shuffled.venue.features.shuffle(using: &random)
        #expect(try Self.lines(shuffled.report()) == Self.lines(report))
    }

    /// The findings without their positions in files.
    private static func lines(_ report: FindingReport) -> [String] {
        report.findings.map { finding in
            "\(finding.rule) \(finding.severity) \(finding.featureID?.description ?? "-") \(finding.message) "
                + "\(finding.at ?? [])"
        }
    }
}
