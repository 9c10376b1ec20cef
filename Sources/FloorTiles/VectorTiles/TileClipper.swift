/// Cuts geometry at the buffered border of a tile and rounds it to the tile's grid. Polygons are valid afterwards.
///
/// Most geometry is whole, or a convex polygon, or a line of two points; the rest is cut by GEOS.
struct TileClipper: ~Copyable {
    /// How far geometry reaches beyond the tile, in units of the grid, so that lines along the border are not visible.
    static let buffer = 64.0

    private let grid: TileGrid
    private var geos: GEOSClipper?
    private var ring = RingClipper()
    private var path = ScratchBuffer<TilePoint>()

    init(tile: TileAddress) {
        self.grid = TileGrid(tile)
    }

    /// Cuts the feature at an index of a level.
    ///
    /// - Parameter geometry: Set to what is in the buffered tile; it may be empty.
    mutating func clip(
        _ index: Int, of level: PreparedLevel, _ vectors: VectorFeatures, to geometry: inout TileGeometry
    ) {
        let entry = vectors.entries[index]
        vectors.points.withUnsafeBufferPointer { points in
            self.clip(entry, UnsafeBufferPointer(rebasing: points[entry.points]), index, level, vectors, &geometry)
        }
    }

    private mutating func clip(
        _ entry: VectorFeatures.Entry, _ points: UnsafeBufferPointer<WorldPoint>, _ index: Int, _ level: PreparedLevel,
        _ vectors: VectorFeatures, _ geometry: inout TileGeometry
    ) {
        // Points are converted by the same arithmetic, so none is outside if the corners are not.
        let isWhole =
            LocalPoint.isInside(self.grid.local(WorldPoint(x: entry.box.minX, y: entry.box.minY)))
            && LocalPoint.isInside(self.grid.local(WorldPoint(x: entry.box.maxX, y: entry.box.maxY)))
        switch entry.kind {
        case .points:
            self.path.removeAll()
            self.path.reserve(points.count)
            for point in points {
                let local = self.grid.local(point)
                if LocalPoint.isInside(local) { self.path.append(local.rounded) }
            }
            geometry.set(points: self.path.elements)
        case .line:
            geometry.beginLines()
            self.clip(line: points, isWhole, &geometry)
        case .ring:
            geometry.beginPolygons()
            if self.clip(ring: points, isWhole, &geometry) { return }
            let isValid = vectors.isValid(index, of: level)
            if !isWhole, isValid, self.cutRing(&geometry) { return }
            let (clipper, grid) = (self.clipper(), self.grid)
            for part in clipper.clipped(polygon: [points.map(grid.local)], isKnownValid: isValid) {
                geometry.append(polygon: part)
            }
        case .compound:
            self.clip(level.features[index].shape, isWhole, { vectors.isValid(index, of: level) }, &geometry)
        }
    }

    /// A point of the tile itself. A point on a border belongs to the eastern or southern tile.
    mutating func clip(point: WorldPoint, to geometry: inout TileGeometry) {
        let local = self.grid.local(point)
        let range = 0..<Double(VectorTileLayer.extent)
        self.path.removeAll()
        if range.contains(local.x), range.contains(local.y) { self.path.append(local.rounded) }
        geometry.set(points: self.path.elements)
    }

    private mutating func clip(
        _ shape: WorldShape, _ isWhole: Bool, _ isValid: () -> Bool, _ geometry: inout TileGeometry
    ) {
        switch shape {
        case .points: break
        case .lines(let lines):
            geometry.beginLines()
            for line in lines { line.withUnsafeBufferPointer { self.clip(line: $0, isWhole, &geometry) } }
        case .polygons(let polygons):
            geometry.beginPolygons()
            if polygons.count == 1 { return self.clip(polygon: polygons[0], isWhole, &geometry) }
            let (clipper, grid) = (self.clipper(), self.grid)
            var parts: [[[TilePoint]]] = []
            for polygon in polygons {
                if polygon.first?.withUnsafeBufferPointer({ self.setRing($0) }) ?? true { continue }
                parts += clipper.clipped(polygon: polygon.map { $0.map(grid.local) })
            }
            for part in clipper.joined(parts, areKnownApart: isValid) { geometry.append(polygon: part) }
        }
    }

