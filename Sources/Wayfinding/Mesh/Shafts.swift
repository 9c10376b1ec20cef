import IMDF

/// How somebody gets from a floor to another one.
enum VerticalMode: Int, Sendable {
    case elevator, stairs, escalator, ramp

    init?(relationship category: String?) {
        switch category ?? "" {
        case "elevator": self = .elevator
        case "stairs": self = .stairs
        case "escalator": self = .escalator
        case "ramp": self = .ramp
        default: return nil
        }
    }

    init?(_ kind: Space.Kind) {
        switch kind {
        case .elevator: self = .elevator
        case .stairs: self = .stairs
        case .escalator: self = .escalator
        case .ramp: self = .ramp
        case .floor: return nil
        }
    }
}

/// Where a shaft can be entered and left.
struct Stop: Sendable {
    let shaft: Int
    /// The unit; nil if the stop is an opening.
    let space: Int?
    /// The portal, if the stop is an opening.
    let portal: Int?
    let point: GridPoint
    let triangles: [Int32]
    let level: Int
    let ordinal: Int
    /// The units of the shaft to which an opening or a hall leads. If all of them are closed, the stop cannot be used.
    var behind: [Int] = []
}

/// Units or openings of several floors that a lift, stairs, an escalator or a ramp joins.
struct Shaft: Sendable {
    let mode: VerticalMode
    /// The relationship that states it; nil if it was derived from units that lie above each other.
    let relationship: FeatureID?
    let hours: String?
    /// Whether it leads only from earlier stops to later ones.
    let isDirected: Bool
    let stops: Range<Int>
    /// The least and the greatest ordinal of its stops.
    let ordinals: ClosedRange<Int>
}

/// What joins floors: relationships, and where these say nothing, units that lie above each other.
struct Shafts: Sendable {
    /// The least share of the smaller unit that two units of a shaft have in common.
    static let leastOverlap = 0.3
    /// The greatest number of stops of a relationship, and of relationships of a unit.
    private static let stopLimit = 256

    private(set) var shafts: [Shaft] = []
    private(set) var stops: [Stop] = []
    /// The stops of each space.
    private(set) var stopsOfSpace: [Int: [Int]] = [:]
    /// The stops in each triangle, and whether there are any.
    private(set) var stopsOfTriangle: [Int32: [Int]] = [:]
    private(set) var hasStops: [Bool]
    /// The shafts of relationships of each space.
    private var statedShafts: [Int: [Int]] = [:]
    /// How many pairs of triangles may still be compared.
    private var pairsLeft: Int

