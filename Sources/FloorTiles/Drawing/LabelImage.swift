import CPango
import VenueMap

/// A label as pixels with premultiplied alpha. It is drawn once and copied to all tiles that it touches.
struct LabelImage: Sendable {
    let width: Int
    let height: Int
    let pixels: [UInt32]

    struct Key: Hashable, Sendable {
        let content: PlacedLabel.Content
        let width: Int
        let height: Int
        let theme: TileTheme
        let scale: Int
    }

    init(_ key: Key, by engine: TextEngine) {
        (self.width, self.height) = (key.width * key.scale, key.height * key.scale)
        switch key.content {
        case .text(let layout, let size, let labelClass):
            self.pixels = TextImage(width: key.width, height: key.height, scale: key.scale).pixels(
                layout, size: size, color: labelClass == .section ? MapPalette.section : MapPalette.label, key.theme,
                by: engine)
        case .icon(let pictogram, let size):
            let canvas = Canvas(width: self.width, height: self.height)
            cairo_scale(canvas.drawing, Double(key.scale), Double(key.scale))
            Self.draw(pictogram, Double(size), key.theme, on: canvas)
            self.pixels = canvas.pixels()
        }
    }

    private static func draw(_ pictogram: Pictogram, _ size: Double, _ theme: TileTheme, on canvas: Canvas) {
        let drawing = canvas.drawing
        if pictogram == .dot {
            cairo_arc(drawing, size / 2, size / 2, size / 2 - 0.5, 0, 2 * .pi)
            canvas.setColor(MapPalette.halo, theme)
            cairo_fill(drawing)
            cairo_arc(drawing, size / 2, size / 2, size / 2 - 1.5, 0, 2 * .pi)
            canvas.setColor(MapPalette.outline, theme)
            cairo_fill(drawing)
            return
        }
        let radius = size / 4
        func plate(_ inset: Double, _ radius: Double) {
            let (low, high) = (inset + radius, size - inset - radius)
            cairo_new_path(drawing)
            cairo_arc(drawing, high, low, radius, -.pi / 2, 0)
            cairo_arc(drawing, high, high, radius, 0, .pi / 2)
            cairo_arc(drawing, low, high, radius, .pi / 2, .pi)
            cairo_arc(drawing, low, low, radius, .pi, 1.5 * .pi)
            cairo_close_path(drawing)
            cairo_fill(drawing)
        }
        canvas.setColor(MapPalette.halo, theme)
        plate(0, radius)
        canvas.setColor(MapPalette.label, theme, alpha: 0.82)
        plate(1, radius - 1)
        canvas.setColor(MapPalette.halo, theme)
        cairo_translate(drawing, 1.5, 1.5)
        cairo_scale(drawing, (size - 3) / Pictogram.side, (size - 3) / Pictogram.side)
        cairo_new_path(drawing)
        // CAIRO_FILL_RULE_WINDING
        cairo_set_fill_rule(drawing, 0)
        for command in pictogram.outline {
            switch command {
            case .move(let x, let y): cairo_move_to(drawing, x, y)
            case .line(let x, let y): cairo_line_to(drawing, x, y)
            case .curve(let x1, let y1, let x2, let y2, let x, let y): cairo_curve_to(drawing, x1, y1, x2, y2, x, y)
            case .close: cairo_close_path(drawing)
            }
        }
        cairo_fill(drawing)
    }

    /// Draws the image over pixels of an image that is `width` pixels wide.
    func blend(over pixels: inout [UInt32], width: Int, height: Int, left: Int, top: Int) {
        let columns = max(0, -left)..<max(max(0, -left), min(self.width, width - left))
        let rows = max(0, -top)..<max(max(0, -top), min(self.height, height - top))
        for row in rows {
            var source = row * self.width + columns.lowerBound
            var target = (row + top) * width + left + columns.lowerBound
            for _ in columns {
                let pixel = self.pixels[source]
                if pixel >> 24 > 0 { pixels[target] = Premultiplied.over(pixel, pixels[target]) }
                source += 1
                target += 1
            }
        }
    }
}
