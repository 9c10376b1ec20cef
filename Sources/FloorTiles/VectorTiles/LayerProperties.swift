import IMDF

/// The properties of the features of a level that are in one layer of vector tiles, with the names in one language. They are encoded once
/// for all tiles.
final class LayerProperties: Sendable {
    /// A key and a value by their indices.
    struct Pair {
        let key: UInt32
        let value: UInt32
    }

    let keys: EncodedFields
    let values: EncodedFields
    private let pairs: [Pair]
    private let ends: [Int]

    fileprivate init(_ builder: Builder) {
        (self.keys, self.values, self.pairs, self.ends) = (builder.keys, builder.values, builder.pairs, builder.ends)
    }

    /// The properties of a feature, by its index in the layer.
    func withPairs<Result>(at index: Int, _ body: (UnsafeBufferPointer<Pair>) -> Result) -> Result {
        let range = (index == 0 ? 0 : self.ends[index - 1])..<self.ends[index]
        return self.pairs.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
    }

    /// Encodes the properties of one feature after the other.
    struct Builder {
        fileprivate var keys = EncodedFields()
        fileprivate var values = EncodedFields()
        fileprivate var pairs: [Pair] = []
        fileprivate var ends: [Int] = []
        private var keyIndices: [ExactText: UInt32] = [:]
        private var nameKeyIndices: [ExactText: UInt32] = [:]
        private var textIndices: [ExactText: UInt32] = [:]
        private var numberIndices: [Int: UInt32] = [:]

        var properties: LayerProperties { LayerProperties(self) }

        /// The index of a key, for ``append(_:_:)``.
        mutating func key(_ name: String) -> UInt32 {
            if let index = self.keyIndices[ExactText(name)] { return index }
            let index = self.keys.append(key: name)
            self.keyIndices[ExactText(name)] = index
            return index
        }

        /// The index of the key of the names with a language tag.
        mutating func nameKey(_ tag: String) -> UInt32 {
            if let index = self.nameKeyIndices[ExactText(tag)] { return index }
            let index = self.key("name_\(tag)")
            self.nameKeyIndices[ExactText(tag)] = index
            return index
        }

        /// The index of a value, for ``append(_:_:)``.
        mutating func value(_ text: String) -> UInt32 {
            if let index = self.textIndices[ExactText(text)] { return index }
            let index = self.values.append(text: text)
            self.textIndices[ExactText(text)] = index
            return index
        }

        /// The index of a value that no other feature has.
        mutating func newValue(_ id: FeatureID) -> UInt32 { self.values.append(id: id) }

        /// - Parameter features: The number of features.
        mutating func reserve(_ features: Int) {
            self.pairs.reserveCapacity(10 * features)
            self.ends.reserveCapacity(features)
            self.textIndices.reserveCapacity(features)
            self.values.reserve(features)
        }

        /// The index of a value, for ``append(_:_:)``.
        mutating func value(_ number: Int) -> UInt32 {
            if let index = self.numberIndices[number] { return index }
            let index = self.values.append(number: number)
            self.numberIndices[number] = index
            return index
        }

        /// The index of the value `true`, for ``append(_:_:)``.
        mutating func trueValue() -> UInt32 { self.values.appendTrue() }

        mutating func append(_ key: UInt32, _ value: UInt32) { self.pairs.append(Pair(key: key, value: value)) }

        mutating func endFeature() { self.ends.append(self.pairs.count) }
    }
}

/// Fields of a message, one after the other.
struct EncodedFields: Sendable {
    private var writer = ProtobufWriter()
    private var ends: [Int] = []

    var count: Int { self.ends.count }

    func withField<Result>(at index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        let range = (index == 0 ? 0 : self.ends[index - 1])..<self.ends[index]
        return self.writer.bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
    }

    /// - Returns: The index of the field.
    fileprivate mutating func append(key: String) -> UInt32 {
        self.writer.write(key.utf8, field: 3)
        return self.end()
    }

    fileprivate mutating func append(text: String) -> UInt32 {
        self.writer.beginMessage(length: ProtobufWriter.length(ofFieldWith: text.utf8.count), field: 4)
        self.writer.write(text.utf8, field: 1)
        return self.end()
    }

    fileprivate mutating func append(id: FeatureID) -> UInt32 {
        self.writer.beginMessage(length: ProtobufWriter.length(ofFieldWith: FeatureID.textLength), field: 4)
        self.writer.beginMessage(length: FeatureID.textLength, field: 1)
        self.writer.write(id: id)
        return self.end()
    }

    fileprivate mutating func reserve(_ count: Int) {
        self.ends.reserveCapacity(2 * count)
        self.writer.reserve(64 * count)
    }

    fileprivate mutating func append(number: Int) -> UInt32 {
        var value = ProtobufWriter()
        // int64: negative numbers take ten bytes.
        value.write(UInt64(bitPattern: Int64(number)), field: 4)
        self.writer.write(value.bytes, field: 4)
        return self.end()
    }

    fileprivate mutating func appendTrue() -> UInt32 {
        var value = ProtobufWriter()
        value.write(1, field: 7)
        self.writer.write(value.bytes, field: 4)
        return self.end()
    }

    private mutating func end() -> UInt32 {
        self.ends.append(self.writer.bytes.count)
        return UInt32(self.ends.count - 1)
    }
}