    init(
        _ features: [WayfindingFeature], _ plan: SpacePlan, _ mesh: VenueMesh, _ limits: WorkLimits,
        _ shouldStop: () -> Bool
    ) {
        self.pairsLeft = limits.trianglePairs
        self.hasStops = Array(repeating: false, count: mesh.triangleCount)
        let spaces = Dictionary(plan.spaces.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        var portals: [FeatureID: Int] = [:]
        for (index, portal) in mesh.portals.enumerated() {
            guard let doorway = portal.doorway else { continue }
            let id = plan.doorways[doorway].id
            if portals[id] == nil { portals[id] = index }
        }
        // Many relationships may name the same unit.
        var stops: [Int: Stop?] = [:]
        for relationship in features where relationship.type == .relationship {
            guard !shouldStop() else { return }
            guard let mode = VerticalMode(relationship: relationship.text("category")) else { continue }
            let references =
                [relationship.properties["origin"]] + (relationship.properties["intermediary"]?.array ?? [])
                + [relationship.properties["destination"]]
            let ids = references.compactMap { $0?["id"]?.string.flatMap { FeatureID($0) } }
            var known: Set<FeatureID> = []
            let ends = ids.filter { known.insert($0).inserted }.compactMap { id -> Stop? in
                if let space = spaces[id] {
                    if let stop = stops[space] { return stop }
                    let stop = self.stop(at: space, plan, mesh)
                    stops[space] = .some(stop)
                    return stop
                }
                return portals[id].flatMap { self.stop(atPortal: $0, mode, plan, mesh) }
            }
            self.add(stated: Array(ends.prefix(Self.stopLimit)), mode, relationship, plan, mesh)
        }
        for mode in [VerticalMode.elevator, .stairs, .escalator, .ramp] { self.derive(mode, plan, mesh) }
    }

    /// Adds the shaft of a relationship, which can name halls and openings beside the units of the shaft.
    private mutating func add(
        stated ends: [Stop], _ mode: VerticalMode, _ relationship: WayfindingFeature, _ plan: SpacePlan,
        _ mesh: VenueMesh
    ) {
        func spaces(of end: Stop) -> [Int] {
            end.space.map { [$0] } ?? end.triangles.map { mesh.space(of: $0) }
        }
        func isUnit(_ end: Stop) -> Bool { end.space.map { VerticalMode(plan.spaces[$0].kind) == mode } ?? false }
        let borders = Set(ends.flatMap { spaces(of: $0) })
        guard borders.allSatisfy({ self.statedShafts[$0, default: []].count < Self.stopLimit }) else { return }
        let units = ends.filter { isUnit($0) }.compactMap(\.space)
        let portals = Set(ends.compactMap(\.portal))
        // Whoever is in a hall goes to the shaft by way of the opening; whether that can be passed is known only there.
        func isBeside(_ end: Stop) -> Bool {
            guard !isUnit(end) else { return false }
            guard let space = end.space else { return spaces(of: end).contains { units.contains($0) } }
            return mesh.portalsOfSpace[space].contains { portal in
                portals.contains(Int(portal))
                    || mesh.portals[Int(portal)].edges.contains {
                        units.contains(mesh.space(of: $0 / 3))
                    }
            }
        }
        let unitsByOrdinal = Dictionary(grouping: units) { plan.spaces[$0].ordinal }
        let stops = ends.filter { !isBeside($0) }.map { end in
            guard !isUnit(end), end.behind.isEmpty else { return end }
            var end = end
            end.behind = unitsByOrdinal[end.ordinal] ?? []
            return end
        }
        let index = self.shafts.count
        self.add(
            stops, mode, relationship: relationship.id, hours: relationship.text("hours"),
            isDirected: relationship.text("direction") == "directed")
        guard self.shafts.count > index else { return }
        for space in borders { self.statedShafts[space, default: []].append(index) }
    }

    /// Whether a shaft leads to a unit, by whatever is named.
    func isLinked(_ space: Int) -> Bool { self.stopsOfSpace[space] != nil || self.statedShafts[space] != nil }

    /// The shafts that lead to a unit.
    func shafts(of space: Int) -> Set<Int> {
        Set(self.statedShafts[space] ?? []).union((self.stopsOfSpace[space] ?? []).map { self.stops[$0].shaft })
    }

    private mutating func add(
        _ ends: [Stop], _ mode: VerticalMode, relationship: FeatureID?, hours: String?, isDirected: Bool
    ) {
        let ordinals = ends.map(\.ordinal)
        guard ends.count > 1, let lowest = ordinals.min(), let highest = ordinals.max() else { return }
        let first = self.stops.count
        for end in ends {
            if let space = end.space { self.stopsOfSpace[space, default: []].append(self.stops.count) }
            for triangle in end.triangles {
                self.stopsOfTriangle[triangle, default: []].append(self.stops.count)
                self.hasStops[Int(triangle)] = true
            }
            self.stops.append(
                Stop(
                    shaft: self.shafts.count, space: end.space, portal: end.portal, point: end.point,
                    triangles: end.triangles, level: end.level, ordinal: end.ordinal, behind: end.behind))
        }
        self.shafts.append(
            Shaft(
                mode: mode, relationship: relationship, hours: hours, isDirected: isDirected,
                stops: first..<self.stops.count, ordinals: lowest...highest))
    }

    private func stop(at space: Int, _ plan: SpacePlan, _ mesh: VenueMesh) -> Stop? {
        guard let point = plan.center(of: space, mesh) else { return nil }
        return Stop(
            shaft: -1, space: space, portal: nil, point: point, triangles: mesh.triangles(of: space, at: point),
            level: plan.spaces[space].level, ordinal: plan.spaces[space].ordinal)
    }

    private func stop(
        atPortal index: Int, _ mode: VerticalMode, _ plan: SpacePlan, _ mesh: VenueMesh
    ) -> Stop {
        let portal = mesh.portals[index]
        let triangles = portal.edges.map { $0 / 3 }
        let spaces = triangles.map { mesh.space(of: $0) }
        let space = plan.spaces[spaces[0]]
        return Stop(
            shaft: -1, space: nil, portal: index, point: portal.middle, triangles: triangles, level: space.level,
            ordinal: space.ordinal, behind: spaces.filter { VerticalMode(plan.spaces[$0].kind) == mode })
    }

    // MARK: - Units above each other

    /// Whether the limit was reached, so that units that lie above each other may not be joined.
    var isExhausted: Bool { self.pairsLeft <= 0 }

    private mutating func derive(_ mode: VerticalMode, _ plan: SpacePlan, _ mesh: VenueMesh) {
        let units = plan.spaces.indices.filter { VerticalMode(plan.spaces[$0].kind) == mode }
        let byOrdinal = Dictionary(grouping: units) { plan.spaces[$0].ordinal }
        var above: [Int: Int] = [:]
        for (lower, upper) in zip(mesh.ordinals, mesh.ordinals.dropFirst()) {
            let lowerUnits = (byOrdinal[lower] ?? []).filter { !self.isStated(mode, $0, ordinal: upper) }
            let upperUnits = (byOrdinal[upper] ?? []).filter { !self.isStated(mode, $0, ordinal: lower) }
            for (low, high) in self.pairs(lowerUnits, upperUnits, plan, mesh) { above[low] = high }
        }
        let isAbove = Set(above.values)
        for unit in units where above[unit] != nil {
            // A lift has one shaft for all its floors; the others have one for each two.
            guard mode != .elevator || !isAbove.contains(unit) else { continue }
            var chain = [unit]
            while let next = above[chain[chain.count - 1]], mode == .elevator || chain.count < 2 { chain.append(next) }
            self.add(
                chain.compactMap { self.stop(at: $0, plan, mesh) }, mode, relationship: nil, hours: nil,
                isDirected: false)
        }
    }

    /// Whether a relationship joins a unit with an ordinal, or passes it.
    private func isStated(_ mode: VerticalMode, _ space: Int, ordinal: Int) -> Bool {
        (self.statedShafts[space] ?? []).contains {
            self.shafts[$0].mode == mode && self.shafts[$0].ordinals.contains(ordinal)
        }
    }

    /// Pairs of units that lie above each other, each unit at most once, those with the greatest overlap first.
    private mutating func pairs(
        _ lower: [Int], _ upper: [Int], _ plan: SpacePlan, _ mesh: VenueMesh
    ) -> [(Int, Int)] {
        let tree = BoxTree(upper.map { plan.box(of: $0) })
        var candidates: [(share: Double, low: Int, high: Int)] = []
        for low in lower {
            for index in tree.indices(intersecting: plan.box(of: low), limit: self.pairsLeft) {
                let first = mesh.trianglesOfSpace[low].prefix(VenueMesh.comparedTriangles)
                let second = mesh.trianglesOfSpace[upper[index]].prefix(VenueMesh.comparedTriangles)
                self.pairsLeft = max(0, self.pairsLeft - first.count * second.count - 1)
                // A unit that was not compared may have more in common than those that were.
                guard !self.isExhausted else { return [] }
                let share = mesh.overlap(first, second)
                if share >= Self.leastOverlap { candidates.append((share, low, upper[index])) }
            }
        }
        candidates.sort { one, other in
            guard one.share == other.share else { return one.share > other.share }
            return one.low == other.low ? one.high < other.high : one.low < other.low
        }
        var used: Set<Int> = []
        var pairs: [(Int, Int)] = []
        for (_, low, high) in candidates where !used.contains(low) && !used.contains(high) {
            used.formUnion([low, high])
            pairs.append((low, high))
        }
        return pairs
    }
}

extension SpacePlan {
    func box(of space: Int) -> GridBox {
        GridBox(self.spaces[space].polygons.joined().joined()) ?? GridBox(GridPoint(x: 0, y: 0), GridPoint(x: 0, y: 0))
    }

