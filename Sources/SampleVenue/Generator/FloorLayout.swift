/// One floor of a building: units that tile it without gaps, and free positions in its corridors.
struct FloorLayout {
    static let slotWidth = 60

    enum Role: Hashable {
        case walkway, atrium, core, front, back
    }

    struct Unit {
        var role: Role
        var category: String
        var shape: PlanShape
        /// A point inside, away from the walls.
        var spot: PlanPoint
        /// The wall towards the corridor, from left to right; nil for a unit behind another one.
        var door: (from: PlanPoint, to: PlanPoint)?
    }

    /// The walkway first, then the atrium, the core and the rest row by row.
    private(set) var units: [Unit] = []
    /// Free areas in the middle of the corridors, each for one kiosk or fixture.
    private(set) var slots: [PlanRectangle] = []
    /// Free positions for amenities along the corridors.
    private(set) var amenityPoints: [PlanPoint] = []

    init(_ building: BuildingPlan, atrium: Bool, using random: inout some RandomNumberGenerator) {
        self.addWalkway(building, atrium: atrium)
        let rest = building.units - self.units.count - building.core.count
        let fronts = min(BuildingPlan.fronts(of: rest), rest)
        var coreEnd = building.outline.left + BuildingPlan.spine
        let lowest = Row(building, index: 0)
        for unit in building.core {
            self.addFront(
                .core, category: unit.category, from: coreEnd, to: coreEnd + unit.width, in: lowest, backing: nil)
            coreEnd += unit.width
        }
        self.addRows(building, coreEnd: coreEnd, fronts: fronts, backs: rest - fronts, using: &random)
        self.addFreeSpace(building, atrium: atrium)
    }

    private mutating func addWalkway(_ building: BuildingPlan, atrium: Bool) {
        let outline = building.outline
        let spine = outline.left + BuildingPlan.spine
        var ring = [PlanPoint(x: outline.left, y: outline.bottom), PlanPoint(x: spine, y: outline.bottom)]
        for index in 0..<building.corridors {
            let corridor = building.corridor(index)
            ring += [
                PlanPoint(x: spine, y: corridor.bottom), PlanPoint(x: corridor.right, y: corridor.bottom),
                PlanPoint(x: corridor.right, y: corridor.top), PlanPoint(x: spine, y: corridor.top),
            ]
        }
        ring += [PlanPoint(x: spine, y: outline.top), PlanPoint(x: outline.left, y: outline.top)]
        let holes = atrium ? [Array(building.atrium.ring.reversed())] : []
        self.units.append(
            Unit(
                role: .walkway, category: "walkway", shape: PlanShape(outer: ring, holes: holes),
                spot: PlanPoint(x: outline.left + BuildingPlan.spine / 2, y: outline.centre.y), door: nil))
        guard atrium else { return }
        self.units.append(
            Unit(
                role: .atrium, category: "opentobelow", shape: PlanShape(building.atrium), spot: building.atrium.centre,
                door: nil))
    }

    private mutating func addFreeSpace(_ building: BuildingPlan, atrium: Bool) {
        let taken = atrium ? building.atrium : nil
        for index in 0..<building.corridors {
            let corridor = building.corridor(index)
            let last = corridor.right - Self.slotWidth - 20
            for left in stride(from: corridor.left + 20, through: last, by: Self.slotWidth) {
                let slot = PlanRectangle(
                    left: left + 10, bottom: corridor.bottom + 28, right: left + 50, top: corridor.bottom + 52)
                if index == 0, let taken, slot.right > taken.left, slot.left < taken.right { continue }
                self.slots.append(slot)
            }
            for x in stride(from: corridor.left + 15, to: corridor.right - 10, by: 40) {
                self.amenityPoints.append(PlanPoint(x: x, y: corridor.bottom + 10))
            }
        }
    }
}

// MARK: - Rows

