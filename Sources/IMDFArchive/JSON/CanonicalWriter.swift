internal import CSimdjson
internal import IMDF

/// Writes the canonical text (RFC 8785) of values from the tape, and records ids in it that may be references.
///
/// Strings without escapes and most numbers have their canonical form in the document already and are copied. ``CanonicalJSON``
/// writes the others.
struct CanonicalWriter: ~Copyable {
    private var output = ByteBuffer()
    private var members = MemberStack()
    private var scratch: [UInt8] = []
    /// Ids at positions where a reference is possible, in the order in which they were written.
    private(set) var candidates: [ReferenceCandidate] = []
    /// Lists that were written as texts and were read as lists, and the last of these texts.
    private(set) var textLists = 0
    private(set) var lastTextList: [UInt8] = []
    /// The bytes that assigned ids add to references.
    private(set) var growth = 0
    private let growthLimit: Int
    /// Whether white space around ids is removed where IMDF declares references, and lists that are written as texts are read.
    private let repairsIDs: Bool
    /// The ids that references follow; nil if all features keep their own.
    let ids: AssignedIDs?
    /// The type of the feature that is being written, and of the end of a relationship.
    private var featureType = FeatureType.unit
    private var endType: FeatureType?

    /// - Parameter growthLimit: Where ``growth`` reaches it, references are written as they are.
    init(repairsIDs: Bool = true, ids: AssignedIDs? = nil, growthLimit: Int = ArchiveLimits().referenceGrowthBytes) {
        self.repairsIDs = repairsIDs
        self.ids = ids
        self.growthLimit = growthLimit
    }

    /// Whether the references of the archive became too long.
    var exceedsGrowth: Bool { self.growth >= self.growthLimit }

    /// What was written since the last ``removeText()``.
    var text: [UInt8] { self.output.array }

    /// The number of bytes in ``text``.
    var length: Int { self.output.count }

    /// Members that were ignored because a later one has the same key.
    var duplicates: Int { self.members.duplicates }

    mutating func removeText() {
        self.output.removeAll()
    }

    /// Forgets candidates, and by how much their texts are longer: `growth` is what it was before them.
    mutating func removeCandidates(from first: Int, growth: Int) {
        self.candidates.removeSubrange(first...)
        self.growth = growth
    }

    /// The number of bytes of a member as it is written. What was written before is removed.
    mutating func length(ofMember key: Int, _ tape: Tape, at value: Int, position: ReferencePosition) -> Int {
        let (growth, candidates) = (self.growth, self.candidates.count)
        self.removeText()
        self.write(tape, at: key)
        self.write(tape, at: value, position: position)
        self.removeCandidates(from: candidates, growth: growth)
        return self.length
    }

    /// Adds the candidates of another writer.
    mutating func append(_ candidates: [ReferenceCandidate]) {
        self.candidates += candidates
    }

