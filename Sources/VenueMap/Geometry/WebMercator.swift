import Foundation

/// The projection of map tiles: the world is a square of 2^zoom by 2^zoom tiles with its origin in the north-west.
public enum WebMercator {
    /// A point of the square, in pixels from its north-western corner.
    public struct Pixel: Hashable, Sendable {
        public let x: Double
        public let y: Double

        public init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }

    /// A tile in the XYZ scheme, counted from the west and from the north.
    public struct Tile: Hashable, Sendable {
        public let zoom: Int
        public let x: Int
        public let y: Int

        public init(zoom: Int, x: Int, y: Int) {
            self.zoom = zoom
            self.x = x
            self.y = y
        }
    }

    /// The latitude of the square's northern border. Latitudes beyond it are clamped.
    public static let maximumLatitude = 85.051_128_779_806_59
    /// The zoom levels; others are clamped.
    public static let zooms = 0...30

    /// The pixel of a position, for tiles with sides of `tileSize` pixels.
    public static func pixel(of position: Position, zoom: Int, tileSize: Int = 256) -> Pixel {
        let size = self.size(zoom, tileSize)
        let fraction = self.fraction(of: position)
        return Pixel(x: fraction.x * size, y: fraction.y * size)
    }

    /// The position of a pixel. Pixels outside of the square are clamped to its border.
    public static func position(of pixel: Pixel, zoom: Int, tileSize: Int = 256) -> Position {
        let size = self.size(zoom, tileSize)
        let x = min(max(pixel.x / size, 0), 1)
        let y = min(max(pixel.y / size, 0), 1)
        return Position(longitude: (x - 0.5) * 360, latitude: atan(sinh((0.5 - y) * 2 * .pi)) * 180 / .pi)
    }

    /// The tile that contains a position; on a border, the eastern or southern one.
    public static func tile(of position: Position, zoom: Int) -> Tile {
        let zoom = self.clamped(zoom)
        let count = 1 << zoom
        let fraction = self.fraction(of: position)
        // The computed fraction of a border may be slightly too small because of rounding.
        let (x, y) = (fraction.x + 1e-14, fraction.y + 1e-14)
        return Tile(
            zoom: zoom, x: min(Int(x * Double(count)), count - 1), y: min(Int(y * Double(count)), count - 1))
    }

    /// The north-western corner of a tile.
    public static func corner(of tile: Tile) -> Position {
        self.position(of: Pixel(x: Double(tile.x), y: Double(tile.y)), zoom: tile.zoom, tileSize: 1)
    }

    /// The coordinates in the square, from 0 to 1.
    private static func fraction(of position: Position) -> (x: Double, y: Double) {
        let latitude = min(max(position.latitude, -self.maximumLatitude), self.maximumLatitude) * .pi / 180
        let longitude = min(max(position.longitude, -180), 180)
        let y = 0.5 - atanh(sin(latitude)) / (2 * .pi)
        return (longitude / 360 + 0.5, min(max(y, 0), 1))
    }

    private static func size(_ zoom: Int, _ tileSize: Int) -> Double {
        Double(tileSize) * Double(1 << self.clamped(zoom))
    }

    private static func clamped(_ zoom: Int) -> Int {
        min(max(zoom, self.zooms.lowerBound), self.zooms.upperBound)
    }
}
