import IMDF

extension WayfindingMap {
    /// The categories of openings that are exits if they have one side only.
    public static let exitCategories: Set<String> = ["pedestrian.principal", "emergencyexit"]

    /// What can be reached from the exits: openings with one side only, of the category `pedestrian.principal` or `emergencyexit`.
    ///
    /// - Parameter shouldStop: Is called often; whether the result is not wanted any more.
    /// - Complexity: O(*n*) in the number of triangles, portals and stops, except for sorting.
    public func reachabilityReport(shouldStop: @escaping () -> Bool = { false }) -> ReachabilityReport {
        ReachabilityBuilder(self, shouldStop).report
    }

    /// The portals of the exits.
    var exits: [Int] {
        var isExit = [Bool](repeating: true, count: self.plan.doorways.count)
        for portal in self.mesh.portals where portal.edges.count > 1 {
            if let doorway = portal.doorway { isExit[doorway] = false }
        }
        var known: Set<Int> = []
        return self.mesh.portals.indices.filter { index in
            guard let doorway = self.mesh.portals[index].doorway, isExit[doorway] else { return false }
            guard Self.exitCategories.contains(self.plan.doorways[doorway].category) else { return false }
            return known.insert(doorway).inserted
        }
    }

    /// The name of a unit, or else of its occupant; null for one that is very long.
    func label(of id: FeatureID) -> JSONValue {
        var name = self.features[id]?.properties["name"] ?? .null
        if Labels(name) == nil, let space = self.indexOfSpace[id], let occupant = self.landmarks.occupant(of: space) {
            name = self.features[occupant.feature]?.properties["name"] ?? .null
        }
        guard Labels(name) != nil, let members = name.object else { return .null }
        let length = members.members.reduce(0) { $0 + $1.key.utf8.count + ($1.value.string?.utf8.count ?? 1_000) }
        return length <= 1_000 ? name : .null
    }
}

/// Collects the parts of a report.
private struct ReachabilityBuilder {
    private static let reasonLimit = 8
    private static let occupantLimit = 100
    /// How far an opening that joins nothing may be from a unit that it was meant for, in millimeters.
    private static let nearby = 1_500

    let map: WayfindingMap
    private let shouldStop: () -> Bool
    private(set) var report: ReachabilityReport
    private var searches: [Profile: ObstacleSearch] = [:]
    private var components: [Profile: ConnectedComponents] = [:]
    /// The piece in which each space is entered; nil for one without triangles.
    private var pieces: [Int?]
    private var occupants: [[FeatureID]]
    /// Openings without a second side at each space, or near it.
    private var unjoinedDoorways: [[Int]]
    private var missing: [Profile: MissingPassages] = [:]
    /// What is reached.
    private var near: [Profile: MissingPassages.Side] = [:]
    /// Why each component of what is not reached may be.
    private var missingBefore: [Profile: [[RouteAnswer.Reason]]] = [:]
    private var mends: [MendKey: Int] = [:]

    private struct MendKey: Hashable {
        let feature: FeatureID
        let code: String
    }

    init(_ map: WayfindingMap, _ shouldStop: @escaping () -> Bool) {
        self.map = map
        self.shouldStop = shouldStop
        self.report = ReachabilityReport(language: map.language)
        self.pieces = map.plan.spaces.indices.map { shouldStop() ? nil : map.piece(of: $0) }
        self.occupants = Array(repeating: [], count: map.plan.spaces.count)
        self.unjoinedDoorways = Array(repeating: [], count: map.plan.spaces.count)
        let exits = map.exits
        self.report.exits = exits.compactMap { map.mesh.portals[$0].doorway }.map { map.plan.doorways[$0] }.map {
            ReachabilityReport.Exit(feature: $0.id, category: $0.category, level: map.plan.levels[$0.level].id)
        }.sorted { $0.feature < $1.feature }
        let order = map.plan.levels.indices.sorted { one, other in
            let (first, second) = (map.plan.levels[one], map.plan.levels[other])
            return first.ordinal == second.ordinal ? first.id < second.id : first.ordinal < second.ordinal
        }
        var places = [Int](repeating: 0, count: order.count)
        for (place, index) in order.enumerated() {
            places[index] = place
            let level = map.plan.levels[index]
            self.report.levels.append(.init(level: level.id, ordinal: level.ordinal, name: map.label(of: level.id)))
        }
        let unplaced = self.findOccupants()
        self.findUnjoinedDoorways(except: Set(exits.compactMap { map.mesh.portals[$0].doorway }))
        for profile in Profile.allCases { self.search(profile, from: exits) }
        self.count(places)
        self.collectReach()
        for profile in Profile.allCases { self.list(profile, places) }
        self.list(unplaced)
        self.report.mends.sort { one, other in
            let (first, second) = (one.units + one.occupants, other.units + other.occupants)
            guard first == second else { return first > second }
            return one.feature == other.feature ? one.code < other.code : one.feature < other.feature
        }
        if self.report.mends.count > ReachabilityReport.mendLimit {
            self.report.mends.removeLast(self.report.mends.count - ReachabilityReport.mendLimit)
            self.report.hasMore = true
        }
        if map.isTooComplex { self.report.addTooComplex() }
    }

