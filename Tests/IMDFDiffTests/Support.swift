import IMDF
import IMDFDiff
import SampleVenue

extension SplitMix64 {
    mutating func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &self) < probability
    }

    mutating func id() -> FeatureID {
        FeatureID(high: self.next(), low: self.next())
    }
}

typealias Vertex = [Double]
typealias Ring = [Vertex]
/// The outer ring, then the holes.
typealias Polygon = [Ring]

extension JSONValue {
    init(_ vertex: Vertex) { self = .array(vertex.map { .number($0) }) }
    init(_ ring: Ring) { self = .array(ring.map { JSONValue($0) }) }
    init(_ polygon: Polygon) { self = .array(polygon.map { JSONValue($0) }) }
    init(_ polygons: [Polygon]) { self = .array(polygons.map { JSONValue($0) }) }

    static func geometry(_ type: String, _ coordinates: JSONValue) -> JSONValue {
        ["type": .string(type), "coordinates": coordinates]
    }

    static func point(_ x: Double, _ y: Double) -> JSONValue { .geometry("Point", [.number(x), .number(y)]) }

    static func feature(
        _ type: String = "unit", geometry: JSONValue = nil, properties: JSONValue = [:]
    ) -> JSONValue {
        [
            "type": "Feature", "id": "0a000000-0000-4000-8000-000000000001", "feature_type": .string(type),
            "geometry": geometry, "properties": properties,
        ]
    }
}

extension Ring {
    /// Without its repeated last vertex, started elsewhere, and closed again.
    func turned(by steps: Int) -> Ring {
        let open = self.dropLast()
        let start = open.startIndex + steps % open.count
        let turned = Array(open[start...] + open[..<start])
        return turned + [turned[0]]
    }
}

extension Equivalence {
    /// Without any references.
    static let plain = Equivalence { _ in false }

    func sameGeometry(_ left: JSONValue, _ right: JSONValue) -> Bool {
        self.same(.feature(geometry: left), .feature(geometry: right))
    }

    func sameProperties(_ left: JSONValue, _ right: JSONValue, type: String = "unit") -> Bool {
        self.same(.feature(type, properties: left), .feature(type, properties: right))
    }
}

func square(_ x: Double, _ y: Double, side: Double = 1) -> Ring {
    [[x, y], [x + side, y], [x + side, y + side], [x, y + side], [x, y]]
}
