import IMDF

extension WayfindingMap {
    /// The shortest way by time, or the reason why there is none.
    ///
    /// - Parameter shouldStop: Is called often; whether the answer is not wanted any more.
    public func route(_ query: RouteQuery, shouldStop: @escaping () -> Bool = { false }) -> RouteAnswer {
        do {
            var answer = try self.answer(to: query, shouldStop)
            if self.isTooComplex { answer.addUnknown([RouteFailure.tooFar.reason]) }
            return answer
        } catch {
            return RouteAnswer(.unknown, reasons: [error.reason])
        }
    }

    private func answer(
        to query: RouteQuery, _ shouldStop: @escaping () -> Bool
    ) throws(RouteFailure) -> RouteAnswer {
        let from: RouteEnd
        let to: RouteEnd
        switch (self.end(query.from), self.end(query.to)) {
        case (.success(let first), .success(let second)): (from, to) = (first, second)
        case (.failure(let failure), .success), (.success, .failure(let failure)):
            return RouteAnswer(.unknown, reasons: [failure.reason])
        case (.failure(let first), .failure(let second)):
            let reasons = first.reason == second.reason ? [first.reason] : [first.reason, second.reason]
            return RouteAnswer(.unknown, reasons: reasons)
        }
        let closures = Closures(query.closed, self)
        var rules = closures.rules
        rules.admit(from, [to])
        rules.blocking = query.profile.obstacles
        if let path = try self.path(from, to, rules, query.profile, shouldStop) {
            return RouteAnswer(.route, legs: self.legs(path, from, to, query))
        }
        let open: Path?
        if query.closed.isEmpty {
            open = nil
        } else {
            open = try self.path(from, to, rules, query.profile, shouldStop, ignoring: .closed)
        }
        var walkingRules = rules
        walkingRules.blocking = Profile.walk.obstacles
        var walking: Path?
        if query.profile == .stepFree {
            do {
                walking = try self.path(from, to, walkingRules, .walk, shouldStop)
            } catch {
                // What is closed is known without it.
                guard open != nil else { throw error }
            }
        }
        var answer: RouteAnswer
        if let open {
            let reasons = self.reasons(open, from, to, rules, closures, ignoring: .closed, naming: .closed)
            answer = RouteAnswer(.infeasible, reasons: reasons)
        } else {
            answer = try self.missing(from, to, rules, closures, query.profile, walking, shouldStop)
        }
        if let walking {
            var query = query
            query.profile = .walk
            answer.alternative = .init(profile: .walk, legs: self.legs(walking, from, to, query))
        }
        return answer
    }

    /// The shortest path if some obstacles did not exist.
    private func path(
        _ from: RouteEnd, _ to: RouteEnd, _ rules: PassageRules, _ profile: Profile,
        _ shouldStop: @escaping () -> Bool, ignoring ignored: Obstacles = []
    ) throws(RouteFailure) -> Path? {
        var rules = rules
        rules.blocking.subtract(ignored)
        // The search would go through everything else before it finds that there is no path.
        let reached = self.reachability.pieces(
            from: from.triangles, self.mesh, self.shafts, rules, until: to.triangles)
        guard to.triangles.contains(where: { reached[Int(self.mesh.pieceOfTriangle[Int($0)])] }) else { return nil }
        var search = PathSearch(
            self.mesh, self.shafts, rules, Pace(profile, self.travelTimes),
            targets: [PathSearch.Target(point: to.point, triangles: to.triangles)], nodeLimit: self.limits.searchNodes)
        search.shouldStop = shouldStop
        search.run(from: PathSearch.Target(point: from.point, triangles: from.triangles))
        guard !search.isExhausted else { throw RouteFailure.tooFar }
        return Path(search, target: 0, end: to.point)
    }

    // MARK: - Reasons

