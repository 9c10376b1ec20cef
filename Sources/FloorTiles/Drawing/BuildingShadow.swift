/// The soft shadow of a building, below its floor.
///
/// The outline is drawn as lines of decreasing width, one over the other, a little to the south-east. The widest line and the offset
/// together stay within ``LevelPainter/margin``, so tiles that the shadow touches are those that the outline may touch anyway. All points
/// move by the same whole numbers, so a mosaic of tiles equals one large image.
///
/// An outline with more points than any building has would cost more time than all else on a tile; it has no shadow.
package struct BuildingShadow {
    private let offset: (x: Int, y: Int)
    /// In units of the ``Rasterizer``, the widest first.
    private let widths: [Double]

    /// In pixels of tiles with 256 pixels, where the shadow is largest.
    private static let widths = [10.0, 7.5, 5.0, 2.5]
    private static let offset = (x: 0.75, y: 1.75)

    /// The most points of an outline with a shadow.
    package static let maximumPoints = 20_000

    /// Nil at zooms at which a building is not much larger than its shadow would be.
    init?(zoom: Int, scale: Int) {
        guard zoom >= 16 else { return nil }
        // It grows with the walls: 0.5 at zoom 16, and 1 from zoom 18 on.
        let unit = min(1, 0.5 + 0.25 * Double(zoom - 16)) * Double(scale * Rasterizer.unit)
        self.offset = (Int((Self.offset.x * unit).rounded()), Int((Self.offset.y * unit).rounded()))
        self.widths = Self.widths.map { $0 * unit }
    }

    /// How dark each line is; 0 to 255. A dark map needs a stronger shadow to show the same.
    private static func alpha(_ theme: TileTheme) -> UInt32 { theme == .dark ? 36 : 13 }

    /// - Parameter isCancelled: Checked before each line.
    func paint(
        _ shape: WorldShape, on image: inout Rasterizer, _ frame: PixelFrame, _ theme: TileTheme,
        _ isCancelled: () -> Bool
    ) {
        guard case .polygons(let polygons) = shape,
            polygons.joined().reduce(0, { $0 + $1.count }) <= Self.maximumPoints
        else { return }
        let rings = polygons.joined().map { ring in
            frame.points(of: ring, isClosed: true).map {
                Rasterizer.Point(x: $0.x + self.offset.x, y: $0.y + self.offset.y)
            }
        }
        for width in self.widths where !isCancelled() && image.canDraw(rings, edges: Rasterizer.edgesOfLine) {
            for ring in rings { image.addLine(ring, width: width, isClosed: true) }
            image.fill(Self.alpha(theme) << 24, .nonZero)
        }
    }
}
