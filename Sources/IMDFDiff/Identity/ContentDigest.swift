package import IMDF

/// A digest of a feature's content without ids, together with its references.
///
/// The feature's own id and its references are blanked before hashing, so features with equal digests have the same content byte for
/// byte. The digest is computed from the canonical text without parsing it, because an archive with new ids needs the digests of all
/// its features.
package struct ContentDigest: Sendable {
    /// A reference and the property that contains it.
    struct Link: Hashable, Sendable {
        /// A hash of the name of the property.
        let property: UInt32
        let target: FeatureID
    }

    package let id: FeatureID
    let content: Digest
    let links: [Link]
    /// Ids in the places of references that are those of no feature.
    let unresolved: [FeatureID]
    /// Whether the feature has content that may distinguish it from others: a geometry, a name or an address.
    let isDistinctive: Bool
    let isNamed: Bool

    /// - Parameters:
    ///   - body: canonical.
    ///   - isKnown: whether an id is that of a feature of either state, and therefore a reference.
    init(id: FeatureID, type: FeatureType, body: [UInt8], isKnown: (FeatureID) -> Bool) {
        var blanked = body
        var links: [Link] = []
        var unresolved: [FeatureID] = []
        var originalID: Range<Int>?
        var (isDistinctive, isNamed) = (type == .address, false)
        body.withUnsafeBytes { text in
            var strings = BodyStrings(text)
            while let string = strings.next() {
                if string.isInGeometry { isDistinctive = true }
                if string.isOriginalID { originalID = Self.member(around: string.range, in: text) ?? originalID }
                if string.isIn("name") { (isDistinctive, isNamed) = (true, true) }
                guard string.range.count == FeatureID.textLength, let id = FeatureID(utf8: text[string.range]) else {
                    continue
                }
                if !string.isOwnID {
                    guard type != .address, string.mayRefer else { continue }
                    guard isKnown(id) else {
                        unresolved.append(id)
                        continue
                    }
                    links.append(Link(property: string.property, target: id))
                }
                for offset in string.range { blanked[offset] = UInt8(ascii: "0") }
            }
        }
        if let originalID { blanked.removeSubrange(originalID) }
        self.id = id
        self.content = Digest(of: blanked)
        self.links = links
        self.unresolved = unresolved
        self.isDistinctive = isDistinctive
        self.isNamed = isNamed
    }

    /// The whole member `original_id` with the comma after it, so that a body without one has the same digest; nil if the string is only
    /// a part of the member.
    private static func member(around string: Range<Int>, in text: UnsafeRawBufferPointer) -> Range<Int>? {
        let start = "\"original_id\":\"".utf8
        let range = string.lowerBound - start.count..<string.upperBound + 2
        guard text.indices.contains(range.lowerBound), range.upperBound <= text.count,
            text[range.lowerBound..<string.lowerBound].elementsEqual(start),
            text[string.upperBound + 1] == UInt8(ascii: ",")
        else { return nil }
        return range
    }

    /// Whether the digest would be the same with other known ids.
    func holds(_ isKnown: (FeatureID) -> Bool) -> Bool {
        self.links.allSatisfy { isKnown($0.target) } && !self.unresolved.contains(where: isKnown)
    }
}

extension FeatureID {
    fileprivate init?(utf8 bytes: Slice<UnsafeRawBufferPointer>) {
        self.init(utf8: UnsafeRawBufferPointer(rebasing: bytes))
    }
}

/// Iterates over the string values of a canonical body.
///
/// This relies on the format of ``CanonicalJSON``: there is no white space, and a key is a string before a colon.
private struct BodyStrings {
    /// A string and its position.
    struct Value {
        /// Without the quotation marks.
        let range: Range<Int>
        /// A hash of the name of the property that contains it.
        let property: UInt32
        fileprivate let root: UnsafeRawBufferPointer
        fileprivate let member: UnsafeRawBufferPointer
        fileprivate let isInText: Bool

        var isOwnID: Bool { self.member.isEmpty && self.root.spells("id") }
        var isOriginalID: Bool { self.member.isEmpty && self.root.spells("original_id") }
        var isInGeometry: Bool { self.root.spells("geometry") }

        /// Whether the string is the value of this property or part of it.
        func isIn(_ property: StaticString) -> Bool {
            self.root.spells("properties") && self.member.spells(property)
        }

        /// Whether the string may be a reference. Labels, addresses and correlation ids never are, even if they equal an id.
        var mayRefer: Bool { !self.isInText && self.root.spells("properties") }
    }

    private let text: UnsafeRawBufferPointer
    private var offset = 0
    private var depth = 0
    /// The current member of the feature, and the current member of that member with its hash.
    private var root = UnsafeRawBufferPointer(start: nil, count: 0)
    private var member = UnsafeRawBufferPointer(start: nil, count: 0)
    private var property: UInt32 = 0
    /// The depth of the key whose value cannot contain references, while the value is being read.
    private var textDepth: Int?

    init(_ text: UnsafeRawBufferPointer) {
        self.text = text
    }

    mutating func next() -> Value? {
        while self.offset < self.text.count {
            let byte = self.text[self.offset]
            self.offset += 1
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["): self.depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                self.depth -= 1
                if let textDepth, self.depth < textDepth { self.textDepth = nil }
            case UInt8(ascii: "\""):
                let range = self.readString()
                guard self.offset < self.text.count, self.text[self.offset] == UInt8(ascii: ":") else {
                    return Value(
                        range: range, property: self.property, root: self.root, member: self.member,
                        isInText: self.textDepth != nil)
                }
                self.enter(UnsafeRawBufferPointer(rebasing: self.text[range]))
            default: break
            }
        }
        return nil
    }

    private mutating func enter(_ key: UnsafeRawBufferPointer) {
        switch self.depth {
        case 1:
            self.root = key
            self.member = UnsafeRawBufferPointer(start: nil, count: 0)
        case 2:
            self.member = key
            self.property = key.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }  // FNV-1a
        default: break
        }
        if let textDepth, self.depth <= textDepth { self.textDepth = nil }
        if self.textDepth == nil, self.depth > 1, TextMember.isText(key) { self.textDepth = self.depth }
    }

    /// Reads up to and including the closing quotation mark.
    private mutating func readString() -> Range<Int> {
        let start = self.offset
        while self.offset < self.text.count, self.text[self.offset] != UInt8(ascii: "\"") {
            self.offset += self.text[self.offset] == UInt8(ascii: "\\") ? 2 : 1
        }
        let end = min(self.offset, self.text.count)
        self.offset = end + 1
        return start..<end
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func spells(_ text: StaticString) -> Bool {
        guard self.count == text.utf8CodeUnitCount else { return false }
        for index in 0..<self.count where self[index] != text.utf8Start[index] { return false }
        return true
    }
}
