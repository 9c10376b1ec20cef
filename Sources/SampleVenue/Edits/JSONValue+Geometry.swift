import IMDF

/// A position in degrees.
struct GeoPoint: Hashable {
    var longitude: Double
    var latitude: Double

    init(_ longitude: Double, _ latitude: Double) {
        self.longitude = longitude
        self.latitude = latitude
    }

    /// Nil unless the value is a position.
    init?(_ position: JSONValue) {
        guard let numbers = position.array, numbers.count >= 2, let longitude = numbers[0].number,
            let latitude = numbers[1].number
        else { return nil }
        self.init(longitude, latitude)
    }

    var position: JSONValue { [.number(self.longitude), .number(self.latitude)] }

    /// Adds a multiple of 10⁻⁷ degrees. Numbers with at most seven decimals keep at most seven.
    func shifted(by step: (east: Int, north: Int)) -> GeoPoint {
        func shifted(_ degrees: Double, _ step: Int) -> Double {
            let whole = (degrees * 1e7).rounded()
            return whole / 1e7 == degrees ? (whole + Double(step)) / 1e7 : degrees + Double(step) / 1e7
        }
        return GeoPoint(shifted(self.longitude, step.east), shifted(self.latitude, step.north))
    }
}

/// A bounding box in degrees.
struct GeoBox {
    var low: GeoPoint
    var high: GeoPoint

    init?(_ points: [GeoPoint]) {
        guard let first = points.first else { return nil }
        (self.low, self.high) = (first, first)
        for point in points {
            self.low = GeoPoint(min(self.low.longitude, point.longitude), min(self.low.latitude, point.latitude))
            self.high = GeoPoint(max(self.high.longitude, point.longitude), max(self.high.latitude, point.latitude))
        }
    }

    func contains(_ point: GeoPoint) -> Bool {
        (self.low.longitude...self.high.longitude).contains(point.longitude)
            && (self.low.latitude...self.high.latitude).contains(point.latitude)
    }
}

extension JSONValue {
    /// The position of a Point geometry.
    var pointPosition: GeoPoint? {
        guard self["type"] == "Point", let coordinates = self["coordinates"] else { return nil }
        return GeoPoint(coordinates)
    }

    /// All positions of a geometry, whatever its type.
    var positions: [GeoPoint] {
        var found: [GeoPoint] = []
        func visit(_ value: JSONValue) {
            if let point = GeoPoint(value) {
                found.append(point)
            } else {
                for element in value.array ?? [] { visit(element) }
            }
        }
        if let coordinates = self["coordinates"] { visit(coordinates) }
        return found
    }

    /// The geometry with every position changed.
    func mappingPositions(_ change: (GeoPoint) -> GeoPoint) -> JSONValue {
        func visit(_ value: JSONValue) -> JSONValue {
            if let point = GeoPoint(value) {
                .array([JSONValue](change(point).position.array ?? []) + (value.array ?? []).dropFirst(2))
            } else if let elements = value.array {
                .array(elements.map(visit))
            } else {
                value
            }
        }
        guard var geometry = self.object, let coordinates = geometry["coordinates"] else { return self }
        geometry["coordinates"] = visit(coordinates)
        return .object(geometry)
    }

    /// Whether a Polygon or MultiPolygon has a point inside: an odd number of its edges lie east of it.
    func encloses(_ point: GeoPoint) -> Bool {
        let rings: [JSONValue]
        switch (self["type"], self["coordinates"]?.array) {
        case ("Polygon", let coordinates?): rings = coordinates
        case ("MultiPolygon", let parts?): rings = parts.flatMap { $0.array ?? [] }
        default: return false
        }
        var inside = false
        for ring in rings {
            let points = (ring.array ?? []).compactMap(GeoPoint.init)
            for (from, to) in zip(points, points.dropFirst())
            where (from.latitude > point.latitude) != (to.latitude > point.latitude) {
                let share = (point.latitude - from.latitude) / (to.latitude - from.latitude)
                if point.longitude < from.longitude + share * (to.longitude - from.longitude) { inside.toggle() }
            }
        }
        return inside
    }
}

extension RandomNumberGenerator {
    /// A random point inside a polygon, with seven decimals; nil when 64 attempts find none.
    mutating func point(in polygon: JSONValue) -> GeoPoint? {
        guard let box = GeoBox(polygon.positions) else { return nil }
        func share(_ low: Double, _ high: Double, _ part: Int) -> Double {
            ((low + (high - low) * Double(part) / 1_000) * 1e7).rounded() / 1e7
        }
        for _ in 0..<64 {
            let point = GeoPoint(
                share(box.low.longitude, box.high.longitude, self.number(in: 50...950)),
                share(box.low.latitude, box.high.latitude, self.number(in: 50...950)))
            if polygon.encloses(point) { return point }
        }
        return nil
    }
}
