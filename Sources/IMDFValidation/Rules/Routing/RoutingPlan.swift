import IMDF
import Wayfinding

/// What the rules about routes look at: what keeps routes from places of the archive.
package struct RoutingPlan: Sendable {
    /// Larger venues are not checked: the work of the map is bounded for every level, and a venue may have any number of them.
    static let featureLimit = 50_000
    /// A position of a map takes some hundred bytes.
    private static let positionLimit = 2_000_000

    let context: ValidationContext
    let faults: RoutingFaults
    /// Whether the faults are not known.
    let isTooComplex: Bool

    var hasExit: Bool { self.faults.hasExit }

    private static let types: [FeatureType] = [.level, .unit, .opening, .relationship, .occupant, .anchor, .amenity]
    /// Those whose geometries the map reads.
    private static let typesWithGeometry: Set<FeatureType> = [.unit, .opening, .anchor, .amenity]

    /// Whether anybody expects routes of an archive: it has an opening.
    static func isExpected(of context: ValidationContext) -> Bool {
        !context.features(of: .opening, meeting: [.geometry, .properties]).isEmpty
    }

    /// Whether there is more than the rules look at.
    static func isTooLarge(_ context: ValidationContext) -> Bool {
        guard Self.types.reduce(0, { $0 + context.count(of: $1) }) <= Self.featureLimit else { return true }
        let features = Self.typesWithGeometry.flatMap { context.features(of: $0, meeting: .geometry) }
        return features.reduce(0) { $0 + ($1.geometry?.positionCount ?? 0) } > Self.positionLimit
    }

    /// - Parameter shouldStop: Is called often; whether the rules have to stop. What was computed until then says nothing.
    init(_ context: ValidationContext, shouldStop: @escaping () -> Bool) {
        self.context = context
        let features = Self.types.flatMap { context.features(of: $0, meeting: .properties) }.map { feature in
            WayfindingFeature(
                id: feature.id, type: feature.type, properties: feature.properties ?? [:],
                geometry: Self.typesWithGeometry.contains(feature.type) ? feature.geometry?.json ?? .null : .null)
        }
        let map = WayfindingMap(features, shouldStop: shouldStop)
        self.faults = map.faults(shouldStop: shouldStop)
        self.isTooComplex = map.isTooComplex
    }
}

extension Geometry {
    fileprivate var positionCount: Int {
        switch self {
        case .points(let points, _): points.count
        case .lines(let lines, _): lines.reduce(0) { $0 + $1.count }
        case .polygons(let polygons, _): polygons.reduce(0) { $0 + $1.rings.reduce(0) { $0 + $1.count } }
        }
    }

    /// As GeoJSON, with longitudes up to 180°.
    fileprivate var json: JSONValue {
        func position(_ position: Position) -> JSONValue {
            [.number(Antimeridian.restored(position.longitude)), .number(position.latitude)]
        }
        func line(_ line: [Position]) -> JSONValue { .array(line.map(position)) }
        switch self {
        case .points(let points, let isMulti):
            return [
                "type": .string(self.kind), "coordinates": isMulti ? line(points) : points.first.map(position) ?? .null,
            ]
        case .lines(let lines, let isMulti):
            return [
                "type": .string(self.kind),
                "coordinates": isMulti ? .array(lines.map(line)) : lines.first.map(line) ?? .null,
            ]
        case .polygons(let polygons, let isMulti):
            let rings = polygons.map { JSONValue.array($0.rings.map(line)) }
            return ["type": .string(self.kind), "coordinates": isMulti ? .array(rings) : rings.first ?? .null]
        }
    }
}
