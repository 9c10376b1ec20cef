/// Cuts geometry at the buffered border of a tile and rounds it to the tile's grid. Polygons are valid afterwards.
///
/// Most geometry is whole, or a convex polygon, or a line of two points; the rest is cut by GEOS. It is used by one task only.
final class TileClipper {
    /// How far geometry reaches beyond the tile, in units of the grid, so that lines along the border are not visible.
    static let buffer = 64.0

    private let tile: TileAddress
    private let scale: Double
    private lazy var geos = GEOSClipper()
    private var ring: [TilePoint] = []

    init(tile: TileAddress) {
        self.tile = tile
        self.scale = Double(1 << tile.zoom)
    }

    /// - Parameters:
    ///   - box: The box of the shape.
    ///   - geometry: Set to what is in the buffered tile; it may be empty.
    func clip(_ shape: WorldShape, _ box: WorldBox, to geometry: inout TileGeometry) {
        // Points are converted by the same arithmetic, so none is outside if the corners are not.
        let isWhole =
            LocalPoint.isInside(self.local(WorldPoint(x: box.minX, y: box.minY)))
            && LocalPoint.isInside(self.local(WorldPoint(x: box.maxX, y: box.maxY)))
        switch shape {
        case .points(let points):
            geometry.set(points: points.map(self.local).filter(LocalPoint.isInside).map(\.rounded))
        case .lines(let lines):
            geometry.beginLines()
            for line in lines { self.clip(line: line, isWhole, &geometry) }
        case .polygons(let polygons):
            geometry.beginPolygons()
            for polygon in polygons { self.clip(polygon: polygon, isWhole, &geometry) }
        }
    }

    /// A point of the tile itself. A point on a border belongs to the eastern or southern tile.
    func clip(point: WorldPoint, to geometry: inout TileGeometry) {
        let local = self.local(point)
        let range = 0..<Double(VectorTileLayer.extent)
        geometry.set(points: range.contains(local.x) && range.contains(local.y) ? [local.rounded] : [])
    }

    private func local(_ point: WorldPoint) -> LocalPoint {
        let extent = Double(VectorTileLayer.extent)
        return LocalPoint(
            x: (point.x * self.scale - Double(self.tile.x)) * extent,
            y: (point.y * self.scale - Double(self.tile.y)) * extent)
    }

    private func clip(line: [WorldPoint], _ isWhole: Bool, _ geometry: inout TileGeometry) {
        let local = line.map(self.local)
        var paths: [[LocalPoint]] = []
        if isWhole || local.allSatisfy(LocalPoint.isInside) {
            paths = [local]
        } else if local.count == 2 {
            if let segment = LocalPoint.clipped(local[0], local[1]) { paths = [segment] }
        } else {
            paths = self.geos.clipped(line: local)
        }
        for path in paths {
            let rounded = path.rounded
            if rounded.count >= 2 { geometry.append(line: rounded) }
        }
    }

    private func clip(polygon: [[WorldPoint]], _ isWhole: Bool, _ geometry: inout TileGeometry) {
        if polygon.count == 1, self.clip(ring: polygon[0], isWhole, &geometry) { return }
        for part in self.geos.clipped(polygon: polygon.map { $0.map(self.local) }) { geometry.append(polygon: part) }
    }

    /// False if the ring is neither whole and simple nor convex.
    private func clip(ring: [WorldPoint], _ isWhole: Bool, _ geometry: inout TileGeometry) -> Bool {
        self.ring.removeAll(keepingCapacity: true)
        if isWhole {
            for point in ring { self.ring.append(distinct: self.local(point).rounded) }
        } else {
            let local = ring.map(self.local)
            if local.areBesideTile { return true }
            guard let clipped = ConvexRing(local)?.clipped else { return false }
            for point in clipped { self.ring.append(distinct: point.rounded) }
        }
        while self.ring.count > 1, self.ring.first == self.ring.last { self.ring.removeLast() }
        // Too small to be drawn.
        if self.ring.count < 3 { return true }
        guard self.ring.isSimple == true else { return false }
        geometry.append(ring: self.ring, isOuter: true)
        return true
    }
}
