import IMDF

/// What the map does not state although it may be the way: then a way that is not found may exist.
struct MissingPassages {
    /// A lift, stairs, an escalator or a ramp that leads to no known floor, with the pieces from which it is entered.
    struct Lead {
        let reason: RouteAnswer.Reason
        let ordinal: Int
        let pieces: [Int32]
    }

    /// Where openings may be missing: between pieces of a floor, or between them and what is inside of a lift.
    struct Gap {
        let reasons: [RouteAnswer.Reason]
        let pieces: [Int32]
        let inside: [Int32]
    }

    /// What a side of a way that was not found has, with indices of leads.
    struct Side {
        var ordinals: Set<Int> = []
        var leads: Set<Int> = []
    }

    /// How far from a lift that nothing enters a unit may be into which its opening would lead, in millimeters.
    private static let nearby = 1_500
    /// How many units may be near all such lifts together.
    private static let nearLimit = 200_000
    /// At most so many features are named.
    static let reasonLimit = 8

    private let map: WayfindingMap
    private let rules: PassageRules
    private var leads: [Lead] = []
    private(set) var gaps: [Gap] = []
    private var leadsOfPiece: [Int32: [Int]] = [:]
    /// The gaps at each piece, and those around each piece inside of a lift.
    private(set) var gapsOfPiece: [Int32: [Int]] = [:]
    private(set) var gapsAround: [Int32: [Int]] = [:]

    /// - Parameter rules: With the closures, which do not count here, and the ends of a query.
    init(_ map: WayfindingMap, _ profile: Profile, _ rules: PassageRules) {
        var rules = rules
        rules.blocking = profile.obstacles.subtracting(.closed)
        (self.map, self.rules) = (map, rules)
        var unusable = map.plan.unusable.filter { !$0.isRestricted }
        var left = Self.nearLimit
        for (index, space) in map.plan.spaces.enumerated() where rules.isOpen(space: index) {
            if map.mesh.incompleteSpaces.contains(index) { unusable.append(space) }
            guard space.changesFloors, profile.passes(space.kind), !map.mesh.trianglesOfSpace[index].isEmpty else {
                continue
            }
            let inside = self.pieces(of: index)
            var around: [Int32] = []
            if !map.hasPassage(index) {
                let near = map.spaceTree.indices(
                    intersecting: map.plan.box(of: index).expanded(by: Self.nearby), limit: left)
                left -= near.count
                around = near.filter { $0 != index && map.plan.spaces[$0].ordinal == space.ordinal }
                    .flatMap { self.pieces(of: $0) }
            }
            if !map.shafts.isLinked(index) {
                self.leads.append(
                    Lead(
                        reason: .init(code: "leads-nowhere", feature: space.id), ordinal: space.ordinal,
                        pieces: inside + around))
            } else if !around.isEmpty {
                self.gaps.append(
                    Gap(reasons: [.init(code: "no-opening", feature: space.id)], pieces: around, inside: inside))
            }
        }
        self.add(unusable: unusable.filter { profile.passes($0.kind) })
        for (index, gap) in self.gaps.enumerated() {
            for piece in gap.pieces { self.gapsOfPiece[piece, default: []].append(index) }
            for piece in gap.inside { self.gapsAround[piece, default: []].append(index) }
        }
        for (index, lead) in self.leads.enumerated() {
            for piece in lead.pieces { self.leadsOfPiece[piece, default: []].append(index) }
        }
    }

    private func pieces(of space: Int) -> [Int32] {
        Set(self.map.mesh.trianglesOfSpace[space].map { self.map.mesh.pieceOfTriangle[Int($0)] }).sorted()
    }

    private func ordinal(ofPiece piece: Int32) -> Int {
        self.map.plan.spaces[Int(self.map.mesh.spaceOfPiece[Int(piece)])].ordinal
    }

    /// A unit without a usable outline may lie anywhere on its floor.
    private mutating func add(unusable units: [Space]) {
        guard !units.isEmpty else { return }
        let pieces = Dictionary(grouping: 0..<Int32(self.map.mesh.pieceCount)) { self.ordinal(ofPiece: $0) }
        func reasons(_ isIncluded: (Space) -> Bool) -> [(ordinal: Int, reasons: [RouteAnswer.Reason])] {
            Dictionary(grouping: units.filter(isIncluded), by: \.ordinal).sorted { $0.key < $1.key }.map {
                ($0, $1.prefix(Self.reasonLimit).map { .init(code: "unusable", feature: $0.id) })
            }
        }
        for (ordinal, reasons) in reasons({ !$0.changesFloors || $0.kind == .ramp }) {
            self.gaps.append(Gap(reasons: reasons, pieces: pieces[ordinal] ?? [], inside: []))
        }
        for (ordinal, reasons) in reasons(\.changesFloors) {
            self.leads += reasons.map { Lead(reason: $0, ordinal: ordinal, pieces: pieces[ordinal] ?? []) }
        }
    }

