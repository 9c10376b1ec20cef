import IMDF
package import RevisionStore
import SyncModel

/// Divides the text of a response into chunks.
///
/// Chunks end before and after the bodies of a large level, and within one after features that their ids and lengths select
/// (content-defined chunking): a change of one feature, of the text before or of the beginning of a page moves no later boundary.
package struct ResponseChunker {
    /// The minimum length in bytes of a chunk that ends within a level. The average is about twice as long.
    private static let minLength = 64 << 10
    /// The maximum length in bytes, unless a single body is longer.
    private static let maxLength = 256 << 10

    private var chunks: [ResponseChunk] = []
    private var parts: [ResponseChunk.Part] = []
    private var length = 0
    private let generation: Int

    /// - Parameter generation: The generation of the read model before the content was read.
    package init(generation: Int) {
        self.generation = generation
    }

    /// All chunks. None is empty.
    package consuming func finish() -> [ResponseChunk] {
        self.endChunk()
        return self.chunks
    }

    package mutating func append(_ text: some Collection<UInt8>) {
        var rest = Array(text)[...]
        while !rest.isEmpty {
            if self.length >= Self.minLength { self.endChunk() }
            let part = rest.prefix(Self.maxLength)
            rest = rest.dropFirst(part.count)
            self.parts.append(.text(Array(part)))
            self.length += part.count
        }
    }

    /// - Parameter versions: A whole list of bodies.
    package mutating func append(_ versions: ArraySlice<VersionSummary>, from source: ResponseChunk.Source) {
        let isLarge = versions.reduce(0) { $0 + $1.bytes } >= Self.minLength
        if isLarge { self.endChunk() }
        var start = versions.startIndex
        for (index, version) in zip(versions.indices, versions) {
            let length = version.bytes + ChangeSet.separator(isLast: index + 1 == versions.endIndex).count
            if self.length > 0, self.length + length > Self.maxLength {
                self.endChunk(after: versions[start..<index], source)
                start = index
            }
            self.length += length
            if self.length >= Self.minLength, version.endsChunk(every: Self.minLength) {
                self.endChunk(after: versions[start...index], source, isEnd: index + 1 == versions.endIndex)
                start = index + 1
            }
        }
        if start < versions.endIndex { self.parts.append(.bodies(versions[start...], source, isEnd: true)) }
        if isLarge { self.endChunk() }
    }

    private mutating func endChunk(
        after versions: ArraySlice<VersionSummary>, _ source: ResponseChunk.Source, isEnd: Bool = false
    ) {
        if !versions.isEmpty { self.parts.append(.bodies(versions, source, isEnd: isEnd)) }
        self.endChunk()
    }

    package mutating func endChunk() {
        guard self.length > 0 else { return }
        self.chunks.append(ResponseChunk(self.parts, length: self.length, generation: self.generation))
        (self.parts, self.length) = ([], 0)
    }
}

extension VersionSummary {
    /// Whether a chunk ends after this feature, which is the case once in so many bytes on average.
    fileprivate func endsChunk(every bytes: Int) -> Bool {
        // Ids need not be random. The upper bits of this product depend on all of their bits.
        let hash = ((self.feature.high ^ self.feature.low) &* 0x9E37_79B9_7F4A_7C15) >> 40
        return hash * UInt64(bytes) < UInt64(self.bytes) << 24
    }
}

extension ResponseChunker {
    /// The text of a page of one venue.
    static func chunks(of page: ChangeSetPagePlan, of venue: VenueRecord, generation: Int) throws -> [ResponseChunk] {
        var chunker = ResponseChunker(generation: generation)
        chunker.append(try page.header.opening())
        chunker.endChunk()
        try chunker.append(page, of: venue)
        chunker.append(ChangeSet.closing)
        return chunker.finish()
    }

    /// The text of a page of many venues.
    static func chunks(of page: CataloguePagePlan, generation: Int) throws -> [ResponseChunk] {
        var chunker = ResponseChunker(generation: generation)
        chunker.append(try page.header.opening())
        chunker.endChunk()
        for (index, share) in page.venues.enumerated() {
            let venue = page.header.venues[index]
            chunker.append(try venue.opening())
            try chunker.append(share.page, of: share.venue)
            chunker.append(venue.closing(isLast: index + 1 == page.venues.count))
        }
        chunker.append(ChangeSet.closing)
        return chunker.finish()
    }

    /// The text of a FeatureCollection, whose bodies are separated as in a change set.
    package static func chunks(
        of versions: [VersionSummary], from source: ResponseChunk.Source, generation: Int
    ) -> [ResponseChunk] {
        var chunker = ResponseChunker(generation: generation)
        chunker.append("{\"type\":\"FeatureCollection\",\"features\":[\n".utf8)
        chunker.append(versions[...], from: source)
        chunker.append(ChangeSet.closing)
        return chunker.finish()
    }

    private mutating func append(_ page: ChangeSetPagePlan, of venue: VenueRecord) throws {
        for (index, block) in page.header.blocks.enumerated() {
            self.append(try block.opening())
            self.append(page.versions[index], from: .init(venue: venue))
            self.append(try block.closing(isLast: index + 1 == page.header.blocks.count))
        }
    }
}