    /// The obstacles on a path that was found without some of them. Of stairs that follow one another, only the first are named.
    private func reasons(
        _ path: Path, _ from: RouteEnd, _ to: RouteEnd, _ rules: PassageRules, _ closures: Closures,
        ignoring ignored: Obstacles, naming named: Obstacles
    ) -> [RouteAnswer.Reason] {
        var reasons: [RouteAnswer.Reason] = []
        /// The flight on which the path has just been.
        var flight: Obstacles = []
        func add(_ obstacles: Obstacles, _ feature: FeatureID, _ causes: [FeatureID]? = nil) {
            let counted = obstacles.intersection(rules.blocking).intersection(named).subtracting(flight)
            for (obstacle, code) in Obstacles.codes where counted.contains(obstacle) {
                for id in obstacle == .closed ? causes ?? [feature] : [feature] {
                    let reason = RouteAnswer.Reason(
                        code: code, feature: id, until: obstacle == .closed ? closures.ends[id] : nil)
                    if !reasons.contains(reason) { reasons.append(reason) }
                }
            }
        }
        func add(space: Int) {
            add(rules.spaces[space], self.plan.spaces[space].id, closures.causesOfSpace[space])
        }
        func add(portal: Int, entering space: Int? = nil) {
            guard let doorway = self.mesh.portals[portal].doorway else { return }
            let id = self.plan.doorways[doorway].id
            let sides = self.mesh.portals[portal].edges.map { self.mesh.space(of: $0 / 3) }
            let side = sides.firstIndex { $0 == space }
            let direction = side.map { rules.obstacle(ofPortal: portal, leavingFirst: $0 == 1) } ?? []
            add(rules.portals[portal].union(direction), id, closures.causesOfPortal[portal])
        }
        func add(_ stop: Stop) {
            if let portal = stop.portal { add(portal: portal) }
            if !stop.behind.contains(where: { rules.isOpen(space: $0) }) {
                for space in stop.behind { add(space: space) }
            }
        }
        func enter(_ space: Int) {
            add(space: space)
            flight = rules.spaces[space].intersection(.flights)
        }
        var open = rules
        open.blocking.subtract(ignored)
        if let space = self.firstSpace(of: path, from, to, open) { enter(space) }
        for step in path.steps {
            switch step {
            case .point: break
            case .portal(let portal, let space):
                add(portal: Int(portal), entering: space)
                enter(space)
            case .ride(let departure, let arrival):
                let (stop, other) = (self.shafts.stops[departure], self.shafts.stops[arrival])
                add(stop)
                if let id = self.shafts.shafts[stop.shaft].relationship ?? stop.space.map({ self.plan.spaces[$0].id }) {
                    add(rules.shafts[stop.shaft], id)
                }
                flight.formUnion(rules.shafts[stop.shaft].intersection(.flights))
                add(other)
                if let space = other.space { enter(space) } else { flight = [] }
            }
        }
        // A path that begins at an opening can begin in any unit at it, and has no step that passes it.
        if reasons.isEmpty { for space in from.spaces + to.spaces { add(space: space) } }
        return reasons
    }

    /// The unit in which a path begins: several can lie above each other at a place.
    private func firstSpace(of path: Path, _ from: RouteEnd, _ to: RouteEnd, _ open: PassageRules) -> Int? {
        var spaces = to.spaces
        search: for step in path.steps {
            switch step {
            case .point: continue
            case .portal(let portal, let space):
                spaces = self.mesh.portals[Int(portal)].edges.map { self.mesh.space(of: $0 / 3) }
                    .filter { $0 != space }
            case .ride(let departure, _):
                spaces = self.shafts.stops[departure].triangles.map { self.mesh.space(of: $0) }
            }
            break search
        }
        return from.spaces.first { spaces.contains($0) && open.isOpen(space: $0) } ?? from.spaces.first
    }

    /// The path if some obstacles did not exist, and these. Nil if it is not for obstacles that there is none.
    private func pathWithoutObstacles(
        _ from: RouteEnd, _ to: RouteEnd, _ rules: PassageRules, _ profile: Profile, _ shouldStop: @escaping () -> Bool
    ) throws(RouteFailure) -> (path: Path, ignored: Obstacles)? {
        let wider: [Obstacles] = [
            Obstacles.steps.union(.closed), [.closed, .restricted, .emergencyExit, .oneWay],
            Obstacles.steps.union([.closed, .restricted, .emergencyExit, .oneWay]),
        ]
        for ignored in wider {
            if let path = try self.path(from, to, rules, profile, shouldStop, ignoring: ignored) {
                return (path: path, ignored: ignored)
            }
        }
        return nil
    }