    // MARK: - What there is

    /// Finds the occupants of each space, and returns those whose unit is not known.
    private mutating func findOccupants() -> [FeatureID] {
        var unplaced: [FeatureID] = []
        for (id, feature) in self.map.features where feature.type == .occupant {
            let anchor = feature.id("anchor_id").flatMap { self.map.features[$0] }
            if let space = anchor?.id("unit_id").flatMap({ self.map.indexOfSpace[$0] }) {
                self.occupants[space].append(id)
            } else {
                unplaced.append(id)
            }
        }
        for space in self.occupants.indices where self.occupants[space].count > 1 { self.occupants[space].sort() }
        return unplaced.sorted()
    }

    private mutating func findUnjoinedDoorways(except exits: Set<Int>) {
        var hasPortal = [Bool](repeating: false, count: self.map.plan.doorways.count)
        var joins = hasPortal
        for portal in self.map.mesh.portals {
            guard let doorway = portal.doorway else { continue }
            hasPortal[doorway] = true
            if portal.edges.count > 1 { joins[doorway] = true }
        }
        var budget = 200_000
        for (index, doorway) in self.map.plan.doorways.enumerated() where !joins[index] && !exits.contains(index) {
            guard !hasPortal[index], let box = GridBox(doorway.lines.joined()) else { continue }
            let limit = min(budget, 1_000)
            let near = self.map.spaceTree.indices(intersecting: box.expanded(by: Self.nearby), limit: limit)
            budget -= near.count
            if near.count == limit { self.report.hasMore = true }
            for space in near where self.map.plan.spaces[space].level == doorway.level {
                self.unjoinedDoorways[space].append(index)
            }
        }
        for portal in self.map.mesh.portals where portal.edges.count == 1 {
            guard let doorway = portal.doorway, !joins[doorway], !exits.contains(doorway) else { continue }
            let space = self.map.mesh.space(of: portal.edges[0] / 3)
            if self.unjoinedDoorways[space].last != doorway { self.unjoinedDoorways[space].append(doorway) }
        }
    }

    // MARK: - What can be reached

    private mutating func search(_ profile: Profile, from exits: [Int]) {
        var starts = exits.map { (triangle: self.map.mesh.portals[$0].edges[0] / 3, portal: Optional($0)) }
        if starts.isEmpty { starts = self.largestPart }
        let search = ObstacleSearch(
            from: starts, in: self.map, avoiding: profile.obstacles, shouldStop: self.shouldStop)
        let map = self.map
        let missing = MissingPassages(map, profile, map.rules)
        var crossings: [GapCrossing] = []
        let components = ConnectedComponents(
            of: self.map, avoiding: profile.obstacles, shouldStop: self.shouldStop,
            crossing: { component in
                if component == crossings.count { crossings.append(Self.crossing(missing, map, search)) }
                return crossings[component]
            }
        ) { search.counts[$0] != 0 }
        self.searches[profile] = search
        self.components[profile] = components
        var (near, far): ([Int32], [[Int32]]) = ([], Array(repeating: [], count: components.count))
        for (piece, component) in components.componentOfPiece.enumerated() {
            if search.counts[piece] == 0 { near.append(Int32(piece)) }
            if component >= 0 { far[component].append(Int32(piece)) }
        }
        let side = missing.side(near)
        (self.missing[profile], self.near[profile]) = (missing, side)
        self.missingBefore[profile] = zip(far, crossings).map { missing.reasons(side, missing.side($0), $1) }
    }

    private static func crossing(
        _ missing: MissingPassages, _ map: WayfindingMap, _ search: ObstacleSearch
    ) -> GapCrossing {
        GapCrossing(missing, map.reachability) { search.counts[Int($0)] == 0 }
    }

