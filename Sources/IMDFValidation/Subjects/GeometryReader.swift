import IMDF

/// Reads a `geometry` member once, for all rules.
struct GeometryReader {
    private(set) var defects: [GeometryDefect] = []
    /// Positions with a third number.
    private(set) var altitudes = 0

    /// Nil when there is a defect.
    mutating func geometry(_ value: JSONValue) -> Geometry? {
        guard let kind = value["type"]?.string, let shape = Self.shapes[kind] else {
            self.note(.unknownType, at: value["type"] == nil ? "/geometry" : "/geometry/type")
            return nil
        }
        guard let coordinates = value["coordinates"] else {
            self.note(.misshapenCoordinates, at: "/geometry")
            return nil
        }
        let path = "/geometry/coordinates"
        let geometry: Geometry? =
            switch (shape.dimension, shape.isMulti) {
            case (0, false): self.position(coordinates, path).map { .points([$0], isMulti: false) }
            case (0, true): .points(self.list(coordinates, path) { $0.position($1, $2) }, isMulti: true)
            case (1, false): .lines([self.line(coordinates, path)], isMulti: false)
            case (1, true): .lines(self.list(coordinates, path) { $0.line($1, $2) }, isMulti: true)
            case (_, false): .polygons([self.polygon(coordinates, path)], isMulti: false)
            case (_, true): .polygons(self.list(coordinates, path) { $0.polygon($1, $2) }, isMulti: true)
            }
        return self.defects.isEmpty ? geometry : nil
    }

    private static let shapes: [String: (dimension: Int, isMulti: Bool)] = [
        "Point": (0, false), "MultiPoint": (0, true), "LineString": (1, false), "MultiLineString": (1, true),
        "Polygon": (2, false), "MultiPolygon": (2, true),
    ]

    private mutating func note(
        _ kind: GeometryDefect.Kind, at pointer: @autoclosure () -> String, _ position: Position? = nil
    ) {
        if let index = self.defects.firstIndex(where: { $0.kind == kind }) {
            self.defects[index].count += 1
        } else {
            self.defects.append(GeometryDefect(kind: kind, count: 1, pointer: pointer(), position: position))
        }
    }

    /// The elements of an array that has to have some.
    private mutating func list<Element>(
        _ value: JSONValue, _ path: String, _ element: (inout GeometryReader, JSONValue, String) -> Element?
    ) -> [Element] {
        guard let elements = value.array, !elements.isEmpty else {
            self.note(.misshapenCoordinates, at: path)
            return []
        }
        return elements.indices.compactMap { element(&self, elements[$0], "\(path)/\($0)") }
    }

    private mutating func polygon(_ value: JSONValue, _ path: String) -> Geometry.Polygon {
        Geometry.Polygon(rings: self.list(value, path) { $0.ring($1, $2) })
    }

    private mutating func ring(_ value: JSONValue, _ path: String) -> [Position] {
        let positions = self.positions(value, path)
        guard !positions.isEmpty else { return [] }
        if positions.first != positions.last { self.note(.openRing, at: path, positions.last) }
        if positions.count < 4 { self.note(.tooFewPositions, at: path, positions.first) }
        if !Self.has(3, in: positions) { self.note(.tooFewPlaces, at: path, positions.first) }
        return positions
    }

    private mutating func line(_ value: JSONValue, _ path: String) -> [Position] {
        let positions = self.positions(value, path)
        guard !positions.isEmpty else { return [] }
        if positions.count < 2 {
            self.note(.tooFewPositions, at: path, positions.first)
        } else if !Self.has(2, in: positions) {
            self.note(.tooFewPlaces, at: path, positions.first)
        }
        return positions
    }

    /// Whether there are so many different positions; two or three.
    private static func has(_ count: Int, in positions: [Position]) -> Bool {
        var seen: [Position] = []
        for position in positions where !seen.contains(position) {
            seen.append(position)
            if seen.count == count { return true }
        }
        return false
    }

    /// The positions of a line or ring. No path is spelt for each of them, as there may be a million.
    private mutating func positions(_ value: JSONValue, _ path: String) -> [Position] {
        guard let elements = value.array, !elements.isEmpty else {
            self.note(.misshapenCoordinates, at: path)
            return []
        }
        var positions: [Position] = []
        positions.reserveCapacity(elements.count)
        for (number, element) in elements.enumerated() {
            if let position = self.position(element, path, number) { positions.append(position) }
        }
        return positions
    }

    private mutating func position(_ value: JSONValue, _ path: String, _ number: Int? = nil) -> Position? {
        let pointer = { number.map { "\(path)/\($0)" } ?? path }
        guard let ordinates = value.array else {
            self.note(.misshapenCoordinates, at: pointer())
            return nil
        }
        guard ordinates.count >= 2, let longitude = ordinates[0].number, let latitude = ordinates[1].number,
            longitude.isFinite, latitude.isFinite, ordinates.count == 2 || ordinates.allSatisfy({ $0.number != nil })
        else {
            self.note(.notNumbers, at: pointer())
            return nil
        }
        guard abs(longitude) <= 180, abs(latitude) <= 90 else {
            self.note(.outsideGlobe, at: pointer())
            return nil
        }
        if ordinates.count > 2 { self.altitudes += 1 }
        return Position(longitude: longitude, latitude: latitude)
    }
}
