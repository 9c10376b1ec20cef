package import IMDF

extension TileRenderer {
    /// The longest side of a picture in pixels.
    private static let maximumSide = 8_192

    /// One image of whole levels, with a border, in the background of the cartography; nil if they are empty or too large.
    package func picture(of levels: [PreparedLevel], zoom: Int, _ variant: TileVariant) -> [UInt8]? {
        guard let box = levels.compactMap(\.box).reduce(nil as WorldBox?, { $0?.union($1) ?? $1 }) else { return nil }
        let size = Double((256 * variant.scale) << zoom)
        let border = 16 * variant.scale
        let (left, top) = (Int(box.minX * size) - border, Int(box.minY * size) - border)
        let (width, height) = (Int(box.maxX * size) + border - left, Int(box.maxY * size) + border - top)
        guard width <= Self.maximumSide, height <= Self.maximumSide else { return nil }
        let pixels = self.pixels(
            levels, zoom: zoom, left: left, top: top, width: width, height: height, variant)
        return PNGEncoder.encode(pixels, width: width, height: height)
    }
}

extension TileRenderer {
    /// The work that it takes to draw a level on a square without labels, and the limit of it.
    package func drawingWork(
        of level: PreparedLevel, zoom: Int, left: Int, top: Int, side: Int, _ variant: TileVariant
    ) -> (work: Int, limit: Int) {
        let painter = LevelPainter(level: level, zoom: zoom, scale: variant.scale)
        var image = Rasterizer(
            originX: left, originY: top, width: side, height: side, pixels: Array(repeating: 0, count: side * side))
        let box = PixelBox(left: left, top: top, width: side, height: side).world(Double((256 * variant.scale) << zoom))
        painter.paint(painter.features(in: box), on: &image, variant.theme) { false }
        return (image.work, image.workLimit)
    }
}

extension PreparedLevel {
    /// The boxes of those of the features that the level has.
    package func boxes(of ids: Set<FeatureID>) -> [WorldBox] {
        self.features.filter { ids.contains($0.id) }.map(\.box)
    }

    /// The tiles that contain a part of the level; empty if there are more than `limit`.
    package func tiles(zoom: Int, limit: Int = 100_000) -> [TileAddress] {
        self.box.flatMap { TileAddress.tiles(of: $0, zoom: zoom, limit: limit) } ?? []
    }
}
