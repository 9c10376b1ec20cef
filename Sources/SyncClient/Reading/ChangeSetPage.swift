import DeltaForm
import Foundation
import IMDF
import SyncModel

/// A page of a change set as received. Bodies are ranges of the received text, and the cursor is opaque.
struct ChangeSetPage: Sendable {
    /// The members that have to be equal on every page of a change set.
    struct Frame: Hashable, Sendable {
        let venue: String
        let from: Int64?
        let to: Int64
        let digest: Digest
        let about: ChangeSet.About
    }

    struct Block: Sendable {
        let level: FeatureID?
        let kind: ChangeSet.Kind
        let isContinued: Bool
        let digest: ExpectedDigest?
        /// Ranges of ``ChangeSetPage/text``.
        var bodies: [Range<Int>]
        /// The features that have left the level.
        let removed: [FeatureID]
    }

    let frame: Frame
    let isComplete: Bool
    let cursor: String
    /// When revision `to` was published; nil if the page does not say.
    let publishedAt: Date?
    let blocks: [Block]
    let text: [UInt8]

    /// - Throws: ``SyncError/malformed(_:)`` if the text is not a complete page.
    init(_ text: [UInt8]) throws {
        let (document, lists) = Self.separate(text)
        let skeleton: Skeleton
        do {
            skeleton = try WireJSON.value(Skeleton.self, from: document)
        } catch {
            throw SyncError.malformed("not a complete change set")
        }
        guard let cursor = skeleton.cursor else { throw SyncError.malformed("a change set without a cursor") }
        try self.init(skeleton, lists, of: text, cursor: cursor)
    }

    /// A document without its bodies, and the ranges of the bodies in each of its lists.
    static func separate(_ text: [UInt8]) -> (document: Data, lists: [[Range<Int>]]) {
        var lines = BodyLines()
        var lists: [[Range<Int>]] = []
        text.withUnsafeBytes { bytes in
            lines.read(bytes) { list, body in
                while lists.count < list { lists.append([]) }
                lists[list - 1].append(body)
            }
        }
        while lists.count < lines.listCount { lists.append([]) }
        return (lines.skeleton, lists)
    }

    /// - Parameter cursor: The cursor of the page, which a part of a change set over all venues does not have.
    init(_ skeleton: Skeleton, _ lists: [[Range<Int>]], of text: [UInt8], cursor: String) throws {
        guard skeleton.protocol == ChangeSet.currentProtocol else {
            throw SyncError.malformed("unknown protocol version \(skeleton.protocol)")
        }
        guard skeleton.levels.count == lists.count, skeleton.levels.allSatisfy(\.features.isEmpty) else {
            throw SyncError.malformed("feature bodies that are not lines of their own")
        }
        self.frame = Frame(
            venue: skeleton.venue, from: skeleton.from, to: skeleton.to, digest: skeleton.digest, about: skeleton.about)
        self.isComplete = skeleton.complete
        guard cursor.utf8.count <= Exchange.longestCursor else {
            throw SyncError.malformed("a cursor of \(cursor.utf8.count) bytes")
        }
        self.cursor = cursor
        self.publishedAt = skeleton.published_at?.date
        self.blocks = zip(skeleton.levels, lists).map { level, bodies in
            Block(
                level: level.level, kind: level.kind, isContinued: level.continued ?? false,
                digest: level.digest.map(ExpectedDigest.whole), bodies: bodies, removed: level.removed.map(\.id))
        }
        self.text = text
    }

    /// Reads a page in the delta form.
    ///
    /// - Parameter since: The cursor of the request.
    /// - Throws: ``SyncError/malformed(_:)`` if it is damaged or does not fit what is held.
    init(delta text: [UInt8], since: String?, replacing base: ReplicaDeltaBase) throws {
        let (document, page, cursor): (DeltaDocument, DeltaDocument.Page, String)
        do {
            document = try DeltaDocument(text)
            page = try document.decoded(with: base)
            cursor = try document.cursor.cursor(since: since)
        } catch let error as DeltaError {
            throw SyncError.malformed(error.message)
        }
        self.frame = Frame(
            venue: document.venue, from: document.from, to: document.to, digest: document.digest, about: document.about)
        self.isComplete = document.isComplete
        self.cursor = cursor
        self.publishedAt = document.publishedAt
        self.blocks = page.blocks.map { block in
            Block(
                level: block.level, kind: block.kind, isContinued: block.isContinued,
                digest: block.digestPrefix.map(ExpectedDigest.beginning), bodies: block.bodies,
                removed: block.removed)
        }
        self.text = page.text
    }

    /// A time that nothing depends on: any value that is not a time is ignored.
    struct OptionalTime: Decodable {
        let date: Date?

        init(from decoder: any Decoder) throws {
            self.date = (try? decoder.singleValueContainer().decode(String.self)).flatMap { Timestamp.date(of: $0) }
        }
    }

    /// The document without the bodies.
    struct Skeleton: Decodable {
        struct Level: Decodable {
            @OrNull var level: FeatureID?
            let kind: ChangeSet.Kind
            let continued: Bool?
            @OrNull var digest: Digest?
            let features: [JSONValue]
            let removed: [ChangeSet.Removal]

            enum CodingKeys: String, CodingKey {
                case kind, continued, digest, features, removed
                case level = "level_id"
            }
        }

        let `protocol`: Int
        let venue: String
        @OrNull var from: Int64?
        let to: Int64
        let digest: Digest
        let about: ChangeSet.About
        let complete: Bool
        let cursor: String?
        let published_at: OptionalTime?
        let levels: [Level]
    }
}
