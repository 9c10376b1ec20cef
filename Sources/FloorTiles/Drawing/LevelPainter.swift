import IMDF
import VenueMap

/// Draws the features of a level that touch an image, without labels.
struct LevelPainter {
    let level: PreparedLevel
    let zoom: Int
    let scale: Int

    /// The widest line, in pixels, and what antialiasing adds.
    static let margin = 8.0

    /// The features that an image may show, in drawing order.
    ///
    /// - Parameter box: The image in the world.
    func features(in box: WorldBox) -> [TileFeature] {
        let margin = Self.margin / Double(256 << self.zoom)
        let box = box.insetBy(-margin)
        return self.level.grid.candidates(in: box)
            .filter { self.level.features[$0].box.intersects(box) && self.isDrawn(self.level.features[$0]) }
            .sorted { self.level.drawingRanks[$0] < self.level.drawingRanks[$1] }.map { self.level.features[$0] }
    }

    private func isDrawn(_ feature: TileFeature) -> Bool {
        let pixel = 1 / Double((256 * self.scale) << self.zoom)
        // What is smaller than half a pixel is not visible, but takes time.
        if feature.id != self.level.id, feature.box.width < pixel / 2, feature.box.height < pixel / 2 { return false }
        if feature.type == .level, feature.id != self.level.id { return false }
        return feature.firstZoom.map { self.zoom >= $0 } ?? false
    }

    func paint(
        _ features: [TileFeature], on image: inout Rasterizer, _ theme: TileTheme, _ isCancelled: () -> Bool
    ) {
        let frame = PixelFrame(zoom: self.zoom, scale: self.scale)
        let unit = Double(self.scale * Rasterizer.unit)
        func each(_ type: FeatureType, _ paint: (TileFeature) -> Void) {
            for feature in features where feature.type == type && !isCancelled() { paint(feature) }
        }
        func fill(_ feature: TileFeature, _ color: MapColor) {
            guard case .polygons(let polygons) = feature.shape else { return }
            for polygon in polygons {
                let rings = polygon.map { frame.points(of: $0, isClosed: true) }
                guard image.canDraw(rings) else { continue }
                for ring in rings { image.addRing(ring) }
                image.fill(color.argb(theme), .evenOdd)
            }
        }
        func stroke(_ feature: TileFeature, _ color: MapColor, _ width: Double, alpha: UInt32 = 255) {
            let (paths, isClosed): ([[WorldPoint]], Bool) =
                switch feature.shape {
                case .points: ([], false)
                case .lines(let lines): (lines, false)
                case .polygons(let polygons): (polygons.flatMap(\.self), true)
                }
            let lines = paths.map { frame.points(of: $0, isClosed: isClosed) }
            guard image.canDraw(lines, edges: Rasterizer.edgesOfLine) else { return }
            for line in lines { image.addLine(line, width: width * unit, isClosed: isClosed) }
            image.fill(color.argb(theme, alpha: alpha), .nonZero)
        }
        let widths = LineWidths(zoom: self.zoom)
        if let shadow = BuildingShadow(zoom: self.zoom, scale: self.scale) {
            each(.level) { if !$0.isOutdoor { shadow.paint($0.shape, on: &image, frame, theme, isCancelled) } }
        }
        each(.level) { fill($0, MapPalette.level) }
        each(.unit) { fill($0, $0.color?.color ?? $0.group.fill) }
        each(.section) { stroke($0, MapPalette.section, 1.5, alpha: 115) }
        each(.fixture) { fill($0, $0.color?.color ?? MapPalette.fixture) }
        if self.zoom >= 16 { each(.unit) { stroke($0, MapPalette.wall, widths.wall) } }
        each(.kiosk) {
            fill($0, $0.color?.color ?? MapPalette.kiosk)
            stroke($0, MapPalette.wall, widths.wall)
        }
        each(.detail) { stroke($0, MapPalette.wall, widths.wall) }
        each(.level) { stroke($0, MapPalette.outline, widths.facade) }
        each(.opening) { stroke($0, MapPalette.opening, widths.opening) }
    }
}

/// The widths of lines in pixels of tiles with 256 pixels.
struct LineWidths {
    let wall: Double
    let facade: Double
    /// Openings cover the wall that they are in.
    let opening: Double

    init(zoom: Int) {
        func width(_ name: String) -> Double {
            let line = Cartography.shared.lines[name] ?? [1, 0]
            return line[0] + line[1] * Double(max(0, zoom - 16))
        }
        (self.wall, self.facade, self.opening) = (width("wall"), width("facade"), width("opening"))
    }
}

extension MapColor {
    /// 0xAARRGGBB
    func argb(_ theme: TileTheme, alpha: UInt32 = 255) -> UInt32 {
        let (red, green, blue) = self.components(inDarkMode: theme == .dark)
        return alpha << 24 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
    }
}
