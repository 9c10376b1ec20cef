/// A layer of a vector tile (Mapbox Vector Tile Specification 2.1). Keys and values are numbered as they are used.
struct VectorTileLayer {
    /// The number of units along a side of a tile.
    static let extent = 4_096

    private var features = ProtobufWriter()
    private var feature = ProtobufWriter()
    private var keys: NumberedFields
    private var values: NumberedFields

    /// - Parameter levelCount: The levels of the tile: keys and values of one level are distinct.
    init(levelCount: Int) {
        self.keys = NumberedFields(levelCount: levelCount)
        self.values = NumberedFields(levelCount: levelCount)
    }

    var isEmpty: Bool { self.features.bytes.isEmpty }

    /// Appends the feature at an index of its layer of the level.
    mutating func append(
        id: UInt64, _ geometry: TileGeometry, _ index: Int, of properties: LayerProperties, level: Int
    ) {
        self.feature.removeAll()
        self.feature.write(id, field: 1)
        var tags = ProtobufWriter()
        for pair in properties.pairs(at: index) {
            tags.write(varint: self.keys.number(of: pair.key, in: properties.keys, level: level))
            tags.write(varint: self.values.number(of: pair.value, in: properties.values, level: level))
        }
        self.feature.write(tags.bytes, field: 2)
        self.feature.write(geometry.kind, field: 3)
        self.feature.write(geometry.commands.bytes, field: 4)
        self.features.write(self.feature.bytes, field: 2)
    }

    func encoded(name: String) -> [UInt8] {
        var layer = ProtobufWriter()
        layer.write(2, field: 15)
        layer.write(name.utf8, field: 1)
        layer.append(self.features.bytes)
        layer.append(self.keys.fields.bytes)
        layer.append(self.values.fields.bytes)
        layer.write(UInt64(Self.extent), field: 5)
        return layer.bytes
    }
}

/// The keys or values that a layer of a tile uses, numbered in the order of their first use.
private struct NumberedFields {
    private(set) var fields = ProtobufWriter()
    private var count: UInt64 = 0
    /// For each level and each of its entries, its number plus one, or 0 if it was not used yet.
    private var numbers: [[UInt32]]
    /// Only for several levels, which may have the same entries.
    private var numbersByContent: [[UInt8]: UInt64] = [:]

    init(levelCount: Int) {
        self.numbers = Array(repeating: [], count: levelCount)
    }

    mutating func number(of entry: UInt32, in table: EncodedFields, level: Int) -> UInt64 {
        if self.numbers[level].isEmpty { self.numbers[level] = Array(repeating: 0, count: table.count) }
        let known = self.numbers[level][Int(entry)]
        if known > 0 { return UInt64(known - 1) }
        let number = self.newNumber(table[Int(entry)])
        self.numbers[level][Int(entry)] = UInt32(number) + 1
        return number
    }

    private mutating func newNumber(_ field: ArraySlice<UInt8>) -> UInt64 {
        if self.numbers.count > 1 {
            let content = Array(field)
            if let number = self.numbersByContent[content] { return number }
            self.numbersByContent[content] = self.count
        }
        self.fields.append(field)
        self.count += 1
        return self.count - 1
    }
}
