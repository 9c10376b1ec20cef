/// A geometry as the commands of a vector tile, encoded. It is reused from feature to feature.
struct TileGeometry: ~Copyable {
    /// 1 for points, 2 for lines, 3 for polygons.
    private(set) var kind: UInt64 = 1
    /// The commands as packed numbers of Protocol Buffers. Empty if there is nothing to draw.
    private(set) var commands = ScratchBuffer<UInt8>(capacity: 1_024)
    private var last = TilePoint(x: 0, y: 0)

    private static let moveTo: UInt32 = 1
    private static let lineTo: UInt32 = 2
    private static let closePath: UInt32 = 7
    /// The most bytes of a number of 32 bits.
    private static let maximumLength = 5

    var isEmpty: Bool { self.commands.isEmpty }

    private mutating func begin(kind: UInt64) {
        self.kind = kind
        self.commands.removeAll()
        self.last = TilePoint(x: 0, y: 0)
    }

    mutating func beginLines() { self.begin(kind: 2) }

    mutating func beginPolygons() { self.begin(kind: 3) }

    mutating func set(points: UnsafeBufferPointer<TilePoint>) {
        self.begin(kind: 1)
        guard !points.isEmpty else { return }
        self.commands.reserve((1 + 2 * points.count) * Self.maximumLength)
        self.append(Self.moveTo, count: points.count)
        for point in points { self.append(point) }
    }

    /// - Parameter line: At least two points.
    mutating func append(line: UnsafeBufferPointer<TilePoint>) {
        self.append(path: line, isReversed: false)
    }

    /// - Parameter polygon: An outer ring, then its holes; rings do not repeat their first point.
    mutating func append(polygon: [[TilePoint]]) {
        for (index, ring) in polygon.enumerated() {
            ring.withUnsafeBufferPointer { self.append(ring: $0, isOuter: index == 0) }
        }
    }

    mutating func append(ring: UnsafeBufferPointer<TilePoint>, isOuter: Bool) {
        // The area of outer rings is positive, with y to the south; that of holes is negative.
        self.append(path: ring, isReversed: (ring.doubleArea > 0) != isOuter)
        self.append(Self.closePath, count: 1)
    }

    /// - Parameter isReversed: Whether the points after the first are appended from the last to the second.
    private mutating func append(path: UnsafeBufferPointer<TilePoint>, isReversed: Bool) {
        guard let first = path.first else { return }
        // Two commands, and one that closes a ring.
        self.commands.reserve((3 + 2 * path.count) * Self.maximumLength)
        self.append(Self.moveTo, count: 1)
        self.append(first)
        self.append(Self.lineTo, count: path.count - 1)
        if isReversed {
            for index in stride(from: path.count - 1, to: 0, by: -1) { self.append(path[index]) }
        } else {
            for index in 1..<path.count { self.append(path[index]) }
        }
    }

    @inline(__always)
    private mutating func append(_ command: UInt32, count: Int) {
        self.commands.append(varint: UInt64(UInt32(count) << 3 | command))
    }

    @inline(__always)
    private mutating func append(_ point: TilePoint) {
        self.append(delta: point.x &- self.last.x)
        self.append(delta: point.y &- self.last.y)
        self.last = point
    }

    @inline(__always)
    private mutating func append(delta: Int32) {
        self.commands.append(varint: UInt64(UInt32(bitPattern: (delta << 1) ^ (delta >> 31))))
    }
}

/// A point of the grid of a tile.
package struct TilePoint: Hashable, BitwiseCopyable {
    package let x: Int32
    package let y: Int32

    package init(x: Int32, y: Int32) {
        (self.x, self.y) = (x, y)
    }
}
