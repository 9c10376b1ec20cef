/// Elements that are appended one after the other: an array that does not check its room for each element. It is used again and again
/// while a tile is encoded.
package struct ScratchBuffer<Element: BitwiseCopyable>: ~Copyable {
    private var storage: UnsafeMutablePointer<Element>
    private var capacity: Int
    package private(set) var count = 0

    package init(capacity: Int = 64) {
        self.storage = .allocate(capacity: capacity)
        self.capacity = capacity
    }

    deinit { self.storage.deallocate() }

    /// Valid until the buffer is changed.
    package var elements: UnsafeBufferPointer<Element> { UnsafeBufferPointer(start: self.storage, count: self.count) }

    package var isEmpty: Bool { self.count == 0 }

    package mutating func removeAll() { self.count = 0 }

    package mutating func removeLast() { self.count -= 1 }

    /// Makes room for more elements.
    package mutating func reserve(_ additional: Int) {
        let needed = self.count + additional
        if needed > self.capacity { self.grow(to: needed) }
    }

    @inline(never)
    private mutating func grow(to needed: Int) {
        let capacity = max(needed, 2 * self.capacity)
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
        larger.moveInitialize(from: self.storage, count: self.count)
        self.storage.deallocate()
        (self.storage, self.capacity) = (larger, capacity)
    }

    /// Appends an element for which there is room.
    @inline(__always)
    package mutating func append(_ element: Element) {
        assert(self.count < self.capacity)
        (self.storage + self.count).initialize(to: element)
        self.count += 1
    }

    package subscript(index: Int) -> Element {
        @inline(__always)
        get {
            assert(index < self.count)
            return self.storage[index]
        }
        @inline(__always)
        set {
            assert(index < self.count)
            self.storage[index] = newValue
        }
    }

    /// Makes room and appends an element several times.
    package mutating func append(repeating element: Element, count: Int) {
        self.reserve(count)
        (self.storage + self.count).initialize(repeating: element, count: count)
        self.count += count
    }

    /// Makes room and appends elements.
    package mutating func append(contentsOf elements: UnsafeBufferPointer<Element>) {
        self.reserve(elements.count)
        guard let start = elements.baseAddress else { return }
        (self.storage + self.count).initialize(from: start, count: elements.count)
        self.count += elements.count
    }
}

/// The wire format of Protocol Buffers.
extension ScratchBuffer<UInt8> {
    /// The most bytes of a number.
    static var maximumVarint: Int { 10 }

    /// Appends a number. There is room for ``maximumVarint`` bytes.
    @inline(__always)
    mutating func append(varint value: UInt64) {
        var value = value
        while value >= 0x80 {
            self.append(UInt8(truncatingIfNeeded: value) | 0x80)
            value >>= 7
        }
        self.append(UInt8(truncatingIfNeeded: value))
    }

    /// How many bytes a number takes.
    @inline(__always)
    static func length(ofVarint value: UInt64) -> Int { (70 - (value | 1).leadingZeroBitCount) / 7 }

    /// Appends the key of a field and the length of its content. There is room for twice ``maximumVarint`` bytes.
    @inline(__always)
    mutating func append(field: UInt64, length: Int) {
        self.append(varint: field << 3 | 2)
        self.append(varint: UInt64(length))
    }
}