    /// Where a unit is entered and left: its display point, or else its middle, if they are inside.
    func center(of space: Int, _ mesh: VenueMesh) -> GridPoint? {
        let box = self.box(of: space)
        let middle = GridPoint(x: (box.left + box.right) >> 1, y: (box.bottom + box.top) >> 1)
        return mesh.inside(space, preferring: [self.spaces[space].displayPoint, middle].compactMap(\.self))
    }
}

extension FloorMesh.Portal {
    var middle: GridPoint {
        GridPoint(x: (self.start.x + self.end.x) >> 1, y: (self.start.y + self.end.y) >> 1)
    }
}

extension VenueMesh {
    /// Units with more triangles than this are compared by their first ones.
    fileprivate static let comparedTriangles = 256

    /// The share of the smaller one of two spaces that they have in common, from their triangles.
    fileprivate func overlap(_ first: Range<Int32>, _ second: Range<Int32>) -> Double {
        let smaller = min(
            first.reduce(0) { $0 + self.doubleArea($1) }, second.reduce(0) { $0 + self.doubleArea($1) })
        guard smaller > 0 else { return 0 }
        var common = 0.0
        for triangle in first {
            for clip in second { common += self.commonDoubleArea(triangle, clip) }
        }
        return common / smaller
    }

    private func doubleArea(_ triangle: Int32) -> Double {
        Double(
            GridPoint.orientation(
                self.corner(3 * triangle), self.corner(3 * triangle + 1), self.corner(3 * triangle + 2)))
    }

