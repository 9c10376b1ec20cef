/// Reads a GeoJSON geometry from JSON and collects its defects.
///
/// This is the only reader of geometries: strict decoding, maps, validation and comparison use its result and differ only in
/// which defects they accept.
package struct GeoJSONReader {
    /// At most one of each kind, in the order in which they were found.
    package private(set) var defects: [GeoJSONDefect] = []
    /// Positions with more than two numbers.
    package private(set) var altitudes = 0

    private var geometry = GeoJSONGeometry(kind: .points, isMulti: false)
    /// The indices in `coordinates` that lead to the part or ring that is being read.
    private var path: [Int] = []

    package init() {}

    /// Reads a geometry. Nil if the type is unknown, the coordinates are malformed or a position is not numeric; other defects
    /// are only noted.
    ///
    /// - Complexity: O(*n*) in the number of positions; no recursion.
    package mutating func read(_ value: JSONValue) -> GeoJSONGeometry? {
        guard let type = value["type"]?.string, let (kind, isMulti) = Self.form(of: type) else {
            let pointer = value["type"] == nil ? "/geometry" : "/geometry/type"
            self.defects.append(GeoJSONDefect(kind: .unknownType, pointer: pointer, position: nil))
            return nil
        }
        guard let coordinates = value["coordinates"] else {
            self.defects.append(GeoJSONDefect(kind: .malformedCoordinates, pointer: "/geometry", position: nil))
            return nil
        }
        self.geometry = GeoJSONGeometry(kind: kind, isMulti: isMulti)
        if isMulti {
            self.forEachElement(of: coordinates) { $0.readPart($1) }
        } else {
            self.readPart(coordinates)
        }
        let isReadable = self.defects.allSatisfy { $0.kind != .malformedCoordinates && $0.kind != .notNumbers }
        return isReadable ? self.geometry : nil
    }

    private static func form(of type: String) -> (GeoJSONGeometry.Kind, isMulti: Bool)? {
        switch type {
        case "Point": (.points, false)
        case "MultiPoint": (.points, true)
        case "LineString": (.lines, false)
        case "MultiLineString": (.lines, true)
        case "Polygon": (.polygons, false)
        case "MultiPolygon": (.polygons, true)
        default: nil
        }
    }

    // MARK: - Coordinates

    private mutating func forEachElement(of value: JSONValue, _ read: (inout GeoJSONReader, JSONValue) -> Void) {
        guard let elements = value.array, !elements.isEmpty else { return self.note(.malformedCoordinates) }
        for (index, element) in elements.enumerated() {
            self.path.append(index)
            read(&self, element)
            self.path.removeLast()
        }
    }

    private mutating func readPart(_ value: JSONValue) {
        let start = self.geometry.paths.count
        switch self.geometry.kind {
        case .points:
            let start = self.geometry.positionCount
            _ = self.readPosition(value, index: nil)
            self.geometry.endPath(from: start)
        case .lines: self.readPath(value, isRing: false)
        case .polygons: self.forEachElement(of: value) { $0.readPath($1, isRing: true) }
        }
        self.geometry.endPart(from: start)
    }

    private mutating func readPath(_ value: JSONValue, isRing: Bool) {
        guard let elements = value.array, !elements.isEmpty else { return self.note(.malformedCoordinates) }
        let start = self.geometry.positionCount
        self.geometry.reserveCapacity(positions: elements.count)
        var positions = PositionSummary()
        for (index, element) in elements.enumerated() {
            if let position = self.readPosition(element, index: index) { positions.add(position) }
        }
        self.geometry.endPath(from: start)
        guard let first = positions.first, let last = positions.last else { return }
        if isRing {
            if first != last {
                self.note(.openRing, position: last)
            } else if elements.first != elements.last {
                self.note(.unequalAltitudes, position: last)
            }
        }
        let isTooShort = positions.count < (isRing ? 4 : 2)
        if isTooShort { self.note(.tooFewPositions, position: first) }
        let isDegenerate = isRing ? positions.distinct < 3 : !isTooShort && positions.distinct < 2
        if isDegenerate { self.note(.tooFewDistinctPositions, position: first) }
    }

    /// Appends a position. Nil if it is not numeric, and then nothing is appended, or if it lies outside the globe.
    private mutating func readPosition(_ value: JSONValue, index: Int?) -> GeoJSONGeometry.Position? {
        guard let numbers = value.array else {
            self.note(.malformedCoordinates, index: index)
            return nil
        }
        guard numbers.count >= 2, let longitude = numbers[0].number, let latitude = numbers[1].number,
            longitude.isFinite, latitude.isFinite,
            numbers.count == 2 || numbers.dropFirst(2).allSatisfy({ $0.number?.isFinite == true })
        else {
            self.note(.notNumbers, index: index)
            return nil
        }
        self.geometry.append(longitude, latitude, numbers)
        guard abs(longitude) <= 180, abs(latitude) <= 90 else {
            self.note(.outsideGlobe, index: index)
            return nil
        }
        if numbers.count > 2 { self.altitudes += 1 }
        return GeoJSONGeometry.Position(longitude: longitude, latitude: latitude)
    }

    // MARK: - Defects

    private mutating func note(
        _ kind: GeoJSONDefect.Kind, index: Int? = nil, position: GeoJSONGeometry.Position? = nil
    ) {
        // A geometry may have a million defects; the pointer is needed for the first of each kind only.
        if let known = self.defects.firstIndex(where: { $0.kind == kind }) {
            self.defects[known].count += 1
        } else {
            self.defects.append(GeoJSONDefect(kind: kind, pointer: self.pointer(index), position: position))
        }
    }

    private func pointer(_ index: Int?) -> String {
        (self.path + [index].compactMap(\.self)).reduce("/geometry/coordinates") { "\($0)/\($1)" }
    }
}

/// What is needed of a line or ring to find its defects, without a second pass over its positions.
private struct PositionSummary {
    private(set) var count = 0
    private(set) var first: GeoJSONGeometry.Position?
    private(set) var last: GeoJSONGeometry.Position?
    /// The number of different positions, counted up to three.
    private(set) var distinct = 0
    private var second: GeoJSONGeometry.Position?

    mutating func add(_ position: GeoJSONGeometry.Position) {
        self.count += 1
        self.last = position
        switch self.distinct {
        case 0: (self.first, self.distinct) = (position, 1)
        case 1: if position != self.first { (self.second, self.distinct) = (position, 2) }
        case 2: if position != self.first, position != self.second { self.distinct = 3 }
        default: break
        }
    }
}
