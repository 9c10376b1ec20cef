/// The weights of an `Accept-Encoding` header, in thousandths; 0 means "not acceptable".
struct AcceptedCodings {
    private var br: Int?
    private var zstd: Int?
    private var gzip: Int?
    private var identity: Int?
    /// The weight of codings that are not named (`*`).
    private var others: Int?

    init(_ field: UnsafeBufferPointer<UInt8>) {
        var rest = field[...]
        while !rest.isEmpty {
            self.read(Self.cut(&rest, at: UInt8(ascii: ",")))
        }
    }

    /// The supported coding with the highest weight, or the server's preference among equal ones. Nil if `identity` has a higher weight.
    var best: ContentCoding? {
        var best: ContentCoding?
        // `identity` is acceptable unless it is excluded, but any named coding is preferred to it.
        var weight = max(self.identity ?? 0, 1)
        for coding in ContentCoding.allCases {
            let own = self.weight(of: coding)
            guard best == nil ? own >= weight : own > weight else { continue }
            best = coding
            weight = own
        }
        return best
    }

    private func weight(of coding: ContentCoding) -> Int {
        let own =
            switch coding {
            case .br: self.br
            case .zstd: self.zstd
            case .gzip: self.gzip
            }
        return own ?? self.others ?? 0
    }

    /// Reads one member, such as `gzip;q=0.5`. If a coding is named twice, the first weight is used.
    private mutating func read(_ member: Slice<UnsafeBufferPointer<UInt8>>) {
        var rest = member
        let name = Self.trimmed(Self.cut(&rest, at: UInt8(ascii: ";")))
        guard let weight = rest.isEmpty ? 1_000 : Self.weight(Self.trimmed(rest)) else { return }
        if Self.equal(name, "br") {
            self.br = self.br ?? weight
        } else if Self.equal(name, "zstd") {
            self.zstd = self.zstd ?? weight
        } else if Self.equal(name, "gzip") || Self.equal(name, "x-gzip") {
            self.gzip = self.gzip ?? weight
        } else if Self.equal(name, "identity") {
            self.identity = self.identity ?? weight
        } else if Self.equal(name, "*") {
            self.others = self.others ?? weight
        }
    }

    /// Parses `q=0.123` as thousandths; nil if it is not a weight (RFC 9110 §12.4.2).
    private static func weight(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        var rest = text
        guard self.equal(self.trimmed(self.cut(&rest, at: UInt8(ascii: "="))), "q") else { return nil }
        let digits = self.trimmed(rest)
        guard let first = digits.first, first == UInt8(ascii: "0") || first == UInt8(ascii: "1"), digits.count <= 5
        else { return nil }
        var weight = first == UInt8(ascii: "1") ? 1_000 : 0
        guard digits.count > 1 else { return weight }
        guard digits.dropFirst().first == UInt8(ascii: ".") else { return nil }
        var digitValue = 100
        for digit in digits.dropFirst(2) {
            guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
            weight += Int(digit - UInt8(ascii: "0")) * digitValue
            digitValue /= 10
        }
        return weight <= 1_000 ? weight : nil
    }

    /// Removes and returns the text before the next `separator`, or all of it if there is none.
    private static func cut(
        _ rest: inout Slice<UnsafeBufferPointer<UInt8>>, at separator: UInt8
    ) -> Slice<UnsafeBufferPointer<UInt8>> {
        let end = rest.firstIndex(of: separator) ?? rest.endIndex
        defer { rest = rest[end...].dropFirst() }
        return rest[..<end]
    }

    private static func trimmed(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Slice<UnsafeBufferPointer<UInt8>> {
        var text = text
        while let first = text.first, first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") { text.removeFirst() }
        while let last = text.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") { text.removeLast() }
        return text
    }

    /// Compares without regard to case; `name` is in lower case.
    private static func equal(_ text: Slice<UnsafeBufferPointer<UInt8>>, _ name: StaticString) -> Bool {
        guard text.count == name.utf8CodeUnitCount else { return false }
        return zip(text, UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)).allSatisfy {
            $0 == $1 || ($0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") && $0 | 0x20 == $1)
        }
    }
}
