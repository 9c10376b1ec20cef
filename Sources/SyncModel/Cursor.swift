package import IMDF

/// The state of a client as an opaque token, which the client sends back as `since`.
///
/// A complete cursor is a pure function of (format, epoch, revision, held levels) and of the server's secret. Clients with the same
/// state have the same token and therefore send the same URL. A cursor with a ``page`` is only valid within a change set of several
/// pages.
///
/// A token ends with a seal and a checksum. Anyone can compute the checksum, which detects damaged tokens. Only the server can compute
/// the seal: a cursor with another seal was issued by another server, or forged, and its client has to start over.
package struct Cursor: Hashable, Sendable {
    /// The revision of a client and the levels that it holds.
    package struct Holding: Hashable, Sendable {
        package var revision: Int64
        /// The first eight bytes of the revision's digest, which detects a forked history.
        package var digestPrefix: UInt64
        package var levels: Levels

        package init(revision: Int64, digestPrefix: UInt64, levels: Levels) {
            self.revision = revision
            self.digestPrefix = digestPrefix
            self.levels = levels
        }
    }

    /// A ``LevelSet`` without the number of levels of the revision, which only the server knows.
    package enum Levels: Hashable, Sendable {
        case all
        case some([UInt8])

        package init(_ set: LevelSet) {
            self = set.isAll ? .all : .some(set.bytes)
        }

        /// The set for a revision with `count` levels; nil if the bits do not fit this number.
        package func set(count: Int) -> LevelSet? {
            switch self {
            case .all: .all(of: count)
            case .some(let bytes): LevelSet(bytes: bytes, count: count)
            }
        }
    }

    /// The position within a change set of several pages.
    package struct Page: Hashable, Sendable {
        /// The revision that every page leads to.
        package var to: Int64
        /// The requested levels, which are the same for every page.
        package var selected: Levels
        /// Features and removals already sent.
        package var offset: Int

        package init(to: Int64, selected: Levels, offset: Int) {
            self.to = to
            self.selected = selected
            self.offset = offset
        }
    }

    /// Identifies one uninterrupted history of the venue. It changes when a backup is restored or the venue is created again.
    package var epoch: Int64
    /// Nil during the first snapshot.
    package var holding: Holding?
    package var page: Page?
    /// A keyed hash of ``content``.
    package var seal: UInt64

    package init(epoch: Int64, holding: Holding?, page: Page? = nil, seal: UInt64 = 0) {
        self.epoch = epoch
        self.holding = holding
        self.page = page
        self.seal = seal
    }
}

extension Cursor: LosslessStringConvertible {
    /// Differs in at least two bits from every other format, including that of ``CatalogueCursor``.
    private static let format: UInt8 = 4

    private struct Flags: OptionSet {
        let rawValue: UInt8
        static let holding = Flags(rawValue: 1)
        static let holdsAll = Flags(rawValue: 2)
        static let page = Flags(rawValue: 4)
        static let selectsAll = Flags(rawValue: 8)
    }

    /// All but the seal and the checksum.
    package var content: [UInt8] {
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
            if case .some(let bits) = page.selected { rest.append(bits) } else { flags.insert(.selectsAll) }
        }
        return [Self.format, flags.rawValue] + rest.bytes
    }

    package var description: String {
        var writer = TokenWriter(bytes: self.content)
        writer.append(fixed: self.seal)
        writer.appendChecksum()
        return writer.token
    }

    /// Parses a token; nil unless it is exactly what ``description`` returns for some cursor.
    package init?(_ token: String) {
        guard var reader = TokenReader(token: token), reader.dropChecksum() else { return nil }
        self.init(content: &reader)
        guard let seal = reader.fixed() else { return nil }
        self.seal = seal
        guard reader.isAtEnd, self.description == token else { return nil }
    }

    /// Reads ``content``.
    private init?(content reader: inout TokenReader) {
        guard reader.byte() == Self.format, let raw = reader.byte(), let epoch = reader.fixed() else { return nil }
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
                let selected = reader.levels(all: flags.contains(.selectsAll))
            else { return nil }
            self.page = Page(to: to, selected: selected, offset: offset)
        }
        guard self.holding != nil || self.page != nil else { return nil }
    }
}

extension TokenReader {
    fileprivate mutating func levels(all: Bool) -> Cursor.Levels? {
        all ? .all : self.bytes().map(Cursor.Levels.some)
    }
}

extension Digest {
    /// The first eight bytes as a number; see ``Cursor/Holding/digestPrefix``.
    package var prefix: UInt64 { self.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}
