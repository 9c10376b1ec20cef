/// Reads a text from beginning to end. The syntax consists of ASCII.
struct Scanner {
    private let bytes: [UInt8]
    private(set) var offset = 0

    init(_ text: String) {
        self.bytes = Array(text.utf8)
    }

    var isAtEnd: Bool { self.offset == self.bytes.count }

    func text(from start: Int) -> String {
        String(decoding: self.bytes[start..<self.offset], as: UTF8.self)
    }

    mutating func goBack(to offset: Int) {
        self.offset = offset
    }

    mutating func skipSpace() {
        while self.peek() == UInt8(ascii: " ") { self.offset += 1 }
    }

    func startsWith(_ text: StaticString) -> Bool {
        guard self.bytes.count - self.offset >= text.utf8CodeUnitCount else { return false }
        for index in 0..<text.utf8CodeUnitCount where self.bytes[self.offset + index] != text.utf8Start[index] {
            return false
        }
        return true
    }

    mutating func take(_ text: StaticString) -> Bool {
        guard self.startsWith(text) else { return false }
        self.offset += text.utf8CodeUnitCount
        return true
    }

    /// Takes a word that is not followed by another letter.
    mutating func takeWord(_ word: StaticString) -> Bool {
        let before = self.offset
        guard self.take(word) else { return false }
        guard let next = self.peek(), next >= 0x80 || self.isLetter(next) else { return true }
        self.offset = before
        return false
    }

    /// Takes the first matching word of a list and returns its index.
    mutating func takeOne(of words: [StaticString]) -> Int? {
        for (index, word) in words.enumerated() where self.take(word) { return index }
        return nil
    }

    mutating func takeNumber(digits: ClosedRange<Int>, in range: ClosedRange<Int>) -> Int? {
        var value = 0
        var count = 0
        while let byte = self.peek(count), byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
            count += 1
            guard count <= digits.upperBound else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        guard digits.contains(count), range.contains(value) else { return nil }
        self.offset += count
        return value
    }

    /// Takes the text before the next quotation mark, and the mark.
    mutating func takeQuoted() -> String? {
        guard let end = self.bytes[self.offset...].firstIndex(of: UInt8(ascii: "\"")) else { return nil }
        let text = String(decoding: self.bytes[self.offset..<end], as: UTF8.self)
        self.offset = end + 1
        return text
    }

    func startsWithDigit() -> Bool {
        self.peek().map { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") } ?? false
    }

    func peek(_ distance: Int = 0) -> UInt8? {
        let offset = self.offset + distance
        return offset < self.bytes.count ? self.bytes[offset] : nil
    }

    private func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
