/// A GeoJSON geometry for decoders that throw on everything that RFC 7946 does not allow.
struct StrictGeometry: Decodable {
    let type: String
    /// The number of points, lines or polygons.
    let parts: Int

    private enum Keys: CodingKey { case type, coordinates }

    private struct Position: Decodable, Equatable {
        let numbers: [Double]

        init(from decoder: any Decoder) throws {
            self.numbers = try [Double](from: decoder)
            try StrictClients.require(
                self.numbers.count >= 2 && abs(self.numbers[0]) <= 180 && abs(self.numbers[1]) <= 90, "a position")
        }
    }

    private struct Line: Decodable {
        init(from decoder: any Decoder) throws {
            try StrictClients.require(try [Position](from: decoder).count >= 2, "a line")
        }
    }

    private struct Polygon: Decodable {
        init(from decoder: any Decoder) throws {
            let rings = try [[Position]](from: decoder)
            try StrictClients.require(
                !rings.isEmpty && rings.allSatisfy { $0.count >= 4 && $0.first == $0.last }, "a polygon")
        }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        func parts<Part: Decodable>(_: Part.Type) throws -> Int {
            try container.decode([Part].self, forKey: .coordinates).count
        }
        func part<Part: Decodable>(_: Part.Type) throws -> Int {
            _ = try container.decode(Part.self, forKey: .coordinates)
            return 1
        }
        self.type = try container.decode(String.self, forKey: .type)
        self.parts =
            switch self.type {
            case "Point": try part(Position.self)
            case "MultiPoint": try parts(Position.self)
            case "LineString": try part(Line.self)
            case "MultiLineString": try parts(Line.self)
            case "Polygon": try part(Polygon.self)
            case "MultiPolygon": try parts(Polygon.self)
            default: throw StrictClients.Refused(description: "geometry \(self.type)")
            }
        try StrictClients.require(self.parts > 0, "an empty geometry")
    }
}

extension StrictGeometry? {
    var isPolygonal: Bool { self?.type == "Polygon" || self?.type == "MultiPolygon" }
    var isMulti: Bool { self?.type.hasPrefix("Multi") ?? false }
}
