/// The properties of the features of a level that are in one layer of vector tiles, with the names in one language. They are encoded once
/// for all tiles.
struct LayerProperties: Sendable {
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

    /// A key and a value by their indices.
    struct Pair {
        let key: UInt32
        let value: UInt32
    }

    private(set) var keys = EncodedFields()
    private(set) var values = EncodedFields()
    private var pairs: [Pair] = []
    private var ends: [Int] = []

    /// - Parameter features: The properties of each feature.
    init(_ features: some Sequence<[(key: String, value: Value)]>) {
        var keyIndices: [ExactText: UInt32] = [:]
        var valueIndices: [Value: UInt32] = [:]
        for properties in features {
            for (key, value) in properties {
                let keyIndex = Self.index(of: ExactText(key), in: &keyIndices)
                if keyIndex == self.keys.count {
                    self.keys.append { $0.write(key.utf8, field: 3) }
                }
                let valueIndex = Self.index(of: value, in: &valueIndices)
                if valueIndex == self.values.count {
                    self.values.append { $0.write(Self.message(value), field: 4) }
                }
                self.pairs.append(Pair(key: keyIndex, value: valueIndex))
            }
            self.ends.append(self.pairs.count)
        }
    }

    /// The properties of a feature, by its index in the layer.
    func pairs(at index: Int) -> ArraySlice<Pair> {
        self.pairs[(index == 0 ? 0 : self.ends[index - 1])..<self.ends[index]]
    }

    private static func index<Element: Hashable>(of element: Element, in indices: inout [Element: UInt32]) -> UInt32 {
        let next = UInt32(indices.count)
        return indices[element]
            ?? {
                indices[element] = next
                return next
            }()
    }

    private static func message(_ value: Value) -> [UInt8] {
        var message = ProtobufWriter()
        switch value {
        case .text(let text): message.write(text.utf8, field: 1)
        // int64: negative numbers take ten bytes.
        case .integer(let number): message.write(UInt64(bitPattern: Int64(number)), field: 4)
        }
        return message.bytes
    }
}

/// Fields of a message, one after the other.
struct EncodedFields: Sendable {
    private var writer = ProtobufWriter()
    private var ends: [Int] = []

    var count: Int { self.ends.count }

    subscript(index: Int) -> ArraySlice<UInt8> {
        self.writer.bytes[(index == 0 ? 0 : self.ends[index - 1])..<self.ends[index]]
    }

    mutating func append(_ write: (inout ProtobufWriter) -> Void) {
        write(&self.writer)
        self.ends.append(self.writer.bytes.count)
    }
}
