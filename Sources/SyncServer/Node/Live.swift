import Foundation
import RevisionStore
package import SyncModel

/// What a node's requests and its watch share.
package final class Live: Sendable {
    package let node: Node
    package let room = LongPollRegistry()
    package let feed = EventFeed()
    package let pieces: PieceCache
    let replies: SyncResponses
    let catalogueReplies: CatalogueSyncResponses
    let collections: CollectionReplies
    let responseCache = ResponseCache()
    let venues: VenueListing
    /// Whoever has two revisions compared needs a core and some megabytes for it, and leaves the other cores and the connections to
    /// the database to those who poll.
    let comparisons = FairSemaphore<VenueKey>(
        permits: max(2, ProcessInfo.processInfo.activeProcessorCount / 2), queueLimit: 256, queueLimitPerKey: 32)
    /// An archive of a large venue takes a hundred megabytes while it is being made.
    package let exports = FairSemaphore<VenueKey>(permits: 2, queueLimit: 256, queueLimitPerKey: 16)

    package init(node: Node) {
        self.node = node
        self.venues = VenueListing(node: node)
        self.pieces = PieceCache { versions, source in
            try await node.read(source.venue, at: source.revision) {
                try await $0.bodies(of: versions, in: source.venue)
            }
        }
        self.replies = SyncResponses(cache: self.pieces)
        self.catalogueReplies = CatalogueSyncResponses(cache: self.pieces)
        self.collections = CollectionReplies(cache: self.pieces)
    }

    /// Has what a monitoring system may want to know of it read when it asks.
    func tell(_ metrics: Metrics) {
        metrics.reading("venue_waiting_requests", help: "Requests that wait for news, and those that listen.") {
            Double(self.room.count)
        }
        metrics.reading("venue_news_number", help: "The newest change of a venue or a key that this node knows of.") {
            Double(self.node.news)
        }
    }
}
