public import IMDF

/// What a client holds, as a token that says nothing to the client: pass it back as `since`.
///
/// A complete cursor is a pure function of (format, epoch, revision, held levels) and of the server's secret: equal clients hold
/// equal tokens and so ask equal URLs. A cursor with a ``page`` stands inside a change set of several pages and is worth nothing
/// once that is read.
///
/// A token ends with a seal and a checksum. Anyone can compute the checksum: a token that was damaged on its way is recognised
/// by it, and is no cursor at all. Only the server can compute the seal: a cursor with another one was issued by another server,
/// or forged, and its client has to start over.
public struct Cursor: Hashable, Sendable {
    /// What is held of which revision.
    public struct Holding: Hashable, Sendable {
        public var revision: Int64
        /// The first eight bytes of the revision's digest: a history that forked gives itself away.
        public var digestPrefix: UInt64
        public var levels: Levels

        public init(revision: Int64, digestPrefix: UInt64, levels: Levels) {
            self.revision = revision
            self.digestPrefix = digestPrefix
            self.levels = levels
        }
    }

    /// Levels without the number of levels of the revision, which only the server knows.
    public enum Levels: Hashable, Sendable {
        case all
        case some([UInt8])

        public init(_ set: LevelSet) {
            self = set.isAll ? .all : .some(set.bytes)
        }

        /// The set over a revision with `count` levels; nil when the bits cannot be that revision's.
        public func set(count: Int) -> LevelSet? {
            switch self {
            case .all: .all(of: count)
            case .some(let bytes): LevelSet(bytes: bytes, count: count)
            }
        }
    }

    /// How far a change set of several pages has been read.
    public struct Page: Hashable, Sendable {
        /// The revision that every page leads to.
        public var to: Int64
        /// The levels that every page must go on asking for.
        public var wanted: Levels
        /// Features and removals already sent.
        public var offset: Int

        public init(to: Int64, wanted: Levels, offset: Int) {
            self.to = to
            self.wanted = wanted
            self.offset = offset
        }
    }

    /// Changes with every history of the venue that cannot be continued: a restored backup, a venue made again.
    public var epoch: Int64
    /// Nil while the first snapshot is being read.
    public var holding: Holding?
    public var page: Page?
    /// A keyed hash of ``content``.
    public var seal: UInt64

    public init(epoch: Int64, holding: Holding?, page: Page? = nil, seal: UInt64 = 0) {
        self.epoch = epoch
        self.holding = holding
        self.page = page
        self.seal = seal
    }
}

extension Cursor: LosslessStringConvertible {
    /// Two bits away from every other format, also from that of ``CatalogueCursor``.
    private static let format: UInt8 = 4
    /// Tokens without seal and checksum.
    private static let unsealedFormat: UInt8 = 1

    private struct Flags: OptionSet {
        let rawValue: UInt8
        static let holding = Flags(rawValue: 1)
        static let holdsAll = Flags(rawValue: 2)
        static let page = Flags(rawValue: 4)
        static let wantsAll = Flags(rawValue: 8)
    }

    /// All but the seal and the checksum.
    public var content: [UInt8] {
        var flags: Flags = []
        var rest = TokenWriter()
        rest.append(fixed: UInt64(bitPattern: self.epoch))
        if let holding = self.holding {
            flags.insert(.holding)
            rest.append(UInt64(holding.revision))
            rest.append(fixed: holding.digestPrefix)
            if case .some(let bits) = holding.levels { rest.append(bits) } else { flags.insert(.holdsAll) }
        }
        if let page = self.page {
            flags.insert(.page)
            rest.append(UInt64(page.to))
            rest.append(UInt64(page.offset))
            if case .some(let bits) = page.wanted { rest.append(bits) } else { flags.insert(.wantsAll) }
        }
        return [Self.format, flags.rawValue] + rest.bytes
    }

    public var description: String {
        var writer = TokenWriter(bytes: self.content)
        writer.append(fixed: self.seal)
        writer.appendChecksum()
        return writer.token
    }

    /// Whether a token was issued before cursors were sealed: there is nothing wrong with it, but it cannot be trusted any more.
    public static func isUnsealed(_ token: String) -> Bool {
        var reader = TokenReader(token: token)
        return reader?.byte() == Self.unsealedFormat
    }

    /// Reads a token; nil for anything that this code would not have written.
    public init?(_ token: String) {
        guard var reader = TokenReader(token: token), reader.dropChecksum(), reader.byte() == Self.format,
            let raw = reader.byte(),
            let epoch = reader.fixed()
        else { return nil }
        let flags = Flags(rawValue: raw)
        self.init(epoch: Int64(bitPattern: epoch), holding: nil)
        if flags.contains(.holding) {
            guard let revision = reader.number().flatMap({ Int64(exactly: $0) }), let prefix = reader.fixed(),
                let levels = reader.levels(all: flags.contains(.holdsAll))
            else { return nil }
            self.holding = Holding(revision: revision, digestPrefix: prefix, levels: levels)
        }
        if flags.contains(.page) {
            guard let to = reader.number().flatMap({ Int64(exactly: $0) }),
                let offset = reader.number().flatMap({ Int(exactly: $0) }),
                let wanted = reader.levels(all: flags.contains(.wantsAll))
            else { return nil }
            self.page = Page(to: to, wanted: wanted, offset: offset)
        }
        guard let seal = reader.fixed() else { return nil }
        self.seal = seal
        guard reader.isAtEnd, self.holding != nil || self.page != nil, self.description == token else { return nil }
    }
}

extension TokenReader {
    fileprivate mutating func levels(all: Bool) -> Cursor.Levels? {
        all ? .all : self.bytes().map(Cursor.Levels.some)
    }
}

extension Digest {
    /// The first eight bytes as a number: what a cursor remembers of a revision.
    public var prefix: UInt64 { self.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}
