import Foundation
import IMDF

/// The bodies of a FeatureCollection that may be large, in batches, as they come.
struct FeatureStream {
    /// Whole lines, and where the bodies stand in them.
    struct Batch: Sendable {
        let text: [UInt8]
        let bodies: [Range<Int>]
    }

    private var lines = BodyLines()
    /// What was not handed on yet, and how much of it is whole lines.
    private var rest: [UInt8] = []
    private var whole = 0

    private static let batch = 1 << 18
    /// A feature is at most 32 MiB.
    private static let longestLine = 48 << 20
    private static let largestSkeleton = 1 << 20

    /// Takes the next piece; returns a batch when enough has come together.
    mutating func take(_ piece: [UInt8]) throws -> Batch? {
        if let end = piece.lastIndex(of: UInt8(ascii: "\n")) { self.whole = self.rest.count + end + 1 }
        self.rest += piece
        guard self.rest.count - self.whole <= Self.longestLine else {
            throw SyncError.malformed("a line without an end")
        }
        guard self.whole >= Self.batch else { return nil }
        let text = Array(self.rest.prefix(self.whole))
        self.rest.removeFirst(self.whole)
        self.whole = 0
        return try self.batch(of: text)
    }

    /// What is left when the answer is over.
    ///
    /// - Throws: ``SyncError/malformed(_:)`` when that is not the end of a FeatureCollection.
    mutating func finish() throws -> Batch {
        let batch = try self.batch(of: self.rest)
        guard (try? JSONDecoder().decode(Collection.self, from: self.lines.skeleton))?.features.isEmpty == true else {
            throw SyncError.malformed("no FeatureCollection, or not all of it")
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
            throw SyncError.malformed("much that is no body")
        }
        return Batch(text: text, bodies: bodies)
    }
}
