package import Foundation
package import IMDF
package import SyncModel

/// A page of a change set in the delta form, as it is on the wire: `docs/protocol/delta-form.md`.
///
/// The client and the server hold the same bodies at revision `from`, as the digests prove. So the page names held features by
/// their ranks, and has only those parts of new bodies that differ from held ones. What a rank stands for is known when the
/// document is decoded; see ``decoded(with:)``.
package struct DeltaDocument: Hashable, Sendable {
    /// A level, by its id or by its index among the levels that the client holds, in the order of their ids.
    package enum Level: Hashable, Sendable {
        case venueWide
        case id(FeatureID)
        case held(Int)
    }

    package struct Block: Hashable, Sendable {
        package var level: Level
        package var kind: ChangeSet.Kind
        package var isContinued: Bool
        /// The first eight bytes of the digest; see `Digest.prefix`.
        package var digestPrefix: UInt64?
        /// The ranks of the features that have left the level, ascending.
        package var removed: [Int]
        /// How many of the bodies in the groups belong to the block.
        package var bodyCount: Int
    }

    /// The held feature that a new body is described with.
    package struct Source: Hashable, Sendable {
        /// Nil: the level of the block.
        package var level: Level?
        /// The index in the level's features, in the order of their ids.
        package var rank: Int
        /// How many bytes the new body has in common with the beginning and with the end of the held one.
        package var prefix: Int
        package var suffix: Int

        package init(level: Level?, rank: Int, prefix: Int, suffix: Int) {
            self.level = level
            self.rank = rank
            self.prefix = prefix
            self.suffix = suffix
        }
    }

    /// Bodies that are compressed together.
    package struct Group: Hashable, Sendable {
        /// One for each body; nil: the body is not described with a held one.
        package var sources: [Source?]
        /// Whether the context of the document is a part of the dictionary.
        package var usesContext: Bool
        /// Held features that sources refer to, such as the anchor of a shop. Their bodies are a part of the dictionary.
        package var companions: [HeldFeature]
        /// Raw DEFLATE (RFC 1951): of each body what is between prefix and suffix, followed by a line feed.
        package var stream: [UInt8]

        package init(
            sources: [Source?], usesContext: Bool = false, companions: [HeldFeature] = [], stream: [UInt8]
        ) {
            self.sources = sources
            self.usesContext = usesContext
            self.companions = companions
            self.stream = stream
        }
    }

    /// A feature that the client holds.
    package struct HeldFeature: Hashable, Sendable {
        package var level: Level
        /// The index in the level's features, in the order of their ids.
        package var rank: Int

        package init(level: Level, rank: Int) {
            self.level = level
            self.rank = rank
        }
    }

    /// A cursor, of which the beginning may be that of the cursor of the request.
    package struct CursorEnd: Hashable, Sendable {
        /// How many groups of four characters, three bytes each, are those of the cursor of the request.
        package var unchanged: Int
        /// The bytes after them.
        package var rest: [UInt8]
    }

    package var venue: String
    package var from: Int64?
    package var to: Int64
    package var digest: Digest
    package var publishedAt: Date?
    package var about: ChangeSet.About
    package var isComplete: Bool
    package var cursor: CursorEnd
    package var blocks: [Block]
    /// The features of its type on its level are the context, which begins the dictionaries of groups that use it. There is at most one,
    /// so that a document makes a client read one level.
    package var context: HeldFeature?
    /// The bodies of all blocks, in their order.
    package var groups: [Group]

    /// The first bytes: the name and the version of the format. No document of the plain form begins like this.
    package static let magic = Array("VSD\u{1}".utf8)
    package static let contentType = "application/vnd.venuesync.delta"
}

extension DeltaDocument {
    /// Bounds. The server stays far below them; a reader refuses what exceeds them.
    package enum Limit {
        /// Bytes of a document.
        package static let document = 48 << 20
        /// Bytes of all new bodies of a page, and of all held bodies that it refers to.
        package static let bodies = 64 << 20
        /// Bytes of the index when it is decompressed.
        static let index = 4 << 20
        /// Milliseconds since 1970 until the end of the year 9999, the last one with four digits.
        static let time = 253_402_300_799_999
        /// Blocks, bodies, companions and removals of a page.
        static let items = 100_000
        /// Groups, each of which costs a dictionary. A page of the server has fewer bodies.
        static let groups = 10_000
        /// Bytes of a dictionary, which is the window of DEFLATE, and of the context in it.
        static let dictionary = 32 << 10
        package static let context = 24 << 10
    }
}

/// Why a document cannot be read.
package struct DeltaError: Error, Hashable, Sendable {
    package let message: String

    package init(_ message: String) {
        self.message = message
    }
}