extension FloorLayout {
    /// A row of units on one side of a corridor, seen from its back wall.
    private struct Row {
        var back: Int
        /// +1 when the corridor lies above.
        var direction: Int

        init(_ building: BuildingPlan, index: Int) {
            let corridor = building.corridor(index / 2)
            self.direction = index.isMultiple(of: 2) ? 1 : -1
            self.back =
                index.isMultiple(of: 2)
                ? corridor.bottom - BuildingPlan.rowDepth : corridor.top + BuildingPlan.rowDepth
        }

        /// A point at a distance from the back wall.
        func point(_ x: Int, _ depth: Int) -> PlanPoint {
            PlanPoint(x: x, y: self.back + self.direction * depth)
        }

        /// Points given counter-clockwise as seen with the corridor above.
        func shape(_ points: [(Int, Int)]) -> PlanShape {
            let ring = points.map { self.point($0.0, $0.1) }
            return PlanShape(outer: self.direction > 0 ? ring : ring.reversed())
        }
    }

    /// The size of a storage room behind a unit: a strip along the back wall that begins at the left wall of the unit.
    private struct Backing {
        var right: Int
        var depth: Int
    }

    private mutating func addRows(
        _ building: BuildingPlan, coreEnd: Int, fronts: Int, backs: Int, using random: inout some RandomNumberGenerator
    ) {
        let rows = 2 * building.corridors
        let spine = building.outline.left + BuildingPlan.spine
        let length = building.outline.right - spine
        let total = rows * length - (coreEnd - spine)
        var (placed, covered, backsPlaced) = (0, 0, 0)
        for index in 0..<rows {
            let left = index == 0 ? coreEnd : spine
            covered += building.outline.right - left
            let wanted = (fronts * covered + total / 2) / total - placed
            let count = min(max(wanted, 1), fronts - placed - (rows - 1 - index))
            let row = Row(building, index: index)
            let walls = Self.walls(count, from: left, to: building.outline.right, using: &random)
            for (from, to) in zip(walls, walls.dropFirst()) {
                placed += 1
                var backing: Backing?
                if backs * placed / fronts > backsPlaced {
                    backsPlaced += 1
                    let right = random.chance(50) ? to : from + (to - from) * random.number(in: 40...60) / 100
                    backing = Backing(right: right, depth: random.number(in: 30...45))
                }
                self.addFront(.front, category: "unspecified", from: from, to: to, in: row, backing: backing)
            }
        }
    }

    /// The x coordinates of the walls that divide a row into units of uneven width.
    private static func walls(
        _ count: Int, from left: Int, to right: Int, using random: inout some RandomNumberGenerator
    ) -> [Int] {
        let play = (right - left) / count / 4
        return (0...count).map { index in
            let even = left + (right - left) * index / count
            return index == 0 || index == count ? even : even + random.number(in: -play / 2...play / 2)
        }
    }

    private mutating func addFront(
        _ role: Role, category: String, from left: Int, to right: Int, in row: Row, backing: Backing?
    ) {
        let front = BuildingPlan.rowDepth
        let shape: PlanShape
        if let backing, backing.right < right {
            shape = row.shape([
                (left, backing.depth), (backing.right, backing.depth), (backing.right, 0), (right, 0), (right, front),
                (left, front),
            ])
        } else {
            let depth = backing?.depth ?? 0
            shape = row.shape([(left, depth), (right, depth), (right, front), (left, front)])
        }
        self.units.append(
            Unit(
                role: role, category: category, shape: shape, spot: row.point((left + right) / 2, 85),
                door: (row.point(left, front), row.point(right, front))))
        guard let backing else { return }
        let corners = [(left, 0), (backing.right, 0), (backing.right, backing.depth), (left, backing.depth)]
        self.units.append(
            Unit(
                role: .back, category: "storage", shape: row.shape(corners),
                spot: row.point((left + backing.right) / 2, backing.depth / 2), door: nil))
    }
}
