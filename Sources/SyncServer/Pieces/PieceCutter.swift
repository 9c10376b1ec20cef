import IMDF
package import RevisionStore
import SyncModel

/// Cuts the text of a reply into pieces: before and after the bodies of a large level, and in between where the features
/// themselves say so. What was changed elsewhere, what comes before and where a page begins moves no cut further on.
package struct PieceCutter {
    /// A piece of bodies has at least so many bytes, unless its level ends, and ends after as many more on average.
    private static let least = 64 << 10
    /// And at most so many, unless one body alone is longer.
    private static let most = 256 << 10

    private var pieces: [Piece] = []
    private var parts: [Piece.Part] = []
    private var length = 0
    private let history: Int

    /// - Parameter history: Of the node, from before it was asked for what is cut.
    package init(history: Int) {
        self.history = history
    }

    /// What was appended, in pieces none of which is empty.
    package consuming func finish() -> [Piece] {
        self.cut()
        return self.pieces
    }

    package mutating func append(_ text: some Collection<UInt8>) {
        var rest = Array(text)[...]
        while !rest.isEmpty {
            if self.length >= Self.least { self.cut() }
            let part = rest.prefix(Self.most)
            rest = rest.dropFirst(part.count)
            self.parts.append(.text(Array(part)))
            self.length += part.count
        }
    }

    /// - Parameter versions: All that one list has of them.
    package mutating func append(_ versions: ArraySlice<VersionSummary>, from source: Piece.Source) {
        let isLarge = versions.reduce(0) { $0 + $1.bytes } >= Self.least
        if isLarge { self.cut() }
        var start = versions.startIndex
        for (index, version) in zip(versions.indices, versions) {
            let length = version.bytes + ChangeSet.separator(isLast: index + 1 == versions.endIndex).count
            if self.length > 0, self.length + length > Self.most {
                self.take(versions[start..<index], source)
                start = index
            }
            self.length += length
            if self.length >= Self.least, version.endsPiece(every: Self.least) {
                self.take(versions[start...index], source, isEnd: index + 1 == versions.endIndex)
                start = index + 1
            }
        }
        if start < versions.endIndex { self.parts.append(.bodies(versions[start...], source, isEnd: true)) }
        if isLarge { self.cut() }
    }

    /// Ends the piece behind some bodies, if it has any.
    private mutating func take(_ versions: ArraySlice<VersionSummary>, _ source: Piece.Source, isEnd: Bool = false) {
        if !versions.isEmpty { self.parts.append(.bodies(versions, source, isEnd: isEnd)) }
        self.cut()
    }

    /// Ends the piece.
    package mutating func cut() {
        guard self.length > 0 else { return }
        self.pieces.append(Piece(self.parts, length: self.length, history: self.history))
        (self.parts, self.length) = ([], 0)
    }
}

extension VersionSummary {
    /// Whether a piece ends with this feature, as one does every so many bytes on average.
    fileprivate func endsPiece(every bytes: Int) -> Bool {
        // Ids need not be random; a product's upper bits depend on all of theirs.
        let die = ((self.feature.high ^ self.feature.low) &* 0x9E37_79B9_7F4A_7C15) >> 40
        return die * UInt64(bytes) < UInt64(self.bytes) << 24
    }
}

extension PieceCutter {
    /// The text of a page of one venue.
    static func pieces(of page: ChangeSetPage, of venue: VenueRecord, history: Int) throws -> [Piece] {
        var cutter = PieceCutter(history: history)
        cutter.append(try page.frame.opening())
        cutter.cut()
        try cutter.append(page, of: venue)
        cutter.append(ChangeSet.closing)
        return cutter.finish()
    }

    /// The text of a page of many.
    static func pieces(of page: CatalogueChangeSetPage, history: Int) throws -> [Piece] {
        var cutter = PieceCutter(history: history)
        cutter.append(try page.frame.opening())
        cutter.cut()
        for (index, share) in page.venues.enumerated() {
            let reply = page.frame.venues[index]
            cutter.append(try reply.opening())
            try cutter.append(share.page, of: share.venue)
            cutter.append(reply.closing(isLast: index + 1 == page.venues.count))
        }
        cutter.append(ChangeSet.closing)
        return cutter.finish()
    }

    /// The text of a FeatureCollection, whose bodies stand as they do in a change set.
    package static func pieces(of versions: [VersionSummary], from source: Piece.Source, history: Int) -> [Piece] {
        var cutter = PieceCutter(history: history)
        cutter.append("{\"type\":\"FeatureCollection\",\"features\":[\n".utf8)
        cutter.append(versions[...], from: source)
        cutter.append(ChangeSet.closing)
        return cutter.finish()
    }

    private mutating func append(_ page: ChangeSetPage, of venue: VenueRecord) throws {
        for (index, block) in page.frame.blocks.enumerated() {
            self.append(try block.opening())
            self.append(page.puts[index], from: .init(venue: venue))
            self.append(try block.closing(isLast: index + 1 == page.frame.blocks.count))
        }
    }
}
