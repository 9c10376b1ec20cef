import Foundation

/// What a node's requests and its watch share.
package final class Live: Sendable {
    package let node: Node
    package let room = WaitingRoom()
    package let feed = EventFeed()
    let replies = Replies()
    let catalogueReplies = CatalogueReplies()
    let standing = StandingAnswers()
    /// Whoever has two revisions compared needs a core and some megabytes for it, and leaves the other cores and the connections to
    /// the database to those who poll.
    let comparisons = Turnstile(width: max(1, ProcessInfo.processInfo.activeProcessorCount / 2))

    package init(node: Node) {
        self.node = node
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
