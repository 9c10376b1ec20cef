import FloorTiles
import VenueMap

/// What a TileJSON says about where tiles have content.
struct TileBounds {
    /// West, south, east, north.
    let corners: [Double]
    /// Longitude, latitude, zoom.
    let center: [Double]

    init(of levels: [PreparedLevel]) {
        let box = levels.compactMap(\.bounds).reduce(nil as BoundingBox?) { $0?.union($1) ?? $1 }
        guard let box, let center = levels.center else {
            (self.corners, self.center) = (
                [-180, -85.051129, 180, 85.051129], [0, 0, Double(TileAddress.zooms.lowerBound)]
            )
            return
        }
        let corners = box.uncrossed
        self.corners = [corners.west, corners.south, corners.east, corners.north]
        let zoom = WebMercator.zoom(fitting: box, width: 1_024, height: 768).rounded(.down)
        let zooms = TileAddress.zooms
        self.center = [
            center.longitude, center.latitude,
            min(max(zoom, Double(zooms.lowerBound)), Double(zooms.upperBound)),
        ]
    }
}
