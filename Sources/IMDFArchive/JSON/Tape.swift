internal import CSimdjson

/// A JSON value as the parser leaves it: words, one behind the other. It is good until the parser reads on.
///
/// A word is a tag in the upper 4 bits, a length in the next 30 and an offset in the last 30. An object's word is followed by
/// its members, key and value in turn, and says where they end; so does an array's.
struct Tape {
    let words: UnsafePointer<UInt64>
    let document: UnsafePointer<UInt8>
    let strings: UnsafePointer<UInt8>

    init(_ tape: csimdjson_tape, of document: UnsafePointer<UInt8>) {
        // There is always a word, and an object without words has no strings either.
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

    /// The number of the word behind a value.
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

    /// The value of an object's member; nil without one. The last member of that name counts.
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
    /// Whether the bytes are those of a text.
    @inline(__always)
    func spells(_ text: StaticString) -> Bool {
        guard self.count == text.utf8CodeUnitCount else { return false }
        let other = UnsafeRawBufferPointer(start: text.utf8Start, count: self.count)
        return self.elementsEqual(other)
    }
}
