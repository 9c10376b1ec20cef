import IMDF

extension WayfindingMap {
    /// A part of a path on a level, or a change of floors.
    private struct Part {
        var mode: RouteAnswer.Mode
        var level: Int
        var toLevel: Int?
        /// The space that is entered by a walk on from another level.
        var space: Int?
        var points: [FramePosition]
        var seconds: Double?
        var isStated = true
        var departure: Stop?
        var arrival: Stop?

        var length: Double {
            zip(self.points, self.points.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
        }
    }

    /// The legs of a path: one for each level that it passes, and one for each change of floors.
    func legs(_ path: Path, _ from: RouteEnd, _ to: RouteEnd, _ query: RouteQuery) -> [RouteAnswer.Leg] {
        let pace = Pace(query.profile, self.travelTimes)
        let parts = self.parts(path, from, pace)
        let spaces = Landmarks.Surroundings(path, from, to, self.mesh, self.shafts)
        return parts.indices.map { index in
            let part = parts[index]
            let next = index + 1 < parts.count ? parts[index + 1] : nil
            let decimeters = FramePosition.rounded(part.length / 100)
            let seconds = part.seconds ?? part.length / (pace.speed * 1_000)
            return RouteAnswer.Leg(
                mode: part.mode, level: self.plan.levels[part.level].id,
                toLevel: part.toLevel.map { self.plan.levels[$0].id },
                coordinates: part.points.map { position in
                    let degrees = self.plan.frame.degrees(of: position)
                    return [Double(degrees.longitude) / 1e8, Double(degrees.latitude) / 1e8]
                }, decimeters: decimeters, seconds: FramePosition.rounded(seconds),
                instruction: self.instruction(part, next, decimeters, to, spaces, query.languages),
                isStated: part.isStated)
        }
    }

    private func parts(_ path: Path, _ from: RouteEnd, _ pace: Pace) -> [Part] {
        var parts: [Part] = []
        var walk = Part(mode: .walk, level: self.plan.spaces[from.spaces[0]].level, points: [])
        var crossings: [(portal: Int32, space: Int)] = []
        func finish() {
            if walk.points.count > 1 { parts.append(walk) }
        }
        for step in path.steps {
            switch step {
            case .portal(let portal, let space): crossings.append((portal, space))
            case .point(let point):
                let position = FramePosition(point)
                for (portal, space) in crossings {
                    let level = self.plan.spaces[space].level
                    guard level != walk.level, let last = walk.points.last else { continue }
                    let crossing = Self.crossing(last, position, self.mesh.portals[Int(portal)])
                    if crossing != last { walk.points.append(crossing) }
                    finish()
                    walk = Part(mode: .walk, level: level, space: space, points: [crossing])
                }
                crossings = []
                if walk.points.last != position { walk.points.append(position) }
            case .ride(let departure, let arrival):
                finish()
                let (first, second) = (self.shafts.stops[departure], self.shafts.stops[arrival])
                let shaft = self.shafts.shafts[first.shaft]
                parts.append(
                    Part(
                        mode: RouteAnswer.Mode(shaft.mode), level: first.level, toLevel: second.level,
                        points: [FramePosition(first.point), FramePosition(second.point)],
                        seconds: pace.seconds(of: shaft.mode, from: first, to: second),
                        isStated: shaft.relationship != nil, departure: first, arrival: second))
                walk = Part(mode: .walk, level: second.level, points: [])
            }
        }
        finish()
        if parts.isEmpty, let point = walk.points.first {
            walk.points = [point, point]
            parts.append(walk)
        }
        return parts
    }

    /// Where a straight line passes a portal.
    private static func crossing(
        _ start: FramePosition, _ end: FramePosition, _ portal: FloorMesh.Portal
    ) -> FramePosition {
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        let (ex, ey) = (Double(portal.end.x - portal.start.x), Double(portal.end.y - portal.start.y))
        let denominator = dx * ey - dy * ex
        guard denominator != 0 else { return start }
        let (px, py) = (Double(portal.start.x) - start.x, Double(portal.start.y) - start.y)
        let share = min(max((px * ey - py * ex) / denominator, 0), 1)
        return FramePosition(x: start.x + dx * share, y: start.y + dy * share)
    }

