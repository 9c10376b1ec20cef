import Foundation
import IMDF
import IMDFDiff
import SampleVenue
import Testing

struct FactTests {
    private let levels = (1...4).map { FeatureID(high: 0, low: $0) }
    private func id(_ number: UInt64) -> FeatureID { FeatureID(high: 1, low: number) }

    private func fact(_ change: Change) -> String? {
        let facts = Fact.facts(of: [change])
        #expect(facts.map(\.count) == [1])
        return facts.first?.fact
    }

    @Test func `facts: occupants open and close, other features are added and removed`() {
        #expect(self.fact(.added(self.id(1), .occupant)) == "occupant.opened")
        #expect(self.fact(.removed(self.id(1), .occupant)) == "occupant.closed")
        #expect(self.fact(.added(self.id(1), .unit)) == "unit.added")
        #expect(self.fact(.removed(self.id(1), .anchor)) == "anchor.removed")
        #expect(self.fact(.added(self.id(1), .init(rawValue: "navPath"))) == "navPath.added")
    }

    @Test(
        arguments: [
            (.type, "retyped"), (.level, "moved"), (.name, "renamed"), (.geometry, "redrawn"), (.position, "shifted"),
            (.category, "recategorised"), (.hours, "rehoured"), (.contact, "recontacted"), (.reference, "relinked"),
            (.other, "updated"), ([.name, .geometry, .other], "renamed"), ([.hours, .level], "moved"),
            ([.contact, .hours], "rehoured"), ([.type, .level, .name], "retyped"),
        ] as [(ChangeClasses, String)])
    func `facts: of several changes of a feature the most visible one counts`(classes: ChangeClasses, event: String) {
        let shop = event == "relinked" ? "relocated" : event  // it refers to its anchor only
        #expect(self.fact(.changed(self.id(1), .occupant, classes)) == "occupant.\(shop)")
        #expect(self.fact(.changed(self.id(1), .unit, classes)) == "unit.\(event)")
        #expect(self.fact(.changed(self.id(1), .anchor, classes)) == "anchor.changed")
        #expect(self.fact(.changed(self.id(1), .init(rawValue: "navPath"), classes)) == "navPath.changed")
    }

    @Test
    func `facts: equal ones of a level are counted together, in an order independent of the changes`() {
        var random = SplitMix64(seed: 5)
        let changes = randomChanges(200, levels: self.levels, using: &random)
        let facts = Fact.facts(of: changes, ordinals: [self.levels[2]: 0])
        for _ in 0..<5 {
            #expect(Fact.facts(of: changes.shuffled(using: &random), ordinals: [self.levels[2]: 0]) == facts)
        }
        #expect(Set(facts.map { "\($0.fact) \($0.levelID?.description ?? "-")" }).count == facts.count)
    }

