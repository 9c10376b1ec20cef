/// What a client holds of all venues that it may read, as a token that says nothing to the client: pass it back as `since`.
///
/// A complete cursor is a pure function of (format, position, chain, held venues) and of the server's secret: clients that may read
/// the same and asked at the same time hold equal tokens. It names venues by their places alone; the server says which keys are
/// gone, and must not be made to say the keys of venues that were never told. So it takes back only what it gave out: a cursor has
/// a seal.
public struct CatalogueCursor: Hashable, Sendable {
    /// A moment of the catalogue.
    public struct Mark: Hashable, Sendable {
        /// Revisions of all venues published by then.
        public var position: Int64
        /// The first eight bytes of the chain at that position: a history that forked gives itself away.
        public var chain: UInt64

        public init(position: Int64, chain: UInt64) {
            self.position = position
            self.chain = chain
        }
    }

    /// Of which venues the client holds the revision that was the newest then.
    public struct Holding: Hashable, Sendable {
        public var mark: Mark
        public var venues: VenueSet

        public init(mark: Mark, venues: VenueSet) {
            self.mark = mark
            self.venues = venues
        }
    }

    /// How far a change set of several pages has been read.
    public struct Page: Hashable, Sendable {
        /// What every page leads to.
        public var to: Mark
        /// What the client is to hold in the end: readable when the first page was asked for, and at every page since.
        public var wanted: VenueSet
        /// The place of the venue that the next page begins with.
        public var venue: Int64
        /// What was sent of that venue; nil when nothing was.
        public var sent: Part?

        public init(to: Mark, wanted: VenueSet, venue: Int64, sent: Part?) {
            self.to = to
            self.wanted = wanted
            self.venue = venue
            self.sent = sent
        }
    }

    /// How far the change set of one venue has been read.
    public struct Part: Hashable, Sendable {
        /// The revisions that it leads from and to; nil when the client holds nothing of the venue.
        public var from: Int64?
        public var to: Int64
        /// Features and removals already sent.
        public var offset: Int

        public init(from: Int64?, to: Int64, offset: Int) {
            self.from = from
            self.to = to
            self.offset = offset
        }
    }

    /// Nil while the first change set is being read.
    public var holding: Holding?
    public var page: Page?
    /// What only the server can make of ``content``.
    public var seal: UInt64

    public init(holding: Holding?, page: Page? = nil, seal: UInt64 = 0) {
        self.holding = holding
        self.page = page
        self.seal = seal
    }
}

extension CatalogueCursor: LosslessStringConvertible {
    /// Another one than that of ``Cursor``: neither can be taken for the other.
    private static let format: UInt8 = 2

    private struct Flags: OptionSet {
        let rawValue: UInt8
        static let holding = Flags(rawValue: 1)
        static let page = Flags(rawValue: 2)
        static let sent = Flags(rawValue: 4)
        static let sentFrom = Flags(rawValue: 8)
    }

    /// All but the seal.
    public var content: [UInt8] {
        var flags: Flags = []
        var rest = TokenWriter()
        if let holding = self.holding {
            flags.insert(.holding)
            rest.append(holding.mark)
            rest.append(holding.venues)
        }
        if let page = self.page {
            flags.insert(.page)
            rest.append(page.to)
            rest.append(page.wanted)
            rest.append(UInt64(page.venue))
            if let sent = page.sent {
                flags.insert(.sent)
                if let from = sent.from {
                    flags.insert(.sentFrom)
                    rest.append(UInt64(from))
                }
                rest.append(UInt64(sent.to))
                rest.append(UInt64(sent.offset))
            }
        }
        return [Self.format, flags.rawValue] + rest.bytes
    }

    public var description: String {
        var writer = TokenWriter(bytes: self.content)
        writer.append(fixed: self.seal)
        return writer.token
    }

    /// Reads a token; nil for anything that this code would not have written.
    public init?(_ token: String) {
        guard var reader = TokenReader(token: token), reader.byte() == Self.format, let raw = reader.byte() else {
            return nil
        }
        let flags = Flags(rawValue: raw)
        self.init(holding: nil)
        if flags.contains(.holding) {
            guard let mark = reader.mark(), let venues = reader.venues() else { return nil }
            self.holding = Holding(mark: mark, venues: venues)
        }
        if flags.contains(.page) {
            guard let to = reader.mark(), let wanted = reader.venues(), let venue = reader.count() else { return nil }
            self.page = Page(to: to, wanted: wanted, venue: venue, sent: nil)
        }
        if flags.contains(.sent) {
            let from = flags.contains(.sentFrom) ? reader.count() : nil
            guard let to = reader.count(), let offset = reader.count() else { return nil }
            self.page?.sent = Part(from: from, to: to, offset: Int(offset))
        }
        guard let seal = reader.fixed() else { return nil }
        self.seal = seal
        guard reader.isAtEnd, self.holding != nil || self.page != nil, self.description == token else { return nil }
    }
}

extension TokenWriter {
    fileprivate mutating func append(_ mark: CatalogueCursor.Mark) {
        self.append(UInt64(mark.position))
        self.append(fixed: mark.chain)
    }
}

extension TokenReader {
    fileprivate mutating func count() -> Int64? { self.number().flatMap { Int64(exactly: $0) } }

    fileprivate mutating func mark() -> CatalogueCursor.Mark? {
        guard let position = self.count(), let chain = self.fixed() else { return nil }
        return CatalogueCursor.Mark(position: position, chain: chain)
    }
}

extension CatalogueCursor: Codable {
    public init(from decoder: any Decoder) throws {
        let token = try decoder.singleValueContainer().decode(String.self)
        guard let cursor = CatalogueCursor(token) else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "not a cursor"))
        }
        self = cursor
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self.description)
    }
}
