/// A layer of a vector tile (Mapbox Vector Tile Specification 2.1). Keys and values are numbered as they are used. It is used again for one
/// layer after the other.
struct VectorTileLayer: ~Copyable {
    /// The number of units along a side of a tile.
    static let extent = 4_096

    private var features = ScratchBuffer<UInt8>(capacity: 4_096)
    private var tags = ScratchBuffer<UInt8>()
    private var keys = NumberedFields()
    private var values = NumberedFields()

    /// Begins a layer without features.
    ///
    /// - Parameter tables: The properties of the layer on each level of the tile; nil for a level without it.
    mutating func begin(_ tables: [LayerProperties?]) {
        self.features.removeAll()
        self.keys.begin(tables.map { $0?.keys.count ?? 0 })
        self.values.begin(tables.map { $0?.values.count ?? 0 })
    }

    var isEmpty: Bool { self.features.isEmpty }

    /// Appends the feature at an index of its layer of the level.
    mutating func append(
        id: UInt64, _ geometry: borrowing TileGeometry, _ index: Int, of properties: LayerProperties, level: Int
    ) {
        self.tags.removeAll()
        properties.withPairs(at: index) { pairs in
            self.tags.reserve(2 * pairs.count * ScratchBuffer<UInt8>.maximumVarint)
            for pair in pairs {
                self.tags.append(varint: self.keys.number(of: pair.key, in: properties.keys, level: level))
                self.tags.append(varint: self.values.number(of: pair.value, in: properties.values, level: level))
            }
        }
        typealias Bytes = ScratchBuffer<UInt8>
        let (tags, commands) = (self.tags.count, geometry.commands.count)
        // Each field begins with one byte; the type is one more.
        let length =
            1 + Bytes.length(ofVarint: id) + 1 + Bytes.length(ofVarint: UInt64(tags)) + tags + 2 + 1
            + Bytes.length(ofVarint: UInt64(commands)) + commands
        self.features.reserve(length + 2 * Bytes.maximumVarint)
        self.features.append(field: 2, length: length)
        self.features.append(1 << 3)
        self.features.append(varint: id)
        self.features.append(field: 2, length: tags)
        self.features.append(contentsOf: self.tags.elements)
        self.features.append(3 << 3)
        self.features.append(UInt8(truncatingIfNeeded: geometry.kind))
        self.features.append(field: 4, length: commands)
        self.features.append(contentsOf: geometry.commands.elements)
    }

    /// Appends the layer as a field of a tile.
    func append(to tile: inout ScratchBuffer<UInt8>, name: String) {
        var head = ProtobufWriter()
        head.write(2, field: 15)
        head.write(name.utf8, field: 1)
        var tail = ProtobufWriter()
        tail.write(UInt64(Self.extent), field: 5)
        let parts = [self.features.count, self.keys.fields.count, self.values.fields.count]
        let length = parts.reduce(head.bytes.count + tail.bytes.count, +)
        tile.reserve(length + 2 * ScratchBuffer<UInt8>.maximumVarint)
        tile.append(field: 3, length: length)
        head.bytes.withUnsafeBufferPointer { tile.append(contentsOf: $0) }
        tile.append(contentsOf: self.features.elements)
        tile.append(contentsOf: self.keys.fields.elements)
        tile.append(contentsOf: self.values.fields.elements)
        tail.bytes.withUnsafeBufferPointer { tile.append(contentsOf: $0) }
    }
}

/// The keys or values that a layer of a tile uses, numbered in the order of their first use.
private struct NumberedFields: ~Copyable {
    private(set) var fields = ScratchBuffer<UInt8>(capacity: 1_024)
    private var count: UInt64 = 0
    /// For the entries of each level in turn: the number plus one, or 0 if the entry was not used yet.
    private var numbers = ScratchBuffer<UInt32>()
    /// Where the entries of each level begin.
    private var starts: [Int] = []
    /// Only for several levels, which may have the same entries.
    private var numbersByContent: [[UInt8]: UInt64] = [:]

    /// - Parameter counts: How many entries each level has.
    mutating func begin(_ counts: [Int]) {
        self.fields.removeAll()
        self.count = 0
        self.numbers.removeAll()
        self.starts.removeAll(keepingCapacity: true)
        self.numbersByContent.removeAll(keepingCapacity: true)
        for count in counts {
            self.starts.append(self.numbers.count)
            self.numbers.append(repeating: 0, count: count)
        }
    }

    @inline(__always)
    mutating func number(of entry: UInt32, in table: EncodedFields, level: Int) -> UInt64 {
        let index = self.starts[level] + Int(entry)
        let known = self.numbers[index]
        if known > 0 { return UInt64(known - 1) }
        let number = self.newNumber(Int(entry), in: table)
        self.numbers[index] = UInt32(number) + 1
        return number
    }

    private mutating func newNumber(_ entry: Int, in table: EncodedFields) -> UInt64 {
        table.withField(at: entry) { field in
            if self.starts.count > 1 {
                let content = Array(field)
                if let number = self.numbersByContent[content] { return number }
                self.numbersByContent[content] = self.count
            }
            self.fields.append(contentsOf: field)
            self.count += 1
            return self.count - 1
        }
    }
}
