import Foundation
import IMDF
import SyncModel

/// A page of a change set over all venues as received.
struct CataloguePage: Sendable {
    /// Catalogue positions; `from` is nil if the client holds nothing.
    let from: Int64?
    let to: Int64
    let isComplete: Bool
    let cursor: String
    let gone: [VenueKey]
    /// A page of a change set for each venue.
    let venues: [ChangeSetPage]

    /// - Throws: ``SyncError/malformed(_:)`` if the text is not a complete page.
    init(_ text: [UInt8]) throws {
        let (document, lists) = ChangeSetPage.separate(text)
        guard let skeleton = try? WireJSON.value(Skeleton.self, from: document) else {
            throw SyncError.malformed("not a complete change set over all venues")
        }
        guard skeleton.protocol == ChangeSet.currentProtocol else {
            throw SyncError.malformed("unknown protocol version \(skeleton.protocol)")
        }
        guard skeleton.venues.reduce(0, { $0 + $1.levels.count }) == lists.count else {
            throw SyncError.malformed("feature bodies that are not lines of their own")
        }
        var rest = lists[...]
        self.venues = try skeleton.venues.map { venue in
            defer { rest = rest.dropFirst(venue.levels.count) }
            return try ChangeSetPage(venue, Array(rest.prefix(venue.levels.count)), of: text, cursor: skeleton.cursor)
        }
        guard skeleton.to >= 0, skeleton.cursor.utf8.count <= Exchange.longestCursor else {
            throw SyncError.malformed("a position or a cursor that cannot be kept")
        }
        self.from = skeleton.from
        self.to = skeleton.to
        self.isComplete = skeleton.complete
        self.cursor = skeleton.cursor
        self.gone = skeleton.gone
    }

    private struct Skeleton: Decodable {
        let `protocol`: Int
        @OrNull var from: Int64?
        let to: Int64
        let complete: Bool
        let cursor: String
        let gone: [VenueKey]
        let venues: [ChangeSetPage.Skeleton]
    }
}
