import IMDF

/// A point of the plan, in decimetres east and north of the site's corner.
struct PlanPoint: Hashable {
    var x: Int
    var y: Int
}

/// An axis-aligned rectangle of the plan.
struct PlanRectangle: Hashable {
    var left: Int
    var bottom: Int
    var right: Int
    var top: Int

    var centre: PlanPoint { PlanPoint(x: (self.left + self.right) / 2, y: (self.bottom + self.top) / 2) }

    /// Counter-clockwise from the lower left, not closed.
    var ring: [PlanPoint] {
        [
            PlanPoint(x: self.left, y: self.bottom), PlanPoint(x: self.right, y: self.bottom),
            PlanPoint(x: self.right, y: self.top), PlanPoint(x: self.left, y: self.top),
        ]
    }

    func grown(by margin: Int) -> PlanRectangle {
        PlanRectangle(
            left: self.left - margin, bottom: self.bottom - margin, right: self.right + margin, top: self.top + margin)
    }

    func joined(with other: PlanRectangle) -> PlanRectangle {
        PlanRectangle(
            left: min(self.left, other.left), bottom: min(self.bottom, other.bottom),
            right: max(self.right, other.right), top: max(self.top, other.top))
    }
}

/// A polygon of the plan: the outer ring counter-clockwise, holes clockwise, none closed.
struct PlanShape: Hashable {
    var rings: [[PlanPoint]]

    init(_ rectangle: PlanRectangle) {
        self.rings = [rectangle.ring]
    }

    init(outer: [PlanPoint], holes: [[PlanPoint]] = []) {
        self.rings = [outer] + holes
    }
}

/// Converts plan coordinates to WGS 84.
///
/// A decimetre is a whole number of 10⁻⁷ degrees in both directions (correct within 1 % near 35° N), and walls are parallel to
/// the axes. So neighbors share their corners exactly, and seven decimals represent every coordinate.
struct SitePlan {
    /// In 10⁻⁷ degrees.
    var longitude: Int
    var latitude: Int

    func position(_ point: PlanPoint) -> JSONValue {
        .array([
            .number(Double(self.longitude + 11 * point.x) / 1e7), .number(Double(self.latitude + 9 * point.y) / 1e7),
        ])
    }

    func point(_ point: PlanPoint) -> JSONValue {
        ["coordinates": self.position(point), "type": "Point"]
    }

    func line(_ points: [PlanPoint]) -> JSONValue {
        ["coordinates": .array(points.map(self.position)), "type": "LineString"]
    }

    func lines(_ lines: [[PlanPoint]]) -> JSONValue {
        ["coordinates": .array(lines.map { .array($0.map(self.position)) }), "type": "MultiLineString"]
    }

    func polygon(_ shape: PlanShape) -> JSONValue {
        ["coordinates": self.rings(shape), "type": "Polygon"]
    }

    func polygon(_ rectangle: PlanRectangle) -> JSONValue {
        self.polygon(PlanShape(rectangle))
    }

    func polygons(_ shapes: [PlanShape]) -> JSONValue {
        ["coordinates": .array(shapes.map(self.rings)), "type": "MultiPolygon"]
    }

    private func rings(_ shape: PlanShape) -> JSONValue {
        .array(shape.rings.map { ring in .array((ring + ring.prefix(1)).map(self.position)) })
    }
}
