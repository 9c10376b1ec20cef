/// Fills polygons on an image with premultiplied alpha, with exact coverage of pixels.
///
/// All arithmetic is with integers, in units of 1/256 pixel, and every edge is evaluated from its own ends: moving image and geometry by
/// whole pixels, or cutting the image smaller, changes no pixel. Cairo does not have this property: how it samples a row depends on
/// where shapes are cut at the border of the image.
struct Rasterizer {
    /// A point of the world in units of 1/256 pixel.
    struct Point: Equatable {
        let x: Int
        let y: Int
    }

    let width: Int
    let height: Int
    private(set) var pixels: [UInt32]
    /// The north-western corner of the image in the world.
    private let originX: Int
    private let originY: Int

    /// What edges add to each pixel: the height of their part in it, and twice the area between that part and the western side. The
    /// sums of tens of thousands of edges in one pixel may overflow, in the same way in every image.
    private var covers: [Int32]
    private var areas: [Int32]
    /// The part of the image with edges: the rows, and the columns in each row.
    private var firstRow = Int.max
    private var lastRow = Int.min
    private var firstColumns: [Int]
    private var lastColumns: [Int]

    static let unit = 256

    /// The rows and columns of pixels that edges have passed.
    private(set) var work: Int
    /// How many there may be before nothing more is drawn. A tile of a dense floor needs less than a hundredth. The limit grows with
    /// the image, so that what a tile shows does not depend on its size.
    let workLimit: Int
    private static let workPerPixel = 100

    enum FillRule {
        case evenOdd, nonZero
    }

    /// - Parameter work: What was drawn on the image before.
    init(originX: Int, originY: Int, width: Int, height: Int, pixels: [UInt32], work: Int = 0) {
        self.work = work
        (self.originX, self.originY) = (originX * Self.unit, originY * Self.unit)
        (self.width, self.height, self.pixels) = (width, height, pixels)
        self.workLimit = Self.workPerPixel * width * height
        self.covers = Array(repeating: 0, count: width * height)
        self.areas = Array(repeating: 0, count: width * height)
        self.firstColumns = Array(repeating: .max, count: height)
        self.lastColumns = Array(repeating: .min, count: height)
    }

    /// Adds an edge of the shape that ``fill(_:_:)`` fills next.
    mutating func addEdge(_ start: Point, _ end: Point) {
        guard start.y != end.y else { return }
        let isDown = start.y < end.y
        let (top, bottom) = isDown ? (start, end) : (end, start)
        let (x0, y0) = (top.x - self.originX, top.y - self.originY)
        let (x1, y1) = (bottom.x - self.originX, bottom.y - self.originY)
        let limit = self.height * Self.unit
        guard y0 < limit, y1 > 0 else { return }
        let first = max(y0 >> 8, 0)
        let last = min((y1 - 1) >> 8, self.height - 1)
        let (dx, dy) = (x1 - x0, y1 - y0)
        func x(at y: Int) -> Int { y == y1 ? x1 : x0 + Self.floored(y - y0, times: dx, by: dy) }
        self.work += last - first + 1
        var from = (x: 0, y: max(y0, first << 8))
        from.x = x(at: from.y)
        for row in first...last {
            let toY = min(y1, (row + 1) << 8)
            let to = (x: x(at: toY), y: toY)
            self.addRowEdge(row, from, to, isDown ? 1 : -1)
            from = to
        }
        self.firstRow = min(self.firstRow, first)
        self.lastRow = max(self.lastRow, last)
    }

