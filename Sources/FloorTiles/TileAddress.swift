/// A tile in the XYZ scheme whose coordinates are within its zoom.
package struct TileAddress: Hashable, Sendable {
    package let zoom: Int
    package let x: Int
    package let y: Int

    /// The zooms of floor tiles.
    package static let zooms = 14...22

    /// Nil unless the zoom is one of ``zooms`` and both coordinates are within it.
    package init?(zoom: Int, x: Int, y: Int) {
        guard Self.zooms.contains(zoom) else { return nil }
        let range = 0..<(1 << zoom)
        guard range.contains(x), range.contains(y) else { return nil }
        (self.zoom, self.x, self.y) = (zoom, x, y)
    }

    /// `zoom/x/y`
    package var path: String { "\(self.zoom)/\(self.x)/\(self.y)" }

    /// The tile in the Web Mercator square.
    var box: WorldBox {
        let side = 1 / Double(1 << self.zoom)
        return WorldBox(
            minX: Double(self.x) * side, minY: Double(self.y) * side, maxX: Double(self.x + 1) * side,
            maxY: Double(self.y + 1) * side)
    }
}

extension TileAddress {
    /// The tiles of a zoom that contain a part of a box, row by row; nil if there are more than `limit`.
    package static func tiles(of box: WorldBox, zoom: Int, limit: Int) -> [TileAddress]? {
        let count = Double(1 << zoom)
        func index(_ value: Double) -> Int { Int(min(max((value * count).rounded(.down), 0), count - 1)) }
        let (columns, rows) = (index(box.minX)...index(box.maxX), index(box.minY)...index(box.maxY))
        let (product, overflows) = columns.count.multipliedReportingOverflow(by: rows.count)
        guard !overflows, product <= limit else { return nil }
        return rows.flatMap { y in columns.compactMap { TileAddress(zoom: zoom, x: $0, y: y) } }
    }
}