    /// No way under the profile, or missing data.
    ///
    /// - Parameter walking: The path for those who can use steps.
    private func missing(
        _ from: RouteEnd, _ to: RouteEnd, _ rules: PassageRules, _ closures: Closures, _ profile: Profile,
        _ walking: Path?, _ shouldStop: @escaping () -> Bool
    ) throws(RouteFailure) -> RouteAnswer {
        let missing = MissingPassages(self, profile, rules).reasons(from: from.triangles, to: to.triangles)
        let found: (path: Path, ignored: Obstacles)?
        if let walking {
            found = (path: walking, ignored: Obstacles.steps)
        } else {
            found = try self.pathWithoutObstacles(from, to, rules, profile, shouldStop)
        }
        if let found {
            let reasons = self.reasons(
                found.path, from, to, rules, closures, ignoring: found.ignored,
                naming: found.ignored.subtracting(.closed))
            return RouteAnswer(
                missing.isEmpty ? .none : .unknown, reasons: missing + reasons.prefix(MissingPassages.reasonLimit))
        }
        var reasons: [RouteAnswer.Reason] = []
        for space in from.spaces.prefix(1) + to.spaces.prefix(1) where !self.hasPassage(space) {
            let reason = RouteAnswer.Reason(code: "no-opening", feature: self.plan.spaces[space].id, until: nil)
            if !reasons.contains(reason) { reasons.append(reason) }
        }
        if reasons.isEmpty { reasons = missing }
        if reasons.isEmpty, let space = to.spaces.first {
            reasons = [RouteAnswer.Reason(code: "not-connected", feature: self.plan.spaces[space].id, until: nil)]
        }
        return RouteAnswer(.unknown, reasons: reasons)
    }

    /// Whether an opening leads out of a space, or what joins floors, if it is entered from elsewhere on the floor of the space.
    func hasPassage(_ space: Int) -> Bool {
        func hasOpening(_ space: Int) -> Bool {
            self.mesh.portalsOfSpace[space].contains {
                let portal = self.mesh.portals[Int($0)]
                return portal.doorway != nil && portal.edges.count == 2
            }
        }
        func mode(_ space: Int) -> VerticalMode? { VerticalMode(self.plan.spaces[space].kind) }
        guard !hasOpening(space) else { return true }
        return self.shafts.shafts(of: space).map { self.shafts.shafts[$0] }.contains { shaft in
            guard mode(space) == shaft.mode else { return true }
            return shaft.stops.map { self.shafts.stops[$0] }.contains { stop in
                stop.ordinal == self.plan.spaces[space].ordinal
                    && stop.triangles.map { self.mesh.space(of: $0) }.contains {
                        $0 != space && (mode($0) != shaft.mode || hasOpening($0))
                    }
            }
        }
    }
}

extension RouteFailure {
    var reason: RouteAnswer.Reason { RouteAnswer.Reason(code: self.code, feature: self.feature, until: nil) }
}

/// What is closed in a query.
struct Closures {
    /// When closures end, if that is known.
    let ends: [FeatureID: String]
    /// The closed features because of which a space is.
    private(set) var causesOfSpace: [Int: [FeatureID]] = [:]
    /// Those because of which a portal is, or a direction of it.
    private(set) var causesOfPortal: [Int: [FeatureID]] = [:]
    private(set) var rules: PassageRules

    init(_ closed: [FeatureID: String?], _ map: WayfindingMap) {
        self.ends = closed.compactMapValues(\.self)
        self.rules = map.rules
        guard !closed.isEmpty else { return }
        for (index, space) in map.plan.spaces.enumerated() {
            let level = map.plan.levels[space.level].id
            for id in [space.id, level] where closed.keys.contains(id) {
                self.causesOfSpace[index, default: []].append(id)
            }
        }
        for id in closed.keys.sorted() {
            for space in map.unitsClosed(with: id).compactMap({ map.indexOfSpace[$0] })
            where self.causesOfSpace[space]?.contains(id) != true {
                self.causesOfSpace[space, default: []].append(id)
            }
        }
        for space in self.causesOfSpace.keys { self.rules.close(space: space) }
        for (index, portal) in map.mesh.portals.enumerated() {
            guard let doorway = portal.doorway else { continue }
            let id = map.plan.doorways[doorway].id
            guard closed.keys.contains(id) else { continue }
            self.rules.close(portal: index)
            self.causesOfPortal[index] = [id]
        }
        for (index, closed) in map.doors.closedDirections({ closed.keys.contains($0) }) {
            self.rules.close(directions: closed.bits, ofPortal: index)
            self.causesOfPortal[index, default: []] += closed.causes
        }
        for (index, shaft) in map.shafts.shafts.enumerated() {
            if let id = shaft.relationship, closed.keys.contains(id) { self.rules.close(shaft: index) }
        }
    }
}
