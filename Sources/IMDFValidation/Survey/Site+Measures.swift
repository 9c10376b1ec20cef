/// How far something lies outside of what should cover it.
struct Excess {
    /// Metres from the area to the point farthest from it.
    let depth: Double
    let at: PlanePoint
}

/// What two areas have in common that should have nothing in common.
struct Overlap {
    /// Square metres.
    let area: Double
    let at: PlanePoint
    /// Whether it is nowhere wider than the tolerance.
    let isNegligible: Bool
}

extension Site {
    /// How far a geometry sticks out of an area; nil when the area covers it exactly.
    func excess(
        of inner: PlacedFeature, outside outer: PlacedFeature, in inspection: inout Inspection
    ) throws -> Excess? {
        guard try !outer.shape.covers(inner.shape) else { return nil }
        return try self.excess(of: inner.shape, outside: outer.shape, isPoint: inner.dimension == .points)
    }

    /// The same of geometries that are no feature's.
    func excess(of inner: PlaneGeometry, outside outer: PlaneGeometry, isPoint: Bool = false) throws -> Excess? {
        // Of what is outside, a vertex is the farthest, or near enough: the middle of a wide courtyard may be farther.
        let outside = isPoint ? inner : try inner.subtracting(outer)
        var farthest: Excess?
        for vertex in try outside.vertices() {
            let depth = try outer.distance(to: self.plane.point(vertex))
            if depth > farthest?.depth ?? -1 { farthest = Excess(depth: depth, at: vertex) }
        }
        return farthest.flatMap { $0.depth < Self.noise ? nil : $0 }
    }

    /// Metres, or square metres, that come of computing with doubles and of nothing in the archive.
    static let noise = 1e-6

    /// What the interiors of two areas have in common; nil when they only touch, or not even that.
    func overlap(_ one: PlacedFeature, _ other: PlacedFeature, in inspection: inout Inspection) throws -> Overlap? {
        guard one.box.overlaps(other.box) else { return nil }
        guard try one.shape.overlaps(other.shape) else { return nil }
        return try self.measure(one.shape.intersection(other.shape))
    }

    /// How much there is of what should not be there; nil when there is no area of it.
    func measure(_ common: PlaneGeometry) throws -> Overlap? {
        let area = try common.area()
        guard area > Self.noise else { return nil }
        let core = try self.core(of: common)
        return Overlap(area: area, at: try (core ?? common).pointInside(), isNegligible: core == nil)
    }

    /// Geometries with more vertices are taken apart before they are shrunk, which takes quadratic time.
    private static let fewVertices = 512

    /// A piece of an area where that is wider than the tolerance; nil when it is so nowhere.
    private func core(of area: PlaneGeometry) throws -> PlaneGeometry? {
        guard area.vertexCount > Self.fewVertices else {
            let core = try area.shrunk(by: self.tolerance / 2)
            return core.isEmpty ? nil : core
        }
        let parts = try area.parts().map { (part: $0, area: try $0.area()) }
        // The largest first, of equal ones the first: most often that one decides.
        let order = parts.indices.sorted { (-parts[$0].area, $0) < (-parts[$1].area, $1) }
        for index in order {
            let (part, area) = parts[index]
            // What is nowhere wider than the tolerance covers less than a strip of that width along its outline.
            if try area > part.length() * self.tolerance { return part }
            let core = try part.shrunk(by: self.tolerance / 2)
            if !core.isEmpty { return core }
        }
        return nil
    }
}

/// Lengths and areas in sentences.
enum Measure {
    static func metres(_ length: Double) -> String { "\(Self.short(length)) m" }
    static func squareMetres(_ area: Double) -> String { "\(Self.short(area)) m²" }

    /// Two decimals, none of much and more of little.
    private static func short(_ value: Double) -> String {
        guard value < 1e12 else { return "\(value)" }
        if value < 0.5e-6 { return "0" }
        let places =
            switch value {
            case 100...: 0
            case 0.1...: 2
            case 0.001...: 4
            default: 6
            }
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        let digits = Int((value * scale).rounded())
        guard places > 0 else { return "\(digits)" }
        var fraction = String(digits % Int(scale))
        while fraction.count < places { fraction = "0" + fraction }
        return "\(digits / Int(scale)).\(fraction)"
    }
}
