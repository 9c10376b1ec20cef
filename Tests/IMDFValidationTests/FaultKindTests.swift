import Foundation
import IMDF
import IMDFArchive
import IMDFValidation
import SampleVenue
import Testing

/// Mistakes of which each has one finding that names its cause.
@Suite struct FaultKindTests {
    private func rules(_ archive: TestArchive) throws -> [String: Int] { try archive.report().ruleCounts }

    @Test(arguments: [
        180, 179.9999, -179.9999, 179.99985, -179.99985, 179.99995, -179.99995, 179.99997, -179.99997, 179.9998,
    ])
    func `a venue across the antimeridian has the findings of any other venue and one about the antimeridian`(
        longitude: Double
    ) throws {
        var (elsewhere, archive) = (TestArchive.clean, TestArchive.clean)
        elsewhere.venue.moveEast(to: 139)
        archive.venue.moveEast(to: longitude < 0 ? longitude + 360 : longitude)
        var expected = try self.rules(elsewhere)
        expected["GE-13"] = 1
        #expect(try self.rules(archive) == expected)
        let report = try archive.report()
        #expect(report.findings.allSatisfy { $0.at.map { abs($0[0]) <= 180 } ?? true })
        let finding = try #require(report.findings.first { $0.rule == "GE-13" })
        #expect(finding.message.contains("antimeridian") && finding.featureID == nil)
    }

    @Test func `a venue that is cut at the antimeridian has the findings of any other venue`() throws {
        var compared = 0
        for offset in stride(from: -0.0005, through: 0.0005, by: 0.000_019) {
            var (elsewhere, archive) = (TestArchive.clean, TestArchive.clean)
            archive.venue.moveEast(to: 180 + offset)
            let hasLines = !archive.venue.cutAtAntimeridian()
            guard !hasLines else { continue }
            elsewhere.venue.moveEast(to: 139 + offset)
            #expect(try self.rules(archive) == self.rules(elsewhere), "\(offset)")
            compared += 1
        }
        #expect(compared >= 10)
    }

    @Test(arguments: [0, 0.0001, -0.0001, 90, -90, 45, -45, 139, -120, 60])
    func `a geometry around the world is no reason to move a venue elsewhere`(longitude: Double) throws {
        var archive = TestArchive.clean
        archive.venue.moveEast(to: longitude)
        let before = try self.rules(archive)
        let world: JSONValue = [
            "type": "Polygon", "coordinates": [[[-179, -80], [179, -80], [179, 80], [-179, 80], [-179, -80]]],
        ]
        try archive.edit(.section) { $0.geometry = world }
        let after = try self.rules(archive)
        #expect(after["GE-13"] == nil && (after["TO-03"] ?? 0) == (before["TO-03"] ?? 0))
        #expect((after["GE-07"] ?? 0) <= (before["GE-07"] ?? 0) + 1)
    }

    /// Crossing outlines: bow-ties of equal and of unequal halves, and longer ones.
    @Test(arguments: 0..<10)
    func `an outline that crosses itself has no area that is too small`(number: Int) throws {
        var archive = TestArchive.clean
        try archive.edit(.fixture) { fixture in
            let box = fixture.box
            let (width, height) = (box.right - box.left, box.top - box.bottom)
            let corners = [
                Spot(box.left, box.bottom), Spot(box.right, box.top - height * number / 40),
                Spot(box.right - width * number / 40, box.bottom), Spot(box.left, box.top),
            ]
            fixture.geometry = .polygon(corners + [corners[0]])
        }
        let rules = try self.rules(archive)
        #expect(rules["GE-09"] == 1 && rules["GE-11"] == nil)
    }

    @Test(arguments: [
        "en_US", "English", "en_", "ja_JP.UTF-8", "zh_Hant_TW", "deutsch ", "e", "en--US", "12", "en-US-",
    ])
    func `a manifest with a malformed language has one finding`(language: String) throws {
        var archive = TestArchive.clean
        let before = try self.rules(archive)
        archive.venue.manifest["language"] = .string(language)
        let after = try self.rules(archive)
        #expect(after["MF-03"] == 1 && after["MF-07"] == nil)
        #expect(after.filter { $0.key != "MF-03" } == before.filter { $0.key != "MF-07" })
    }

