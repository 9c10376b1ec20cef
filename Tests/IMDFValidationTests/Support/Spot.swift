import IMDF
import SampleVenue

/// A position in ten-millionths of a degree, the unit of the sample: a decimetre is 11 of them east and 9 north.
struct Spot: Hashable {
    var x: Int
    var y: Int

    init(_ x: Int, _ y: Int) {
        self.x = x
        self.y = y
    }

    init?(_ position: JSONValue) {
        guard let numbers = position.array, numbers.count >= 2, let x = numbers[0].number, let y = numbers[1].number
        else { return nil }
        self.init(Int((x * 1e7).rounded()), Int((y * 1e7).rounded()))
    }

    var position: JSONValue { [.number(Double(self.x) / 1e7), .number(Double(self.y) / 1e7)] }

    /// So many decimetres away.
    func moved(_ east: Int, _ north: Int) -> Spot { Spot(self.x + 11 * east, self.y + 9 * north) }
}

/// An upright rectangle.
struct SpotBox: Hashable {
    var left: Int
    var bottom: Int
    var right: Int
    var top: Int

    init(_ low: Spot, _ high: Spot) {
        (self.left, self.bottom, self.right, self.top) = (low.x, low.y, high.x, high.y)
    }

    init(around centre: Spot, decimetres: Int) {
        self.init(centre.moved(-decimetres, -decimetres), centre.moved(decimetres, decimetres))
    }

    init(around spots: [Spot]) {
        let (xs, ys) = (spots.map(\.x), spots.map(\.y))
        self.init(Spot(xs.min() ?? 0, ys.min() ?? 0), Spot(xs.max() ?? 0, ys.max() ?? 0))
    }

    var low: Spot { Spot(self.left, self.bottom) }
    var high: Spot { Spot(self.right, self.top) }
    var centre: Spot { Spot((self.left + self.right) / 2, (self.bottom + self.top) / 2) }

    /// Closed, counter-clockwise.
    var ring: [Spot] {
        [self.low, Spot(self.right, self.bottom), self.high, Spot(self.left, self.top), self.low]
    }
}

extension JSONValue {
    static func point(_ spot: Spot) -> JSONValue { ["type": "Point", "coordinates": spot.position] }

    static func line(_ spots: [Spot]) -> JSONValue {
        ["type": "LineString", "coordinates": .array(spots.map(\.position))]
    }

    static func polygon(_ rings: [Spot]...) -> JSONValue {
        ["type": "Polygon", "coordinates": .array(rings.map { .array($0.map(\.position)) })]
    }

    static func box(_ box: SpotBox) -> JSONValue { .polygon(box.ring) }

    static func polygons(_ parts: [Spot]...) -> JSONValue {
        ["type": "MultiPolygon", "coordinates": .array(parts.map { [.array($0.map(\.position))] })]
    }
}

extension SampleFeature {
    /// Every position of the geometry.
    var spots: [Spot] {
        var spots: [Spot] = []
        func visit(_ value: JSONValue) {
            if let spot = Spot(value) { spots.append(spot) } else { value.array?.forEach(visit) }
        }
        self.geometry["coordinates"].map(visit)
        return spots
    }

    var box: SpotBox { SpotBox(around: self.spots) }

    /// Whether the geometry is an upright rectangle.
    var isBox: Bool { Set(self.spots) == Set(self.box.ring) && self.spots.count == 5 }
}
