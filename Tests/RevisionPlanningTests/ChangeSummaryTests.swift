import Foundation
import IMDF
import IMDFDiff
import RevisionPlanning
import SampleVenue
import SyncModel
import Testing

@Suite struct ChangeSummaryTests {
    private let levels = (1...4).map { FeatureID(high: 0, low: $0) }
    private func id(_ number: UInt64) -> FeatureID { FeatureID(high: 1, low: number) }

    @Test
    func
        `change summary: the venue-wide part comes first, then levels by ordinal and id, then those without an ordinal`()
    {
        let changes = self.levels.enumerated().map { Change.added(self.id(UInt64($0)), .unit, on: $1) }
        let summary = ChangeSummary(
            of: changes + [.added(self.id(9), .address)],
            ordinals: [self.levels[3]: -1, self.levels[1]: 2, self.levels[0]: 2])
        #expect(summary.levels.map(\.level) == [nil, self.levels[3], self.levels[0], self.levels[1], self.levels[2]])
        #expect(summary.levels.map(\.ordinal) == [nil, -1, 2, 2, nil])
        #expect(summary.types.map(\.type) == [.address, .unit])
    }

    @Test func `change summary: a feature that moved counts once, under its new level`() {
        let summary = ChangeSummary(of: [
            Change(
                id: self.id(1), kind: .changed, type: .unit, levelBefore: self.levels[0], levelAfter: self.levels[1],
                classes: .level)
        ])
        #expect(
            summary.levels == [.init(level: self.levels[1], ordinal: nil, added: 0, changed: 1, removed: 0)])
        #expect(summary.counts == [0, 1, 0])
    }

    @Test func `change summary: a removed feature counts under the level that it had`() {
        let summary = ChangeSummary(of: [.removed(self.id(1), .unit, from: self.levels[0])])
        #expect(summary.levels.map(\.level) == [self.levels[0]])
        #expect(summary.counts == [0, 0, 1])
    }

    @Test(arguments: 0..<16 as Range<UInt64>)
    func `change summary: the counts of levels and of types each add up to the list of changes`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let changes = (0..<Int.random(in: 0...300, using: &random)).map { _ in self.randomChange(using: &random) }
        let summary = ChangeSummary(of: changes, ordinals: [self.levels[0]: 3])
        #expect(summary.total == changes.count)
        let levels = summary.levels.map { [$0.added, $0.changed, $0.removed] }
        let types = summary.types.map { [$0.added, $0.changed, $0.removed] }
        for part in [levels, types] {
            #expect((0..<3).map { index in part.reduce(0) { $0 + $1[index] } } == summary.counts)
            #expect(part.allSatisfy { $0.reduce(0, +) > 0 })
        }
        for (level, counts) in zip(summary.levels, levels) {
            #expect(counts.reduce(0, +) == changes.count { $0.level == level.level })
        }
    }

    private func randomChange(using random: inout SplitMix64) -> Change {
        let types =
            FeatureType.standard + ["navPath", "a.b", "", String(repeating: "x", count: 99)].map(FeatureType.init)
        let kind = Change.Kind.allCases.randomElement(using: &random) ?? .added
        let (before, after) = (
            (self.levels + [nil]).randomElement(using: &random) ?? nil,
            (self.levels + [nil]).randomElement(using: &random) ?? nil
        )
        return Change(
            id: .random(using: &random), kind: kind, type: types.randomElement(using: &random) ?? .unit,
            levelBefore: kind == .added ? nil : before, levelAfter: kind == .removed ? nil : after,
            classes: kind == .changed ? ChangeClasses(rawValue: .random(in: 1..<1 << 10, using: &random)) : [])
    }

    @Test func `change summary: JSON has the members of the wire format`() throws {
        let level = FeatureID(high: 0, low: 1)
        let summary = ChangeSummary(
            of: [.added(self.id(1), .unit, on: level), .removed(self.id(2), .address)], ordinals: [level: 1])
        let text = try WireJSON.data(summary)
        #expect(
            String(decoding: text, as: UTF8.self)
                == #"{"added":1,"changed":0,"levels":["#
                + #"{"added":0,"changed":0,"level_id":null,"ordinal":null,"removed":1},"#
                + #"{"added":1,"changed":0,"level_id":"00000000-0000-0000-0000-000000000001","ordinal":1,"removed":0}],"#
                + #""removed":1,"types":[{"added":0,"changed":0,"feature_type":"address","removed":1},"#
                + #"{"added":1,"changed":0,"feature_type":"unit","removed":0}],"words":[]}"#)
        #expect(try WireJSON.value(ChangeSummary.self, from: text) == summary)
    }
}

extension ChangeSummary {
    /// Added, changed and removed features.
    var counts: [Int] { [self.added, self.changed, self.removed] }
    var total: Int { self.added + self.changed + self.removed }
}

extension Change {
    fileprivate static func added(_ id: FeatureID, _ type: FeatureType, on level: FeatureID? = nil) -> Change {
        Change(id: id, kind: .added, type: type, levelBefore: nil, levelAfter: level)
    }

    fileprivate static func removed(_ id: FeatureID, _ type: FeatureType, from level: FeatureID? = nil) -> Change {
        Change(id: id, kind: .removed, type: type, levelBefore: level, levelAfter: nil)
    }
}
