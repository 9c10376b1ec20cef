import Foundation
import IMDF
import IMDFDiff
import SampleVenue
import Testing

struct ChangeCountsTests {
    private let levels = (1...4).map { FeatureID(high: 0, low: $0) }
    private func id(_ number: UInt64) -> FeatureID { FeatureID(high: 1, low: number) }

    @Test
    func `change counts: the venue-wide part is first, then levels by ordinal and id, then those without an ordinal`() {
        let changes = self.levels.enumerated().map { Change.added(self.id(UInt64($0)), .unit, on: $1) }
        let counts = ChangeCounts(
            of: changes + [.added(self.id(9), .address)],
            ordinals: [self.levels[3]: -1, self.levels[1]: 2, self.levels[0]: 2])
        #expect(counts.levels.map(\.id) == [nil, self.levels[3], self.levels[0], self.levels[1], self.levels[2]])
        #expect(counts.levels.map(\.ordinal) == [nil, -1, 2, 2, nil])
        #expect(counts.types.map(\.type) == [.address, .unit])
    }

    @Test func `change counts: a moved feature counts once, for its new level`() {
        let counts = ChangeCounts(of: [.moved(self.id(1), .unit, from: self.levels[0], to: self.levels[1])])
        #expect(counts.levels.map(\.id) == [self.levels[1]])
        #expect(counts.levels.map(\.tally) == [.init(changed: 1)])
        #expect(counts.tally == .init(changed: 1))
    }

    @Test func `change counts: a removed feature counts for its former level`() {
        let counts = ChangeCounts(of: [.removed(self.id(1), .unit, from: self.levels[0])])
        #expect(counts.levels.map(\.id) == [self.levels[0]])
        #expect(counts.tally == .init(removed: 1))
    }

    @Test(arguments: 0..<16 as Range<UInt64>)
    func `change counts: levels and types each add up to the list of changes`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let changes = randomChanges(.random(in: 0...300, using: &random), levels: self.levels, using: &random)
        let counts = ChangeCounts(of: changes, ordinals: [self.levels[0]: 3])
        #expect(counts.tally.total == changes.count)
        for part in [counts.levels.map(\.tally), counts.types.map(\.tally)] {
            #expect(part.reduce(0) { $0 + $1.added } == counts.tally.added)
            #expect(part.reduce(0) { $0 + $1.changed } == counts.tally.changed)
            #expect(part.reduce(0) { $0 + $1.removed } == counts.tally.removed)
            #expect(part.allSatisfy { $0.total > 0 })
        }
        for level in counts.levels {
            #expect(level.tally.total == changes.count { $0.level == level.id })
        }
    }

    @Test func `change counts: the JSON has the members of the protocol`() throws {
        let level = FeatureID(high: 0, low: 1)
        let counts = ChangeCounts(
            of: [.added(self.id(1), .unit, on: level), .removed(self.id(2), .address)], ordinals: [level: 1])
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let text = try encoder.encode(counts)
        #expect(
            String(decoding: text, as: UTF8.self)
                == #"{"added":1,"changed":0,"levels":["#
                + #"{"added":0,"changed":0,"level_id":null,"ordinal":null,"removed":1},"#
                + #"{"added":1,"changed":0,"level_id":"00000000-0000-0000-0000-000000000001","ordinal":1,"removed":0}],"#
                + #""removed":1,"types":[{"added":0,"changed":0,"feature_type":"address","removed":1},"#
                + #"{"added":1,"changed":0,"feature_type":"unit","removed":0}]}"#)
        #expect(try JSONDecoder().decode(ChangeCounts.self, from: text) == counts)
    }
}
