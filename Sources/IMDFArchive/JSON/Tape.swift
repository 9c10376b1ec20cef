internal import CSimdjson

/// A JSON value as a flat list of words, as the parser writes it. It is valid until the parser reads on.
///
/// A word consists of a tag in the upper 4 bits, a length in the next 30 and an offset in the last 30. The word of an object is
/// followed by the keys and values of its members; its offset is the index of their end. Arrays are alike.
struct Tape {
    let words: UnsafePointer<UInt64>
    let document: UnsafePointer<UInt8>
    let strings: UnsafePointer<UInt8>

    init(_ tape: csimdjson_tape, of document: UnsafePointer<UInt8>) {
        // There is at least one word. Without unescaped strings the pointer to them is null and never used.
        self.words = tape.words
        self.document = document
        self.strings = tape.strings ?? document
    }

    static let bits: UInt64 = 1 << 30 - 1

    @inline(__always)
    static func tag(of word: UInt64) -> csimdjson_tag {
        csimdjson_tag(rawValue: UInt32(truncatingIfNeeded: word >> 60)) ?? .null
    }

    @inline(__always)
    static func length(of word: UInt64) -> Int { Int(truncatingIfNeeded: word >> 30 & self.bits) }

    @inline(__always)
    static func offset(of word: UInt64) -> Int { Int(truncatingIfNeeded: word & self.bits) }

    @inline(__always)
    func tag(at index: Int) -> csimdjson_tag { Self.tag(of: self.words[index]) }

    /// The index of the word after a value.
    @inline(__always)
    func end(of index: Int) -> Int {
        let word = self.words[index]
        return switch Self.tag(of: word) {
        case .array, .object: Self.offset(of: word)
        case .double: index + 2
        default: index + 1
        }
    }

    /// The UTF-8 of a string or key.
    @inline(__always)
    func utf8(of word: UInt64) -> UnsafeRawBufferPointer {
        let base = Self.tag(of: word) == .plain_string ? self.document : self.strings
        return UnsafeRawBufferPointer(start: base + Self.offset(of: word), count: Self.length(of: word))
    }

    /// The UTF-8 of a string; nil for any other value.
    func string(at index: Int) -> UnsafeRawBufferPointer? {
        switch self.tag(at: index) {
        case .plain_string, .unescaped_string: self.utf8(of: self.words[index])
        default: nil
        }
    }

    /// The index of a member's value; nil if there is none. The last of several members of that name is used.
    func member(_ name: StaticString, ofObjectAt index: Int = 0) -> Int? {
        guard self.tag(at: index) == .object else { return nil }
        let end = self.end(of: index)
        var found: Int?
        var next = index + 1
        while next < end {
            if self.utf8(of: self.words[next]).spells(name) { found = next + 1 }
            next = self.end(of: next + 1)
        }
        return found
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the bytes are equal to a text.
    @inline(__always)
    func spells(_ text: StaticString) -> Bool {
        guard self.count == text.utf8CodeUnitCount else { return false }
        let other = UnsafeRawBufferPointer(start: text.utf8Start, count: self.count)
        return self.elementsEqual(other)
    }
}
