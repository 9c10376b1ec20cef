import Foundation
import IMDF

/// Reads a large FeatureCollection in batches while it arrives.
struct FeatureStream {
    /// Whole lines, and the ranges of the bodies in them.
    struct Batch: Sendable {
        let text: [UInt8]
        let bodies: [Range<Int>]
    }

    private var lines = BodyLines()
    /// Bytes that are in no batch yet.
    private var pending: [UInt8] = []
    /// How many of them are whole lines.
    private var wholeLineBytes = 0

    private static let batchSize = 1 << 18
    /// A feature is at most 32 MiB.
    private static let longestLine = 48 << 20
    private static let largestSkeleton = 1 << 20

    /// Appends the next block of the response; returns a batch when there is enough for one.
    mutating func append(_ block: [UInt8]) throws -> Batch? {
        if let end = block.lastIndex(of: UInt8(ascii: "\n")) { self.wholeLineBytes = self.pending.count + end + 1 }
        self.pending += block
        guard self.pending.count - self.wholeLineBytes <= Self.longestLine else {
            throw SyncError.malformed("a line is longer than \(Self.longestLine) bytes")
        }
        guard self.wholeLineBytes >= Self.batchSize else { return nil }
        let text = Array(self.pending.prefix(self.wholeLineBytes))
        self.pending.removeFirst(self.wholeLineBytes)
        self.wholeLineBytes = 0
        return try self.batch(of: text)
    }

    /// The last batch.
    ///
    /// - Throws: ``SyncError/malformed(_:)`` if the response was not a complete FeatureCollection.
    mutating func finish() throws -> Batch {
        let batch = try self.batch(of: self.pending)
        guard (try? JSONDecoder().decode(Collection.self, from: self.lines.skeleton))?.features.isEmpty == true else {
            throw SyncError.malformed("not a complete FeatureCollection")
        }
        return batch
    }

    private struct Collection: Decodable {
        let features: [JSONValue]
    }

    private mutating func batch(of text: [UInt8]) throws -> Batch {
        var bodies: [Range<Int>] = []
        text.withUnsafeBytes { bytes in self.lines.read(bytes) { bodies.append($1) } }
        guard self.lines.skeleton.count <= Self.largestSkeleton else {
            throw SyncError.malformed("too much besides the feature bodies")
        }
        return Batch(text: text, bodies: bodies)
    }
}
