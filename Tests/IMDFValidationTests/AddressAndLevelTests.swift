import Foundation
import IMDF
import IMDFValidation
import SampleVenue
import Testing

/// Values that should be the same, of which the finding names the one that is wrong; and codes that are out of date.
@Suite struct AddressAndLevelTests {
    /// Of some addresses one is the venue's; the others have its province or another one.
    @Test(arguments: 0..<24 as Range<UInt64>)
    func `the venue's own province is right unless most addresses have another one`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var archive = TestArchive.clean
        let venue = try archive.first(.venue)["address_id"]?.string
        let own = try archive.first(.address) { $0.id.description == venue }
        archive.venue.features.removeAll { $0.type == .address && $0.id != own.id }
        let provinces = ["JP-01", "JP-13", "JP-47"].shuffled(using: &random).prefix(seed < 8 ? 1 : 3)
        var all = [own["province"]?.string ?? ""]
        for number in 1...(seed < 8 ? 1 : Int.random(in: 1...7, using: &random)) {
            let province =
                seed >= 8 && Int.random(in: 0..<3, using: &random) == 0
                ? all[0] : provinces.randomElement(using: &random) ?? ""
            archive.copy(own) {
                $0.id = .random(using: &random)
                $0["province"] = .string(province)
                $0["address"] = .string("Elsewhere \(number)")
            }
            all.append(province)
        }
        let most = Set(all).first { province in 2 * all.count { $0 == province } > all.count }
        let right = most ?? all[0]
        let report = try archive.report(RuleSelection(only: ["SE-10"]))
        let findings = report.findings.filter { $0.message.hasPrefix("The province") }
        #expect(findings.count == all.count { $0 != right }, "\(all)")
        #expect(findings.contains { $0.featureID == own.id } == (right != all[0]), "\(all)")
        let whose = right == all[0] ? "the venue" : "most addresses"
        #expect(findings.allSatisfy { $0.message.hasSuffix("; that of \(whose) is “\(right)”.") }, "\(all)")
    }

    /// A building has two levels with labels in other languages.
    @Test(
        arguments: [
            (["en"], ["ja"], "en", 1), (["en"], ["ja"], "ja", 0), (["ja"], ["en"], "en", 0),
            (["ja"], ["en"], "ja-JP", 1),
            (["en"], ["en", "ja"], "en", 0), (["en", "ja"], ["ja"], "ja", 1), (["zh-Hant"], ["en"], "zh-TW", 1),
            (["de"], ["fr"], "zh-HK", 1), (["nb"], ["en"], "no", 1), (["he"], ["fr"], "iw", 1),
            (["fr"], ["fil"], "tl", 0),
        ] as [([String], [String], String, Int)])
    func `of two levels with other languages that without the manifest's is wrong, then that with fewer`(
        first: [String], second: [String], language: String, wrong: Int
    ) throws {
        var archive = TestArchive.clean
        archive.venue.manifest["language"] = .string(language)
        func levels(of building: SampleFeature) -> [SampleFeature] {
            archive.venue.features.filter {
                $0.type == .level && $0["building_ids"]?.array?.contains(building.id.json) == true
            }
        }
        let all = levels(of: try archive.first(.building) { levels(of: $0).count >= 2 })
        let ids = all.prefix(2).map(\.id)
        archive.venue.features.removeAll { feature in all.dropFirst(2).contains { $0.id == feature.id } }
        for (number, tags) in [first, second].enumerated() {
            let name = JSONValue.string("Level \(number)")
            try archive.edit(.level, where: { $0.id == ids[number] }) {
                $0["name"] = .object(JSONObject(tags.map { .init(key: $0, value: name) }))
                $0["short_name"] = .null
            }
        }
        let report = try archive.report(RuleSelection(only: ["SE-05"]))
        let findings = report.findings.filter {
            $0.message.contains("has the languages") && ids.contains($0.featureID ?? .unknown)
        }
        #expect(findings.map(\.featureID) == [ids[wrong]])
        #expect(findings.allSatisfy { $0.message.contains("; other levels of the building have") })
    }

    @Test func `every superseded code of ISO 3166-2 is a warning that names the new one, which is valid`() throws {
        var checked = 0
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = root.appending(path: "Sources/IMDFValidation/Values/Data/superseded-subdivisions.txt")
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#") {
            let codes = line.split(separator: " ").map(String.init)
            let (old, new) = (codes[0], codes.dropFirst().first)
            func findings(_ code: String, in country: String) throws -> [Finding] {
                var archive = TestArchive.clean
                try archive.edit(.address) {
                    $0["country"] = .string(country)
                    $0["province"] = .string(code)
                }
                return try archive.report(RuleSelection(only: ["PV-17"])).findings
            }
            let own = try findings(old, in: String(old.prefix(2)))
            #expect(own.contains { $0.severity == .warning && $0.message.contains("“\(old)”") }, "\(old)")
            guard let new else { continue }
            #expect(own.contains { $0.message.contains("it is \(new) now") }, "\(old)")
            #expect(try findings(new, in: String(new.prefix(2))).isEmpty, "\(new)")
            checked += 1
        }
        #expect(checked >= 10)
    }
}