    @Test(arguments: [
        "\u{200B}", "\u{200C}\u{200D}", "\u{FEFF}", "\u{2060}", "\u{00AD}", "\u{3164}", "\u{2800}",
        "\u{E0020}\u{E007F}",
        "\u{202A}\u{202C} ", "\u{3000}\u{200E}",
    ])
    func `a label of invisible characters is blank`(text: String) throws {
        var archive = TestArchive.clean
        try archive.edit(.unit) { $0["name"] = ["en": .string(text), "ja": "室"] }
        #expect(try self.rules(archive)["PV-02"] == 1)
        #expect(Labels(["en": .string(text), "ja": "室"])?.text(for: ["en"]) == "室")
        #expect(Labels(.string(text)) == nil)
        // Invisible characters within a label are a part of it.
        #expect(Labels(.string("a\(text)"))?.text() == "a\(text)")
    }

    @Test func `ids that stand in the properties have one finding, and none as unknown properties`() throws {
        var archive = TestArchive.clean
        for feature in archive.venue.features { archive.venue.style.idFaults[feature.id] = .inProperties }
        let count = archive.venue.features.count
        let report = try archive.report(RuleSelection(only: ["ST-08", "ST-18"]))
        #expect(report.findings.map(\.rule) == ["ST-08"])
        #expect(report.findings.first?.message == "\(count) features have no id; the id in the properties was used.")
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `lists that are written as text have one finding, and none as references`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var archive = TestArchive.clean
        let count = archive.venue.writeListsAsText(using: &random)
        let report = try archive.report(RuleSelection(only: ["ST-14", "PV-11", "PV-20", "RQ-14"]))
        #expect(report.findings.map(\.rule) == ["PV-20"])
        #expect(
            report.findings.first?.message.hasPrefix("\(count) features have lists that are written as text") == true)
    }

    /// Rings without their last position, and rings that end a little beside their beginning.
    @Test(
        arguments: [FeatureType.fixture, .unit, .section, .kiosk, .level],
        [0, 1e-6, 1e-5])
    func `an unclosed ring has a finding that says that the feature is not drawn`(
        type: FeatureType, gap: Double
    ) throws {
        var archive = TestArchive.clean
        try archive.edit(type) { feature in
            var rings = feature.geometry["coordinates"]?.array?.compactMap(\.array) ?? []
            let last = rings[0].removeLast().array?.compactMap(\.number) ?? []
            if gap > 0 { rings[0].append([.number(last[0] + gap), .number(last[1])]) }
            var geometry = feature.geometry.object ?? [:]
            geometry["coordinates"] = .array(rings.map { .array($0) })
            feature.geometry = .object(geometry)
        }
        let finding = try #require(archive.report().findings.first { $0.rule == "GE-04" })
        #expect(finding.message.contains("do not draw"))
    }

    @Test(arguments: [
        ("zh-TW", "zh-Hant", true), ("zh-HK", "zh-Hant", true), ("zh-MO", "zh-Hant", true), ("zh-TW", "zh-Hans", false),
        ("zh-CN", "zh-Hans", true), ("no", "nb", true), ("nn", "nb", true), ("iw", "he", true), ("in", "id", true),
        ("tl", "fil", true), ("sr-ME", "sr-Latn", true), ("sr-RS", "sr-Latn", false), ("en-GB", "en-US", true),
        ("ja", "en", false), ("ja-Jpan-JP", "ja", true),
    ])
    func `labels have the manifest's language if readers of it read them`(
        language: String, tag: String, isRead: Bool
    ) throws {
        var archive = TestArchive.clean
        archive.venue.manifest["language"] = .string(language)
        try archive.edit(.unit) { $0["name"] = .object(JSONObject([.init(key: tag, value: "A")])) }
        let unit = try archive.first(.unit).id
        let findings = try archive.report(RuleSelection(only: ["MF-07"])).findings
        #expect(findings.contains { $0.featureID == unit } != isRead)
    }

    /// Every type that the sample has.
    @Test(
        arguments: FeatureType.standard.filter { type in TestArchive.clean.venue.features.contains { $0.type == type } }
    )
    func `a feature that is repeated is one feature with one finding`(type: FeatureType) throws {
        var archive = TestArchive.clean
        let before = try self.rules(archive)
        let feature = try archive.first(type)
        archive.venue.style.idFaults[feature.id] = .repeated
        var after = try self.rules(archive)
        let repeated = after.removeValue(forKey: "ST-09")
        #expect(repeated == 1)
        #expect(after == before)
    }
}