    @Test(arguments: 0..<16 as Range<UInt64>)
    func `facts: every change is in exactly one`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let changes = randomChanges(.random(in: 0...300, using: &random), levels: self.levels, using: &random)
        let facts = Fact.facts(of: changes)
        #expect(facts.reduce(0) { $0 + $1.count } == changes.count)
        func total(_ events: String...) -> Int {
            facts.filter { fact in events.contains { fact.fact.hasSuffix(".\($0)") } }.reduce(0) { $0 + $1.count }
        }
        #expect(total("added", "opened") == changes.count { $0.kind == .added })
        #expect(total("removed", "closed") == changes.count { $0.kind == .removed })
        #expect(facts.allSatisfy { $0.fact.utf8.count < 80 })
    }

    @Test func `facts have the level, after a move the new one, and for a floor the floor itself`() {
        let facts = Fact.facts(of: [
            .moved(self.id(1), .occupant, from: self.levels[0], to: self.levels[1]),
            .removed(self.id(2), .unit, from: self.levels[2]), .added(self.levels[3], .level),
        ])
        #expect(
            facts == [
                Fact(fact: "level.added", count: 1, levelID: self.levels[3]),
                Fact(fact: "occupant.moved", count: 1, levelID: self.levels[1]),
                Fact(fact: "unit.removed", count: 1, levelID: self.levels[2]),
            ])
    }

    @Test func `facts: an anchor that goes to another unit moves its shops, unless these move themselves`() {
        var changes: [Change] = [
            .changed(self.id(1), .anchor, [.reference, .position], on: self.levels[0]),
            .changed(self.id(2), .anchor, .reference, on: self.levels[0]),
            .changed(self.id(3), .anchor, .position, on: self.levels[0]),
            .changed(self.id(4), .occupant, .name, on: self.levels[0]),
            .moved(self.id(5), .occupant, from: self.levels[0], to: self.levels[1]),
            .changed(self.id(6), .anchor, .reference, on: self.levels[1]),
        ]
        #expect(changes.haveMovedAnchors)
        changes.countMovedOccupants([
            (self.id(4), self.id(1)), (self.id(7), self.id(1)), (self.id(8), self.id(3)), (self.id(5), self.id(6)),
        ])
        #expect(
            Fact.facts(of: changes) == [
                Fact(fact: "occupant.moved", count: 1, levelID: self.levels[1]),
                Fact(fact: "occupant.relocated", count: 2, levelID: self.levels[0]),
                Fact(fact: "occupant.renamed", count: 1, levelID: self.levels[0]),
                Fact(fact: "anchor.changed", count: 2, levelID: self.levels[0]),
                Fact(fact: "anchor.changed", count: 1, levelID: self.levels[1]),
            ])
    }

    @Test func `facts: an anchor to which all of its shops moved does not count beside them`() {
        let level = self.levels[0]
        var changes: [Change] = [
            .changed(self.id(1), .anchor, .reference, on: level), .changed(self.id(2), .anchor, .reference, on: level),
            .changed(self.id(3), .anchor, .reference, on: level), .changed(self.id(4), .anchor, .position, on: level),
            .changed(self.id(5), .occupant, .reference, on: level),
            .changed(self.id(6), .occupant, .reference, on: level),
            .changed(self.id(7), .occupant, .reference, on: level), .added(self.id(8), .occupant, on: level),
            .changed(self.id(10), .anchor, .reference, on: level),
            .changed(self.id(11), .occupant, [.hours, .reference], on: level),
        ]
        // The second anchor has a new shop, too, a shop stays at the third one, and of the last shop the new hours are described.
        changes.countMovedOccupants([
            (self.id(5), self.id(1)), (self.id(6), self.id(2)), (self.id(8), self.id(2)), (self.id(7), self.id(3)),
            (self.id(9), self.id(3)), (self.id(11), self.id(10)),
        ])
        #expect(
            Fact.facts(of: changes) == [
                Fact(fact: "occupant.opened", count: 1, levelID: level),
                Fact(fact: "occupant.relocated", count: 4, levelID: level),
                Fact(fact: "occupant.rehoured", count: 1, levelID: level),
                Fact(fact: "anchor.changed", count: 3, levelID: level),
            ])
    }

    @Test func `facts: features of other types are counted by what they were, and only floors are renumbered`() throws {
        func retyped(_ id: UInt64, from type: FeatureType) -> Change {
            Change(
                id: self.id(id), kind: .changed, type: .fixture, typeBefore: type, levelBefore: nil, levelAfter: nil,
                classes: [.type, .geometry])
        }
        let facts = Fact.facts(of: [retyped(1, from: .unit), retyped(2, from: .kiosk), retyped(3, from: .unit)])
        #expect(
            facts == [
                Fact(fact: "fixture.retyped", count: 2, levelID: nil, typeBefore: .unit),
                Fact(fact: "fixture.retyped", count: 1, levelID: nil, typeBefore: .kiosk),
            ])
        #expect(try JSONDecoder().decode([Fact].self, from: JSONEncoder().encode(facts)) == facts)
        #expect(self.fact(.changed(self.levels[0], .level, [.name, .ordinal])) == "level.renumbered")
        #expect(self.fact(.changed(self.id(1), .unit, .ordinal)) == "unit.updated")
        #expect(self.fact(.changed(self.id(1), .unit, .translation)) == "unit.translated")
        #expect(self.fact(.changed(self.id(1), .unit, [.translation, .name])) == "unit.renamed")
    }

    @Test func `facts: the JSON has the members of the protocol`() throws {
        let facts = [Fact(fact: "occupant.opened", count: 3, levelID: nil), .manifestChanged]
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let text = try encoder.encode(facts)
        #expect(
            String(decoding: text, as: UTF8.self)
                == #"[{"count":3,"fact":"occupant.opened","level_id":null},"#
                + #"{"count":1,"fact":"manifest.changed","level_id":null}]"#)
        #expect(try JSONDecoder().decode([Fact].self, from: text) == facts)
        #expect(
            try JSONDecoder().decode(Fact.self, from: Data(#"{"fact":"a.b","count":1}"#.utf8))
                == Fact(fact: "a.b", count: 1, levelID: nil))
    }
}
