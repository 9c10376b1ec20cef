/// The state of a client that holds all venues that its key may read, as an opaque token, which the client sends back as `since`.
///
/// A complete cursor is a pure function of (format, position, chain, held venues) and of the server's secret. It identifies venues by
/// number only. The server answers a cursor with the keys of venues that are gone, so a forged cursor could make it disclose the keys
/// of venues that the client never saw. Therefore a cursor has a seal.
package struct CatalogueCursor: Hashable, Sendable {
    /// A state of the catalogue.
    package struct Checkpoint: Hashable, Sendable {
        /// The catalogue position: the number of revisions of all venues up to then.
        package var position: Int64
        /// The first eight bytes of the hash chain at that position, which detects a forked history.
        package var chain: UInt64

        package init(position: Int64, chain: UInt64) {
            self.position = position
            self.chain = chain
        }
    }

    /// The venues that the client holds at a state of the catalogue.
    package struct Holding: Hashable, Sendable {
        package var checkpoint: Checkpoint
        package var venues: VenueSet

        package init(checkpoint: Checkpoint, venues: VenueSet) {
            self.checkpoint = checkpoint
            self.venues = venues
        }
    }

    /// The position within a change set of several pages.
    package struct Page: Hashable, Sendable {
        /// The state that every page leads to.
        package var to: Checkpoint
        /// The venues that the client will hold at the end: those that its key could read at every page so far.
        package var selected: VenueSet
        /// The number of the venue that the next page begins with.
        package var venue: Int64
        /// The part of that venue that was sent; nil if nothing was sent.
        package var sent: Part?

        package init(to: Checkpoint, selected: VenueSet, venue: Int64, sent: Part?) {
            self.to = to
            self.selected = selected
            self.venue = venue
            self.sent = sent
        }
    }

    /// The position within the change set of one venue.
    package struct Part: Hashable, Sendable {
        /// The first and last revision; `from` is nil if the client does not hold the venue.
        package var from: Int64?
        package var to: Int64
        /// Features and removals already sent.
        package var offset: Int

        package init(from: Int64?, to: Int64, offset: Int) {
            self.from = from
            self.to = to
            self.offset = offset
        }
    }

    /// Nil during the first change set.
    package var holding: Holding?
    package var page: Page?
    /// A keyed hash of ``content``.
    package var seal: UInt64

    package init(holding: Holding?, page: Page? = nil, seal: UInt64 = 0) {
        self.holding = holding
        self.page = page
        self.seal = seal
    }
}

extension CatalogueCursor: LosslessStringConvertible {
    /// Differs from that of ``Cursor``, so that neither can be mistaken for the other.
    private static let format: UInt8 = 2

    private struct Flags: OptionSet {
        let rawValue: UInt8
        static let holding = Flags(rawValue: 1)
        static let page = Flags(rawValue: 2)
        static let sent = Flags(rawValue: 4)
        static let sentFrom = Flags(rawValue: 8)
    }

    /// All but the seal.
    package var content: [UInt8] {
        var flags: Flags = []
        var rest = TokenWriter()
        if let holding = self.holding {
            flags.insert(.holding)
            rest.append(holding.checkpoint)
            rest.append(holding.venues)
        }
        if let page = self.page {
            flags.insert(.page)
            rest.append(page.to)
            rest.append(page.selected)
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

    package var description: String {
        var writer = TokenWriter(bytes: self.content)
        writer.append(fixed: self.seal)
        return writer.token
    }

    /// Parses a token; nil unless it is exactly what ``description`` returns for some cursor.
    package init?(_ token: String) {
        guard var reader = TokenReader(token: token), reader.byte() == Self.format, let raw = reader.byte() else {
            return nil
        }
        let flags = Flags(rawValue: raw)
        self.init(holding: nil)
        if flags.contains(.holding) {
            guard let checkpoint = reader.checkpoint(), let venues = reader.venues() else { return nil }
            self.holding = Holding(checkpoint: checkpoint, venues: venues)
        }
        if flags.contains(.page) {
            guard let to = reader.checkpoint(), let selected = reader.venues(), let venue = reader.count() else {
                return nil
            }
            self.page = Page(to: to, selected: selected, venue: venue, sent: nil)
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
    fileprivate mutating func append(_ checkpoint: CatalogueCursor.Checkpoint) {
        self.append(UInt64(checkpoint.position))
        self.append(fixed: checkpoint.chain)
    }
}

extension TokenReader {
    fileprivate mutating func count() -> Int64? { self.number().flatMap { Int64(exactly: $0) } }

    fileprivate mutating func checkpoint() -> CatalogueCursor.Checkpoint? {
        guard let position = self.count(), let chain = self.fixed() else { return nil }
        return CatalogueCursor.Checkpoint(position: position, chain: chain)
    }
}

extension CatalogueCursor: Codable {
    package init(from decoder: any Decoder) throws {
        let token = try decoder.singleValueContainer().decode(String.self)
        guard let cursor = CatalogueCursor(token) else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "not a cursor"))
        }
        self = cursor
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self.description)
    }
}
