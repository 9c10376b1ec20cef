/// A growing buffer of bytes with few bounds checks: the caller reserves capacity first.
struct ByteBuffer: ~Copyable {
    /// Bytes beyond the reserved capacity that may be overwritten, so that short texts are copied in blocks of this size.
    static let slack = 32

    private var start: UnsafeMutablePointer<UInt8>
    private(set) var count = 0
    private var capacity: Int

    init(capacity: Int = 1 << 16) {
        self.capacity = capacity
        self.start = .allocate(capacity: capacity + Self.slack)
    }

    deinit {
        self.start.deallocate()
    }

    /// A copy of the bytes.
    var array: [UInt8] { [UInt8](UnsafeBufferPointer(start: self.start, count: self.count)) }

    mutating func removeAll() {
        self.count = 0
    }

    @inline(__always)
    mutating func reserve(_ more: Int) {
        if self.capacity - self.count < more { self.grow(more) }
    }

    private mutating func grow(_ more: Int) {
        let capacity = max(self.capacity * 2, self.count + more)
        let start = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity + Self.slack)
        start.update(from: self.start, count: self.count)
        self.start.deallocate()
        self.start = start
        self.capacity = capacity
    }

    /// - Precondition: the capacity was reserved.
    @inline(__always)
    mutating func put(_ byte: UInt8) {
        self.start[self.count] = byte
        self.count += 1
    }

    /// - Precondition: the buffer is not empty.
    @inline(__always)
    mutating func replaceLast(with byte: UInt8) {
        self.start[self.count - 1] = byte
    }

    @inline(__always)
    mutating func append(_ bytes: UnsafePointer<UInt8>, count: Int) {
        self.reserve(count)
        (self.start + self.count).update(from: bytes, count: count)
        self.count += count
    }

    @inline(__always)
    mutating func append(_ text: StaticString) {
        self.append(text.utf8Start, count: text.utf8CodeUnitCount)
    }

    mutating func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { bytes in
            if let start = bytes.baseAddress { self.append(start, count: bytes.count) }
        }
    }

    /// Copies `count` bytes, at most 32.
    ///
    /// - Precondition: the capacity was reserved, and 32 bytes are readable.
    @inline(__always)
    mutating func putShort(_ bytes: UnsafePointer<UInt8>, count: Int) {
        UnsafeMutableRawPointer(self.start + self.count).copyMemory(from: bytes, byteCount: Self.slack)
        self.count += count
    }

    /// Sets bit 5 of bytes, which turns ASCII letters into lower case and does not change digits and hyphens.
    mutating func lowercase(_ range: Range<Int>) {
        for index in range { self.start[index] |= 0x20 }
    }
}
