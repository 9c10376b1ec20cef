/// How far a geometry lies outside the area that should cover it.
struct Excess {
    /// The distance of the farthest point from the area, in meters.
    let depth: Double
    let at: PlanarPoint
}

/// The intersection of two areas that should be disjoint.
struct Overlap {
    /// Square meters.
    let area: Double
    let at: PlanarPoint
    /// Whether it is nowhere wider than the tolerance.
    let isNegligible: Bool
}

extension VenuePlan {
    /// How far a geometry extends beyond an area; nil if the area covers it exactly.
    func excess(
        of inner: PlacedFeature, outside outer: PlacedFeature, in run: inout RuleRun
    ) throws -> Excess? {
        guard try !outer.shape.covers(inner.shape) else { return nil }
        return try self.excess(of: inner.shape, outside: outer.shape, isPoint: inner.dimension == .points)
    }

    /// The same for geometries that do not belong to a feature.
    func excess(of inner: PlanarGeometry, outside outer: PlanarGeometry, isPoint: Bool = false) throws -> Excess? {
        // The farthest point is nearly always a vertex. Only the middle of a large hole may be farther.
        let outside = isPoint ? inner : try inner.subtracting(outer)
        var farthest: Excess?
        for vertex in try outside.vertices() {
            let depth = try outer.distance(to: self.geos.point(vertex))
            if depth > farthest?.depth ?? -1 { farthest = Excess(depth: depth, at: vertex) }
        }
        return farthest.flatMap { $0.depth < Self.noise ? nil : $0 }
    }

    /// Meters or square meters below which a result is a rounding error.
    static let noise = 1e-6

    /// The intersection of the interiors of two areas; nil if the areas only touch or are disjoint.
    func overlap(_ one: PlacedFeature, _ other: PlacedFeature, in run: inout RuleRun) throws -> Overlap? {
        guard one.box.overlaps(other.box) else { return nil }
        guard try one.shape.overlaps(other.shape) else { return nil }
        return try self.measure(one.shape.intersection(other.shape))
    }

    /// Measures an area that should not exist; nil if it is empty.
    func measure(_ common: PlanarGeometry) throws -> Overlap? {
        let area = try common.area()
        guard area > Self.noise else { return nil }
        let core = try self.core(of: common)
        return Overlap(area: area, at: try (core ?? common).pointInside(), isNegligible: core == nil)
    }

    /// Geometries with more vertices are split into parts before they are shrunk, which takes quadratic time.
    private static let fewVertices = 512

    /// A part of an area that is wider than the tolerance; nil if there is none.
    private func core(of area: PlanarGeometry) throws -> PlanarGeometry? {
        guard area.vertexCount > Self.fewVertices else {
            let core = try area.shrunk(by: self.tolerance / 2)
            return core.isEmpty ? nil : core
        }
        let parts = try area.parts().map { (part: $0, area: try $0.area()) }
        // The largest first, because it usually decides.
        let order = parts.indices.sorted { (-parts[$0].area, $0) < (-parts[$1].area, $1) }
        for index in order {
            let (part, area) = parts[index]
            // A part that is nowhere wider than the tolerance covers less than a strip of that width along its outline.
            if try area > part.length() * self.tolerance { return part }
            let core = try part.shrunk(by: self.tolerance / 2)
            if !core.isEmpty { return core }
        }
        return nil
    }
}

/// Lengths and areas in messages.
enum Measure {
    static func metres(_ length: Double) -> String { "\(Self.short(length)) m" }
    static func squareMetres(_ area: Double) -> String { "\(Self.short(area)) m²" }

    /// Two decimals, none for large values and more for small ones.
    private static func short(_ value: Double) -> String {
        guard value < 1e12 else { return "\(value)" }
        if value < 0.5e-6 { return "0" }
        let decimals =
            switch value {
            case 100...: 0
            case 0.1...: 2
            case 0.001...: 4
            default: 6
            }
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let digits = Int((value * scale).rounded())
        guard decimals > 0 else { return "\(digits)" }
        var fraction = String(digits % Int(scale))
        while fraction.count < decimals { fraction = "0" + fraction }
        return "\(digits / Int(scale)).\(fraction)"
    }
}
