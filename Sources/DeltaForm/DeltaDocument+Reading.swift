import Foundation
import IMDF
import SyncModel

extension DeltaDocument {
    /// Whether a response is in this form, in any version.
    package static func begins(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.prefix(3).elementsEqual(Self.magic.prefix(3))
    }

    /// Reads a document.
    ///
    /// - Throws: ``DeltaError`` for anything but a complete document of version 1 within the limits.
    package init(_ bytes: [UInt8]) throws(DeltaError) {
        guard bytes.count <= Limit.document else { throw DeltaError("a document that is too large") }
        var reader = ByteReader(bytes)
        guard try reader.take(Self.magic.count) == Self.magic else { throw DeltaError("another format or version") }
        let flags = Flags(rawValue: try reader.byte())
        guard Flags.all.isSuperset(of: flags) else { throw DeltaError("unknown flags") }
        self.isComplete = flags.contains(.complete)
        self.venue = try reader.text()
        self.from = flags.contains(.from) ? Int64(try reader.number()) : nil
        let (to, overflows) = Int64(try reader.number()).addingReportingOverflow(self.from ?? 0)
        guard !overflows else { throw DeltaError("a number that is too large") }
        self.to = to
        self.digest = try reader.digest()
        self.publishedAt = flags.contains(.publishedAt) ? try Self.time(milliseconds: reader.number()) : nil
        self.about = ChangeSet.About(
            language: try reader.optionalText(), timeZone: try reader.optionalText(),
            country: try reader.optionalText())
        if flags.contains(.wayfinding) {
            let text = try reader.text()
            guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) else {
                throw DeltaError("a setting that is not JSON")
            }
            self.about.wayfinding = value.object == nil ? nil : value
        }
        self.cursor = CursorEnd(unchanged: try reader.number(), rest: try reader.take(reader.number()))
        var index = try reader.take(reader.number())
        if flags.contains(.compressedIndex) { index = try RawDeflate.decompressed(index, limit: Limit.index) }
        (self.blocks, self.groups) = ([], [])
        try self.read(index: index, hasCompanions: flags.contains(.companions), streams: &reader)
        guard reader.remaining == 0 else { throw DeltaError("bytes after the end of the document") }
    }

    private mutating func read(
        index: [UInt8], hasCompanions: Bool, streams: inout ByteReader
    ) throws(DeltaError) {
        var reader = ByteReader(index)
        var items = 0
        func count(_ number: Int) throws(DeltaError) -> Int {
            guard number <= Limit.items - items else { throw DeltaError("too many features") }
            items += number
            return number
        }
        for _ in 0..<(try count(reader.number())) {
            let block = try Self.block(&reader, count)
            self.blocks.append(block)
        }
        self.context = try Self.context(&reader)
        var owners = Owners(self.blocks)
        var left = self.blocks.reduce(0) { $0 + $1.bodyCount }
        while left > 0 {
            guard self.groups.count < Limit.groups else { throw DeltaError("too many groups") }
            let number = try reader.number()
            let (size, usesContext) = (number >> 1, number & 1 == 1)
            guard size > 0, size <= left else { throw DeltaError("more bodies than announced") }
            left -= size
            guard !usesContext || self.context != nil else { throw DeltaError("a document without a context") }
            owners.beginGroup()
            var sources: [Source?] = []
            for _ in 0..<size { sources.append(try Self.source(&reader, &owners)) }
            var companions: [HeldFeature] = []
            for _ in 0..<(hasCompanions ? try count(reader.number()) : 0) {
                companions.append(HeldFeature(level: try reader.level(), rank: try reader.number()))
            }
            let stream = try streams.take(reader.number())
            self.groups.append(
                Group(sources: sources, usesContext: usesContext, companions: companions, stream: stream))
        }
        guard reader.remaining == 0 else { throw DeltaError("bytes after the end of the index") }
    }

    private static func time(milliseconds: Int) throws(DeltaError) -> Date {
        guard milliseconds <= Limit.time else { throw DeltaError("a time after the year 9999") }
        return Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
    }

    private static func block(
        _ reader: inout ByteReader, _ count: (Int) throws(DeltaError) -> Int
    ) throws(DeltaError) -> Block {
        let flags = BlockFlags(rawValue: try reader.byte())
        let kind = Int(flags.rawValue & 3)
        guard BlockFlags.all.isSuperset(of: flags), kind < BlockFlags.kinds.count else {
            throw DeltaError("a block of an unknown kind")
        }
        let level = try reader.level()
        let digestPrefix = flags.contains(.digest) ? try reader.word() : nil
        var removed: [Int] = []
        let removedCount = flags.contains(.removals) ? try count(reader.number()) : 0
        guard removedCount > 0 || !flags.contains(.removals) else { throw DeltaError("no removals") }
        var last = -1
        for _ in 0..<removedCount {
            last = try reader.rank(after: last)
            removed.append(last)
        }
        return Block(
            level: level, kind: BlockFlags.kinds[kind], isContinued: flags.contains(.continued),
            digestPrefix: digestPrefix, removed: removed, bodyCount: try count(reader.number()))
    }

    private static func context(_ reader: inout ByteReader) throws(DeltaError) -> HeldFeature? {
        let number = try reader.number()
        return number == 0 ? nil : HeldFeature(level: try reader.level(), rank: number - 1)
    }

    private static func source(_ reader: inout ByteReader, _ owners: inout Owners) throws(DeltaError) -> Source? {
        let last = owners.next()
        let (level, rank): (Level?, Int)
        switch try reader.number() {
        case 0: return nil
        case 1: (level, rank) = (try reader.level(), try reader.number())
        case let difference:
            let (sum, overflows) = last.addingReportingOverflow(difference - 1)
            guard !overflows else { throw DeltaError("a rank that is out of range") }
            (level, rank) = (nil, sum)
            owners.lastRank = rank
        }
        return Source(level: level, rank: rank, prefix: try reader.number(), suffix: try reader.number())
    }
}

extension ByteReader {
    fileprivate mutating func level() throws(DeltaError) -> DeltaDocument.Level {
        switch try self.number() {
        case 0: .venueWide
        case 1: .id(try self.id())
        case let number: .held(number - 2)
        }
    }

    /// A rank after its difference from the one before, which is at least 1.
    fileprivate mutating func rank(after last: Int) throws(DeltaError) -> Int {
        let (rank, overflows) = last.addingReportingOverflow(try self.number())
        guard !overflows, rank > last else { throw DeltaError("ranks that do not ascend") }
        return rank
    }
}
