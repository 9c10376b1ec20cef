internal import CSimdjson
internal import IMDF

/// Writes the canonical text (RFC 8785) of values from the tape, and notes where ids may stand in it.
///
/// Strings without escapes and most numbers stand in the document as they are to be written and are only copied; the others
/// are left to ``CanonicalJSON``.
struct CanonicalWriter: ~Copyable {
    private var output = ByteBuffer()
    private var members = MemberStack()
    private var scratch: [UInt8] = []
    /// Strings that spell an id where a reference may stand, in the order in which they were written.
    private(set) var candidates: [ReferenceCandidate] = []

    /// The text since the last ``removeText()``.
    var text: [UInt8] { self.output.array }

    /// Bytes in ``text``.
    var length: Int { self.output.count }

    /// Members that did not count because another with the same key came behind them.
    var duplicates: Int { self.members.duplicates }

    mutating func removeText() {
        self.output.removeAll()
    }

    mutating func forgetCandidates(from first: Int) {
        self.candidates.removeSubrange(first...)
    }

    /// Writes the value whose first word has this number.
    mutating func write(_ tape: Tape, at index: Int, position: ReferencePosition = .nowhere) {
        let word = tape.words[index]
        switch Tape.tag(of: word) {
        case .null, .listed: self.output.append("null")
        case .false: self.output.append("false")
        case .true: self.output.append("true")
        case .decimal: self.write(verbatim: word, tape)
        case .double where Tape.length(of: word) > 0: self.write(verbatim: word, tape)
        case .double: self.write(number: Double(bitPattern: tape.words[index + 1]))
        case .plain_string: self.write(plain: tape.utf8(of: word), position: position)
        case .unescaped_string: self.write(unescaped: tape.utf8(of: word), position: position)
        case .array: self.write(tape, arrayAt: index, position: position.element)
        case .object: self.write(tape, objectAt: index, position: position)
        }
    }

    private mutating func write(_ tape: Tape, arrayAt index: Int, position: ReferencePosition) {
        let end = tape.end(of: index)
        self.output.reserve(2)
        self.output.put(UInt8(ascii: "["))
        guard end > index + 1 else {
            self.output.put(UInt8(ascii: "]"))
            return
        }
        var next = index + 1
        while next < end {
            let word = tape.words[next]
            if Tape.tag(of: word) == .decimal {
                // Coordinates are most of an archive.
                self.write(verbatim: word, tape)
                next += 1
            } else {
                self.write(tape, at: next, position: position)
                next = tape.end(of: next)
            }
            self.output.reserve(1)
            self.output.put(UInt8(ascii: ","))
        }
        self.output.replaceLast(with: UInt8(ascii: "]"))
    }

    private mutating func write(_ tape: Tape, objectAt index: Int, position: ReferencePosition) {
        let range = self.members.push(tape, objectAt: index)
        self.begin()
        for number in range {
            let member = self.members[number]
            self.write(key: member.key, tape)
            self.write(tape, at: member.value, position: position.member(tape.utf8(of: member.key)))
            self.separate()
        }
        self.end(isEmpty: range.isEmpty)
        self.members.pop(to: range.lowerBound)
    }

    // MARK: - Scalars

    /// Writes a number that stands in the document as it is to be written.
    @inline(__always)
    private mutating func write(verbatim word: UInt64, _ tape: Tape) {
        self.output.reserve(ByteBuffer.slack)
        self.output.putShort(tape.document + Tape.offset(of: word), count: Tape.length(of: word))
    }

    private mutating func write(number: Double) {
        self.scratch.removeAll(keepingCapacity: true)
        CanonicalJSON.append(number: number, to: &self.scratch)
        self.output.append(self.scratch)
    }

    private mutating func write(plain utf8: UnsafeRawBufferPointer, position: ReferencePosition) {
        guard let start = utf8.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        self.note(utf8, position)
        self.output.reserve(utf8.count + 2)
        self.output.put(UInt8(ascii: "\""))
        self.output.append(start, count: utf8.count)
        self.output.put(UInt8(ascii: "\""))
    }

    private mutating func write(unescaped utf8: UnsafeRawBufferPointer, position: ReferencePosition) {
        // No character of an id is written with an escape, so its text begins behind the quotation mark here too.
        self.note(utf8, position)
        self.scratch.removeAll(keepingCapacity: true)
        CanonicalJSON.append(string: utf8, to: &self.scratch)
        self.output.append(self.scratch)
    }

    @inline(__always)
    private mutating func note(_ utf8: UnsafeRawBufferPointer, _ position: ReferencePosition) {
        guard utf8.count == FeatureID.textLength, let role = position.role, let found = SpelledID(utf8: utf8)
        else { return }
        let offset = UInt32(truncatingIfNeeded: self.output.count + 1)
        self.candidates.append(
            ReferenceCandidate(target: found.id, offset: offset, capitals: found.capitals, role: role))
    }
}

// MARK: - Piece by piece

/// A feature is not written in one go: members of its own are filled in, and its id is written in small letters.
extension CanonicalWriter {
    mutating func push(_ tape: Tape, objectAt index: Int) -> Range<Int> { self.members.push(tape, objectAt: index) }

    mutating func pop(to first: Int) { self.members.pop(to: first) }

    func member(_ number: Int) -> MemberStack.Member { self.members[number] }

    mutating func begin() {
        self.output.reserve(2)
        self.output.put(UInt8(ascii: "{"))
    }

    /// Goes behind every member.
    mutating func separate() {
        self.output.reserve(1)
        self.output.put(UInt8(ascii: ","))
    }

    mutating func end(isEmpty: Bool) {
        if isEmpty {
            self.output.put(UInt8(ascii: "}"))
        } else {
            self.output.replaceLast(with: UInt8(ascii: "}"))
        }
    }

    mutating func write(key: UInt64, _ tape: Tape) {
        if Tape.tag(of: key) == .plain_string {
            self.write(plain: tape.utf8(of: key), position: .nowhere)
        } else {
            self.write(unescaped: tape.utf8(of: key), position: .nowhere)
        }
        self.output.reserve(1)
        self.output.put(UInt8(ascii: ":"))
    }

    /// Text that is canonical as it stands.
    mutating func write(verbatim text: StaticString) {
        self.output.append(text)
    }

    mutating func write(string: String) {
        self.scratch.removeAll(keepingCapacity: true)
        CanonicalJSON.append(string: string, to: &self.scratch)
        self.output.append(self.scratch)
    }

    /// Writes an id as a string in small letters. The bytes have to spell one.
    mutating func write(id utf8: UnsafeRawBufferPointer) {
        self.write(plain: utf8, position: .nowhere)
        let end = self.output.count - 1
        self.output.makeSmall(end - utf8.count..<end)
    }
}
