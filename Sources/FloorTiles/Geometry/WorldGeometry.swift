import VenueMap

/// A point of the Web Mercator square: 0 to 1 from the west and from the north.
package struct WorldPoint: Hashable, Sendable {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    init(_ position: Position) {
        let pixel = WebMercator.pixel(of: position, zoom: 0, tileSize: 1)
        self.init(x: pixel.x, y: pixel.y)
    }
}

/// A rectangle of the Web Mercator square.
package struct WorldBox: Hashable, Sendable {
    package var minX: Double
    package var minY: Double
    package var maxX: Double
    package var maxY: Double

    init(minX: Double, minY: Double, maxX: Double, maxY: Double) {
        (self.minX, self.minY, self.maxX, self.maxY) = (minX, minY, maxX, maxY)
    }

    init(around point: WorldPoint) {
        self.init(minX: point.x, minY: point.y, maxX: point.x, maxY: point.y)
    }

    /// Nil if there are no points.
    init?(_ points: some Sequence<WorldPoint>) {
        self.init(minX: .infinity, minY: .infinity, maxX: -.infinity, maxY: -.infinity)
        for point in points {
            self.minX = min(self.minX, point.x)
            self.minY = min(self.minY, point.y)
            self.maxX = max(self.maxX, point.x)
            self.maxY = max(self.maxY, point.y)
        }
        if self.minX > self.maxX { return nil }
    }

    func union(_ other: WorldBox) -> WorldBox {
        WorldBox(
            minX: min(self.minX, other.minX), minY: min(self.minY, other.minY), maxX: max(self.maxX, other.maxX),
            maxY: max(self.maxY, other.maxY))
    }

    /// Width or height is negative if the boxes have nothing in common.
    func intersection(_ other: WorldBox) -> WorldBox {
        WorldBox(
            minX: max(self.minX, other.minX), minY: max(self.minY, other.minY), maxX: min(self.maxX, other.maxX),
            maxY: min(self.maxY, other.maxY))
    }

    package func intersects(_ other: WorldBox) -> Bool {
        self.minX <= other.maxX && other.minX <= self.maxX && self.minY <= other.maxY && other.minY <= self.maxY
    }

    package func contains(_ other: WorldBox) -> Bool {
        self.minX <= other.minX && self.minY <= other.minY && other.maxX <= self.maxX && other.maxY <= self.maxY
    }

    package func insetBy(_ margin: Double) -> WorldBox {
        WorldBox(
            minX: self.minX + margin, minY: self.minY + margin, maxX: self.maxX - margin, maxY: self.maxY - margin)
    }

    func expanded(_ width: Double, _ height: Double) -> WorldBox {
        WorldBox(minX: self.minX - width, minY: self.minY - height, maxX: self.maxX + width, maxY: self.maxY + height)
    }

    var center: WorldPoint { WorldPoint(x: (self.minX + self.maxX) / 2, y: (self.minY + self.maxY) / 2) }
    var width: Double { self.maxX - self.minX }
    var height: Double { self.maxY - self.minY }
}

/// A geometry in the Web Mercator square.
enum WorldShape: Hashable, Sendable {
    typealias Ring = [WorldPoint]

    case points([WorldPoint])
    case lines([[WorldPoint]])
    /// Each polygon has an outer ring, then its holes. Rings repeat their first point at the end.
    case polygons([[Ring]])

    init(_ geometry: MapGeometry) {
        switch geometry {
        case .points(let points): self = .points(points.map { WorldPoint($0) })
        case .lines(let lines): self = .lines(lines.map { $0.map { WorldPoint($0) } })
        case .polygons(let polygons): self = .polygons(polygons.map { $0.map { $0.map { WorldPoint($0) } } })
        }
    }

    var box: WorldBox? {
        switch self {
        case .points(let points): WorldBox(points)
        case .lines(let lines): WorldBox(lines.joined())
        case .polygons(let polygons): WorldBox(polygons.joined().joined())
        }
    }

    /// A box for each point, line or polygon.
    var boxes: [WorldBox] {
        switch self {
        case .points(let points): points.map { WorldBox(around: $0) }
        case .lines(let lines): lines.compactMap { WorldBox($0) }
        case .polygons(let polygons): polygons.compactMap { WorldBox($0.joined()) }
        }
    }

    /// All points, in an order that determines the geometry together with the counts of ``append(to:)``.
    private var paths: [[WorldPoint]] {
        switch self {
        case .points(let points): [points]
        case .lines(let lines): lines
        case .polygons(let polygons): polygons.flatMap { $0 }
        }
    }

    var vertexCount: Int { self.paths.reduce(0) { $0 + $1.count } }

    /// Appends bytes that determine the geometry.
    func append(to bytes: inout [UInt8]) {
        switch self {
        case .points: bytes.append(0)
        case .lines: bytes.append(1)
        case .polygons(let polygons):
            bytes.append(2)
            for polygon in polygons { bytes.append(bigEndian: UInt64(polygon.count)) }
        }
        for path in self.paths {
            bytes.append(bigEndian: UInt64(path.count))
            for point in path {
                bytes.append(bigEndian: point.x.bitPattern)
                bytes.append(bigEndian: point.y.bitPattern)
            }
        }
    }

    /// The area of polygons in squares of the world; 0 for all others.
    var area: Double {
        guard case .polygons(let polygons) = self else { return 0 }
        return polygons.reduce(0) { $0 + Self.area(of: $1) }
    }

    static func area(of polygon: [Ring]) -> Double {
        guard let outer = polygon.first else { return 0 }
        return polygon.dropFirst().reduce(Self.area(of: outer)) { $0 - Self.area(of: $1) }
    }

    private static func area(of ring: Ring) -> Double {
        guard let origin = ring.first else { return 0 }
        var double = 0.0
        for (start, end) in zip(ring, ring.dropFirst()) {
            double += (start.x - origin.x) * (end.y - origin.y) - (end.x - origin.x) * (start.y - origin.y)
        }
        return abs(double) / 2
    }
}

extension [UInt8] {
    mutating func append(bigEndian value: UInt64) {
        for shift in stride(from: 56, through: 0, by: -8) {
            self.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
        }
    }

    mutating func append(bigEndian value: Int) { self.append(bigEndian: UInt64(bitPattern: Int64(value))) }

    /// Appends a text with its length, so that no two sequences of texts give the same bytes.
    mutating func append(counted text: String) {
        self.append(bigEndian: text.utf8.count)
        self.append(contentsOf: text.utf8)
    }
}