    /// Clips a triangle by another one (Sutherland and Hodgman).
    private func commonDoubleArea(_ triangle: Int32, _ clip: Int32) -> Double {
        var polygon = (0..<3).map { FramePosition(self.corner(3 * triangle + $0)) }
        for edge in (3 * clip)..<(3 * clip + 3) {
            let start = FramePosition(self.corner(edge))
            let end = FramePosition(self.corner(Triangulation.next(edge)))
            guard var previous = polygon.last else { return 0 }
            var clipped: [FramePosition] = []
            var previousSide = Self.side(start, end, previous)
            for point in polygon {
                let side = Self.side(start, end, point)
                if (side > 0 && previousSide < 0) || (side < 0 && previousSide > 0) {
                    let share = previousSide / (previousSide - side)
                    clipped.append(
                        FramePosition(
                            x: previous.x + (point.x - previous.x) * share,
                            y: previous.y + (point.y - previous.y) * share))
                }
                if side >= 0 { clipped.append(point) }
                previous = point
                previousSide = side
            }
            polygon = clipped
        }
        guard polygon.count > 2 else { return 0 }
        var area = 0.0
        for index in 1..<(polygon.count - 1) { area += Self.side(polygon[0], polygon[index], polygon[index + 1]) }
        return area
    }

    private static func side(_ start: FramePosition, _ end: FramePosition, _ point: FramePosition) -> Double {
        (end.x - start.x) * (point.y - start.y) - (end.y - start.y) * (point.x - start.x)
    }
}
