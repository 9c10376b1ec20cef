import IMDF
import SyncModel

extension DeltaDocument {
    struct Flags: OptionSet {
        let rawValue: UInt8
        static let complete = Flags(rawValue: 1)
        static let from = Flags(rawValue: 2)
        static let publishedAt = Flags(rawValue: 4)
        static let compressedIndex = Flags(rawValue: 8)
        static let wayfinding = Flags(rawValue: 16)
        static let companions = Flags(rawValue: 32)
        static let all: Flags = [.complete, .from, .publishedAt, .compressedIndex, .wayfinding, .companions]
    }

    struct BlockFlags: OptionSet {
        let rawValue: UInt8
        /// The lowest two bits are the index of the kind.
        static let kinds: [ChangeSet.Kind] = [.changes, .snapshot, .gone]
        static let continued = BlockFlags(rawValue: 4)
        static let digest = BlockFlags(rawValue: 8)
        static let removals = BlockFlags(rawValue: 16)
        static let all: BlockFlags = [BlockFlags(rawValue: 3), .continued, .digest, .removals]
    }

    /// The document as it is sent.
    package func bytes() -> [UInt8] {
        let index = self.index
        let compressed = RawDeflate.compressed(index)
        let isShorter = compressed.count < index.count
        var flags: Flags = []
        if self.isComplete { flags.insert(.complete) }
        if self.from != nil { flags.insert(.from) }
        if self.publishedAt != nil { flags.insert(.publishedAt) }
        if isShorter { flags.insert(.compressedIndex) }
        if self.about.wayfinding != nil { flags.insert(.wayfinding) }
        if self.hasCompanions { flags.insert(.companions) }
        var writer = ByteWriter()
        writer.append(Self.magic)
        writer.append(flags.rawValue)
        writer.append(text: self.venue)
        if let from { writer.append(number: Int(from)) }
        writer.append(number: Int(self.to - (self.from ?? 0)))
        writer.append(self.digest.bytes)
        if let publishedAt {
            writer.append(number: max(0, Timestamp.milliseconds(of: publishedAt)))
        }
        writer.append(optionalText: self.about.language)
        writer.append(optionalText: self.about.timeZone)
        writer.append(optionalText: self.about.country)
        if let wayfinding = self.about.wayfinding {
            writer.append(text: String(decoding: CanonicalJSON.data(wayfinding), as: UTF8.self))
        }
        writer.append(number: self.cursor.unchanged)
        writer.append(number: self.cursor.rest.count)
        writer.append(self.cursor.rest)
        writer.append(number: isShorter ? compressed.count : index.count)
        writer.append(isShorter ? compressed : index)
        for group in self.groups { writer.append(group.stream) }
        return writer.bytes
    }

    private var hasCompanions: Bool { self.groups.contains { !$0.companions.isEmpty } }

    /// The blocks, and the groups without their streams.
    private var index: [UInt8] {
        var writer = ByteWriter()
        writer.append(number: self.blocks.count)
        for block in self.blocks {
            var flags = BlockFlags(rawValue: UInt8(BlockFlags.kinds.firstIndex(of: block.kind) ?? 0))
            if block.isContinued { flags.insert(.continued) }
            if block.digestPrefix != nil { flags.insert(.digest) }
            if !block.removed.isEmpty { flags.insert(.removals) }
            writer.append(flags.rawValue)
            writer.append(level: block.level)
            if let digestPrefix = block.digestPrefix { writer.append(word: digestPrefix) }
            if !block.removed.isEmpty { writer.append(number: block.removed.count) }
            var last = -1
            for rank in block.removed {
                writer.append(number: rank - last)
                last = rank
            }
            writer.append(number: block.bodyCount)
        }
        writer.append(number: self.context.map { $0.rank + 1 } ?? 0)
        if let context { writer.append(level: context.level) }
        let hasCompanions = self.hasCompanions
        var owners = Owners(self.blocks)
        for group in self.groups {
            writer.append(number: group.sources.count << 1 | (group.usesContext ? 1 : 0))
            owners.beginGroup()
            for source in group.sources {
                let last = owners.next()
                guard let source else {
                    writer.append(number: 0)
                    continue
                }
                if let level = source.level {
                    writer.append(number: 1)
                    writer.append(level: level)
                    writer.append(number: source.rank)
                } else {
                    writer.append(number: source.rank - last + 1)
                    owners.lastRank = source.rank
                }
                writer.append(number: source.prefix)
                writer.append(number: source.suffix)
            }
            if hasCompanions {
                writer.append(number: group.companions.count)
                for companion in group.companions {
                    writer.append(level: companion.level)
                    writer.append(number: companion.rank)
                }
            }
            writer.append(number: group.stream.count)
        }
        return writer.bytes
    }

    /// Goes through the bodies of all blocks. In a group, the ranks in the level of a block are written as differences.
    struct Owners {
        private let counts: [Int]
        private var block = -1
        private var left = 0
        /// The last rank in the level of the block that this group has named; −1 before the first.
        var lastRank = -1

        init(_ blocks: [Block]) {
            self.counts = blocks.map(\.bodyCount)
        }

        mutating func beginGroup() {
            self.lastRank = -1
        }

        /// Goes to the next body; returns ``lastRank``.
        mutating func next() -> Int {
            while self.left == 0, self.block + 1 < self.counts.count {
                self.block += 1
                self.left = self.counts[self.block]
                self.lastRank = -1
            }
            self.left -= 1
            return self.lastRank
        }

        /// The index of the block of the last body.
        var owner: Int { self.block }
    }
}

extension ByteWriter {
    fileprivate mutating func append(level: DeltaDocument.Level) {
        switch level {
        case .venueWide: self.append(number: 0)
        case .id(let id):
            self.append(number: 1)
            self.append(id: id)
        case .held(let index): self.append(number: index + 2)
        }
    }
}

extension DeltaDocument.CursorEnd {
    /// - Parameter since: The cursor of the request.
    package init(of cursor: String, since: String?) {
        let common = zip(cursor.utf8, (since ?? "").utf8).prefix { $0 == $1 }.count
        self.unchanged = common / 4
        self.rest = Base64URL.bytes(of: String(cursor.dropFirst(4 * self.unchanged))) ?? []
    }

    /// The whole cursor.
    ///
    /// - Parameter since: The cursor of the request.
    package func cursor(since: String?) throws(DeltaError) -> String {
        let since = since ?? ""
        guard self.unchanged <= since.utf8.count / 4 else {
            throw DeltaError("more of the cursor than the request has")
        }
        return since.prefix(4 * self.unchanged) + Base64URL.text(of: self.rest)
    }
}
