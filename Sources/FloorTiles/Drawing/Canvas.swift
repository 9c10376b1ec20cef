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
