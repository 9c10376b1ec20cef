import IMDF

/// Positions and widths of openings.
enum Openings {
    static func onOutlines(_ plan: LevelPlan, _ run: inout RuleRun) {
        let venuePlan = plan.venuePlan
        run.forEach(plan[.opening].features) { opening, run in
            let units = try plan[.unit].features(near: opening.box.grown(by: venuePlan.tolerance), in: &run)
            for unit in units {
                if try unit.boundary().covers(opening.shape) { return }
            }
            let farthest = try self.farthest(of: opening, from: units, on: venuePlan, &run)
            if farthest.depth < VenuePlan.noise { return }
            if farthest.depth == .infinity {
                run.add(
                    "Opening does not lie on the outline of a unit.", about: opening.feature, path: "/geometry")
            } else {
                run.report(
                    "Opening lies \(Measure.metres(farthest.depth)) from the outlines of units.", farthest,
                    of: opening.feature, path: "/geometry", on: venuePlan)
            }
        }
    }

    /// The greatest distance of the line from the outlines of units, measured at its corners and between them.
    private static func farthest(
        of opening: PlacedFeature, from units: [PlacedFeature], on venuePlan: VenuePlan, _ run: inout RuleRun
    ) throws -> Excess {
        var farthest = Excess(depth: -1, at: opening.paths[0][0])
        for path in opening.paths {
            var points = [path[0]]
            for (from, to) in zip(path, path.dropFirst()) {
                for part in [0.25, 0.5, 0.75, 1] {
                    points.append(PlanarPoint(x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part))
                }
            }
            for at in points {
                let point = try venuePlan.geos.point(at)
                var depth = Double.infinity
                for unit in units {
                    depth = min(depth, try unit.boundary().distance(to: point))
                }
                if depth > farthest.depth { farthest = Excess(depth: depth, at: at) }
            }
        }
        return farthest
    }

    static func crossings(_ plan: LevelPlan, _ run: inout RuleRun) {
        let venuePlan = plan.venuePlan
        run.forEach(plan[.opening].features) { opening, run in
            for other in try plan[.opening].features(near: opening.box, in: &run) {
                if other.feature.id >= opening.feature.id { break }
                guard try opening.shape.overlaps(other.shape) else { continue }
                let common = try opening.shape.intersection(other.shape)
                let depth = try self.depth(of: common, opening, other, on: venuePlan)
                let at = try common.vertices().first ?? opening.paths[0][0]
                run.report(
                    "Opening crosses or overlaps opening \(other.feature.id).", Excess(depth: depth, at: at),
                    of: opening.feature, path: "/geometry", on: venuePlan)
            }
        }
    }

    /// How much shorter one of two lines would have to be for the two to be disjoint.
    private static func depth(
        of common: PlanarGeometry, _ one: PlacedFeature, _ other: PlacedFeature, on venuePlan: VenuePlan
    ) throws -> Double {
        var least = Double.infinity
        for (line, against) in [(one, other), (other, one)] {
            for path in line.paths {
                for end in [path[0], path[path.count - 1]] {
                    least = min(least, try against.shape.distance(to: venuePlan.geos.point(end)))
                }
            }
        }
        return max(least, try common.length())
    }

    /// The plausible widths in meters: 33 inches is the least for an accessible door.
    private static let narrowest = 0.8382
    private static let widest = 45.0

    static func width(_ placed: PlacedFeature, _ venuePlan: VenuePlan, _ run: inout RuleRun) throws {
        guard placed.feature.type == .opening else { return }
        let width = try placed.shape.length()
        let excess = width <= self.narrowest ? self.narrowest - width : width - self.widest
        guard width <= self.narrowest || width > self.widest else { return }
        run.report(
            "Opening is \(Measure.metres(width)) wide.", Excess(depth: excess, at: placed.paths[0][0]),
            of: placed.feature, path: "/geometry", on: venuePlan)
    }

    /// Walls end where an opening begins, so only intersections between its ends count.
    static func details(_ plan: LevelPlan, _ run: inout RuleRun) {
        let venuePlan = plan.venuePlan
        run.forEach(plan[.detail].features) { detail, run in
            for opening in try plan[.opening].features(near: detail.box, in: &run) {
                guard try detail.shape.intersects(opening.shape) else { continue }
                let ends = opening.paths.flatMap { [$0[0], $0[$0.count - 1]] }
                let meeting = try detail.shape.intersection(opening.shape).vertices().first { vertex in
                    !ends.contains { $0.distance(to: vertex) <= venuePlan.tolerance }
                }
                guard let meeting else { continue }
                run.add(
                    "Detail intersects opening \(opening.feature.id).", about: detail.feature, path: "/geometry",
                    at: venuePlan.position(meeting))
            }
        }
    }
}
