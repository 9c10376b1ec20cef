import VenueMap

/// Draws the text of a label, with a halo around it, on a transparent image.
struct TextImage {
    private let width: Int
    private let height: Int
    private let scale: Double

    /// How far the halo reaches beyond the text, in pixels of a tile with 256 pixels.
    private static let haloWidth = 1.2
    /// 0 to 255
    private static let haloAlpha: UInt32 = 217

    /// - Parameters:
    ///   - width: Of the image, in pixels of a tile with 256 pixels.
    ///   - scale: 1 or 2, for tiles of 256 or 512 pixels.
    init(width: Int, height: Int, scale: Int) {
        (self.width, self.height, self.scale) = (width * scale, height * scale, Double(scale))
    }

    /// The pixels, row by row, as 0xAARRGGBB with premultiplied alpha.
    func pixels(
        _ layout: LabelLayout, size: Double, color: MapColor, _ theme: TileTheme, by engine: TextEngine
    ) -> [UInt32] {
        let text = self.mask(layout, size, engine)
        let halo = text.dilated(by: Self.haloWidth * self.scale)
        var pixels = [UInt32](repeating: 0, count: self.width * self.height)
        let (below, above) = (
            Premultiplied(MapPalette.halo.argb(theme, alpha: Self.haloAlpha)), Premultiplied(color.argb(theme))
        )
        pixels.withUnsafeMutableBufferPointer { pixels in
            for index in pixels.indices where halo.values[index] > 0 {
                below.fill(pixels, index..<index + 1, UInt32(halo.values[index]))
                above.fill(pixels, index..<index + 1, UInt32(text.values[index]))
            }
        }
        return pixels
    }

    private func mask(_ layout: LabelLayout, _ size: Double, _ engine: TextEngine) -> CoverageMask {
        var image = Rasterizer(
            originX: 0, originY: 0, width: self.width, height: self.height,
            pixels: Array(repeating: 0, count: self.width * self.height))
        let unit = self.scale * Double(Rasterizer.unit)
        let factor = size / TextOutline.size
        for (index, line) in layout.lines.enumerated() {
            let lineWidth = line.width * size / TextEngine.referenceSize
            let x = (Double(self.width) / self.scale - lineWidth) / 2
            let y = (LabelLayout.firstBaseline + Double(index) * LabelLayout.lineHeight) * size + LabelLayout.padding
            for ring in engine.outline(of: line.text, language: layout.language).rings {
                image.addRing(
                    ring.map { point in
                        Rasterizer.Point(
                            x: Int(((x + Double(point.x) * factor) * unit).rounded()),
                            y: Int(((y + Double(point.y) * factor) * unit).rounded()))
                    })
            }
        }
        // Outlines of glyphs may overlap.
        image.fill(0xFF00_0000, .nonZero)
        return CoverageMask(
            width: self.width, height: self.height, values: image.pixels.map { UInt8(truncatingIfNeeded: $0 >> 24) })
    }
}

/// How much of each pixel is covered: 0 to 255.
struct CoverageMask {
    let width: Int
    let height: Int
    private(set) var values: [UInt8]

    /// What is within a distance, in pixels.
    func dilated(by radius: Double) -> CoverageMask {
        var result = self
        let reach = Int((radius + 0.5).rounded(.up))
        for dy in -reach...reach {
            for dx in -reach...reach where (dx, dy) != (0, 0) {
                let share = min(max(radius + 0.5 - Double(dx * dx + dy * dy).squareRoot(), 0), 1)
                let weight = UInt16((share * 256).rounded())
                if weight > 0 { result.add(self, dx, dy, weight) }
            }
        }
        return result
    }

    /// The larger coverage of this mask and of a moved one.
    ///
    /// - Parameter weight: 256 for the whole coverage.
    private mutating func add(_ other: CoverageMask, _ dx: Int, _ dy: Int, _ weight: UInt16) {
        let (rows, columns) = (
            max(0, dy)..<min(self.height, self.height + dy), max(0, dx)..<min(self.width, self.width + dx)
        )
        guard !rows.isEmpty, !columns.isEmpty else { return }
        self.values.withUnsafeMutableBufferPointer { values in
            other.values.withUnsafeBufferPointer { others in
                for row in rows {
                    let target = UnsafeMutableBufferPointer(
                        rebasing: values[row * width + columns.lowerBound..<row * width + columns.upperBound])
                    let first = (row - dy) * width + columns.lowerBound - dx
                    let source = UnsafeBufferPointer(rebasing: others[first..<first + columns.count])
                    for index in 0..<target.count {
                        let value = UInt8(truncatingIfNeeded: (UInt16(source[index]) &* weight) >> 8)
                        target[index] = max(target[index], value)
                    }
                }
            }
        }
    }
}