    /// Writes the value whose first word has this index.
    mutating func write(_ tape: Tape, at index: Int, position: ReferencePosition = .nowhere) {
        let word = tape.words[index]
        if self.ids != nil, self.writeAssigned(tape, at: index, position) { return }
        if position.admitsTextList, self.repairsIDs, self.writeTextList(tape, at: index, position) { return }
        switch Tape.tag(of: word) {
        case .null, .streamed: self.output.append("null")
        case .false: self.output.append("false")
        case .true: self.output.append("true")
        case .decimal: self.write(verbatim: word, tape)
        case .double where Tape.length(of: word) > 0: self.write(verbatim: word, tape)
        case .double: self.write(number: Double(bitPattern: tape.words[index + 1]))
        case .plain_string: self.write(plain: self.reference(tape.utf8(of: word), position), position: position)
        case .unescaped_string:
            self.write(unescaped: self.reference(tape.utf8(of: word), position), position: position)
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
            if Tape.tag(of: word) == .decimal, self.ids == nil {
                // Coordinates are the largest part of an archive.
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
        if self.ids != nil, case .end = position {
            self.endType = tape.member("feature_type", ofObjectAt: index).flatMap { tape.string(at: $0) }
                .map { FeatureType(rawValue: String(decoding: $0, as: UTF8.self)) }
        }
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

    /// The text without the white space around an id, where IMDF declares a reference. Other text is returned as it is.
    @inline(__always)
    private func reference(_ utf8: UnsafeRawBufferPointer, _ position: ReferencePosition) -> UnsafeRawBufferPointer {
        guard case .single = position, utf8.count > FeatureID.textLength, self.repairsIDs else { return utf8 }
        let trimmed = utf8.trimmingWhiteSpace()
        return WrittenID(utf8: trimmed) == nil ? utf8 : trimmed
    }

    /// Writes the id that a reference follows, where IMDF declares a reference to a feature with an assigned id.
    ///
    /// - Returns: Whether the value is such a reference; nothing was written if not.
    private mutating func writeAssigned(_ tape: Tape, at index: Int, _ position: ReferencePosition) -> Bool {
        guard case .single = position else { return false }
        if let string = tape.string(at: index) { return self.writeAssigned(string.trimmingWhiteSpace(), position) }
        guard let number = self.number(tape, at: index) else { return false }
        return number.withUnsafeBytes { self.writeAssigned($0, position) }
    }

    /// - Parameter utf8: The id as it is written, without white space around it.
    private mutating func writeAssigned(_ utf8: UnsafeRawBufferPointer, _ position: ReferencePosition) -> Bool {
        guard case .single(let role) = position, let ids = self.ids, !self.exceedsGrowth else { return false }
        let text = WrittenID(utf8: utf8).map { Array($0.id.description.utf8) } ?? Array(utf8)
        guard let target = ids.target(of: text, requiring: self.type(requiredBy: role)) else { return false }
        self.growth += max(0, FeatureID.textLength - utf8.count)
        Array(target.description.utf8).withUnsafeBytes { self.write(plain: $0, position: position) }
        return true
    }

    /// Writes the list that a text stands for, or its only id where IMDF declares one id.
    ///
    /// - Returns: Whether the value is such a text; nothing was written if not.
    private mutating func writeTextList(_ tape: Tape, at index: Int, _ position: ReferencePosition) -> Bool {
        guard let text = tape.string(at: index), let items = TextList(text)?.items else { return false }
        if case .single = position {
            guard items.count == 1 else { return false }
            self.write(item: items[0], position)
        } else {
            self.begin(with: UInt8(ascii: "["))
            for item in items {
                self.write(item: item, position.element)
                self.separate()
            }
            self.end(with: UInt8(ascii: "]"), isEmpty: items.isEmpty)
        }
        self.textLists += 1
        self.lastTextList = Array(text)
        return true
    }

    private mutating func write(item utf8: UnsafeRawBufferPointer, _ position: ReferencePosition) {
        if !self.writeAssigned(utf8, position) { self.write(unescaped: utf8, position: position) }
    }

    private func type(requiredBy role: Reference.Role) -> FeatureType? {
        switch role {
        case .level, .levels: .level
        case .unit, .units: .unit
        case .anchor: .anchor
        case .buildings: .building
        case .address: .address
        case .parents: self.featureType
        case .origin, .intermediary, .destination: self.endType
        case .undeclared: nil
        }
    }

    /// The canonical text of a number; nil for any other value.
    func number(_ tape: Tape, at index: Int) -> [UInt8]? {
        let word = tape.words[index]
        let tag = Tape.tag(of: word)
        guard tag == .decimal || tag == .double else { return nil }
        guard tag == .double, Tape.length(of: word) == 0 else {
            // The number has its canonical form in the document.
            let start = tape.document + Tape.offset(of: word)
            return Array(UnsafeBufferPointer(start: start, count: Tape.length(of: word)))
        }
        var text: [UInt8] = []
        CanonicalJSON.append(number: Double(bitPattern: tape.words[index + 1]), to: &text)
        return text
    }

    /// Copies a number that has its canonical form in the document.
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
        // Canonical text escapes no character of an id, so the id begins after the quotation mark here too.
        self.note(utf8, position)
        self.scratch.removeAll(keepingCapacity: true)
        CanonicalJSON.append(string: utf8, to: &self.scratch)
        self.output.append(self.scratch)
    }

    @inline(__always)
    private mutating func note(_ utf8: UnsafeRawBufferPointer, _ position: ReferencePosition) {
        guard utf8.count == FeatureID.textLength, let role = position.role, let written = WrittenID(utf8: utf8)
        else { return }
        let offset = UInt32(truncatingIfNeeded: self.output.count + 1)
        self.candidates.append(
            ReferenceCandidate(target: written.id, offset: offset, uppercaseDigits: written.uppercaseDigits, role: role)
        )
    }
}

// MARK: - Features

/// A feature is written member by member: missing members are added, and its id is written in lower case.
extension CanonicalWriter {
    mutating func push(_ tape: Tape, objectAt index: Int) -> Range<Int> { self.members.push(tape, objectAt: index) }

    mutating func pop(to first: Int) { self.members.pop(to: first) }

    func member(_ number: Int) -> MemberStack.Member { self.members[number] }

    mutating func begin(featureOf type: FeatureType) {
        if self.ids != nil { self.featureType = type }
        self.begin()
    }

    mutating func begin() { self.begin(with: UInt8(ascii: "{")) }

    private mutating func begin(with bracket: UInt8) {
        self.output.reserve(2)
        self.output.put(bracket)
    }

    /// Writes the comma after a member.
    mutating func separate() {
        self.output.reserve(1)
        self.output.put(UInt8(ascii: ","))
    }

    mutating func end(isEmpty: Bool) { self.end(with: UInt8(ascii: "}"), isEmpty: isEmpty) }

    private mutating func end(with bracket: UInt8, isEmpty: Bool) {
        if isEmpty {
            self.output.put(bracket)
        } else {
            self.output.replaceLast(with: bracket)
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

    /// Writes text that is canonical already.
    mutating func write(verbatim text: StaticString) {
        self.output.append(text)
    }

    mutating func write(string: String) {
        self.scratch.removeAll(keepingCapacity: true)
        CanonicalJSON.append(string: string, to: &self.scratch)
        self.output.append(self.scratch)
    }

    /// Writes an id as a string in lower case.
    ///
    /// - Precondition: the bytes are an id.
    mutating func write(id utf8: UnsafeRawBufferPointer) {
        self.write(plain: utf8, position: .nowhere)
        let end = self.output.count - 1
        self.output.lowercase(end - utf8.count..<end)
    }
}