    /// What may be the way to a piece.
    private func missingBefore(_ piece: Int, _ profile: Profile) -> [RouteAnswer.Reason] {
        guard let missing = self.missing[profile], let near = self.near[profile], let search = self.searches[profile],
            let component = self.components[profile]?.componentOfPiece[piece], let known = self.missingBefore[profile]
        else { return [] }
        guard component < 0 else { return component < known.count ? known[component] : [] }
        // A piece of what is not a passage is in no component.
        let crossing = Self.crossing(missing, self.map, search)
        _ = crossing.pieces(behind: Int32(piece), ride: { _ in [] })
        return missing.reasons(near, missing.side([Int32(piece)]), crossing)
    }

    /// Where to begin in a venue without exits: in the hall of the part with most units.
    private var largestPart: [(triangle: Int32, portal: Int?)] {
        let parts = ConnectedComponents(of: self.map, shouldStop: self.shouldStop)
        var units: [Int: Int] = [:]
        for piece in self.pieces.compactMap(\.self) { units[parts.componentOfPiece[piece], default: 0] += 1 }
        guard let largest = units.min(by: { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }) else {
            return []
        }
        var hall: (space: Int, portals: Int)?
        for (index, piece) in self.pieces.enumerated() {
            let space = self.map.plan.spaces[index]
            guard let piece, parts.componentOfPiece[piece] == largest.key, space.kind == .floor, !space.isRestricted,
                self.map.mesh.portalsOfSpace[index].count > hall?.portals ?? -1
            else { continue }
            hall = (index, self.map.mesh.portalsOfSpace[index].count)
        }
        return hall.flatMap { self.map.entrance(of: $0.space) }.map { [($0, nil)] } ?? []
    }

    private func isReached(_ space: Int, _ profile: Profile) -> Bool {
        guard let piece = self.pieces[space], let search = self.searches[profile] else { return false }
        return search.counts[piece] == 0 || search.isReachedAsDestination(piece, in: space)
    }

    private static func isCounted(_ space: Space, _ profile: Profile) -> Bool {
        !space.isRestricted && profile.passes(space.kind)
    }

    private mutating func count(_ places: [Int]) {
        func add(
            _ shares: inout ReachabilityReport.Shares, _ profile: Profile, _ units: Int, _ occupants: Int,
            _ isReached: Bool
        ) {
            shares.units[profile, default: .init()].total += units
            shares.occupants[profile, default: .init()].total += occupants
            guard isReached else { return }
            shares.units[profile, default: .init()].reached += units
            shares.occupants[profile, default: .init()].reached += occupants
        }
        for profile in Profile.allCases {
            for (index, space) in self.map.plan.spaces.enumerated() {
                let isReached = self.isReached(index, profile)
                let units = Self.isCounted(space, profile) ? 1 : 0
                add(&self.report.shares, profile, units, self.occupants[index].count, isReached)
                add(
                    &self.report.levels[places[space.level]].shares, profile, units, self.occupants[index].count,
                    isReached)
            }
            for unit in self.map.plan.unusable where !unit.isRestricted {
                add(&self.report.shares, profile, 1, 0, false)
            }
        }
    }

    private mutating func collectReach() {
        for (index, space) in self.map.plan.spaces.enumerated() {
            let isUnit = self.occupants[index].isEmpty
            guard !isUnit || Self.isCounted(space, .stepFree) else { continue }
            let level = self.map.plan.levels[space.level].id
            let profiles = Set(Profile.allCases.filter { self.isReached(index, $0) })
            if isUnit { self.report.reach[space.id] = .init(type: .unit, level: level, profiles: profiles) }
            for occupant in self.occupants[index] {
                self.report.reach[occupant] = .init(type: .occupant, level: level, profiles: profiles)
            }
        }
    }

    // MARK: - What is cut off

