import Foundation
import IMDF
import IMDFValidation
import SampleVenue
import Testing

/// Rules that read properties have a budget of counted work, like those that compute with geometries.
///
/// Each archive makes one rule read long properties again and again: its work is the product of two counts, both of which are
/// within the limits of archives.
@Suite struct WorkBudgetTests {
    /// Features under ascending ids, and their references.
    private struct Archive {
        private var features: [ValidationFeature] = []

        /// Adds a feature and returns its id.
        @discardableResult
        mutating func add(
            _ type: FeatureType, _ properties: JSONObject, _ references: [(Reference.Role, FeatureID)] = []
        ) -> FeatureID {
            let id = FeatureID(high: 0x0000_0000_0000_4000, low: 0x8000_0000_0000_0000 + UInt64(self.features.count))
            let feature = Feature(
                id: id, type: type, body: [],
                references: references.map { Reference(role: $0.0, target: $0.1) })
            self.features.append(
                ValidationFeature(
                    feature, body: ["properties": .object(properties), "geometry": nil], file: nil, pointer: nil))
            return id
        }

        func report(_ rule: String) -> FindingReport {
            RuleBook.report(
                on: ValidationContext(features: self.features, manifest: [:], now: 0),
                selection: RuleSelection(only: [rule]))
        }
    }

    /// A label nearly as long as a property may be.
    private static let longLabel: JSONValue = ["en": .string(String(repeating: "a", count: 240_000))]

    /// Many levels that refer to one building with a long name, each with an occupant.
    private static func levels(_ count: Int) -> Archive {
        var archive = Archive()
        let building = archive.add(.building, ["name": Self.longLabel])
        for _ in 0..<count {
            let level = archive.add(
                .level, ["building_ids": [.string(building.description)]], [(.buildings, building)])
            archive.add(.occupant, ["name": ["en": "Shop"]], [(.level, level)])
        }
        return archive
    }

    /// Many buildings, all of which one level with a long name refers to.
    private static func buildings(_ count: Int) -> Archive {
        var archive = Archive()
        let buildings = (0..<count).map { _ in archive.add(.building, [:]) }
        archive.add(
            .level, ["name": Self.longLabel, "building_ids": .array(buildings.map { .string($0.description) })],
            buildings.map { (.buildings, $0) })
        return archive
    }

    /// Many features that touch many levels by way of a single one, and share a correlation id.
    private static func touchedLevels(_ count: Int) -> Archive {
        var archive = Archive()
        let levels = (0..<count).map { _ in archive.add(.level, [:]) }
        let hub = archive.add(FeatureType(rawValue: "hub"), [:], levels.map { (.undeclared, $0) })
        let correlation = JSONValue.string("8e3a9d0e-5d5a-4d3b-9a38-0d6b9a0f3c11")
        for _ in 0..<count { archive.add(.section, ["correlation_id": correlation], [(.undeclared, hub)]) }
        return archive
    }

    @Test func `work budget: a rule over all features ends when it is used up`() {
        let report = Self.levels(1_200).report("SE-07")
        #expect(report.skipped.map(\.rule) == ["SE-07"])
        #expect(report.skipped.allSatisfy { $0.reason.hasPrefix("There is too much to compare") && $0.features == nil })
    }

    @Test func `work budget: a rule over touched levels ends when it is used up`() {
        let report = Self.touchedLevels(2_500).report("SE-21")
        #expect(report.skipped.map(\.rule) == ["SE-21"])
    }

    @Test func `work budget: a rule over single features reports how many it did not check`() {
        let count = 1_200
        let report = Self.buildings(count).report("SE-05")
        #expect(report.skipped.map(\.rule) == ["SE-05"])
        let unchecked = report.skipped.first?.features ?? 0
        #expect(unchecked > 0 && unchecked < count)
    }

    @Test func `work budget: the report is the same every time`() {
        let archive = Self.buildings(1_200)
        let (one, other) = (archive.report("SE-05"), archive.report("SE-05"))
        #expect(!one.skipped.isEmpty && one.skipped == other.skipped)
        #expect(one.findings == other.findings && one.counts == other.counts)
    }

    @Test func `work budget: a few large features do not use it up`() {
        #expect(Self.levels(20).report("SE-07").skipped.isEmpty)
        #expect(Self.buildings(20).report("SE-05").skipped.isEmpty)
        #expect(Self.touchedLevels(100).report("SE-21").skipped.isEmpty)
    }
}
