public import IMDF

/// The position of a feature's label or marker.
public struct LabelPoint: Hashable, Sendable {
    /// How the position was determined. The first rule that gives a position applies.
    public enum Rule: String, Hashable, Sendable, CaseIterable {
        /// The feature's `display_point`. If the feature has an area, one that lies outside of it is not used.
        case displayPoint = "display_point"
        /// The feature's own geometry is a point.
        case point
        /// The anchor that the feature names.
        case anchor
        /// A position inside the largest of its polygons.
        case surface
        /// A position inside the unit of the anchor that the feature names.
        case unit
        /// The midpoint of its longest line.
        case line
    }

    public let position: Position
    public let rule: Rule

    package init(position: Position, rule: Rule) {
        (self.position, self.rule) = (position, rule)
    }
}

extension VenueMap {
    /// The position of a feature's label. It is strictly inside the feature if that has an area, and does not change unless the body of
    /// the feature, of its anchor, or of the anchor's unit does. Nil for features without a position, such as addresses.
    public func labelPoint(of id: FeatureID) -> LabelPoint? {
        self.features[id].flatMap { self.labelPoint(of: $0) }
    }

    func labelPoint(of feature: MapFeature) -> LabelPoint? {
        if case .points(let points) = Shape(feature["display_point"]), let point = points.first,
            feature.shape.accepts(displayPoint: point)
        {
            return LabelPoint(position: point, rule: .displayPoint)
        }
        if case .points(let points) = feature.shape, let point = points.first {
            return LabelPoint(position: point, rule: .point)
        }
        let anchor = self.target("anchor_id", of: feature, .anchor)
        if let anchor, case .points(let points) = anchor.shape, let point = points.first {
            return LabelPoint(position: point, rule: .anchor)
        }
        if let position = feature.shape.pointOnSurface { return LabelPoint(position: position, rule: .surface) }
        if let anchor, let position = self.target("unit_id", of: anchor, .unit)?.shape.pointOnSurface {
            return LabelPoint(position: position, rule: .unit)
        }
        return feature.shape.lineMiddle.map { LabelPoint(position: $0, rule: .line) }
    }
}

extension Shape {
    /// How far outside of an area a display point may lie, in degrees: about a meter.
    private static let displayPointTolerance = 1e-5

    /// Whether a display point can be that of this geometry: producers convert units and their display points separately, and a point of
    /// another place would send people there.
    fileprivate func accepts(displayPoint point: Position) -> Bool {
        guard case .polygons = self else { return true }
        let reach = Self.displayPointTolerance
        return [(0, 0), (reach, 0), (-reach, 0), (0, reach), (0, -reach)].contains { east, north in
            self.contains(Position(longitude: point.longitude + east, latitude: point.latitude + north))
        }
    }

    /// The midpoint of the longest line, or of the longest outer ring of polygons without area.
    var lineMiddle: Position? {
        let lines =
            switch self {
            case .none, .points: [[Position]]()
            case .lines(let lines): lines
            case .polygons(let polygons): polygons.compactMap(\.first)
            }
        // The first one of several of equal length.
        var longest: (length: Double, line: [Position])?
        for line in lines {
            let length = line.length
            if length > longest?.length ?? -1 { longest = (length, line) }
        }
        guard let (length, line) = longest else { return nil }
        var rest = length / 2
        for (start, end) in zip(line, line.dropFirst()) {
            let step = start.distance(to: end)
            if step >= rest, step > 0 {
                let share = rest / step
                return Position(
                    longitude: start.longitude + share * (end.longitude - start.longitude),
                    latitude: start.latitude + share * (end.latitude - start.latitude))
            }
            rest -= step
        }
        return line.last
    }
}

extension [Position] {
    fileprivate var length: Double {
        zip(self, self.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
    }
}
