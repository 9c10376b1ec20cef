import IMDF

/// What a feature is when nobody looks at ids: a digest of its body with its own id and its references blanked, and beside
/// that what it refers to.
///
/// Two features with equal sketches say the same to the letter. It is made from the canonical text without reading that into a
/// tree, because an archive in which every id is new has to be sketched as a whole.
package struct ContentDigest: Sendable {
    /// A reference, by the property that it stands in.
    struct Link: Hashable, Sendable {
        /// Stands for the name of the property; equal names have equal numbers.
        let property: UInt32
        let target: FeatureID
    }

    let id: FeatureID
    let content: Digest
    let links: [Link]
    /// Whether there is something to tell the feature by besides its references: a geometry, a name or an address.
    let isDistinctive: Bool
    let isNamed: Bool

    /// Draws a canonical body.
    ///
    /// - Parameter isKnown: whether an id names a feature of either state, so that it is a reference where it stands.
    init(id: FeatureID, type: FeatureType, body: [UInt8], isKnown: (FeatureID) -> Bool) {
        var blanked = body
        var links: [Link] = []
        var (isDistinctive, isNamed) = (type == .address, false)
        body.withUnsafeBytes { text in
            var strings = BodyStrings(text)
            while let string = strings.next() {
                if string.isInGeometry { isDistinctive = true }
                if string.isIn("name") { (isDistinctive, isNamed) = (true, true) }
                guard string.range.count == FeatureID.textLength, let id = FeatureID(utf8: text[string.range]) else {
                    continue
                }
                if !string.isOwnID {
                    guard type != .address, string.mayRefer, isKnown(id) else { continue }
                    links.append(Link(property: string.property, target: id))
                }
                for place in string.range { blanked[place] = UInt8(ascii: "0") }
            }
        }
        self.id = id
        self.content = Digest(of: blanked)
        self.links = links
        self.isDistinctive = isDistinctive
        self.isNamed = isNamed
    }
}

extension FeatureID {
    fileprivate init?(utf8 bytes: Slice<UnsafeRawBufferPointer>) {
        self.init(utf8: UnsafeRawBufferPointer(rebasing: bytes))
    }
}

/// The strings of a feature's canonical body that are values, one after the other.
///
/// It relies on what ``CanonicalJSON`` writes: no white space, and a key is a string before a colon.
private struct BodyStrings {
    /// A string and where it stands.
    struct Value {
        /// Between the quotation marks.
        let range: Range<Int>
        /// A number for the name of the property that it stands in.
        let property: UInt32
        fileprivate let root: UnsafeRawBufferPointer
        fileprivate let member: UnsafeRawBufferPointer
        fileprivate let isApart: Bool

        var isOwnID: Bool { self.member.isEmpty && self.root.spells("id") }
        var isInGeometry: Bool { self.root.spells("geometry") }

        /// Whether the string stands in this property or is the value of it.
        func isIn(_ property: StaticString) -> Bool {
            self.root.spells("properties") && self.member.spells(property)
        }

        /// Labels, addresses and correlation ids may hold anything, even the id of a feature.
        var mayRefer: Bool { !self.isApart && self.root.spells("properties") }
    }

    private let text: UnsafeRawBufferPointer
    private var place = 0
    private var depth = 0
    /// The member of the feature that is being read, and the member of that with its hash.
    private var root = UnsafeRawBufferPointer(start: nil, count: 0)
    private var member = UnsafeRawBufferPointer(start: nil, count: 0)
    private var property: UInt32 = 0
    /// How deep the key stands below which no id is a reference.
    private var apart: Int?

    init(_ text: UnsafeRawBufferPointer) {
        self.text = text
    }

    mutating func next() -> Value? {
        while self.place < self.text.count {
            let byte = self.text[self.place]
            self.place += 1
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["): self.depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                self.depth -= 1
                if let apart, self.depth < apart { self.apart = nil }
            case UInt8(ascii: "\""):
                let range = self.readString()
                guard self.place < self.text.count, self.text[self.place] == UInt8(ascii: ":") else {
                    return Value(
                        range: range, property: self.property, root: self.root, member: self.member,
                        isApart: self.apart != nil)
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
        if let apart, self.depth <= apart { self.apart = nil }
        if self.apart == nil, self.depth > 1, TextMember.isText(key) { self.apart = self.depth }
    }

    /// Reads to behind the closing quotation mark.
    private mutating func readString() -> Range<Int> {
        let start = self.place
        while self.place < self.text.count, self.text[self.place] != UInt8(ascii: "\"") {
            self.place += self.text[self.place] == UInt8(ascii: "\\") ? 2 : 1
        }
        let end = min(self.place, self.text.count)
        self.place = end + 1
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
