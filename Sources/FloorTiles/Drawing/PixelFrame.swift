/// The pixels of the world at a zoom and scale.
struct PixelFrame {
    /// The side of the world in pixels.
    private let worldSize: Double

    init(zoom: Int, scale: Int) {
        self.worldSize = Double((256 * scale) << zoom)
    }

    /// A path without the points that are less than a quarter of a pixel away from the one before. A closed path does not repeat its
    /// first point.
    func points(of path: [WorldPoint], isClosed: Bool) -> [Rasterizer.Point] {
        var points: [Rasterizer.Point] = []
        points.reserveCapacity(path.count)
        for (index, point) in path.enumerated() {
            let next = Rasterizer.Point(x: self.rounded(point.x), y: self.rounded(point.y))
            if let last = points.last, abs(next.x - last.x) < 64, abs(next.y - last.y) < 64,
                isClosed || index < path.count - 1
            {
                continue
            }
            points.append(next)
        }
        while isClosed, points.count > 1, points.first == points.last { points.removeLast() }
        return points
    }

    /// Geometry beyond the next worlds is moved to their borders, in the same way for all tiles.
    private func rounded(_ value: Double) -> Int {
        Int((min(max(value, -1), 2) * self.worldSize * Double(Rasterizer.unit)).rounded())
    }
}
