package import IMDF
package import SyncModel

/// The features that a client holds at revision `from`.
package protocol DeltaBase {
    /// The ids of the held levels, ascending. The venue-wide part is not among them; it is held whenever anything is.
    func levels() throws -> [FeatureID]

    /// The ids of the features of a level with these ranks, which ascend; nil if a rank is out of range.
    func ids(of level: FeatureID?, at ranks: [Int]) throws -> [FeatureID]?

    /// The bodies of the features of a level with these ranks, which ascend; nil if a rank is out of range, or if all
    /// bodies together have more than `limit` bytes.
    func bodies(of level: FeatureID?, at ranks: [Int], limit: Int) throws -> [[UInt8]]?

    /// The bodies of the features of a level with the type of the one at `rank`, in the order of their ids, as many from the
    /// beginning as have at most `limit` bytes with a line feed after each; nil if the rank is out of range.
    func context(of level: FeatureID?, like rank: Int, limit: Int) throws -> [[UInt8]]?
}

extension DeltaDocument {
    /// A page whose ranks are resolved.
    package struct Page: Sendable {
        package struct Block: Sendable {
            package let level: FeatureID?
            package let kind: ChangeSet.Kind
            package let isContinued: Bool
            /// The first eight bytes of the digest; see `Digest.prefix`.
            package let digestPrefix: UInt64?
            /// Ranges of ``Page/text``.
            package let bodies: [Range<Int>]
            package let removed: [FeatureID]
        }

        package let blocks: [Block]
        /// The new bodies, one after the other.
        package let text: [UInt8]
    }

    private struct Key: Hashable {
        let level: FeatureID?
        let rank: Int
    }

    /// Resolves the ranks and decompresses the bodies. Nothing of the result is verified but its form.
    ///
    /// - Throws: ``DeltaError`` if the document does not fit what is held, or exceeds the limits.
    package func decoded(with base: some DeltaBase) throws -> Page {
        let levels = try base.levels()
        func id(_ level: Level) throws(DeltaError) -> FeatureID? {
            switch level {
            case .venueWide: return nil
            case .id(let id): return id
            case .held(let index):
                guard index < levels.count else { throw DeltaError("a level that is not held") }
                return levels[index]
            }
        }
        let blockLevels = try self.blocks.map { try id($0.level) }
        // The features of a level are then read once for all its removals.
        guard Set(blockLevels).count == blockLevels.count else { throw DeltaError("a duplicate level") }
        var owners = Owners(self.blocks)
        let keys = try self.groups.map { group in
            try group.sources.map { source in
                _ = owners.next()
                return try source.map { source in
                    Key(level: try source.level.map(id) ?? blockLevels[owners.owner], rank: source.rank)
                }
            }
        }
        let companions = try self.groups.map { group in
            try group.companions.map { Key(level: try id($0.level), rank: $0.rank) }
        }
        let held = try Self.bodies(Set(keys.joined().compactMap(\.self)).union(companions.joined()), base)
        var context: [[UInt8]] = []
        if let feature = self.context, self.groups.contains(where: \.usesContext) {
            guard let bodies = try base.context(of: id(feature.level), like: feature.rank, limit: Limit.context) else {
                throw DeltaError("a rank that is out of range")
            }
            context = bodies
        }
        var text: [UInt8] = []
        var bodies: [Range<Int>] = []
        for ((group, keys), companions) in zip(zip(self.groups, keys), companions) {
            let old = keys.map { $0.flatMap { held[$0] } }
            try group.append(
                to: &text, bodies: &bodies, replacing: old,
                besides: (group.usesContext ? context : []) + companions.compactMap { held[$0] })
        }
        var rest = bodies[...]
        let blocks = try zip(self.blocks, blockLevels).map { block, level in
            guard let removed = try base.ids(of: level, at: block.removed) else {
                throw DeltaError("a rank that is out of range")
            }
            defer { rest = rest.dropFirst(block.bodyCount) }
            return Page.Block(
                level: level, kind: block.kind, isContinued: block.isContinued, digestPrefix: block.digestPrefix,
                bodies: Array(rest.prefix(block.bodyCount)), removed: removed)
        }
        return Page(blocks: blocks, text: text)
    }

    private static func bodies(_ keys: Set<Key>, _ base: some DeltaBase) throws -> [Key: [UInt8]] {
        var held: [Key: [UInt8]] = [:]
        var left = Limit.bodies
        for (level, keys) in Dictionary(grouping: keys, by: \.level) {
            let ranks = keys.map(\.rank).sorted()
            guard let bodies = try base.bodies(of: level, at: ranks, limit: left) else {
                throw DeltaError("a rank that is out of range")
            }
            for (rank, body) in zip(ranks, bodies) {
                held[Key(level: level, rank: rank)] = body
                left -= body.count
            }
        }
        return held
    }
}

extension DeltaDocument.Group {
    /// Appends the new bodies.
    ///
    /// - Parameters:
    ///   - old: The bodies of the sources.
    ///   - others: The bodies of the context, and of the companions.
    fileprivate func append(
        to text: inout [UInt8], bodies: inout [Range<Int>], replacing old: [[UInt8]?], besides others: [[UInt8]]
    ) throws(DeltaError) {
        for (source, body) in zip(self.sources, old) {
            guard let source else { continue }
            guard let body else { throw DeltaError("a rank that is out of range") }
            guard source.prefix <= body.count, source.suffix <= body.count - source.prefix else {
                throw DeltaError("more bytes in common than the held body has")
            }
        }
        let dictionary = DeltaDictionary.bytes(
            others: others,
            sources: zip(self.sources, old).compactMap { source, body in
                source.flatMap { source in body.map { (source, $0) } }
            })
        let limit = DeltaDocument.Limit.bodies
        let middles = try RawDeflate.decompressed(self.stream, dictionary: dictionary, limit: limit - text.count)
        var start = 0
        for (source, body) in zip(self.sources, old) {
            guard let end = middles[start...].firstIndex(of: UInt8(ascii: "\n")) else {
                throw DeltaError("fewer bodies than announced")
            }
            let (prefix, suffix) = (source?.prefix ?? 0, source?.suffix ?? 0)
            guard text.count + prefix + suffix + end - start <= limit else {
                throw DeltaError("a text that is too large")
            }
            let first = text.count
            if let body { text += body[..<prefix] }
            text += middles[start..<end]
            if let body { text += body[(body.count - suffix)...] }
            bodies.append(first..<text.count)
            start = end + 1
        }
        guard start == middles.count else { throw DeltaError("more bodies than announced") }
    }
}

/// The preset dictionary of a group.
enum DeltaDictionary {
    /// The last 32 KiB of: other bodies, those of the sources, and what of these is between prefix and suffix; a line feed after each.
    static func bytes(
        others: [[UInt8]], sources: [(source: DeltaDocument.Source, body: [UInt8])]
    ) -> [UInt8] {
        // Built from the end, because many held bodies can be larger than the window.
        var parts: [ArraySlice<UInt8>] = []
        var left = DeltaDocument.Limit.dictionary
        func add(_ part: ArraySlice<UInt8>) {
            parts.append([UInt8(ascii: "\n")])
            parts.append(part.suffix(max(left - 1, 0)))
            left -= part.count + 1
        }
        for (source, body) in sources.reversed() where left > 0 {
            add(body[source.prefix..<body.count - source.suffix])
        }
        for (_, body) in sources.reversed() where left > 0 { add(body[...]) }
        for body in others.reversed() where left > 0 { add(body[...]) }
        return Array(parts.reversed().joined())
    }
}
