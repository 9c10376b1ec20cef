import IMDF
import NIOCore
import RevisionStore
import SyncModel
import Synchronization

/// The newest revisions of all venues as encoded server-sent events, so that a listener needs neither SQL nor a queue of its own.
package final class EventFeed: Sendable {
    struct Event: Sendable {
        let position: Int64
        let venue: VenueKey
        /// The event as it is sent.
        let text: ByteBuffer

        init(_ notice: PublicationNotice) throws {
            struct Payload: Encodable {
                let venue: VenueKey
                let revision: Int64
                let kind: Revision.Kind
                let levels: [FeatureID?]
                let position: Int64
                /// True when not all levels are listed, otherwise absent.
                let truncated: Bool?
            }
            let payload = Payload(
                venue: notice.venue, revision: notice.number, kind: notice.kind, levels: notice.levels,
                position: notice.position, truncated: notice.hasMoreLevels ? true : nil)
            let data = String(decoding: try WireJSON.data(payload), as: UTF8.self)
            self.position = notice.position
            self.venue = notice.venue
            self.text = ByteBuffer(string: "event: revision\nid: \(notice.position)\ndata: \(data)\n\n")
        }
    }

    /// All events after the position `start`, up to and including the one at `end`.
    private struct Window {
        /// Positions of different histories cannot be compared.
        let generation: Int
        var start: Int64
        var end: Int64
        var events: [Event] = []
    }

    private let window = Mutex<Window?>(nil)

    /// How many events are kept at least. A listener that is further behind is served from the database.
    private static let capacity = 1_024

    /// The last position in the feed, of whatever generation; nil before the feed has started.
    package var end: Int64? { self.window.withLock { $0?.end } }

    /// The last position in the feed; nil if the feed has not started with this generation.
    func end(of generation: Int) -> Int64? {
        self.window.withLock { $0.flatMap { $0.generation == generation ? $0.end : nil } }
    }

    /// Starts an empty feed after a position, and forgets all events.
    func reset(to position: Int64, of generation: Int) {
        self.window.withLock { $0 = Window(generation: generation, start: position, end: position) }
    }

    func append(_ events: [Event], of generation: Int) {
        self.window.withLock { window in
            guard var changed = window, changed.generation == generation, let last = events.last else { return }
            changed.events += events
            changed.end = last.position
            if changed.events.count > 2 * Self.capacity {
                let dropped = changed.events.count - Self.capacity
                changed.start = changed.events[dropped - 1].position
                changed.events.removeFirst(dropped)
            }
            window = changed
        }
    }

    /// The events after a position; nil when the feed does not have all of them.
    func events(after position: Int64, of generation: Int) -> ArraySlice<Event>? {
        self.window.withLock { window in
            guard let window, window.generation == generation, position >= window.start else { return nil }
            // Searched from the end, because there is usually at most one new event.
            let first = window.events.lastIndex { $0.position <= position }.map { $0 + 1 } ?? 0
            return window.events[first...]
        }
    }
}
