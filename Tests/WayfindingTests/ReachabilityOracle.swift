import IMDF
import SampleVenue

@testable import Wayfinding

/// A venue of corridors, rooms, lifts and stairs from which something is missing, with what can be reached in it, found without geometry.
struct MutilatedVenue {
    struct Door {
        let units: [Int]
        let number: Int
        let isNarrow: Bool
        let isEmergencyExit: Bool
    }

    private(set) var venue = GridVenue()
    private var doors: [Door] = []
    /// The floor of each unit.
    private(set) var floors: [Int: Int] = [:]
    private var restricted: Set<Int> = []
    private var lifts: Set<Int> = []
    private var stairs: Set<Int> = []
    private(set) var hasExit = true
    static let exit = 99

    init(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        func chance(_ count: Int) -> Bool { random.next() % UInt64(count) == 0 }
        let count = 1 + Int(random.next() % 3)
        for floor in 0..<count {
            let base = 100 * floor
            self.venue.addLevel(floor)
            self.add(base + 1, floor, (0, 0), (40_000, 4_000), "walkway")
            for room in 0..<4 {
                let left = 6_000 * room
                let isRestricted = chance(9)
                self.add(base + 10 + room, floor, (left, 4_100), (left + 5_900, 9_000), "room", isRestricted)
                if !chance(4) {
                    self.join(
                        base + 20 + room, [base + 1, base + 10 + room], (left + 1_000, 4_050), chance(6), chance(9))
                }
                if room < 3, chance(2) {
                    self.join(
                        base + 30 + room, [base + 10 + room, base + 11 + room], (left + 5_950, 6_000), chance(6),
                        chance(9), isUpright: true)
                }
            }
            if !chance(5) {
                self.add(base + 4, floor, (26_000, 4_100), (28_000, 6_000), "elevator")
                if !chance(6) { self.join(base + 14, [base + 1, base + 4], (26_500, 4_050), chance(8), false) }
            }
            if !chance(4) {
                self.add(base + 5, floor, (30_000, 4_100), (33_000, 9_000), "stairs")
                if !chance(6) { self.join(base + 15, [base + 1, base + 5], (30_500, 4_050), false, false) }
            }
        }
        self.hasExit = !chance(8)
        if self.hasExit {
            self.venue.addDoor(Self.exit, (0, 1_000), (0, 2_500), category: "pedestrian.principal")
        }
    }

    private mutating func add(
        _ unit: Int, _ floor: Int, _ low: (Int, Int), _ high: (Int, Int), _ category: String,
        _ isRestricted: Bool = false
    ) {
        self.venue.addRoom(
            unit, low.0, low.1, high.0, high.1, category: category, ordinal: floor,
            restriction: isRestricted ? "employeesonly" : nil)
        self.floors[unit] = floor
        if isRestricted { self.restricted.insert(unit) }
        if category == "elevator" { self.lifts.insert(unit) }
        if category == "stairs" { self.stairs.insert(unit) }
    }

    private mutating func join(
        _ number: Int, _ units: [Int], _ start: (Int, Int), _ isNarrow: Bool, _ isEmergencyExit: Bool,
        isUpright: Bool = false
    ) {
        let width = isNarrow ? 700 : 1_000
        let end = isUpright ? (start.0, start.1 + width) : (start.0 + width, start.1)
        self.venue.addDoor(
            number, start, end, category: isEmergencyExit ? "emergencyexit" : "pedestrian",
            ordinal: self.floors[units[0]] ?? 0)
        self.doors.append(
            Door(units: units, number: number, isNarrow: isNarrow, isEmergencyExit: isEmergencyExit))
    }

    // MARK: - The graph

    private func neighbors(of unit: Int, _ profile: Profile, ignoresObstacles: Bool) -> [Int] {
        var found: [Int] = []
        for door in self.doors where door.units.contains(unit) {
            guard ignoresObstacles || !door.isEmergencyExit && (profile == .walk || !door.isNarrow) else { continue }
            found += door.units.filter { $0 != unit }
        }
        if self.lifts.contains(unit) || self.stairs.contains(unit), ignoresObstacles || self.isUsable(unit, profile) {
            found += [unit - 100, unit + 100].filter { self.floors[$0] != nil }
        }
        return found
    }

