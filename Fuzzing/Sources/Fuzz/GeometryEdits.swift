import IMDF
import SampleVenue

/// Interprets bytes as edits of geometries, so that most inputs pass the readers.
struct GeometryEdits {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        self.bytes = bytes[...]
    }

    private mutating func next() -> Int { Int(self.bytes.popFirst() ?? 0) }

    private mutating func number() -> Double {
        var bits: UInt64 = 0
        for _ in 0..<8 { bits = bits << 8 | UInt64(self.next()) }
        let number = Double(bitPattern: bits)
        return number.isFinite ? number : 0
    }

    mutating func apply(to venue: inout SampleVenue) {
        while self.bytes.count > 2, !venue.features.isEmpty {
            let index = (self.next() << 8 | self.next()) % venue.features.count
            self.edit(&venue.features[index], of: venue)
        }
    }

    private mutating func edit(_ feature: inout SampleFeature, of venue: SampleVenue) {
        var paths = Self.paths(of: feature.geometry)
        let kind = self.next()
        if !paths.isEmpty {
            let path = self.next() % paths.count
            let count = paths[path].count
            let index = count == 0 ? 0 : self.next() % count
            switch kind % 10 {
            case 0 where count > 0: paths[path][index] = [self.number(), self.number()]
            case 1 where count > 0:
                // A small offset makes positions nearly collinear or nearly equal.
                let step = Double(self.next() - 128) * 1e-8
                paths[path][index] = paths[path][index].map { $0 + step }
            case 2 where count > 0: paths[path].remove(at: index)
            case 3 where count > 0: paths[path].insert(paths[path][index], at: self.next() % count)
            case 4 where count > 0: paths[path].swapAt(index, self.next() % count)
            case 5: paths[path].reverse()
            case 6: paths.append(paths[path])
            case 7: paths[path] = []
            case 8 where count > 1: paths[path] = (0..<64).map { paths[path][$0 * 7 % count] } + paths[path].prefix(1)
            case 9: paths += Self.paths(of: venue.features[self.next() % venue.features.count].geometry)
            default: break
            }
        }
        let types = ["Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon"]
        let type = kind < 128 ? feature.geometry["type"]?.string : types[kind % types.count]
        feature.geometry = Self.geometry(type ?? "Polygon", paths)
    }

    private static func paths(of geometry: JSONValue) -> [[[Double]]] {
        var paths: [[[Double]]] = []
        func visit(_ value: JSONValue) -> [Double]? {
            guard let elements = value.array else { return nil }
            if let first = elements.first, first.number != nil { return elements.compactMap(\.number) }
            let path = elements.compactMap(visit)
            if !path.isEmpty { paths.append(path) }
            return nil
        }
        if let coordinates = geometry["coordinates"], let point = visit(coordinates) { paths.append([point]) }
        return paths
    }

    private static func geometry(_ type: String, _ paths: [[[Double]]]) -> JSONValue {
        let rows = paths.map { path in JSONValue.array(path.map { .array($0.map { .number($0) }) }) }
        let coordinates: JSONValue =
            switch type {
            case "Point": rows.first?.array?.first ?? []
            case "MultiPoint", "LineString": rows.first ?? []
            case "MultiLineString", "Polygon": .array(rows)
            default: .array(rows.map { [$0] })
            }
        return ["type": .string(type), "coordinates": coordinates]
    }
}