    /// Adds the part of an edge in one row of pixels.
    private mutating func addRowEdge(_ row: Int, _ from: (x: Int, y: Int), _ to: (x: Int, y: Int), _ sign: Int) {
        let (left, right) = from.x <= to.x ? (from, to) : (to, from)
        let direction = from.x <= to.x ? sign : -sign
        let limit = self.width << 8
        if left.x >= limit { return }
        let base = row * self.width
        let (dx, dy) = (right.x - left.x, right.y - left.y)
        func y(at x: Int) -> Int { x == right.x ? right.y : left.y + Self.floored((x - left.x) * dy, by: dx) }
        var at = left
        if right.x <= 0 || left.x < 0 {
            // West of the image: the height counts for the whole row.
            let end = right.x <= 0 ? right : (x: 0, y: y(at: 0))
            self.covers[base] &+= Int32(truncatingIfNeeded: direction * (end.y - at.y))
            self.firstColumns[row] = 0
            self.lastColumns[row] = max(self.lastColumns[row], 0)
            if right.x <= 0 { return }
            at = end
        }
        let firstColumn = at.x >> 8
        let lastColumn = min(max((right.x - 1) >> 8, firstColumn), self.width - 1)
        if firstColumn > lastColumn { return }
        self.work += lastColumn - firstColumn
        self.firstColumns[row] = min(self.firstColumns[row], firstColumn)
        self.lastColumns[row] = max(self.lastColumns[row], lastColumn)
        for column in firstColumn...lastColumn {
            let edge = (column + 1) << 8
            let next = edge >= right.x ? right : (x: edge, y: y(at: edge))
            let cover = direction * (next.y - at.y)
            self.covers[base + column] &+= Int32(truncatingIfNeeded: cover)
            self.areas[base + column] &+= Int32(truncatingIfNeeded: cover * (at.x + next.x - 2 * (column << 8)))
            at = next
        }
    }

    /// For edges as long as the world, whose products have more than 64 bits.
    private static func floored(_ part: Int, times factor: Int, by denominator: Int) -> Int {
        let product = part.multipliedFullWidth(by: factor)
        guard product.high != Int(bitPattern: product.low) >> 63 else {
            return self.floored(Int(bitPattern: product.low), by: denominator)
        }
        let (quotient, remainder) = denominator.dividingFullWidth(product)
        return remainder < 0 ? quotient - 1 : quotient
    }

    private static func floored(_ numerator: Int, by denominator: Int) -> Int {
        let quotient = numerator / denominator
        return numerator % denominator != 0 && (numerator < 0) != (denominator < 0) ? quotient - 1 : quotient
    }

    /// Fills the shape of the edges, and forgets them.
    ///
    /// - Parameter color: 0xAARRGGBB without premultiplication.
    mutating func fill(_ color: UInt32, _ rule: FillRule) {
        guard self.firstRow <= self.lastRow else { return }
        let source = Premultiplied(color)
        for row in self.firstRow...self.lastRow where self.firstColumns[row] <= self.lastColumns[row] {
            self.fill(row, self.firstColumns[row]...self.lastColumns[row], source, rule)
            (self.firstColumns[row], self.lastColumns[row]) = (.max, .min)
        }
        (self.firstRow, self.lastRow) = (.max, .min)
    }

    /// Fills a row, which has edges in some columns.
    private mutating func fill(_ row: Int, _ edges: ClosedRange<Int>, _ source: Premultiplied, _ rule: FillRule) {
        precondition(row < self.height && edges.lowerBound >= 0 && edges.upperBound < self.width)
        let (base, width) = (row * self.width, self.width)
        self.covers.withUnsafeMutableBufferPointer { covers in
            self.areas.withUnsafeMutableBufferPointer { areas in
                self.pixels.withUnsafeMutableBufferPointer { pixels in
                    var cover: Int32 = 0
                    var column = edges.lowerBound
                    while column <= edges.upperBound {
                        let first = column
                        while column <= edges.upperBound, covers[base + column] | areas[base + column] == 0 {
                            column += 1
                        }
                        // Between edges, all pixels are covered equally.
                        source.fill(pixels, base + first..<base + column, Self.coverage(cover, rule))
                        guard column <= edges.upperBound else { break }
                        let index = base + column
                        cover &+= covers[index]
                        let value = (cover << 9) &- areas[index]
                        (covers[index], areas[index]) = (0, 0)
                        source.fill(pixels, index..<index + 1, Self.coverage(value >> 9, rule))
                        column += 1
                    }
                    // East of all edges, the row is either filled or empty.
                    source.fill(pixels, base + edges.upperBound + 1..<base + width, Self.coverage(cover, rule))
                }
            }
        }
    }

    /// 0 to 255.
    private static func coverage(_ value: Int32, _ rule: FillRule) -> UInt32 {
        switch rule {
        case .nonZero: return min(value.magnitude, 255)
        case .evenOdd:
            let folded = value & 511
            return UInt32(min(folded > 256 ? 512 - folded : folded, 255))
        }
    }
}

