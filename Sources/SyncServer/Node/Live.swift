/// What a node's requests and its watch share.
package final class Live: Sendable {
    package let node: Node
    package let room = WaitingRoom()
    package let feed = EventFeed()
    package let stalls = Stalls()
    let replies = Replies()
    let standing = StandingAnswers()

    package init(node: Node) {
        self.node = node
    }
}
