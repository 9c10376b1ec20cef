import CPango

/// The outlines of the glyphs of a text as polygons, from its baseline's start.
package struct TextOutline: Sendable {
    /// The size in pixels for which coordinates are. Labels are drawn smaller.
    package static let size = 64.0
    /// The largest distance of a polygon from the curve, in pixels of this size.
    static let tolerance = 0.15

    struct Point {
        let x: Float
        let y: Float
    }

    /// The points of all rings, and where each ring ends.
    private(set) var points: [Point] = []
    private(set) var ends: [Int] = []

    /// The rings, whose last points are connected with their first ones.
    var rings: some Sequence<ArraySlice<Point>> {
        self.ends.indices.lazy.map { self.points[($0 == 0 ? 0 : self.ends[$0 - 1])..<self.ends[$0]] }
    }

    init() {}

    /// - Parameter drawing: Has the path of the text.
    init(pathOf drawing: OpaquePointer) {
        guard let path = cairo_copy_path_flat(drawing) else { return }
        defer { cairo_path_destroy(path) }
        // CAIRO_STATUS_SUCCESS
        guard path.pointee.status == 0, let data = path.pointee.data else { return }
        var index = 0
        while index < Int(path.pointee.num_data) {
            let header = data[index].header
            // CAIRO_PATH_MOVE_TO and CAIRO_PATH_LINE_TO; without curves, the rest is CAIRO_PATH_CLOSE_PATH.
            if header.type == 0 { self.endRing() }
            if header.type <= 1 {
                let point = data[index + 1].point
                self.points.append(Point(x: Float(point.x), y: Float(point.y)))
            }
            index += max(1, Int(header.length))
        }
        self.endRing()
    }

    private mutating func endRing() {
        let start = self.ends.last ?? 0
        // Two points enclose nothing.
        if self.points.count - start < 3 {
            self.points.removeSubrange(start...)
        } else {
            self.ends.append(self.points.count)
        }
    }

    /// From the start of the text to the end of its last glyph, in pixels.
    package var width: Double { Double(self.points.map(\.x).max() ?? 0) }

    /// The bytes that it takes in memory, roughly.
    var cost: Int { 200 + 8 * self.points.count + 8 * self.ends.count }
}
