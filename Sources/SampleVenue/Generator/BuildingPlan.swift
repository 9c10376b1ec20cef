/// The layout that all floors of a building share: the outline, the corridors, and the core with lifts and stairs.
///
/// The corridors form a comb: the spine runs along the left wall, corridors branch off to the right, and a row of units lies on
/// either side of each corridor. The core is at the beginning of the lowest row.
struct BuildingPlan: Hashable {
    static let spine = 60
    static let corridorWidth = 80
    static let rowDepth = 140
    private static let unitWidth = 100

    struct CoreUnit: Hashable {
        var category: String
        var width: Int
    }

    var outline: PlanRectangle
    var corridors: Int
    var core: [CoreUnit]
    /// The number of units on every floor.
    var units: Int

    /// A building whose lower left corner is at the site's corner.
    init(units: Int) {
        self.units = max(units, 4)
        self.core =
            switch self.units {
            case ..<8: [CoreUnit(category: "elevator", width: 30)]
            case ..<12: Array(Self.fullCore.prefix(5))
            default: Self.fullCore
            }
        let fronts = Self.fronts(of: self.units - 1 - self.core.count)
        self.corridors = max(1, (fronts + 20) / 40)
        let rows = 2 * self.corridors
        let longestRow = (fronts + rows - 1) / rows
        let coreWidth = self.core.reduce(0) { $0 + $1.width }
        let width = Self.spine + max(longestRow * Self.unitWidth, coreWidth + 2 * Self.unitWidth)
        let height = self.corridors * (2 * Self.rowDepth + Self.corridorWidth)
        self.outline = PlanRectangle(left: 0, bottom: 0, right: width, top: height)
    }

    private static let fullCore = [
        CoreUnit(category: "elevator", width: 30), CoreUnit(category: "escalator", width: 60),
        CoreUnit(category: "stairs", width: 40), CoreUnit(category: "restroom.female", width: 60),
        CoreUnit(category: "restroom.male", width: 60), CoreUnit(category: "restroom.wheelchair", width: 30),
        CoreUnit(category: "structure", width: 20),
    ]

    /// How many of these units, which are neither core nor corridor, lie on a corridor. The others lie behind one of them.
    static func fronts(of units: Int) -> Int { max(2, (units * 62 + 99) / 100) }

    /// An atrium is cut out of every floor above the ground floor when there is room for one.
    var hasAtrium: Bool { self.units >= 20 }

    mutating func move(toLeft left: Int, bottom: Int) {
        self.outline = PlanRectangle(
            left: left, bottom: bottom, right: left + self.outline.right - self.outline.left,
            top: bottom + self.outline.top - self.outline.bottom)
    }

    /// A corridor, from the spine to the right wall; the lowest is the first.
    func corridor(_ index: Int) -> PlanRectangle {
        let bottom = self.outline.bottom + index * (2 * Self.rowDepth + Self.corridorWidth) + Self.rowDepth
        return PlanRectangle(
            left: self.outline.left + Self.spine, bottom: bottom, right: self.outline.right,
            top: bottom + Self.corridorWidth)
    }

    var atrium: PlanRectangle {
        let corridor = self.corridor(0)
        let left = corridor.left + 20 + 2 * FloorLayout.slotWidth
        return PlanRectangle(
            left: left, bottom: corridor.bottom + 25, right: left + 3 * FloorLayout.slotWidth, top: corridor.top - 25)
    }
}
