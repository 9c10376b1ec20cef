public import IMDF

/// The one place where a feature is labelled, or pinned to the map.
public struct LabelPoint: Hashable, Sendable {
    /// Where a place comes from, the first that there is.
    public enum Rule: String, Hashable, Sendable, CaseIterable {
        /// The feature's `display_point`.
        case displayPoint = "display_point"
        /// The feature's own geometry is a point.
        case point
        /// The anchor that the feature names.
        case anchor
        /// A place inside the largest of its polygons.
        case surface
        /// Halfway along the longest of its lines.
        case line
    }

    public let position: Position
    public let rule: Rule
}

extension VenueMap {
    /// Where a feature is labelled: strictly inside it where it has a surface, and at the same place, bit by bit, as long as its
    /// body and its anchor's are the same. Nil for what has no place, such as an address.
    public func labelPoint(of id: FeatureID) -> LabelPoint? {
        self.features[id].flatMap { self.labelPoint(of: $0) }
    }

    func labelPoint(of feature: MapFeature) -> LabelPoint? {
        if case .points(let points) = Shape(feature["display_point"]), let point = points.first {
            return LabelPoint(position: point, rule: .displayPoint)
        }
        if case .points(let points) = feature.shape, let point = points.first {
            return LabelPoint(position: point, rule: .point)
        }
        if let anchor = self.target("anchor_id", of: feature, .anchor), case .points(let points) = anchor.shape,
            let point = points.first
        {
            return LabelPoint(position: point, rule: .anchor)
        }
        if let position = feature.shape.pointOnSurface { return LabelPoint(position: position, rule: .surface) }
        return feature.shape.lineMiddle.map { LabelPoint(position: $0, rule: .line) }
    }
}

extension Shape {
    /// Halfway along the longest line, or around the longest ring of a polygon that covers nothing.
    var lineMiddle: Position? {
        let lines =
            switch self {
            case .none, .points: [[Position]]()
            case .lines(let lines): lines
            case .polygons(let polygons): polygons.compactMap(\.first)
            }
        // Of several as long, the first.
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
