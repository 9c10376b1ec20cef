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
        let digest: Digest?
        /// Ranges of ``ChangeSetPage/text``.
        var bodies: [Range<Int>]
        let removed: [ChangeSet.Removal]
    }

    let frame: Frame
    let isComplete: Bool
    let cursor: String
    let blocks: [Block]
    let text: [UInt8]

    /// - Throws: ``SyncError/malformed(_:)`` if the text is not a complete page.
    init(_ text: [UInt8]) throws {
        var lines = BodyLines()
        var lists: [[Range<Int>]] = []
        text.withUnsafeBytes { bytes in
            lines.read(bytes) { list, body in
                while lists.count < list { lists.append([]) }
                lists[list - 1].append(body)
            }
        }
        while lists.count < lines.listCount { lists.append([]) }
        let skeleton: Skeleton
        do {
            skeleton = try WireJSON.value(Skeleton.self, from: lines.skeleton)
        } catch {
            throw SyncError.malformed("not a complete change set")
        }
        guard skeleton.protocol == ChangeSet.currentProtocol else {
            throw SyncError.malformed("unknown protocol version \(skeleton.protocol)")
        }
        guard skeleton.levels.count == lists.count, skeleton.levels.allSatisfy(\.features.isEmpty) else {
            throw SyncError.malformed("feature bodies that are not lines of their own")
        }
        self.frame = Frame(
            venue: skeleton.venue, from: skeleton.from, to: skeleton.to, digest: skeleton.digest, about: skeleton.about)
        self.isComplete = skeleton.complete
        self.cursor = skeleton.cursor
        self.blocks = zip(skeleton.levels, lists).map { level, bodies in
            Block(
                level: level.level, kind: level.kind, isContinued: level.continued ?? false, digest: level.digest,
                bodies: bodies, removed: level.removed)
        }
        self.text = text
    }

    private struct Skeleton: Decodable {
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
        let cursor: String
        let levels: [Level]
    }
}
