import Caching
package import IMDF

/// Draws tiles of levels. Results depend on the levels, the address and the variant alone, and on the ``edition``.
package final class TileRenderer: Sendable {
    package let engine: TextEngine
    private let stackLabels = StackLabels()
    private let labelImages = LRUCache<LabelImage.Key, LabelImage>(cost: 32 << 20)
    /// Identifies everything that tiles depend on besides the features: libraries, fonts, cartography, this program.
    package let edition: Digest
    /// The glyphs of styles, of the same fonts.
    package let fontStacks: FontStacks

    /// - Parameter fonts: The paths of font files. Without any, tiles have no labels.
    package init(fonts: [String] = TileFonts.installed) {
        self.engine = TextEngine(files: fonts)
        self.edition = TileEdition.digest(fonts: fonts)
        self.fontStacks = FontStacks(fonts: fonts)
    }

    /// A digest of everything that a tile of these levels contains. Nil if it is empty, so equal digests mean equal tiles.
    ///
    /// - Parameter shouldStop: Called before each label that is placed; the digest must not be used then.
    package func contentDigest(
        of levels: [PreparedLevel], at tile: TileAddress, _ variant: TileVariant, shouldStop: () -> Bool = { false }
    ) -> Digest? {
        switch variant.format {
        case .png: self.drawingDigest(levels, tile, variant, shouldStop)
        case .mvt: VectorTile(levels: levels, tile: tile, language: variant.language).contentDigest
        }
    }

    /// The bytes of a tile.
    package func tile(of levels: [PreparedLevel], at tile: TileAddress, _ variant: TileVariant) -> [UInt8] {
        self.drawnTile(of: levels, at: tile, variant) { false }
    }

    /// The bytes of a tile.
    ///
    /// - Parameter isCancelled: Checked before each feature.
    /// - Throws: `CancellationError`.
    package func tile(
        of levels: [PreparedLevel], at tile: TileAddress, _ variant: TileVariant, isCancelled: () -> Bool
    ) throws -> [UInt8] {
        let bytes = self.drawnTile(of: levels, at: tile, variant, isCancelled)
        if isCancelled() { throw CancellationError() }
        return bytes
    }

    /// The rest is left out when the task is cancelled.
    private func drawnTile(
        of levels: [PreparedLevel], at tile: TileAddress, _ variant: TileVariant, _ isCancelled: () -> Bool
    ) -> [UInt8] {
        switch variant.format {
        case .png:
            let side = 256 * variant.scale
            let pixels = self.pixels(
                levels, zoom: tile.zoom, left: tile.x * side, top: tile.y * side, width: side, height: side, variant,
                isCancelled: isCancelled)
            return PNGEncoder.encode(pixels, width: side, height: side)
        case .mvt:
            let tile = VectorTile(levels: levels, tile: tile, language: variant.language)
            return tile.encoded(isCancelled: isCancelled)
        }
    }

    /// A part of the world as pixels with premultiplied alpha; the origin is the world's north-western corner.
    package func pixels(
        _ levels: [PreparedLevel], zoom: Int, left: Int, top: Int, width: Int, height: Int, _ variant: TileVariant,
        isCancelled: () -> Bool = { false }
    ) -> [UInt32] {
        let size = Double((256 * variant.scale) << zoom)
        let box = PixelBox(left: left, top: top, width: width, height: height).world(size)
        var pixels = [UInt32](repeating: 0, count: width * height)
        let stack = LevelStack(levels)
        var work = 0
        for level in stack.levels {
            let painter = LevelPainter(level: level, zoom: zoom, scale: variant.scale)
            let features = painter.features(in: box)
            if !features.isEmpty {
                let below = pixels
                // The image owns the pixels, so that they are not copied.
                pixels = []
                var image = Rasterizer(
                    originX: left, originY: top, width: width, height: height, pixels: consume below, work: work)
                painter.paint(features, on: &image, variant.theme, isCancelled)
                (pixels, work) = (image.pixels, image.work)
            }
        }
        for labels in self.labels(of: stack, zoom: zoom, in: box, variant, isCancelled) {
            for label in labels where !isCancelled() {
                let key = LabelImage.Key(
                    content: label.content, width: label.width, height: label.height, theme: variant.theme,
                    scale: variant.scale)
                let image = self.labelImages.value(for: key, cost: { 400 + 4 * $0.pixels.count }) {
                    LabelImage(key, by: self.engine)
                }
                image.blend(
                    over: &pixels, width: width, height: height, left: label.left * variant.scale - left,
                    top: label.top * variant.scale - top)
            }
        }
        return pixels
    }

    /// The labels of each level that touch a part of the world, in the order in which they are drawn.
    private func labels(
        of stack: LevelStack, zoom: Int, in box: WorldBox, _ variant: TileVariant, _ shouldStop: () -> Bool
    ) -> [[PlacedLabel]] {
        self.labels(of: stack, zoom: zoom, variant, shouldStop: shouldStop)
            .map { $0.labels(in: box, worldSize: Double(256 << zoom)) }
    }

    /// All labels of each level.
    func labels(
        of stack: LevelStack, zoom: Int, _ variant: TileVariant, shouldStop: () -> Bool
    ) -> [PlacedLabels] {
        self.stackLabels.labels(
            of: stack, zoom: zoom, language: variant.language, by: self.engine, shouldStop: shouldStop)
    }

    /// All labels of levels at a zoom.
    package func labels(of levels: [PreparedLevel], zoom: Int, language: String?) -> [PlacedLabel] {
        self.labels(of: LevelStack(levels), zoom: zoom, TileVariant(format: .png, language: language)) { false }
            .flatMap(\.labels)
    }

    private func drawingDigest(
        _ levels: [PreparedLevel], _ tile: TileAddress, _ variant: TileVariant, _ shouldStop: () -> Bool
    ) -> Digest? {
        var bytes: [UInt8] = []
        var isEmpty = true
        let stack = LevelStack(levels)
        for level in stack.levels {
            let painter = LevelPainter(level: level, zoom: tile.zoom, scale: variant.scale)
            let features = painter.features(in: tile.box)
            bytes.append(bigEndian: features.count)
            isEmpty = isEmpty && features.isEmpty
            for feature in features { bytes += feature.drawingDigest.bytes }
        }
        for labels in self.labels(of: stack, zoom: tile.zoom, in: tile.box, variant, shouldStop) {
            isEmpty = isEmpty && labels.isEmpty
            bytes.append(bigEndian: labels.count)
            for label in labels {
                bytes.append(bigEndian: label.left)
                bytes.append(bigEndian: label.top)
                label.append(to: &bytes)
            }
        }
        guard !isEmpty else { return nil }
        bytes += "\(tile.path) \(variant.theme) \(variant.scale)".utf8
        return Digest(of: bytes)
    }
}
