import IMDF

extension GeometryChecks {
    /// Square metres below which nobody draws an area, metres below which nobody draws a line, or an area so narrow.
    private static let leastArea = 0.1
    private static let leastLength = 0.01

    static func direction(_ feature: Subject, _: ValidationContext, _ remarks: inout FindingCollector) {
        guard case .polygons(let polygons, let isMulti) = feature.geometry else { return }
        for (part, polygon) in polygons.enumerated() {
            for (number, ring) in polygon.rings.enumerated() {
                let area = Self.signedArea(ring.map { PlanePoint(x: $0.longitude, y: $0.latitude) })
                guard number == 0 ? area < 0 : area > 0 else { continue }
                return remarks.add(
                    number == 0 ? "The outline runs clockwise." : "The hole runs counter-clockwise.", about: feature,
                    path: "/geometry/coordinates" + (isMulti ? "/\(part)" : "") + "/\(number)", at: ring.first)
            }
        }
    }

    static func size(_ feature: Subject, _: ValidationContext, _ remarks: inout FindingCollector) {
        guard let geometry = feature.geometry else { return }
        let sketch = Sketch(geometry, Projection(origin: geometry.middle))
        switch geometry {
        case .points: return
        case .lines:
            let length = sketch.paths.reduce(0) { $0 + Self.length($1) }
            guard length < Self.leastLength else { return }
            remarks.add("The line is \(Measure.metres(length)) long.", about: feature, path: "/geometry")
        case .polygons:
            // Outlines count, holes do not: a hole that is as large as its outline is another rule's matter.
            var paths = sketch.paths[...]
            guard case .polygons(let polygons, _) = geometry else { return }
            for polygon in polygons {
                let outline = paths[paths.startIndex]
                paths = paths.dropFirst(polygon.rings.count)
                let area = abs(Self.signedArea(outline))
                let width = 2 * area / max(Self.length(outline), .leastNormalMagnitude)
                if area < Self.leastArea {
                    return remarks.add(
                        "The area is \(Measure.squareMetres(area)).", about: feature, path: "/geometry",
                        at: polygon.exterior.first)
                }
                if width < Self.leastLength {
                    return remarks.add(
                        "The area is \(Measure.metres(width)) wide on average.", about: feature, path: "/geometry",
                        at: polygon.exterior.first)
                }
            }
        }
    }

    /// Positive for a closed ring that runs counter-clockwise.
    static func signedArea(_ ring: [PlanePoint]) -> Double {
        guard let first = ring.first else { return 0 }
        var doubled = 0.0
        // From the first corner on, so that small rings far from the origin lose nothing.
        for (one, next) in zip(ring, ring.dropFirst()) {
            doubled += (one.x - first.x) * (next.y - first.y) - (next.x - first.x) * (one.y - first.y)
        }
        return doubled / 2
    }

    static func length(_ path: [PlanePoint]) -> Double {
        zip(path, path.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
    }
}

// MARK: - Whereabouts

extension GeometryChecks {
    /// Metres around the venue in which a feature may be meant.
    private static let neighbourhood = 10_000.0

    /// Features far away from the rest, and what may have brought them there.
    static func whereabouts(_ examination: ValidationContext, _ remarks: inout FindingCollector) {
        let centre = examination.median
        let projection = Projection(origin: centre)
        for feature in examination.features {
            guard let geometry = feature.geometry else { continue }
            let place = geometry.middle
            guard Self.isFar(place, projection) else { continue }
            let swapped = Position(longitude: place.latitude, latitude: place.longitude)
            let message: String
            if abs(swapped.latitude) <= 90, !Self.isFar(swapped, projection) {
                message = "Longitude and latitude are swapped."
            } else if abs(place.longitude) < 0.1, abs(place.latitude) < 0.1 {
                message = "The geometry lies at longitude 0, latitude 0."
            } else {
                message = "The geometry lies more than 10 km from most of the others."
            }
            remarks.add(message, about: feature, path: "/geometry/coordinates", at: place)
        }
    }

    private static func isFar(_ position: Position, _ projection: Projection) -> Bool {
        let point = projection.point(position)
        return max(abs(point.x), abs(point.y)) > Self.neighbourhood
    }
}