    private mutating func clip(
        line: UnsafeBufferPointer<WorldPoint>, _ isWhole: Bool, _ geometry: inout TileGeometry
    ) {
        let grid = self.grid
        if isWhole || line.allSatisfy({ LocalPoint.isInside(grid.local($0)) }) {
            self.setPath(line)
            self.appendPath(to: &geometry)
        } else if line.count == 2 {
            guard let segment = LocalPoint.clipped(self.grid.local(line[0]), self.grid.local(line[1])) else { return }
            self.path.removeAll()
            self.path.append(segment.start.rounded)
            self.path.append(distinct: segment.end.rounded)
            self.appendPath(to: &geometry)
        } else {
            let clipper = self.clipper()
            for path in clipper.clipped(line: line.map(grid.local)) {
                let rounded = path.rounded
                if rounded.count >= 2 { rounded.withUnsafeBufferPointer { geometry.append(line: $0) } }
            }
        }
    }

    private mutating func appendPath(to geometry: inout TileGeometry) {
        if self.path.count >= 2 { geometry.append(line: self.path.elements) }
    }

    /// Sets the path to rounded points without repetitions.
    private mutating func setPath(_ points: UnsafeBufferPointer<WorldPoint>) {
        self.path.removeAll()
        self.path.reserve(points.count)
        for point in points { self.path.append(distinct: self.grid.local(point).rounded) }
    }

    private mutating func clip(polygon: [[WorldPoint]], _ isWhole: Bool, _ geometry: inout TileGeometry) {
        if polygon.count == 1 {
            let isDone = polygon[0].withUnsafeBufferPointer { self.clip(ring: $0, isWhole, &geometry) }
            if isDone { return }
        }
        let (clipper, grid) = (self.clipper(), self.grid)
        for part in clipper.clipped(polygon: polygon.map { $0.map(grid.local) }) { geometry.append(polygon: part) }
    }

    private mutating func clipper() -> GEOSClipper {
        if let geos { return geos }
        let made = GEOSClipper()
        self.geos = made
        return made
    }

    /// False if the ring is neither whole and simple nor convex.
    private mutating func clip(
        ring: UnsafeBufferPointer<WorldPoint>, _ isWhole: Bool, _ geometry: inout TileGeometry
    ) -> Bool {
        if isWhole {
            self.setPath(ring)
        } else {
            if self.setRing(ring) { return true }
            guard let first = ring.first, ring.last == first, self.ring.isConvex else { return false }
            self.ring.clip()
            self.setPathOfRing()
        }
        self.openPath()
        // Too small to be drawn.
        if self.path.count < 3 { return true }
        guard self.path.elements.isSimple == true else { return false }
        geometry.append(ring: self.path.elements, isOuter: true)
        return true
    }

    /// Cuts a valid ring of any form that crosses the border and was set before. False if it has several parts.
    private mutating func cutRing(_ geometry: inout TileGeometry) -> Bool {
        self.ring.clip()
        self.ring.rotate()
        self.setPathOfRing()
        self.openPath()
        if self.path.count < 3 || self.path.elements.doubleArea == 0 { return true }
        guard self.path.elements.isSimple == true else { return false }
        geometry.append(ring: self.path.elements, isOuter: true)
        return true
    }

    private mutating func setPathOfRing() {
        self.path.removeAll()
        self.path.reserve(self.ring.ring.count)
        for point in self.ring.ring.elements { self.path.append(distinct: point.rounded) }
    }

    private mutating func openPath() {
        while self.path.count > 1, self.path.elements.first == self.path.elements.last { self.path.removeLast() }
    }

    /// Sets the ring that is cut, without the repeated first point.
    ///
    /// - Returns: Whether all points are on the far side of one border of the buffered tile.
    private mutating func setRing(_ ring: UnsafeBufferPointer<WorldPoint>) -> Bool {
        let range = LocalPoint.range
        var (isWest, isEast, isNorth, isSouth) = (true, true, true, true)
        self.ring.ring.removeAll()
        self.ring.ring.reserve(ring.count)
        for point in ring {
            let local = self.grid.local(point)
            isWest = isWest && local.x < range.lowerBound
            isEast = isEast && local.x > range.upperBound
            isNorth = isNorth && local.y < range.lowerBound
            isSouth = isSouth && local.y > range.upperBound
            self.ring.ring.append(local)
        }
        if !self.ring.ring.isEmpty { self.ring.ring.removeLast() }
        return isWest || isEast || isNorth || isSouth
    }
}

/// Converts points of the world to units of a tile's grid.
private struct TileGrid {
    private let tile: (x: Double, y: Double)
    private let scale: Double

    init(_ tile: TileAddress) {
        self.tile = (Double(tile.x), Double(tile.y))
        self.scale = Double(1 << tile.zoom)
    }

    @inline(__always)
    func local(_ point: WorldPoint) -> LocalPoint {
        let extent = Double(VectorTileLayer.extent)
        return LocalPoint(
            x: (point.x * self.scale - self.tile.x) * extent, y: (point.y * self.scale - self.tile.y) * extent)
    }
}
