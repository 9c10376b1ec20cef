import IMDF

extension WayfindingMap {
    /// The greatest number of exits from which ways are searched.
    private static var exitLimit: Int { 200 }

    /// For every unit the nearest exits by ways without lifts, as somebody who walks goes them. Emergency exits are passages here.
    ///
    /// - Parameter shouldStop: Is called often; whether the result is not wanted any more.
    /// - Complexity: one search for each exit.
    public func egressReport(shouldStop: @escaping () -> Bool = { false }) -> EgressReport {
        let spaces = self.plan.spaces.indices.compactMap { index in
            self.plan.center(of: index, self.mesh).map { (index: index, point: $0) }
        }
        let targets = spaces.map {
            PathSearch.Target(point: $0.point, triangles: self.mesh.triangles(of: $0.index, at: $0.point))
        }
        let indices = spaces.map(\.index)
        let exits = self.exits
        var isComplete = exits.count <= Self.exitLimit && !self.isTooComplex
        /// The lengths in millimeters of walking and the ways of the two nearest exits of each unit.
        var best: [[(length: Double, way: EgressReport.Way)]] = Array(repeating: [], count: spaces.count)
        for exit in exits.prefix(Self.exitLimit) {
            guard !shouldStop() else { break }
            let portal = self.mesh.portals[exit]
            guard let doorway = portal.doorway else { continue }
            let (isFinished, results) = self.ways(from: portal, to: targets, indices, shouldStop)
            isComplete = isComplete && isFinished
            for (index, result) in results.enumerated() {
                guard let result else { continue }
                best[index].append(
                    (result.length, .init(exit: self.plan.doorways[doorway].id, decimeters: result.decimeters)))
                best[index].sort { $0.length == $1.length ? $0.way.exit < $1.way.exit : $0.length < $1.length }
                if best[index].count > 2 { best[index].removeLast() }
            }
        }
        var report = EgressReport()
        report.units = zip(spaces, best).map { space, ways in
            let unit = self.plan.spaces[space.index]
            let status: EgressReport.Status =
                if !ways.isEmpty { .exit } else if !isComplete { .tooFar } else if exits.isEmpty {
                    .noExitStated
                } else { .cutOff }
            return EgressReport.Unit(
                unit: unit.id, level: self.plan.levels[unit.level].id, name: self.label(of: unit.id), status: status,
                exits: ways.map(\.way),
                hasSecond: ways.count == 2 ? true : exits.isEmpty || !isComplete ? nil : false)
        }
        report.units += self.unitsWithoutCenter(
            except: Set(indices), status: exits.isEmpty && isComplete ? .noExitStated : .unusable)
        report.units.sort { $0.unit < $1.unit }
        return report
    }

    /// The units from which no way can be searched: on a floor that is too complex, or without a usable outline, which have the status.
    private func unitsWithoutCenter(
        except spaces: Set<Int>, status: EgressReport.Status
    ) -> [EgressReport.Unit] {
        func unit(_ id: FeatureID, _ level: FeatureID, _ status: EgressReport.Status) -> EgressReport.Unit {
            EgressReport.Unit(
                unit: id, level: level, name: self.label(of: id), status: status, exits: [], hasSecond: nil)
        }
        var units: [EgressReport.Unit] = []
        for (index, space) in self.plan.spaces.enumerated() where !spaces.contains(index) {
            let isTooComplex = self.mesh.tooComplexOrdinals.contains(space.ordinal)
            units.append(unit(space.id, self.plan.levels[space.level].id, isTooComplex ? .tooFar : status))
        }
        units += self.plan.unusable.map { unit($0.id, self.plan.levels[$0.level].id, status) }
        return units
    }

    /// The ways from units to an exit, found from the exit, and whether the search was finished.
    private func ways(
        from portal: FloorMesh.Portal, to targets: [PathSearch.Target], _ spaces: [Int],
        _ shouldStop: @escaping () -> Bool
    ) -> (isFinished: Bool, ways: [(length: Double, decimeters: Int)?]) {
        var rules = self.rules
        for (index, shaft) in self.shafts.shafts.enumerated() where shaft.mode == .elevator {
            rules.close(shaft: index)
        }
        let triangles = portal.edges.map { $0 / 3 }
        let start = RouteEnd(
            point: portal.middle, triangles: triangles, spaces: [], ordinal: 0, feature: nil,
            named: triangles.map { self.mesh.space(of: $0) })
        // Whoever is in a unit that is not a passage may leave it.
        rules.admit(
            start,
            [
                RouteEnd(
                    point: portal.middle, triangles: [], spaces: [], ordinal: 0, feature: nil, named: spaces)
            ])
        rules.blocking = Profile.walk.obstacles.subtracting(.emergencyExit)
        var search = PathSearch(
            self.mesh, self.shafts, rules, Pace(.walk, self.travelTimes), targets: targets,
            nodeLimit: self.limits.searchNodes)
        search.isReversed = true
        search.shouldStop = shouldStop
        search.run(from: PathSearch.Target(point: portal.middle, triangles: triangles), until: targets.count)
        let ways = targets.indices.map { index -> (length: Double, decimeters: Int)? in
            guard let result = search.results[index], !shouldStop(),
                let path = Path(search, target: index, end: targets[index].point)
            else { return nil }
            return (result.length, path.decimeters)
        }
        return (!search.isExhausted, ways)
    }
}

extension Path {
    /// How far somebody goes, without the heights of floors.
    fileprivate var decimeters: Int {
        let points = self.steps.compactMap { step in
            if case .point(let point) = step { point } else { nil }
        }
        return FramePosition.rounded(zip(points, points.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) } / 100)
    }
}
