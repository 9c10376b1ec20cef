import Foundation
import IMDF

/// Reads the bytes of an untrusted document: a read throws instead of trapping.
struct ByteReader {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var remaining: Int { self.bytes.count - self.offset }

    mutating func byte() throws(DeltaError) -> UInt8 {
        guard self.offset < self.bytes.count else { throw DeltaError("a document that ends early") }
        defer { self.offset += 1 }
        return self.bytes[self.offset]
    }

    mutating func take(_ count: Int) throws(DeltaError) -> [UInt8] {
        guard count <= self.remaining else { throw DeltaError("a document that ends early") }
        defer { self.offset += count }
        return Array(self.bytes[self.offset..<self.offset + count])
    }

    /// Seven bits a byte, the lowest first (LEB128); at most 63 bits.
    mutating func number() throws(DeltaError) -> Int {
        var value = 0
        for shift in stride(from: 0, to: 63, by: 7) {
            let byte = try self.byte()
            value |= Int(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
        }
        throw DeltaError("a number that is too large")
    }

    mutating func text() throws(DeltaError) -> String {
        try Self.text(of: self.take(self.number()))
    }

    private static func text(of bytes: some Collection<UInt8>) throws(DeltaError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw DeltaError("text that is not UTF-8") }
        guard !CombiningMarks.areTooMany(in: bytes) else {
            throw DeltaError("text with more than \(CombiningMarks.most) combining marks in a row")
        }
        return text
    }

    /// A text after its length plus one; nil for the length zero.
    mutating func optionalText() throws(DeltaError) -> String? {
        let length = try self.number()
        return length > 0 ? try Self.text(of: self.take(length - 1)) : nil
    }

    mutating func digest() throws(DeltaError) -> Digest {
        guard let digest = Digest(bytes: Data(try self.take(32))) else { throw DeltaError("not a digest") }
        return digest
    }

    /// Eight bytes, the first ones of the written form first.
    mutating func word() throws(DeltaError) -> UInt64 {
        try self.take(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func id() throws(DeltaError) -> FeatureID {
        FeatureID(high: try self.word(), low: try self.word())
    }
}

/// Writes the bytes of a document.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ byte: UInt8) {
        self.bytes.append(byte)
    }

    mutating func append(_ bytes: some Sequence<UInt8>) {
        self.bytes += bytes
    }

    mutating func append(number: Int) {
        var value = UInt(number)
        while value >= 0x80 {
            self.bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
            value >>= 7
        }
        self.bytes.append(UInt8(value))
    }

    mutating func append(text: String) {
        self.append(number: text.utf8.count)
        self.append(text.utf8)
    }

    mutating func append(optionalText text: String?) {
        self.append(number: text.map { $0.utf8.count + 1 } ?? 0)
        self.append((text ?? "").utf8)
    }

    mutating func append(word: UInt64) {
        withUnsafeBytes(of: word.bigEndian) { self.append($0) }
    }

    mutating func append(id: FeatureID) {
        self.append(word: id.high)
        self.append(word: id.low)
    }
}
