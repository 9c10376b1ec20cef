/// Why something may not be passed.
struct Obstacles: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let closed = Obstacles(rawValue: 1)
    static let stairs = Obstacles(rawValue: 2)
    static let escalator = Obstacles(rawValue: 4)
    static let narrow = Obstacles(rawValue: 8)
    static let restricted = Obstacles(rawValue: 16)
    static let emergencyExit = Obstacles(rawValue: 32)
    /// What may be entered, but not left again.
    static let destination = Obstacles(rawValue: 64)
    /// A door in the wrong direction.
    static let oneWay = Obstacles(rawValue: 128)

    /// What somebody in a wheelchair cannot pass, but others can.
    static let steps: Obstacles = [.stairs, .escalator, .narrow]

    /// Stairs and escalators: those that follow one another are one flight.
    static let flights: Obstacles = [.stairs, .escalator]

    static let codes: [(Obstacles, String)] = [
        (.closed, "closed"), (.stairs, "stairs"), (.escalator, "escalator"), (.narrow, "narrow-opening"),
        (.restricted, "restricted"), (.emergencyExit, "emergency-exit"), (.oneWay, "one-way"),
    ]
}

/// What may be passed in a search.
struct PassageRules: Sendable {
    /// The least width of an opening for wheelchairs, in millimeters.
    static let leastStepFreeWidth = 800.0
    /// How much narrower an opening can be because its ends are rounded to the grid, in millimeters.
    private static let widthTolerance = 2.0

    private(set) var spaces: [Obstacles]
    private(set) var portals: [Obstacles]
    private(set) var shafts: [Obstacles]
    /// Of portals; see ``OneWayDoors``.
    private var directions: [UInt8]
    /// Where the bits of closed directions are in those of directions.
    private static let closedShift: UInt8 = 2
    /// The obstacles that count.
    var blocking: Obstacles = []

    /// Rules without closures.
    init(_ plan: SpacePlan, _ mesh: VenueMesh, _ shafts: Shafts, _ doors: OneWayDoors) {
        self.directions = doors.directions
        self.spaces = plan.spaces.map { $0.isRestricted ? $0.kind.obstacles.union(.restricted) : $0.kind.obstacles }
        self.portals = mesh.portals.map { portal in
            guard let doorway = portal.doorway else { return [] }
            let narrow: Obstacles = Self.isNarrow(portal.width) ? .narrow : []
            return plan.doorways[doorway].category == "emergencyexit" ? narrow.union(.emergencyExit) : narrow
        }
        self.shafts = shafts.shafts.map { shaft in
            switch shaft.mode {
            case .stairs: .stairs
            case .escalator: .escalator
            case .elevator, .ramp: []
            }
        }
    }

    /// Whether wheelchairs do not pass an opening of a width in millimeters.
    static func isNarrow(_ width: Double) -> Bool { width < Self.leastStepFreeWidth - Self.widthTolerance }

    /// Restricted units are left where a route begins, and entered where it ends, if it does so at something in them.
    mutating func admit(_ start: RouteEnd, _ ends: [RouteEnd]) {
        for space in ends.flatMap(\.named) where self.spaces[space].contains(.restricted) {
            self.spaces[space].remove(.restricted)
            self.spaces[space].insert(.destination)
        }
        for space in start.named { self.spaces[space].subtract([.restricted, .destination]) }
    }

    /// Whether a unit can only be entered.
    @inline(__always)
    func isDestination(_ space: Int) -> Bool { self.spaces[space].contains(.destination) }

    mutating func close(space: Int) { self.spaces[space].insert(.closed) }
    mutating func close(portal: Int) { self.portals[portal].insert(.closed) }
    mutating func close(directions bits: UInt8, ofPortal portal: Int) {
        self.directions[portal] |= bits << Self.closedShift
    }
    mutating func close(shaft: Int) { self.shafts[shaft].insert(.closed) }

    @inline(__always)
    func isOpen(space: Int) -> Bool { self.spaces[space].rawValue & self.blocking.rawValue == 0 }

    @inline(__always)
    func isOpen(portal: Int) -> Bool { self.portals[portal].rawValue & self.blocking.rawValue == 0 }

    /// The obstacle of a portal that is passed from the space of its first half-edge, or else of its second one.
    @inline(__always)
    func obstacle(ofPortal portal: Int, leavingFirst: Bool) -> Obstacles {
        let direction = leavingFirst ? OneWayDoors.forward : OneWayDoors.backward
        guard self.directions[portal] & direction != 0 else { return .oneWay }
        return self.directions[portal] & (direction << Self.closedShift) == 0 ? [] : .closed
    }

    /// Whether a portal may be passed in this direction, if it is open at all.
    @inline(__always)
    func leads(portal: Int, leavingFirst: Bool) -> Bool {
        self.obstacle(ofPortal: portal, leavingFirst: leavingFirst).rawValue & self.blocking.rawValue == 0
    }

    @inline(__always)
    func isOpen(shaft: Int) -> Bool { self.shafts[shaft].rawValue & self.blocking.rawValue == 0 }

    /// Whether a shaft can be entered and left at a stop.
    func isOpen(stop: Stop) -> Bool {
        guard stop.portal.map({ self.isOpen(portal: $0) }) ?? true else { return false }
        return stop.behind.isEmpty || stop.behind.contains { self.isOpen(space: $0) && !self.isDestination($0) }
    }
}

extension Profile {
    /// The obstacles of a profile.
    var obstacles: Obstacles {
        let common: Obstacles = [.closed, .restricted, .emergencyExit, .oneWay]
        return self == .stepFree ? common.union(.steps) : common
    }

    func passes(_ kind: Space.Kind) -> Bool { self.obstacles.isDisjoint(with: kind.obstacles) }
}

extension Space.Kind {
    fileprivate var obstacles: Obstacles { self == .stairs ? .stairs : self == .escalator ? .escalator : [] }
}
