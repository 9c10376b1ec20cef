import CPango
import VenueMap

/// A cairo drawing of a pictogram on an image with premultiplied alpha.
final class Canvas {
    let width: Int
    let height: Int
    private let surface: OpaquePointer
    let drawing: OpaquePointer

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        // CAIRO_FORMAT_ARGB32
        self.surface = cairo_image_surface_create(0, Int32(width), Int32(height))
        self.drawing = cairo_create(self.surface)
        // CAIRO_FILL_RULE_EVEN_ODD
        cairo_set_fill_rule(self.drawing, 1)
    }

    deinit {
        cairo_destroy(self.drawing)
        cairo_surface_destroy(self.surface)
    }

    /// The pixels, row by row, as 0xAARRGGBB with premultiplied alpha.
    func pixels() -> [UInt32] {
        cairo_surface_flush(self.surface)
        guard let data = cairo_image_surface_get_data(self.surface) else {
            return Array(repeating: 0, count: self.width * self.height)
        }
        let stride = Int(cairo_image_surface_get_stride(self.surface)) / 4
        return data.withMemoryRebound(to: UInt32.self, capacity: stride * self.height) { rows in
            var pixels: [UInt32] = []
            pixels.reserveCapacity(self.width * self.height)
            for row in 0..<self.height {
                pixels.append(contentsOf: UnsafeBufferPointer(start: rows + row * stride, count: self.width))
            }
            return pixels
        }
    }

    func setColor(_ color: MapColor, _ theme: TileTheme, alpha: Double = 1) {
        let (red, green, blue) = color.components(inDarkMode: theme == .dark)
        cairo_set_source_rgba(self.drawing, Double(red) / 255, Double(green) / 255, Double(blue) / 255, alpha)
    }
}

/// The pixels of the world at a zoom and scale, around a level.
struct PixelFrame {
    /// The side of the world in pixels.
    let worldSize: Double
    private let center: (x: Double, y: Double)

    /// Geometry further away from the middle of the level, in pixels, is moved to this distance, in the same way for all tiles. This
    /// bounds the numbers of the ``Rasterizer``.
    static let reach = Double(1 << 21)

    init(zoom: Int, scale: Int, center: WorldPoint) {
        self.worldSize = Double((256 * scale) << zoom)
        self.center = ((center.x * self.worldSize).rounded(), (center.y * self.worldSize).rounded())
    }

    /// A path without the points that are less than a quarter of a pixel away from the one before. A closed path does not repeat its
    /// first point.
    func points(of path: [WorldPoint], isClosed: Bool) -> [Rasterizer.Point] {
        var points: [Rasterizer.Point] = []
        points.reserveCapacity(path.count)
        for (index, point) in path.enumerated() {
            let next = Rasterizer.Point(
                x: self.rounded(point.x, around: self.center.x), y: self.rounded(point.y, around: self.center.y))
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

    private func rounded(_ value: Double, around center: Double) -> Int {
        let unit = Double(Rasterizer.unit)
        let units = (value * self.worldSize * unit).rounded()
        return Int(min(max(units, (center - Self.reach) * unit), (center + Self.reach) * unit))
    }

    /// Whether anything can be drawn near a pixel.
    func reaches(x: Int, y: Int) -> Bool {
        abs(Double(x) - self.center.x) < Self.reach + 4_096 && abs(Double(y) - self.center.y) < Self.reach + 4_096
    }
}
