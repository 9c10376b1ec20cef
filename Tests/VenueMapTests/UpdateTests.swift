import IMDF
import Testing
import VenueMap

@Suite struct UpdateTests {
    private static func anchor(_ x: Double, unit: Int = 10, on level: Int = 1) -> VenueMap.Entry {
        .init(20, .anchor, on: level, ["unit_id": Make.id(unit)], geometry: Make.point(x, 1))
    }

    private static func unit(_ id: Int, on level: Int, name: String = "Room", x: Double = 0) -> VenueMap.Entry {
        .init(id, .unit, on: level, ["name": ["en": .string(name)]], geometry: Make.polygon(Make.square(x, 0, 2)))
    }

    private static func level(_ id: Int, ordinal: Double) -> VenueMap.Entry {
        .init(id, .level, ["ordinal": .number(ordinal)], geometry: Make.polygon(Make.square(0, 0, 20)))
    }

    private static let occupant = VenueMap.Entry(
        21, .occupant, on: 1, ["anchor_id": Make.id(20), "name": ["en": "Shop"], "category": "shop"])
    private static func lift(_ units: Int...) -> VenueMap.Entry {
        let lift = VenueMap.Entry(
            30, .amenity, ["unit_ids": .array(units.map { Make.id($0) }), "category": "elevator"],
            geometry: Make.point(5, 5))
        return .init(id: lift.id, type: .amenity, level: nil, body: lift.body)
    }

    /// A shop in a unit of the ground floor, a lift to the upper floor, and the venue.
    private static let map = VenueMap([
        Self.level(1, ordinal: 0), Self.level(2, ordinal: 1), Self.unit(10, on: 1), Self.unit(11, on: 2, x: 6),
        Self.anchor(1), Self.occupant, Self.lift(10, 11),
        .init(40, .venue, geometry: Make.polygon(Make.square(-5, -5, 50))),
    ])

    private func changes(
        _ entries: VenueMap.Entry..., removing ids: [Int] = [], in scope: LevelSelection = .everything
    ) -> [MapChange] {
        var map = Self.map
        return map.update(putting: entries, removing: ids.map { FeatureID($0) }).changes(in: scope)
    }

    @Test func `an update with an anchor that moved reports its occupant, with the old and the new point`() throws {
        let change = try #require(self.changes(Self.anchor(1.5)).first)
        #expect(self.changes(Self.anchor(1.5)).map(\.id) == [FeatureID(21)])
        #expect(change.kind == .changed)
        #expect(change.aspects == .point)
        #expect(change.old?.point?.position == Position(longitude: 1, latitude: 1))
        #expect(change.new?.point?.position == Position(longitude: 1.5, latitude: 1))
        #expect(change.new?.level == FeatureID(1) && change.new?.ordinal == 0)
    }

    @Test func `an occupant whose anchor has no position stands in the anchor's unit and moves with it`() throws {
        var map = Self.map
        let bare = VenueMap.Entry(20, .anchor, on: 1, ["unit_id": Make.id(10)])
        map.update(putting: [bare])
        #expect(map.labelPoint(of: FeatureID(21))?.rule == .unit)
        let changes = map.update(putting: [Self.unit(10, on: 1, x: 8)]).changes
        #expect(changes.map(\.id.low) == [10, 21])
        #expect(changes.map(\.new?.point?.position.longitude) == [9, 9])
        #expect(changes[1].aspects == .point)
    }

    @Test func `an update with a new name is a change of the label`() {
        let renamed = self.changes(Self.unit(10, on: 1, name: "Hall"))
        #expect(renamed.map(\.id.low) == [10])
        #expect(renamed.map(\.aspects) == [[.label, .properties]])
        #expect(self.changes(Self.unit(10, on: 1)).isEmpty, "the body is the same")
    }

    @Test func `an update of an occupant's category redraws its unit`() {
        let cafe = VenueMap.Entry(
            21, .occupant, on: 1, ["anchor_id": Make.id(20), "name": ["en": "Shop"], "category": "cafe"])
        let changes = self.changes(cafe)
        #expect(changes.map(\.id.low) == [10, 21])
        #expect(changes.map(\.aspects) == [.style, [.style, .properties]])
        let removed = self.changes(removing: [20])
        #expect(removed.map(\.id.low) == [10, 21])
        #expect(removed.map(\.kind) == [.changed, .removed])
    }

    @Test func `an update with a feature that changed its level is one change in all levels`() throws {
        let moved = self.changes(Self.unit(10, on: 2)).filter { $0.id == FeatureID(10) }
        #expect(moved.map(\.kind) == [.changed])
        #expect(moved.map(\.aspects) == [.level])
        #expect(moved.map(\.old?.ordinal) == [0] && moved.map(\.new?.ordinal) == [1])
        #expect(self.changes(Self.unit(10, on: 2), in: [.ordinal(0)]).first { $0.id.low == 10 }?.kind == .removed)
        let entered = self.changes(Self.unit(10, on: 2), in: [.level(FeatureID(2))]).first { $0.id.low == 10 }
        #expect(entered?.kind == .added)
        #expect(entered?.old?.level == FeatureID(1))
    }

    @Test func `a lift belongs to the scope of every level that it touches`() {
        for scope in [[.ordinal(0)], [.ordinal(1)], [.level(FeatureID(2))], .everything] as [LevelSelection] {
            #expect(self.changes(removing: [30], in: scope).map(\.id.low) == [30])
        }
        #expect(self.changes(removing: [30], in: [.ordinal(2)]).isEmpty)
        let shortened = Self.lift(10)
        #expect(self.changes(shortened, in: [.ordinal(1)]).map(\.kind) == [.removed])
        #expect(self.changes(shortened, in: [.ordinal(0)]).map(\.kind) == [.changed])
        // The lift itself is the same, but one of its units is now on another level.
        let carried = self.changes(Self.unit(11, on: 3))
        #expect(carried.map(\.id.low) == [11, 30])
        #expect(carried[1].new?.levels == [FeatureID(1), FeatureID(3)])
    }

    @Test func `a new ordinal of a level is a change of everything on it`() {
        let changes = self.changes(Self.level(1, ordinal: 5))
        #expect(changes.map(\.id.low) == [1, 10, 21, 30])
        #expect(changes.map(\.aspects) == [[.level, .properties], .level, .level, .level])
        #expect(changes[3].new?.ordinals == [1, 5])
        #expect(
            self.changes(Self.level(1, ordinal: 5), in: [.ordinal(5)]).map(\.kind) == [.added, .added, .added, .added])
    }

    @Test func `features that belong to no level are in the scope of all and of nil`() {
        #expect(self.changes(removing: [40]).map(\.id.low) == [40])
        #expect(self.changes(removing: [40], in: [.venueWide, .level(FeatureID(1))]).map(\.id.low) == [40])
        #expect(self.changes(removing: [40], in: [.level(FeatureID(1))]).isEmpty)
        #expect(self.changes(removing: [40], in: [.ordinal(0)]).isEmpty)
    }

    @Test func `an update ignores unknown ids, and keeps a feature that is put and removed`() {
        var map = Self.map
        #expect(map.update(putting: [], removing: [FeatureID(99)]).changes.isEmpty)
        #expect(map.update(putting: [Self.unit(10, on: 1)], removing: [FeatureID(10)]).changes.isEmpty)
        map.update(putting: [.init(id: FeatureID(10), type: .unit, level: FeatureID(1), body: [0x7B])])
        #expect(map.features[FeatureID(10)] == nil && map.unreadable == [FeatureID(10)])
        map.update(putting: [], removing: [FeatureID(10)])
        #expect(map.unreadable.isEmpty)
    }
}
