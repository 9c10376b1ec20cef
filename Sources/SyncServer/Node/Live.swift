/// What a node's requests and its watch share.
package struct Live: Sendable {
    package let node: Node
    package let room = WaitingRoom()
    package let feed = EventFeed()
    package let stalls = Stalls()
    let replies = Replies()

    package init(node: Node) {
        self.node = node
    }
}
