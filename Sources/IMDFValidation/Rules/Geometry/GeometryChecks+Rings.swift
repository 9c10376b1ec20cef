import IMDF

extension GeometryChecks {
    /// The smallest area in square meters, and the smallest length or width in meters, that is plausible.
    private static let leastArea = 0.1
    private static let leastLength = 0.01

    static func direction(_ feature: ValidationFeature, _: ValidationContext, _ run: inout RuleRun) {
        guard case .polygons(let polygons, let isMulti) = feature.geometry else { return }
        for (part, polygon) in polygons.enumerated() {
            for (number, ring) in polygon.rings.enumerated() {
                let area = Self.signedArea(ring.map { PlanarPoint(x: $0.longitude, y: $0.latitude) })
                guard number == 0 ? area < 0 : area > 0 else { continue }
                return run.add(
                    number == 0 ? "The exterior ring runs clockwise." : "The hole runs counter-clockwise.",
                    about: feature,
                    path: "/geometry/coordinates" + (isMulti ? "/\(part)" : "") + "/\(number)", at: ring.first)
            }
        }
    }

    static func size(_ feature: ValidationFeature, _: ValidationContext, _ run: inout RuleRun) {
        guard let geometry = feature.geometry else { return }
        let projected = ProjectedGeometry(geometry, Projection(origin: geometry.middle))
        switch geometry {
        case .points: return
        case .lines:
            let length = projected.paths.reduce(0) { $0 + Self.length($1) }
            guard length < Self.leastLength else { return }
            run.add("The line is \(Measure.metres(length)) long.", about: feature, path: "/geometry")
        case .polygons:
            // Holes are ignored: another rule reports a hole that is as large as the exterior.
            var paths = projected.paths[...]
            guard case .polygons(let polygons, _) = geometry else { return }
            for polygon in polygons {
                let outline = paths[paths.startIndex]
                paths = paths.dropFirst(polygon.rings.count)
                let area = abs(Self.signedArea(outline))
                let width = 2 * area / max(Self.length(outline), .leastNormalMagnitude)
                if area < Self.leastArea || width < Self.leastLength, Self.crossesItself(outline) { continue }
                if area < Self.leastArea {
                    return run.add(
                        "The area is \(Measure.squareMetres(area)).", about: feature, path: "/geometry",
                        at: polygon.exterior.first)
                }
                if width < Self.leastLength {
                    return run.add(
                        "The area is \(Measure.metres(width)) wide on average.", about: feature, path: "/geometry",
                        at: polygon.exterior.first)
                }
            }
        }
    }

    /// The number of corners up to which an outline is searched for crossings.
    private static let fewCorners = 256

    /// Whether an outline with few corners crosses itself: then it has no area that could be small. Another rule reports that.
    private static func crossesItself(_ ring: [PlanarPoint]) -> Bool {
        guard ring.count <= Self.fewCorners else { return false }
        func side(_ point: PlanarPoint, _ start: PlanarPoint, _ end: PlanarPoint) -> Double {
            (end.x - start.x) * (point.y - start.y) - (end.y - start.y) * (point.x - start.x)
        }
        let segments = Array(zip(ring, ring.dropFirst()))
        for (number, (start, end)) in segments.enumerated() {
            for (other, last) in segments[(number + 1)...]
            where side(start, other, last) * side(end, other, last) < 0
                && side(other, start, end) * side(last, start, end) < 0
            {
                return true
            }
        }
        return false
    }

    /// Positive for a closed ring that runs counter-clockwise.
    static func signedArea(_ ring: [PlanarPoint]) -> Double {
        guard let first = ring.first else { return 0 }
        var doubled = 0.0
        // Relative to the first corner, so that small rings far from the origin lose no precision.
        for (one, next) in zip(ring, ring.dropFirst()) {
            doubled += (one.x - first.x) * (next.y - first.y) - (next.x - first.x) * (one.y - first.y)
        }
        return doubled / 2
    }

    static func length(_ path: [PlanarPoint]) -> Double {
        zip(path, path.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
    }
}

// MARK: - Misplaced features

extension GeometryChecks {
    /// The distance from the other features, in meters, up to which a position is plausible.
    private static let neighbourhood = 10_000.0

    /// Reports features far away from the others, with the likely mistake.
    static func misplaced(_ context: ValidationContext, _ run: inout RuleRun) {
        let centre = context.median
        let projection = Projection(origin: centre)
        for feature in context.features {
            guard let geometry = feature.geometry else { continue }
            let middle = geometry.middle
            let near = Antimeridian.nearest(middle.longitude, to: centre.longitude)
            guard Self.isFar(Position(longitude: near, latitude: middle.latitude), projection) else { continue }
            let swapped = Position(longitude: middle.latitude, latitude: middle.longitude)
            let message: String
            if abs(swapped.latitude) <= 90, !Self.isFar(swapped, projection) {
                message = "Longitude and latitude are swapped."
            } else if abs(middle.longitude) < 0.1, abs(middle.latitude) < 0.1 {
                message = "The geometry lies at longitude 0, latitude 0."
            } else {
                message = "The geometry lies more than 10 km from most of the others."
            }
            run.add(message, about: feature, path: "/geometry/coordinates", at: middle)
        }
    }

    static func uncut(_ context: ValidationContext, _ run: inout RuleRun) {
        guard let first = context.uncutFeatures.first else { return }
        let count = context.uncutFeatures.count
        run.add(
            count == 1
                ? "1 geometry crosses the antimeridian and is not cut there; maps draw it around the world."
                : "\(count) geometries cross the antimeridian and are not cut there; maps draw them around the world.",
            file: first.file, pointer: "\(first.pointer)/geometry")
    }

    private static func isFar(_ position: Position, _ projection: Projection) -> Bool {
        let point = projection.point(position)
        return max(abs(point.x), abs(point.y)) > Self.neighbourhood
    }
}
