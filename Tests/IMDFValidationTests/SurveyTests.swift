import Foundation
import IMDF
import IMDFValidation
import SampleVenue
import Testing

@Suite struct SurveyTests {
    @Test func `show`() throws {
        let report = try TestArchive.clean.report()
        for finding in report.findings.prefix(400) {
            print(
                finding.rule, finding.severity, finding.featureType?.rawValue ?? "", finding.message, finding.at ?? [])
        }
        print(report.skipped)
        for (rule, counts) in report.counts.sorted(by: { $0.key < $1.key }) { print(rule, counts) }
        let features = TestArchive.clean.venue.features
        let origin = features.first { $0.type == .venue }!.box.low
        for feature in features {
            let spots = feature.spots.map { "\(($0.x - origin.x) / 11),\(($0.y - origin.y) / 9)" }.joined(
                separator: " ")
            print(
                "F", feature.type.rawValue, feature.id.description.prefix(4), feature["category"]?.string ?? "",
                feature["level_id"]?.string?.prefix(4) ?? "", spots)
        }
    }
}

@Suite(.enabled(if: ProcessInfo.processInfo.environment["VENUE_SAMPLES"] != nil))
struct RealArchiveReportTests {
    @Test(arguments: ["r1-20220404-be1ef9c", "r2-20220405-fdfa3dd", "r3-20220610-ff1471b", "r4-20220612-d4d8818"])
    func `a real archive is judged the same from run to run, and whatever the order of its features`(
        name: String
    ) throws {
        let folder = URL(filePath: ProcessInfo.processInfo.environment["VENUE_SAMPLES"] ?? "")
        let bytes = [UInt8](try Data(contentsOf: folder.appending(path: "polytech/\(name).zip")))
        let archive = TestArchive(venue: try SampleVenue(reading: bytes))
        let report = try archive.report()
        #expect(report.findings.isEmpty == false)
        #expect(try Self.words(archive.report()) == Self.words(report))
        var shuffled = archive
        var random = SplitMix64(seed: 3)
        shuffled.venue.features.shuffle(using: &random)
        #expect(try Self.words(shuffled.report()) == Self.words(report))
        print(name, report.counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })
        var shown: [String: Int] = [:]
        for finding in report.findings where finding.rule.hasPrefix("GE") || finding.rule.hasPrefix("TO") {
            shown[finding.rule, default: 0] += 1
            if shown[finding.rule]! <= 4 {
                print(
                    finding.rule, finding.severity, finding.featureType?.rawValue ?? "", finding.message,
                    finding.at ?? [])
            }
        }
        print(report.skipped.filter { $0.rule.hasPrefix("TO") || $0.rule.hasPrefix("GE") })
    }

    /// What the report says, apart from where in the files it stands.
    private static func words(_ report: Report) -> [String] {
        report.findings.map { finding in
            "\(finding.rule) \(finding.severity) \(finding.featureID?.description ?? "-") \(finding.message) "
                + "\(finding.at ?? [])"
        }
    }
}
