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

    /// What somebody in a wheelchair cannot pass, but others can.
    static let steps: Obstacles = [.stairs, .escalator, .narrow]

    static let codes: [(Obstacles, String)] = [
        (.closed, "closed"), (.stairs, "stairs"), (.escalator, "escalator"), (.narrow, "narrow-opening"),
        (.restricted, "restricted"), (.emergencyExit, "emergency-exit"),
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
    /// The obstacles that count.
    var blocking: Obstacles = []

    /// Rules without closures.
    init(_ plan: SpacePlan, _ mesh: VenueMesh, _ shafts: Shafts) {
        self.spaces = plan.spaces.map { space in
            let steps: Obstacles = space.kind == .stairs ? .stairs : space.kind == .escalator ? .escalator : []
            return space.isRestricted ? steps.union(.restricted) : steps
        }
        self.portals = mesh.portals.map { portal in
            guard let doorway = portal.doorway else { return [] }
            let narrow: Obstacles = portal.width < Self.leastStepFreeWidth - Self.widthTolerance ? .narrow : []
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
    mutating func close(shaft: Int) { self.shafts[shaft].insert(.closed) }

    @inline(__always)
    func isOpen(space: Int) -> Bool { self.spaces[space].rawValue & self.blocking.rawValue == 0 }

    @inline(__always)
    func isOpen(portal: Int) -> Bool { self.portals[portal].rawValue & self.blocking.rawValue == 0 }

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
        let common: Obstacles = [.closed, .restricted, .emergencyExit]
        return self == .stepFree ? common.union(.steps) : common
    }
}