    // MARK: - Instructions

    private func instruction(
        _ part: Part, _ next: Part?, _ decimeters: Int, _ to: RouteEnd, _ spaces: Landmarks.Surroundings,
        _ languages: [String]
    ) -> String {
        let phrases = Phrases(languages)
        if let departure = part.departure, let arrival = part.arrival {
            let beside = self.landmarks.nearest(to: departure.point, ordinal: departure.ordinal, in: spaces)
            let floors = arrival.ordinal - departure.ordinal
            return phrases.ride(
                part.mode, beside: beside.map { self.text($0.labels, languages) },
                to: floors == 0
                    ? self.area(arrival.level, arrival.space, from: departure.level, languages)
                    : .level(self.plan.levels[arrival.level].name.map { self.text($0, languages) }), floors: floors)
        }
        let goal: Phrases.Goal
        let destination = next == nil ? self.name(of: to, languages) : nil
        if let next {
            goal =
                next.mode == .walk
                ? self.area(next.level, next.space, from: part.level, languages) : .vertical(next.mode)
        } else {
            goal = .destination(destination)
        }
        if next == nil, decimeters == 0 { return phrases.arrival(at: goal) }
        var texts: [String] = []
        for landmark in self.landmarks.along(
            part.points, ordinal: self.plan.levels[part.level].ordinal, in: spaces)
        {
            let text = self.text(landmark.labels, languages)
            // Compared by bytes, as on other platforms; Swift takes different normal forms of Unicode to be equal.
            let isNew = (texts + [destination].compactMap(\.self)).allSatisfy { !$0.utf8.elementsEqual(text.utf8) }
            if isNew { texts.append(text) }
        }
        return phrases.walk(decimeters: decimeters, past: texts, to: goal)
    }

    private func text(_ labels: Labels, _ languages: [String]) -> String {
        labels.text(for: languages, archiveLanguage: self.language)
    }

    /// What somebody enters who goes to a level on the same height, with the space behind its border: a building, or else what has
    /// another name than where they are, because floors of several buildings often have the same names.
    private func area(_ level: Int, _ space: Int?, from start: Int, _ languages: [String]) -> Phrases.Goal {
        let (here, there) = (self.plan.levels[start], self.plan.levels[level])
        func text(_ labels: Labels?) -> String? { labels.map { self.text($0, languages) } }
        func name(_ id: FeatureID) -> String? { text(self.features[id].flatMap { Labels($0.properties["name"]) }) }
        if !there.buildings.contains(where: { here.buildings.contains($0) }),
            let building = there.buildings.lazy.compactMap({ name($0) }).first
        {
            return .building(building)
        }
        let known = [here.longName, here.name].compactMap { text($0) }
        // Compared by bytes, as for landmarks.
        let names = [there.longName, there.name].compactMap { text($0) }
            .filter { name in known.allSatisfy { !$0.utf8.elementsEqual(name.utf8) } }
        return .area(names.first ?? space.flatMap { name(self.plan.spaces[$0].id) })
    }

    private func name(of end: RouteEnd, _ languages: [String]) -> String? {
        guard let id = end.feature, let feature = self.features[id] else { return nil }
        if let labels = Labels(feature.properties["name"]) { return self.text(labels, languages) }
        guard feature.type == .unit, let space = self.indexOfSpace[id] else { return nil }
        return self.landmarks.occupant(of: space).map { self.text($0.labels, languages) }
    }
}

extension RouteAnswer.Mode {
    init(_ mode: VerticalMode) {
        switch mode {
        case .elevator: self = .elevator
        case .stairs: self = .stairs
        case .escalator: self = .escalator
        case .ramp: self = .ramp
        }
    }
}
