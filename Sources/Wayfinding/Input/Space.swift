import IMDF

/// A unit that can be entered.
struct Space: Sendable {
    /// What a unit is for somebody who walks.
    enum Kind: Int, Sendable {
        case floor, stairs, escalator, elevator, ramp

        /// Nil for what cannot be entered: what fills the space between rooms, and holes in a floor.
        init?(category: String?) {
            switch category ?? "" {
            case "brick", "column", "concrete", "drywall", "glass", "opentobelow", "structure", "wood": return nil
            case "stairs", "steps": self = .stairs
            case "escalator": self = .escalator
            case "elevator": self = .elevator
            case "ramp": self = .ramp
            default: self = .floor
            }
        }
    }

    let id: FeatureID
    let kind: Kind
    let category: String
    /// An index in ``SpacePlan/levels``.
    let level: Int
    let ordinal: Int
    /// Whether it is a destination, but not a passage.
    let isRestricted: Bool
    let polygons: [[[GridPoint]]]
    let displayPoint: GridPoint?
    let hours: String?
}

struct Doorway: Sendable {
    let id: FeatureID
    let category: String
    let level: Int
    let ordinal: Int
    let lines: [[GridPoint]]
    let hours: String?
}

/// What cannot be entered.
struct Solid: Sendable {
    let level: Int
    let ordinal: Int
    let polygons: [[[GridPoint]]]
}

struct Floor: Sendable {
    let id: FeatureID
    let ordinal: Int
    /// The short name, or else the long one.
    let name: Labels?
    let longName: Labels?
    /// The first ones: how many there are is up to an archive, and each step of a route compares them.
    let buildings: [FeatureID]

    static let buildingLimit = 16
}

/// The levels, units and openings of a venue on the grid, each by id.
struct SpacePlan: Sendable {
    /// Units with more positions are left out.
    static let positionLimit = 100_000

    let frame: LocalFrame
    private(set) var levels: [Floor] = []
    private(set) var spaces: [Space] = []
    private(set) var doorways: [Doorway] = []
    private(set) var solids: [Solid] = []
    /// Units that could be entered, but cannot be used because they are too far away, too complex, or have no polygon: without polygons.
    private(set) var unusable: [Space] = []

    init(_ features: [WayfindingFeature]) {
        let units = features.filter { $0.type == .unit }
        let polygons = units.map { $0.geometry.polygonCoordinates }
        self.frame =
            LocalFrame(
                around: polygons.compactMap { $0.first?.first?.first.map { ($0.longitude, $0.latitude) } })
            ?? LocalFrame(longitude: 0, latitude: 0)
        var levels: [FeatureID: Int] = [:]
        for level in features where level.type == .level {
            guard let ordinal = level.properties["ordinal"]?.number, ordinal.magnitude <= 1_000_000,
                let whole = Int(exactly: ordinal)
            else { continue }
            levels[level.id] = self.levels.count
            let longName = Labels(level.properties["name"])
            self.levels.append(
                Floor(
                    id: level.id, ordinal: whole, name: Labels(level.properties["short_name"]) ?? longName,
                    longName: longName,
                    buildings: Array(level.ids("building_ids").prefix(Floor.buildingLimit))))
        }
        for (unit, polygons) in zip(units, polygons) {
            guard let level = unit.id("level_id").flatMap({ levels[$0] }) else { continue }
            let grid = self.grid(polygons) ?? []
            let category = unit.text("category") ?? ""
            guard let kind = Space.Kind(category: category) else {
                if !grid.isEmpty {
                    self.solids.append(Solid(level: level, ordinal: self.levels[level].ordinal, polygons: grid))
                }
                continue
            }
            let space = Space(
                id: unit.id, kind: kind, category: category, level: level, ordinal: self.levels[level].ordinal,
                isRestricted: category == "nonpublic" || Self.isRestricted(unit.text("restriction")),
                polygons: grid, displayPoint: self.point(unit.properties["display_point"]), hours: unit.text("hours"))
            if grid.isEmpty { self.unusable.append(space) } else { self.spaces.append(space) }
        }
        for opening in features where opening.type == .opening {
            guard let level = opening.id("level_id").flatMap({ levels[$0] }) else { continue }
            self.doorways.append(
                Doorway(
                    id: opening.id, category: opening.text("category") ?? "", level: level,
                    ordinal: self.levels[level].ordinal,
                    lines: opening.geometry.lineCoordinates.map { line in
                        line.compactMap { self.frame.point(longitude: $0.longitude, latitude: $0.latitude) }
                    }, hours: opening.text("hours")))
        }
    }

    private static func isRestricted(_ restriction: String?) -> Bool {
        (restriction ?? "").utf8.contains { ![0x20, 0x09, 0x0D, 0x0A].contains($0) }
    }

    func point(_ geometry: JSONValue?) -> GridPoint? {
        geometry?.pointCoordinate.flatMap { self.frame.point(longitude: $0.longitude, latitude: $0.latitude) }
    }

    /// Polygons on the grid, without repeated positions; nil if a position is too far away or there are too many.
    private func grid(_ polygons: [[[Coordinate]]]) -> [[[GridPoint]]]? {
        guard polygons.reduce(0, { $0 + $1.reduce(0) { $0 + $1.count } }) <= Self.positionLimit else { return nil }
        var result: [[[GridPoint]]] = []
        for polygon in polygons {
            var rings: [[GridPoint]] = []
            for (index, ring) in polygon.enumerated() {
                var points: [GridPoint] = []
                for position in ring {
                    guard let point = self.frame.point(longitude: position.longitude, latitude: position.latitude)
                    else { return nil }
                    if points.last != point { points.append(point) }
                }
                if points.count > 1, points.first == points.last { points.removeLast() }
                if points.count >= 3 { rings.append(points) } else if index == 0 { break }
            }
            if !rings.isEmpty { result.append(rings) }
        }
        return result
    }
}