// MARK: - Shapes

extension Rasterizer {
    /// Whether paths can be drawn within the limit of work.
    ///
    /// - Parameter edges: How many edges are added for each edge of a path.
    func canDraw(_ paths: some Sequence<[Point]>, edges: Int = 1) -> Bool {
        guard self.work < self.workLimit else { return false }
        var work = self.work
        for path in paths where path.count > Self.uncountedPoints {
            for (start, end) in zip(path, path.dropFirst()) {
                let rows = Self.overlap(start.y, end.y, self.originY, self.height)
                let columns = rows == 0 ? 0 : Self.overlap(start.x, end.x, self.originX, self.width)
                work += edges * (rows + columns + 1)
                if work > self.workLimit { return false }
            }
        }
        return true
    }

    /// The edges of the outline of a segment of a line that take work.
    static let edgesOfLine = 2

    /// Shorter paths take little work.
    private static let uncountedPoints = 500

    /// The pixels of an image between two coordinates.
    private static func overlap(_ one: Int, _ other: Int, _ origin: Int, _ length: Int) -> Int {
        let (first, last) = (max(min(one, other), origin), min(max(one, other), origin + length * self.unit))
        return max(last - first, 0) / self.unit
    }

    /// Adds a ring, whose last point is connected with the first.
    mutating func addRing(_ points: [Point]) {
        guard var last = points.last, points.count > 2 else { return }
        for point in points {
            self.addEdge(last, point)
            last = point
        }
    }

    /// Adds the outline of a line of some width, in units, to be filled by the non-zero rule.
    mutating func addLine(_ points: [Point], width: Double, isClosed: Bool) {
        guard points.count > 1 else { return }
        let joins = width >= 1.5 * Double(Self.unit) ? Self.circle(width / 2) : []
        let pairs = zip(points, points.dropFirst() + (isClosed ? points.prefix(1) : []))
        let reach = Int((width / 2).rounded(.up)) + Self.unit
        for (start, end) in pairs where start != end && self.touches(start, end, reach) {
            self.addSegment(start, end, width / 2)
        }
        guard !joins.isEmpty else { return }
        for point in isClosed ? points[...] : points.dropFirst().dropLast() where self.touches(point, point, reach) {
            self.addRing(joins.map { Point(x: point.x + $0.x, y: point.y + $0.y) })
        }
    }

    /// Whether a segment may come nearer to the image than a distance. What is further away adds nothing to the image.
    private func touches(_ start: Point, _ end: Point, _ distance: Int) -> Bool {
        let (east, south) = (self.originX + self.width * Self.unit, self.originY + self.height * Self.unit)
        return max(start.x, end.x) >= self.originX - distance && min(start.x, end.x) <= east + distance
            && max(start.y, end.y) >= self.originY - distance && min(start.y, end.y) <= south + distance
    }

    private mutating func addSegment(_ start: Point, _ end: Point, _ half: Double) {
        let (dx, dy) = (Double(end.x - start.x), Double(end.y - start.y))
        let length = (dx * dx + dy * dy).squareRoot()
        let (x, y) = (Int((dy / length * half).rounded()), Int((-dx / length * half).rounded()))
        self.addRing([
            Point(x: start.x + x, y: start.y + y), Point(x: end.x + x, y: end.y + y),
            Point(x: end.x - x, y: end.y - y), Point(x: start.x - x, y: start.y - y),
        ])
    }

    /// A ring around the origin in the direction of the outlines of segments.
    private static func circle(_ radius: Double) -> [Point] {
        // The directions of a polygon with twelve corners; sine and cosine differ between systems in the last digit.
        let (a, b) = (0.866_025_403_784_438_6, 0.5)
        let directions = [
            (1, 0), (a, b), (b, a), (0, 1), (-b, a), (-a, b), (-1, 0), (-a, -b), (-b, -a), (0, -1), (b, -a), (a, -b),
        ]
        return directions.map { Point(x: Int(($0.0 * radius).rounded()), y: Int(($0.1 * radius).rounded())) }
    }
}
