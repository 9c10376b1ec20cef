package import IMDF

/// The pictograms of a theme on one image, as styles of MapLibre use them.
package struct SpriteSheet: Sendable {
    /// The position of each pictogram, by its id.
    package let index: JSONObject
    package let png: [UInt8]

    /// The side of a pictogram in pixels, for scale 1.
    static let iconSize = 22
    private static let columns = 8

    package init(_ theme: TileTheme, scale: Int, by renderer: TileRenderer) {
        let pictograms = Pictogram.all + [.dot]
        let rows = (pictograms.count + Self.columns - 1) / Self.columns
        let side = Self.iconSize * scale
        // A transparent pixel between two pictograms.
        let step = side + scale
        let (width, height) = (Self.columns * step, rows * step)
        var pixels = [UInt32](repeating: 0, count: width * height)
        var index = JSONObject()
        for (position, pictogram) in pictograms.enumerated() {
            let size = pictogram == .dot ? LabelClass.dot.iconSize(at: 20) : Self.iconSize
            let (left, top) = (position % Self.columns * step, position / Self.columns * step)
            let image = LabelImage(
                LabelImage.Key(
                    content: .icon(pictogram, size: size), width: size, height: size, theme: theme, scale: scale),
                by: renderer.engine)
            image.blend(over: &pixels, width: width, height: height, left: left, top: top)
            func number(_ value: Int) -> JSONValue { .number(Double(value)) }
            index[pictogram.id] = [
                "x": number(left), "y": number(top), "width": number(size * scale), "height": number(size * scale),
                "pixelRatio": number(scale),
            ]
        }
        self.index = index
        self.png = PNGEncoder.encode(pixels, width: width, height: height)
    }
}
