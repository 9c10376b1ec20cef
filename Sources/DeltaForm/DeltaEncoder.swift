package import IMDF
package import SyncModel

/// Makes a document of a page of the plain form, with the bodies that the client holds.
package struct DeltaEncoder: Sendable {
    /// A feature that the client holds.
    package struct Held: Sendable {
        package let level: FeatureID?
        /// The index in the level's features, in the order of their ids.
        package let rank: Int
        package let type: FeatureType
        package let body: [UInt8]

        package init(level: FeatureID?, rank: Int, type: FeatureType, body: [UInt8]) {
            self.level = level
            self.rank = rank
            self.type = type
            self.body = body
        }
    }

    /// Held features of one type on one level, in the order of their ids; see ``DeltaBase/context(of:like:limit:)``.
    package struct Context: Sendable {
        package let level: FeatureID?
        package let type: FeatureType
        package let bodies: [[UInt8]]

        package init(level: FeatureID?, type: FeatureType, bodies: [[UInt8]]) {
            self.level = level
            self.type = type
            self.bodies = bodies
        }
    }

    /// A new body, and the held one that it is described with.
    package struct Body: Sendable {
        package let body: [UInt8]
        package let type: FeatureType
        package let source: Held?
        /// A feature that the source refers to, if the body may have parts of it.
        package let companion: Held?

        package init(_ body: [UInt8], type: FeatureType, source: Held?, companion: Held? = nil) {
            self.body = body
            self.type = type
            self.source = source
            self.companion = companion
        }
    }

    /// The ids of the levels that the client holds, ascending.
    private let levels: [FeatureID]
    private let context: Context?
    private let compress: Compressor?

    /// Compresses a text as raw DEFLATE without a dictionary.
    package typealias Compressor = @Sendable (_ text: [UInt8]) -> [UInt8]

    /// - Parameters:
    ///   - context: May be used for the dictionary, if the document is then smaller.
    ///   - compress: For groups without a dictionary; nil for zlib, which compresses all others.
    package init(levels: [FeatureID], context: Context? = nil, compress: Compressor? = nil) {
        self.levels = levels
        self.context = context
        self.compress = compress
    }

    /// With more than this many bytes between prefix and suffix of old or new bodies, a group would exceed the window.
    private static let groupSize = 24 << 10
    /// Bodies without a source need no dictionary.
    private static let sourcelessGroupSize = 256 << 10

    /// - Parameters:
    ///   - page: The page. The bodies of its blocks are not used.
    ///   - since: The cursor of the request.
    ///   - bodies: The bodies of each block.
    ///   - removed: The ranks of the features that have left the level of each block.
    package func document(of page: ChangeSet, since: Cursor?, bodies: [[Body]], removed: [[Int]]) -> DeltaDocument {
        let ordered = zip(page.blocks, bodies).map { block, bodies in self.ordered(bodies, in: block.level) }
        let pieces = zip(page.blocks, ordered).flatMap { block, bodies in bodies.map { Piece($0, of: block.level) } }
        let example = self.context.flatMap { context in
            pieces.lazy.compactMap(\.body.source).first { $0.level == context.level && $0.type == context.type }
        }
        let groups = self.groups(of: pieces, usesContext: example != nil)
        return DeltaDocument(
            venue: page.venue.description, from: page.from, to: page.to, digest: page.digest,
            publishedAt: page.publishedAt, about: page.about, isComplete: page.isComplete,
            cursor: .init(of: page.cursor.description, since: since?.description),
            blocks: page.blocks.indices.map { index in
                let block = page.blocks[index]
                return .init(
                    level: self.name(of: block.level), kind: block.kind, isContinued: block.isContinued,
                    digestPrefix: block.digest?.prefix, removed: removed[index].sorted(),
                    bodyCount: ordered[index].count)
            },
            context: groups.contains(where: \.usesContext)
                ? example.map { .init(level: self.name(of: $0.level), rank: $0.rank) } : nil,
            groups: groups)
    }

    private func name(of level: FeatureID?) -> DeltaDocument.Level {
        guard let level else { return .venueWide }
        var (low, high) = (0, self.levels.count)
        while low < high {
            let middle = (low + high) / 2
            if self.levels[middle] < level { low = middle + 1 } else { high = middle }
        }
        return low < self.levels.count && self.levels[low] == level ? .held(low) : .id(level)
    }

    /// Bodies with a source on the same level first, by its rank, because each rank is written as the difference from the one before; those
    /// without a source last, neighbours together.
    ///
    /// Of bodies with the same source only the first keeps it: the window has the source then.
    private func ordered(_ bodies: [Body], in level: FeatureID?) -> [Body] {
        struct Key: Hashable {
            let level: FeatureID?
            let rank: Int
        }
        var seen: Set<Key> = []
        var own: [(rank: Int, body: Body)] = []
        var (others, sourceless): ([Body], [Body]) = ([], [])
        for body in bodies {
            guard let source = body.source, seen.insert(Key(level: source.level, rank: source.rank)).inserted else {
                sourceless.append(Body(body.body, type: body.type, source: nil))
                continue
            }
            if source.level == level { own.append((source.rank, body)) } else { others.append(body) }
        }
        return own.sorted { $0.rank < $1.rank }.map(\.body) + others + Self.neighboursTogether(sourceless)
    }

    /// Bodies of one type in the order of their first coordinates. Neighbours have vertices in common, which a window of 32 KiB can repeat only
    /// if they are near to each other in the text, too.
    private static func neighboursTogether(_ bodies: [Body]) -> [Body] {
        let places = bodies.map { body in
            // The geometry is at the beginning of a canonical body.
            let start = body.body.prefix(256).firstRange(of: "\"coordinates\":[".utf8)?.upperBound ?? body.body.endIndex
            return body.body[start...].drop { $0 == UInt8(ascii: "[") }.prefix(64)
        }
        return bodies.indices.sorted { first, second in
            let types = (bodies[first].type.rawValue, bodies[second].type.rawValue)
            if types.0 != types.1 { return types.0 < types.1 }
            if places[first].elementsEqual(places[second]) { return first < second }
            return places[first].lexicographicallyPrecedes(places[second])
        }.map { bodies[$0] }
    }

    /// A body, divided into what it has in common with its source and the rest.
    private struct Piece {
        let body: Body
        let block: FeatureID?
        let prefix: Int
        let suffix: Int

        init(_ body: Body, of block: FeatureID?) {
            (self.body, self.block) = (body, block)
            guard let old = body.source?.body else {
                (self.prefix, self.suffix) = (0, 0)
                return
            }
            let new = body.body
            let shorter = min(old.count, new.count)
            var (prefix, suffix) = (0, 0)
            while prefix < shorter, old[prefix] == new[prefix] { prefix += 1 }
            while suffix < shorter - prefix, old[old.count - 1 - suffix] == new[new.count - 1 - suffix] { suffix += 1 }
            (self.prefix, self.suffix) = (prefix, suffix)
        }

        var middle: ArraySlice<UInt8> { self.body.body[self.prefix..<self.body.body.count - self.suffix] }

        /// Whether more than half of the body is not in its source.
        var differsMostly: Bool { self.body.source != nil && 2 * self.middle.count > self.body.body.count }

        /// The same body without a source.
        var whole: Piece { Piece(Body(self.body.body, type: self.body.type, source: nil), of: self.block) }

        /// The bytes in a group. With a companion, the window has to have the whole source, too.
        var size: Int {
            let source = self.body.source?.body.count ?? 0
            return max(self.body.body.count, source) - self.prefix - self.suffix + 1
                + (self.body.companion.map { $0.body.count + source + 2 } ?? 0)
        }
    }

    /// Pages with fewer bytes are compressed by zlib with the maximum effort, which costs them some milliseconds.
    private static let smallPage = 128 << 10

    private func groups(of pieces: [Piece], usesContext: Bool) -> [DeltaDocument.Group] {
        let level: Int32 = pieces.reduce(0) { $0 + $1.size } <= Self.smallPage ? 9 : 6
        var groups: [DeltaDocument.Group] = []
        var pending: [Piece] = []
        var size = 0
        var hasSource = false
        for piece in pieces {
            let limit = hasSource || piece.body.source != nil ? Self.groupSize : Self.sourcelessGroupSize
            if !pending.isEmpty, size + piece.size > limit {
                groups.append(self.group(of: pending, level, usesContext: usesContext))
                (pending, size, hasSource) = ([], 0, false)
            }
            pending.append(piece)
            size += piece.size
            hasSource = hasSource || piece.body.source != nil
        }
        if !pending.isEmpty { groups.append(self.group(of: pending, level, usesContext: usesContext)) }
        return groups
    }

    /// The shortest group of some bodies: with all sources, or without those that have little in common with their bodies.
    private func group(of pieces: [Piece], _ level: Int32, usesContext: Bool) -> DeltaDocument.Group {
        var choices = [pieces]
        if pieces.contains(where: \.differsMostly) { choices.append(pieces.map { $0.differsMostly ? $0.whole : $0 }) }
        let contexts = usesContext ? [[], self.context?.bodies ?? []] : [[]]
        let groups = choices.flatMap { pieces in contexts.map { self.group(of: pieces, level, context: $0) } }
        return groups.dropFirst().reduce(groups[0]) { $1.size < $0.size ? $1 : $0 }
    }

    private func group(of pieces: [Piece], _ level: Int32, context: [[UInt8]]) -> DeltaDocument.Group {
        let sources = pieces.map { piece -> DeltaDocument.Source? in
            piece.body.source.map { held in
                DeltaDocument.Source(
                    level: held.level == piece.block ? nil : self.name(of: held.level), rank: held.rank,
                    prefix: piece.prefix, suffix: piece.suffix)
            }
        }
        var text: [UInt8] = []
        for piece in pieces {
            text += piece.middle
            text.append(UInt8(ascii: "\n"))
        }
        let old = zip(sources, pieces).compactMap { source, piece in
            source.flatMap { source in piece.body.source.map { (source, $0.body) } }
        }
        var seen: Set<DeltaDocument.HeldFeature> = []
        var companions: [(feature: DeltaDocument.HeldFeature, body: [UInt8])] = []
        for held in pieces.compactMap(\.body.companion) {
            let feature = DeltaDocument.HeldFeature(level: self.name(of: held.level), rank: held.rank)
            if seen.insert(feature).inserted { companions.append((feature, held.body)) }
        }
        let dictionary = DeltaDictionary.bytes(others: context + companions.map(\.body), sources: old)
        return DeltaDocument.Group(
            sources: sources, usesContext: !context.isEmpty, companions: companions.map(\.feature),
            stream: dictionary.isEmpty
                ? self.compress?(text) ?? RawDeflate.compressed(text, level: level)
                : RawDeflate.compressed(text, dictionary: dictionary, level: level))
    }
}

extension DeltaDocument.Group {
    /// About as many bytes as the group takes in a document.
    fileprivate var size: Int {
        func length(_ number: Int) -> Int { max(1, (Int.bitWidth - number.leadingZeroBitCount + 6) / 7) }
        return self.sources.reduce(self.stream.count + 3 * self.companions.count) { sum, source in
            // The difference of ranks takes one byte or two.
            sum + (source.map { 2 + length($0.prefix) + length($0.suffix) } ?? 1)
        }
    }
}
