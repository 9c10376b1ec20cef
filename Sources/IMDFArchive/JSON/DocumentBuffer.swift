internal import CSimdjson

/// The bytes of one document, followed by the zero bytes that the parser requires. The buffer is reused for many documents.
final class DocumentBuffer {
    private(set) var start: UnsafeMutablePointer<UInt8>
    private(set) var count = 0
    private var capacity: Int

    init(capacity: Int = 1 << 12) {
        self.capacity = capacity
        self.start = .allocate(capacity: capacity + Int(CSIMDJSON_PADDING))
    }

    deinit {
        self.start.deallocate()
    }

    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: self.start, count: self.count) }

    /// The encoding of a document that is not in UTF-8, by its byte order mark or by the zero bytes of its first character, which is ASCII
    /// in every JSON document; nil if it may be UTF-8.
    var otherEncoding: String? {
        let first = Array(self.bytes.prefix(4))
        guard first.count >= 2 else { return nil }
        if first == [0, 0, 0xFE, 0xFF] || first == [0xFF, 0xFE, 0, 0] { return "UTF-32" }
        if first.starts(with: [0xFE, 0xFF]) || first.starts(with: [0xFF, 0xFE]) { return "UTF-16" }
        let isWide = first.count == 4 && first.count(where: { $0 == 0 }) == 3
        return (first[0] == 0) == (first[1] == 0) && !isWide ? nil : isWide ? "UTF-32" : "UTF-16"
    }

    func removeAll() {
        self.count = 0
    }

    /// Reserves capacity for more bytes and returns the address for them.
    func reserve(_ more: Int) -> UnsafeMutablePointer<UInt8> {
        if self.capacity - self.count < more {
            let capacity = max(self.capacity * 2, self.count + more)
            let start = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity + Int(CSIMDJSON_PADDING))
            start.update(from: self.start, count: self.count)
            self.start.deallocate()
            self.start = start
            self.capacity = capacity
        }
        return self.start + self.count
    }

    /// Adds bytes that were written to the address of ``reserve(_:)``.
    func advance(by count: Int) {
        self.count += count
    }

    /// Writes the zero bytes after the document.
    func seal() {
        (self.start + self.count).update(repeating: 0, count: Int(CSIMDJSON_PADDING))
    }

    func replace(with bytes: UnsafeBufferPointer<UInt8>) {
        self.removeAll()
        if let other = bytes.baseAddress { self.reserve(bytes.count).update(from: other, count: bytes.count) }
        self.advance(by: bytes.count)
        self.seal()
    }
}
