/// A layer of a vector tile (Mapbox Vector Tile Specification 2.1).
struct VectorTileLayer {
    enum Value: Hashable {
        case text(String)
        case integer(Int)

        static func == (left: Value, right: Value) -> Bool {
            switch (left, right) {
            case (.text(let one), .text(let other)): ExactText(one) == ExactText(other)
            case (.integer(let one), .integer(let other)): one == other
            default: false
            }
        }

        func hash(into hasher: inout Hasher) {
            switch self {
            case .text(let text): hasher.combine(ExactText(text))
            case .integer(let number): hasher.combine(number)
            }
        }
    }

    /// The number of units along a side of a tile.
    static let extent = 4_096

    private let name: String
    private var keys: [ExactText] = []
    private var keyIndices: [ExactText: UInt32] = [:]
    private var values: [Value] = []
    private var valueIndices: [Value: UInt32] = [:]
    private var features = ProtobufWriter()
    private(set) var isEmpty = true

    init(name: String) {
        self.name = name
    }

    mutating func append(id: UInt64, _ properties: [(key: String, value: Value)], _ geometry: TileGeometry) {
        self.isEmpty = false
        var tags: [UInt32] = []
        for (key, value) in properties {
            tags.append(Self.index(of: ExactText(key), in: &self.keys, &self.keyIndices))
            tags.append(Self.index(of: value, in: &self.values, &self.valueIndices))
        }
        var feature = ProtobufWriter()
        feature.write(id, field: 1)
        feature.write(packed: tags, field: 2)
        feature.write(UInt64(geometry.kind), field: 3)
        feature.write(packed: geometry.commands, field: 4)
        self.features.write(feature.bytes, field: 2)
    }

    private static func index<Element: Hashable>(
        of element: Element, in elements: inout [Element], _ indices: inout [Element: UInt32]
    ) -> UInt32 {
        if let index = indices[element] { return index }
        let index = UInt32(elements.count)
        indices[element] = index
        elements.append(element)
        return index
    }

    func encoded() -> [UInt8] {
        var layer = ProtobufWriter()
        layer.write(2, field: 15)
        layer.write(self.name.utf8, field: 1)
        var bytes = layer.bytes + self.features.bytes
        var rest = ProtobufWriter()
        for key in self.keys { rest.write(key.string.utf8, field: 3) }
        for value in self.values {
            var message = ProtobufWriter()
            switch value {
            case .text(let text): message.write(text.utf8, field: 1)
            // int64: negative numbers take ten bytes.
            case .integer(let number): message.write(UInt64(bitPattern: Int64(number)), field: 4)
            }
            rest.write(message.bytes, field: 4)
        }
        rest.write(UInt64(Self.extent), field: 5)
        bytes += rest.bytes
        return bytes
    }
}

/// A geometry as the commands of a vector tile.
struct TileGeometry {
    /// 1 for points, 2 for lines, 3 for polygons.
    let kind: Int
    private(set) var commands: [UInt32] = []
    private var last = TilePoint(x: 0, y: 0)

    private static let moveTo: UInt32 = 1
    private static let lineTo: UInt32 = 2
    private static let closePath: UInt32 = 7

    init(points: [TilePoint]) {
        self.kind = 1
        self.commands.append(UInt32(points.count) << 3 | Self.moveTo)
        for point in points { self.append(point) }
    }

    init(lines: [[TilePoint]]) {
        self.kind = 2
        for line in lines { self.append(path: line[...]) }
    }

    /// - Parameter polygons: Each has an outer ring, then its holes; rings do not repeat their first point.
    init(polygons: [[[TilePoint]]]) {
        self.kind = 3
        for polygon in polygons {
            for (index, ring) in polygon.enumerated() {
                // The area of outer rings is positive, with y to the south; that of holes is negative.
                let isReversed = (ring.doubleArea > 0) != (index == 0)
                self.append(path: isReversed ? [ring[0]] + ring.dropFirst().reversed() : ring[...])
                self.commands.append(1 << 3 | Self.closePath)
            }
        }
    }

    private mutating func append(path: ArraySlice<TilePoint>) {
        guard let first = path.first else { return }
        self.commands.append(1 << 3 | Self.moveTo)
        self.append(first)
        self.commands.append(UInt32(path.count - 1) << 3 | Self.lineTo)
        for point in path.dropFirst() { self.append(point) }
    }

    private mutating func append(_ point: TilePoint) {
        for delta in [point.x - self.last.x, point.y - self.last.y] {
            self.commands.append(UInt32(bitPattern: (delta << 1) ^ (delta >> 31)))
        }
        self.last = point
    }
}

/// A point of the grid of a tile.
struct TilePoint: Hashable {
    let x: Int32
    let y: Int32
}

extension [TilePoint] {
    /// Twice the area of a ring that does not repeat its first point, with a sign.
    var doubleArea: Int64 {
        guard var last = self.last else { return 0 }
        var area: Int64 = 0
        for point in self {
            area += Int64(last.x) * Int64(point.y) - Int64(point.x) * Int64(last.y)
            last = point
        }
        return area
    }
}
