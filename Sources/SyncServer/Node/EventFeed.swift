import IMDF
import NIOCore
import RevisionStore
import SyncModel
import Synchronization

/// The newest events of all venues as they are sent to those who listen, so that no listener needs SQL or a queue of its own.
package final class EventFeed: Sendable {
    struct Event: Sendable {
        let position: Int64
        let venue: VenueKey
        /// As it stands in a stream of server-sent events.
        let text: ByteBuffer

        init(_ notice: PublicationNotice) throws {
            struct Pointer: Encodable {
                let venue: VenueKey
                let revision: Int64
                let kind: Revision.Kind
                let levels: [FeatureID?]
                let position: Int64
                /// That not all levels are listed: the client had better ask. Absent when they are.
                let truncated: Bool?
            }
            let pointer = Pointer(
                venue: notice.venue, revision: notice.number, kind: notice.kind, levels: notice.levels,
                position: notice.position, truncated: notice.hasMoreLevels ? true : nil)
            let data = String(decoding: try WireJSON.data(pointer), as: UTF8.self)
            self.position = notice.position
            self.venue = notice.venue
            self.text = ByteBuffer(string: "event: revision\nid: \(notice.position)\ndata: \(data)\n\n")
        }
    }

    /// All events after the position `start`, up to and with that at `end`.
    private struct Recent {
        /// Of the node's histories: positions of another one are others.
        let history: Int
        var start: Int64
        var end: Int64
        var events: [Event] = []
    }

    private let recent = Mutex<Recent?>(nil)

    /// Events that are kept; who is further behind is served from the database.
    private static let kept = 1_024

    /// The position up to which all is here, of whatever history; nil before the feed has begun.
    package var end: Int64? { self.recent.withLock { $0?.end } }

    /// The position up to which all is here of a history; nil before the feed has begun with it.
    func end(of history: Int) -> Int64? {
        self.recent.withLock { $0.flatMap { $0.history == history ? $0.end : nil } }
    }

    /// What was here of another history is forgotten.
    func begin(at position: Int64, of history: Int) {
        self.recent.withLock { $0 = Recent(history: history, start: position, end: position) }
    }

    func append(_ events: [Event], of history: Int) {
        self.recent.withLock { recent in
            guard var changed = recent, changed.history == history, let last = events.last else { return }
            changed.events += events
            changed.end = last.position
            if changed.events.count > 2 * Self.kept {
                let dropped = changed.events.count - Self.kept
                changed.start = changed.events[dropped - 1].position
                changed.events.removeFirst(dropped)
            }
            recent = changed
        }
    }

    /// The events after a position; nil when they are not all here.
    func events(after position: Int64, of history: Int) -> ArraySlice<Event>? {
        self.recent.withLock { recent in
            guard let recent, recent.history == history, position >= recent.start else { return nil }
            // Mostly there is none or one, so from the end.
            let first = recent.events.lastIndex { $0.position <= position }.map { $0 + 1 } ?? 0
            return recent.events[first...]
        }
    }
}
