/// A GeoJSON geometry (RFC 7946 §3.1) in flat arrays. A single geometry has the same form as a Multi* geometry of one part.
package struct GeoJSONGeometry: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case points, lines, polygons
    }

    /// Longitude and latitude in degrees (WGS 84).
    package struct Position: Hashable, Sendable {
        package var longitude: Double
        package var latitude: Double

        package init(longitude: Double, latitude: Double) {
            self.longitude = longitude
            self.latitude = latitude
        }
    }

    package let kind: Kind
    package let isMulti: Bool
    /// The numbers of all positions: longitude, latitude, and whatever else the positions have.
    package private(set) var ordinates: [Double] = []
    /// How many numbers of ``ordinates`` belong to one position.
    package private(set) var dimension = 2
    /// False if some positions have more numbers than others. ``ordinates`` then holds longitudes and latitudes only.
    package private(set) var hasUniformDimension = true
    /// The positions of each point, line or ring. A ring repeats its first position at the end, as in the JSON.
    package private(set) var paths: [Range<Int>] = []
    /// The paths of each part: one for a point or a line; for a polygon the exterior ring, then the holes.
    package private(set) var parts: [Range<Int>] = []
    private(set) var positionCount = 0

    init(kind: Kind, isMulti: Bool) {
        self.kind = kind
        self.isMulti = isMulti
    }

    package func position(at index: Int) -> Position {
        let offset = index * self.dimension
        return Position(longitude: self.ordinates[offset], latitude: self.ordinates[offset + 1])
    }

    /// The positions of one path.
    package func positions(ofPath index: Int) -> [Position] { self.paths[index].map(self.position(at:)) }
}

// MARK: - Building

extension GeoJSONGeometry {
    /// Appends a position. The first two numbers are its longitude and latitude.
    mutating func append(_ longitude: Double, _ latitude: Double, _ numbers: [JSONValue]) {
        if self.positionCount == 0 {
            self.dimension = numbers.count
        } else if numbers.count != self.dimension, self.hasUniformDimension {
            self.keepTwoDimensions()
        }
        self.ordinates.append(longitude)
        self.ordinates.append(latitude)
        if self.dimension > 2 {
            for number in numbers.dropFirst(2) { self.ordinates.append(number.number ?? .nan) }
        }
        self.positionCount += 1
    }

    private mutating func keepTwoDimensions() {
        for index in 0..<self.positionCount {
            self.ordinates[2 * index] = self.ordinates[index * self.dimension]
            self.ordinates[2 * index + 1] = self.ordinates[index * self.dimension + 1]
        }
        self.ordinates.removeLast(self.ordinates.count - 2 * self.positionCount)
        self.dimension = 2
        self.hasUniformDimension = false
    }

    mutating func reserveCapacity(positions: Int) {
        if self.ordinates.isEmpty { self.ordinates.reserveCapacity(2 * positions) }
    }

    /// Makes a path of the positions that were appended since an index.
    mutating func endPath(from start: Int) {
        self.paths.append(start..<self.positionCount)
    }

    /// Makes a part of the paths that were appended since an index.
    mutating func endPart(from start: Int) {
        self.parts.append(start..<self.paths.count)
    }
}
