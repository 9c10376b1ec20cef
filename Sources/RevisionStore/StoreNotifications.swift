import Postgres

/// Notifications of the database, over a connection of their own.
///
/// A notification is a hint that may be lost with the connection: after each ``Element/connected``, and every now and then, read
/// the tables.
package struct StoreNotifications: AsyncSequence, Sendable {
    package enum Element: Hashable, Sendable {
        /// The connection was opened, for the first time or again.
        case connected
        /// A venue or a key has changed.
        case changed
        /// Uploads wait in the queue.
        case queued
        /// The upload was finished or staged.
        case upload(UploadID)
    }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate var events: Listener.Iterator

        package mutating func next() async -> Element? {
            while let event = await self.events.next() {
                switch event {
                case .connected: return .connected
                case .notification(RevisionStore.Channel.uploadState, let payload):
                    if let id = UploadID(payload) { return .upload(id) }
                case .notification(RevisionStore.Channel.upload, _): return .queued
                case .notification: return .changed
                }
            }
            return nil
        }
    }

    let listener: Listener

    package func makeAsyncIterator() -> Iterator { Iterator(events: self.listener.makeAsyncIterator()) }
}

extension RevisionStore {
    /// Notifications of changes, and of uploads that were finished or staged, until the task is cancelled.
    package var notifications: StoreNotifications {
        StoreNotifications(
            listener: Listener(self.pool.configuration, channels: [Channel.change, Channel.uploadState]))
    }
}