    // MARK: - Ways

    /// What a side has, from its pieces.
    func side(_ pieces: some Sequence<Int32>) -> Side {
        var side = Side()
        for piece in pieces {
            side.ordinals.insert(self.ordinal(ofPiece: piece))
            side.leads.formUnion(self.leadsOfPiece[piece] ?? [])
        }
        return side
    }

    /// Why there may be a way between two sides; empty if the map shows that there is none.
    ///
    /// - Parameter crossing: That of the far side.
    func reasons(_ near: Side, _ far: Side, _ crossing: GapCrossing) -> [RouteAnswer.Reason] {
        // What leads to another floor helps if the other side is on one, or has something else that may come from there.
        func mayLead(_ lead: Int, _ side: Side) -> Bool {
            side.ordinals.count > (side.ordinals.contains(self.leads[lead].ordinal) ? 1 : 0)
                || side.leads.count > (side.leads.contains(lead) ? 1 : 0)
        }
        let leading = near.leads.filter { mayLead($0, far) }.union(far.leads.filter { mayLead($0, near) })
        let crossed = crossing.isJoined ? self.gaps.indices.filter { crossing.hasCrossed($0) } : []
        let all = leading.sorted().map { self.leads[$0].reason } + crossed.flatMap { self.gaps[$0].reasons }
        return all.prefix(Self.reasonLimit).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// The reasons for triangles at the ends of a way that was not found.
    func reasons(from starts: [Int32], to ends: [Int32]) -> [RouteAnswer.Reason] {
        let (mesh, shafts, reachability) = (self.map.mesh, self.map.shafts, self.map.reachability)
        func side(_ reached: [Bool]) -> Side { self.side((0..<Int32(reached.count)).lazy.filter { reached[Int($0)] }) }
        let forward = reachability.pieces(from: starts, mesh, shafts, self.rules)
        let crossing = GapCrossing(self, reachability) { forward[Int($0)] }
        let backward = reachability.pieces(
            from: ends, mesh, shafts, self.rules, isReversed: true, crossing: crossing)
        return self.reasons(side(forward), side(backward), crossing)
    }
}

/// What missing openings may join with the pieces of a side.
final class GapCrossing {
    private let missing: MissingPassages
    private let reachability: Reachability
    private let isReached: (Int32) -> Bool
    private var entered: Set<Int> = []
    private var left: Set<Int> = []
    /// Whether one of the gaps that were crossed leads to what is reached.
    private(set) var isJoined = false

    init(_ missing: MissingPassages, _ reachability: Reachability, isReached: @escaping (Int32) -> Bool) {
        (self.missing, self.reachability, self.isReached) = (missing, reachability, isReached)
    }

    func hasCrossed(_ gap: Int) -> Bool { self.entered.contains(gap) || self.left.contains(gap) }

    /// The pieces to which gaps lead from a piece, without those that are reached.
    ///
    /// - Parameter ride: Returns the pieces to which a stop of a lift leads.
    func pieces(behind piece: Int32, ride: (_ stop: Int32) -> [Int32]) -> [Int32] {
        // Many relationships may name the same lifts.
        var pieces: Set<Int32> = []
        for index in self.missing.gapsOfPiece[piece] ?? [] where self.entered.insert(index).inserted {
            let gap = self.missing.gaps[index]
            // Nobody passes a lift to leave it on the same floor.
            if gap.inside.isEmpty { pieces.formUnion(gap.pieces) }
            for inside in gap.inside {
                if self.isReached(inside) { self.isJoined = true }
                for stop in self.reachability.stopsOfPiece[Int(inside)] { pieces.formUnion(ride(stop)) }
            }
        }
        for index in self.missing.gapsAround[piece] ?? [] where self.left.insert(index).inserted {
            pieces.formUnion(self.missing.gaps[index].pieces)
        }
        if pieces.contains(where: self.isReached) { self.isJoined = true }
        return pieces.filter { !self.isReached($0) }.sorted()
    }
}

extension Space {
    /// Whether it leads to other floors. Steps are between two heights of one floor.
    fileprivate var changesFloors: Bool { self.kind != .floor && self.category != "steps" }
}
