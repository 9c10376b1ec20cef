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
        let canvas = Canvas(width: key.width * key.scale, height: key.height * key.scale)
        cairo_scale(canvas.drawing, Double(key.scale), Double(key.scale))
        switch key.content {
        case .text(let layout, let size, let labelClass):
            Self.draw(layout, size, labelClass, key, on: canvas, by: engine)
        case .icon(let pictogram, let size): Self.draw(pictogram, Double(size), key.theme, on: canvas)
        }
        (self.width, self.height, self.pixels) = (canvas.width, canvas.height, canvas.pixels())
    }

    private static func draw(
        _ layout: LabelLayout, _ size: Double, _ labelClass: LabelClass, _ key: Key, on canvas: Canvas,
        by engine: TextEngine
    ) {
        // CAIRO_FILL_RULE_WINDING: outlines of glyphs may overlap.
        cairo_set_fill_rule(canvas.drawing, 0)
        cairo_new_path(canvas.drawing)
        for (index, line) in layout.lines.enumerated() {
            let width = line.width * size / TextEngine.referenceSize
            let baseline =
                (LabelLayout.firstBaseline + Double(index) * LabelLayout.lineHeight) * size + LabelLayout.padding
            engine.addPath(
                of: line.text, size: size, language: layout.language, to: canvas.drawing,
                x: (Double(key.width) - width) / 2, baseline: baseline)
        }
        canvas.setColor(MapPalette.halo, key.theme, alpha: 0.85)
        cairo_set_line_width(canvas.drawing, 2.4)
        let path = canvas.drawing
        // The halo is stroked first, and the path is kept for the text.
        cairo_stroke_preserve(path)
        canvas.setColor(labelClass == .section ? MapPalette.section : MapPalette.label, key.theme)
        cairo_fill(canvas.drawing)
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