    private mutating func list(_ profile: Profile, _ places: [Int]) {
        let spaces = self.map.plan.spaces.indices.filter { index in
            let isListed =
                Self.isCounted(self.map.plan.spaces[index], profile) || !self.occupants[index].isEmpty
            return isListed && !self.isReached(index, profile)
                && (profile == .walk || self.isReached(index, .walk))
        }.sorted { one, other in
            let (first, second) = (self.map.plan.spaces[one], self.map.plan.spaces[other])
            guard first.level == second.level else { return places[first.level] < places[second.level] }
            return first.id < second.id
        }
        for index in spaces where !self.shouldStop() {
            let space = self.map.plan.spaces[index]
            let (status, reasons) = self.reasons(index, profile)
            let occupants = self.occupants[index]
            self.add(
                .init(
                    feature: space.id, type: .unit, level: self.map.plan.levels[space.level].id,
                    name: self.map.label(of: space.id), profile: profile, status: status,
                    occupants: Array(occupants.prefix(Self.occupantLimit)), reasons: reasons),
                units: Self.isCounted(space, profile) ? 1 : 0, occupants: occupants.count)
            if occupants.count > Self.occupantLimit { self.report.hasMore = true }
        }
        guard profile == .walk else { return }
        for unit in self.map.plan.unusable where !unit.isRestricted {
            self.add(
                .init(
                    feature: unit.id, type: .unit, level: self.map.plan.levels[unit.level].id,
                    name: self.map.label(of: unit.id), profile: .walk, status: .unknown, occupants: [],
                    reasons: [.init(code: "unusable", feature: unit.id, until: nil)]), units: 1, occupants: 0)
        }
    }

    /// Occupants of which the map does not say in which unit they are.
    private mutating func list(_ occupants: [FeatureID]) {
        for profile in Profile.allCases where !occupants.isEmpty {
            self.report.shares.occupants[profile, default: .init()].total += occupants.count
        }
        for id in occupants {
            self.add(
                .init(
                    feature: id, type: .occupant, level: nil, name: self.map.label(of: id), profile: .walk,
                    status: .unknown, occupants: [id],
                    reasons: [.init(code: "outside-units", feature: id, until: nil)]), units: 0, occupants: 1)
        }
    }

    private mutating func add(_ cutOff: ReachabilityReport.CutOff, units: Int, occupants: Int) {
        for reason in cutOff.reasons {
            guard let id = reason.feature, let feature = self.map.features[id] else { continue }
            let key = MendKey(feature: id, code: reason.code)
            let index = self.mends[key] ?? self.report.mends.count
            if self.mends[key] == nil {
                self.mends[key] = index
                let level = feature.id("level_id")
                self.report.mends.append(
                    .init(
                        feature: id, type: feature.type, code: reason.code, level: level,
                        name: self.map.label(of: id)))
            }
            self.report.mends[index].units += units
            self.report.mends[index].occupants += occupants
        }
        if self.report.cutOff.count < ReachabilityReport.cutOffLimit {
            self.report.cutOff.append(cutOff)
        } else {
            self.report.hasMore = true
        }
    }

    private func reasons(_ index: Int, _ profile: Profile) -> (RouteAnswer.Status, [RouteAnswer.Reason]) {
        let space = self.map.plan.spaces[index]
        guard let piece = self.pieces[index], let search = self.searches[profile] else {
            let isTooComplex = self.map.mesh.tooComplexOrdinals.contains(space.ordinal)
            return (.unknown, [.init(code: isTooComplex ? "too-far" : "unusable", feature: space.id, until: nil)])
        }
        let missing = self.missingBefore(piece, profile)
        if search.counts[piece] != nil {
            var reasons: [RouteAnswer.Reason] = []
            for (obstacles, feature) in search.obstacles(to: piece, limit: Self.reasonLimit) {
                for (obstacle, code) in Obstacles.codes where obstacles.contains(obstacle) {
                    let reason = RouteAnswer.Reason(code: code, feature: feature, until: nil)
                    if !reasons.contains(reason) { reasons.append(reason) }
                }
            }
            return (missing.isEmpty ? .none : .unknown, missing + reasons)
        }
        let doorways = self.reasons("joins-nothing", self.unjoinedDoorways[index].map { self.map.plan.doorways[$0].id })
        if !self.map.hasPassage(index) {
            return (.unknown, [.init(code: "no-opening", feature: space.id, until: nil)] + doorways)
        }
        let reasons = missing + doorways
        return (.unknown, reasons.isEmpty ? [.init(code: "not-connected", feature: space.id, until: nil)] : reasons)
    }

    private func reasons(_ code: String, _ features: [FeatureID]) -> [RouteAnswer.Reason] {
        features.prefix(Self.reasonLimit).map { .init(code: code, feature: $0, until: nil) }
    }
}

extension WayfindingMap {
    /// A triangle at the point at which a route enters a space.
    func entrance(of space: Int) -> Int32? {
        self.plan.center(of: space, self.mesh).flatMap { self.mesh.triangles(of: space, at: $0).first }
    }

    func piece(of space: Int) -> Int? {
        self.entrance(of: space).map { Int(self.mesh.pieceOfTriangle[Int($0)]) }
    }
}
