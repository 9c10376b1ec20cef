/// A geometry as the commands of a vector tile, encoded. It is reused from feature to feature.
struct TileGeometry {
    /// 1 for points, 2 for lines, 3 for polygons.
    private(set) var kind: UInt64 = 1
    /// The commands as packed numbers of Protocol Buffers. Empty if there is nothing to draw.
    private(set) var commands = ProtobufWriter()
    private var last = TilePoint(x: 0, y: 0)

    private static let moveTo: UInt32 = 1
    private static let lineTo: UInt32 = 2
    private static let closePath: UInt32 = 7

    var isEmpty: Bool { self.commands.bytes.isEmpty }

    private mutating func begin(kind: UInt64) {
        self.kind = kind
        self.commands.removeAll()
        self.last = TilePoint(x: 0, y: 0)
    }

    mutating func beginLines() { self.begin(kind: 2) }

    mutating func beginPolygons() { self.begin(kind: 3) }

    mutating func set(points: [TilePoint]) {
        self.begin(kind: 1)
        guard !points.isEmpty else { return }
        self.append(Self.moveTo, count: points.count)
        for point in points { self.append(point) }
    }

    /// - Parameter line: At least two points.
    mutating func append(line: [TilePoint]) {
        self.append(path: line, isReversed: false)
    }

    /// - Parameter polygon: An outer ring, then its holes; rings do not repeat their first point.
    mutating func append(polygon: [[TilePoint]]) {
        for (index, ring) in polygon.enumerated() { self.append(ring: ring, isOuter: index == 0) }
    }

    mutating func append(ring: [TilePoint], isOuter: Bool) {
        // The area of outer rings is positive, with y to the south; that of holes is negative.
        self.append(path: ring, isReversed: (ring.doubleArea > 0) != isOuter)
        self.append(Self.closePath, count: 1)
    }

    /// - Parameter isReversed: Whether the points after the first are appended from the last to the second.
    private mutating func append(path: [TilePoint], isReversed: Bool) {
        guard let first = path.first else { return }
        self.append(Self.moveTo, count: 1)
        self.append(first)
        self.append(Self.lineTo, count: path.count - 1)
        for index in 1..<path.count { self.append(path[isReversed ? path.count - index : index]) }
    }

    private mutating func append(_ command: UInt32, count: Int) {
        self.commands.write(varint: UInt64(UInt32(count) << 3 | command))
    }

    private mutating func append(_ point: TilePoint) {
        self.append(delta: point.x - self.last.x)
        self.append(delta: point.y - self.last.y)
        self.last = point
    }

    private mutating func append(delta: Int32) {
        self.commands.write(varint: UInt64(UInt32(bitPattern: (delta << 1) ^ (delta >> 31))))
    }
}

/// A point of the grid of a tile.
package struct TilePoint: Hashable {
    package let x: Int32
    package let y: Int32

    package init(x: Int32, y: Int32) {
        (self.x, self.y) = (x, y)
    }
}