    private func isUsable(_ unit: Int, _ profile: Profile) -> Bool {
        !self.restricted.contains(unit) && (profile == .walk || !self.stairs.contains(unit))
    }

    private func reached(_ profile: Profile, from start: Int = 1, ignoresObstacles: Bool = false) -> Set<Int> {
        var reached: Set<Int> = [start]
        var stack = [start]
        while let unit = stack.popLast() {
            for other in self.neighbors(of: unit, profile, ignoresObstacles: ignoresObstacles)
            where !reached.contains(other) && (ignoresObstacles || self.isUsable(other, profile)) {
                reached.insert(other)
                stack.append(other)
            }
        }
        return reached
    }

    private func isCounted(_ unit: Int, _ profile: Profile) -> Bool {
        !self.restricted.contains(unit) && (profile == .walk || !self.stairs.contains(unit))
    }

    func total(_ profile: Profile) -> Int { self.floors.keys.count { self.isCounted($0, profile) } }

    func reachedCount(_ profile: Profile) -> Int {
        self.reached(profile).count { self.isCounted($0, profile) }
    }

    /// The units that are cut off, with whether that is known.
    func cutOff(_ profile: Profile) -> [Int: RouteAnswer.Status] {
        let (reached, joined) = (self.reached(profile), self.reached(profile, ignoresObstacles: true))
        let walked = profile == .walk ? [] : self.reached(.walk)
        let vertical = self.lifts.union(profile == .walk ? self.stairs : [])
        let unlinked = vertical.filter { self.floors[$0 - 100] == nil && self.floors[$0 + 100] == nil }
        var found: [Int: RouteAnswer.Status] = [:]
        for unit in self.floors.keys where self.isCounted(unit, profile) && !reached.contains(unit) {
            guard profile == .walk || walked.contains(unit) else { continue }
            let isMissing = self.isMissing(reached, unit, unlinked, vertical.subtracting(unlinked), profile)
            found[unit] = joined.contains(unit) && !isMissing ? RouteAnswer.Status.none : .unknown
        }
        return found
    }

    /// Whether there may be a way to a unit if what is missing were there. A lift, or stairs, is beside the corridor of its floor alone.
    private func isMissing(
        _ reached: Set<Int>, _ unit: Int, _ unlinked: Set<Int>, _ linked: Set<Int>, _ profile: Profile
    ) -> Bool {
        func hasDoor(_ unit: Int) -> Bool { self.doors.contains { $0.units.contains(unit) } }
        func corridor(_ unit: Int) -> Int { unit / 100 * 100 + 1 }
        let doorless = linked.filter { !hasDoor($0) }
        var far = self.reached(profile, from: unit)
        if !self.isUsable(unit, profile) { far = [unit] }
        var isGrowing = true
        while isGrowing {
            var more: Set<Int> = []
            for lift in doorless {
                if far.contains(lift) { more.insert(corridor(lift)) }
                guard far.contains(corridor(lift)) else { continue }
                if reached.contains(lift) { return true }
                more.formUnion([lift - 100, lift + 100].filter { self.floors[$0] != nil })
            }
            more.subtract(far)
            for other in more { far.formUnion(self.reached(profile, from: other)) }
            if !far.isDisjoint(with: reached) { return true }
            isGrowing = !more.isEmpty
        }
        func floors(_ units: Set<Int>) -> Set<Int> { Set(units.compactMap { self.floors[$0] }) }
        func leading(_ units: Set<Int>) -> Set<Int> {
            unlinked.filter { units.contains($0) || !hasDoor($0) && units.contains(corridor($0)) }
        }
        return [(reached, far), (far, reached)].contains { one, other in
            leading(one).contains { lift in
                !floors(other).subtracting(floors([lift])).isEmpty || !leading(other).subtracting([lift]).isEmpty
            }
        }
    }
}
