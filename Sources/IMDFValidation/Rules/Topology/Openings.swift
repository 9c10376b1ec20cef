import IMDF

/// Where openings lie, and how wide they are.
enum Openings {
    static func onOutlines(_ plan: LevelPlan, _ inspection: inout Inspection) {
        let site = plan.site
        inspection.forEach(plan[.opening].parcels) { opening, inspection in
            let units = try plan[.unit].parcels(near: opening.box.grown(by: site.tolerance), in: &inspection)
            for unit in units {
                if try unit.boundary().covers(opening.shape) { return }
            }
            let farthest = try self.farthest(of: opening, from: units, on: site, &inspection)
            if farthest.depth < Site.noise { return }
            if farthest.depth == .infinity {
                inspection.remarks.add(
                    "Opening lies on the outline of no unit.", about: opening.feature, path: "/geometry")
            } else {
                inspection.tell(
                    "Opening lies \(Measure.metres(farthest.depth)) from the outlines of units.", farthest,
                    of: opening.feature, path: "/geometry", on: site)
            }
        }
    }

    /// How far the line strays from the outlines of units, measured at its corners and between them.
    private static func farthest(
        of opening: PlacedFeature, from units: [PlacedFeature], on site: Site, _ inspection: inout Inspection
    ) throws -> Excess {
        var farthest = Excess(depth: -1, at: opening.paths[0][0])
        for path in opening.paths {
            var points = [path[0]]
            for (from, to) in zip(path, path.dropFirst()) {
                for part in [0.25, 0.5, 0.75, 1] {
                    points.append(PlanePoint(x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part))
                }
            }
            for at in points {
                let point = try site.plane.point(at)
                var depth = Double.infinity
                for unit in units {
                    depth = min(depth, try unit.boundary().distance(to: point))
                }
                if depth > farthest.depth { farthest = Excess(depth: depth, at: at) }
            }
        }
        return farthest
    }

    static func crossings(_ plan: LevelPlan, _ inspection: inout Inspection) {
        let site = plan.site
        inspection.forEach(plan[.opening].parcels) { opening, inspection in
            for other in try plan[.opening].parcels(near: opening.box, in: &inspection) {
                if other.feature.id >= opening.feature.id { break }
                guard try opening.shape.overlaps(other.shape) else { continue }
                let common = try opening.shape.intersection(other.shape)
                let depth = try self.depth(of: common, opening, other, on: site)
                let at = try common.vertices().first ?? opening.paths[0][0]
                inspection.tell(
                    "Opening crosses or overlaps opening \(other.feature.id).", Excess(depth: depth, at: at),
                    of: opening.feature, path: "/geometry", on: site)
            }
        }
    }

    /// By how much one of two lines had to be shorter for the two to lie apart.
    private static func depth(
        of common: PlaneGeometry, _ one: PlacedFeature, _ other: PlacedFeature, on site: Site
    ) throws -> Double {
        var least = Double.infinity
        for (line, against) in [(one, other), (other, one)] {
            for path in line.paths {
                for end in [path[0], path[path.count - 1]] {
                    least = min(least, try against.shape.distance(to: site.plane.point(end)))
                }
            }
        }
        return max(least, try common.length())
    }

    /// The least and the greatest width in metres: 33 inches, and what no entrance has.
    private static let narrowest = 0.8382
    private static let widest = 45.0

    static func width(_ parcel: PlacedFeature, _ site: Site, _ inspection: inout Inspection) throws {
        guard parcel.feature.type == .opening else { return }
        let width = try parcel.shape.length()
        let excess = width <= self.narrowest ? self.narrowest - width : width - self.widest
        guard width <= self.narrowest || width > self.widest else { return }
        inspection.tell(
            "Opening is \(Measure.metres(width)) wide.", Excess(depth: excess, at: parcel.paths[0][0]),
            of: parcel.feature, path: "/geometry", on: site)
    }

    /// Walls end where an opening begins: only what meets it between its ends counts.
    static func details(_ plan: LevelPlan, _ inspection: inout Inspection) {
        let site = plan.site
        inspection.forEach(plan[.detail].parcels) { detail, inspection in
            for opening in try plan[.opening].parcels(near: detail.box, in: &inspection) {
                guard try detail.shape.intersects(opening.shape) else { continue }
                let ends = opening.paths.flatMap { [$0[0], $0[$0.count - 1]] }
                let meeting = try detail.shape.intersection(opening.shape).vertices().first { vertex in
                    !ends.contains { $0.distance(to: vertex) <= site.tolerance }
                }
                guard let meeting else { continue }
                inspection.remarks.add(
                    "Detail meets opening \(opening.feature.id).", about: detail.feature, path: "/geometry",
                    at: site.position(meeting))
            }
        }
    }
}
