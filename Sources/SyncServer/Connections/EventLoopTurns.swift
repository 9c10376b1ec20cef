import NIOCore
import Synchronization

/// The turns of tasks that send long responses from one event loop.
///
/// An event loop looks for events of its connections only when none of its tasks is ready, and a task whose client reads as fast as it
/// sends always is: a few such clients would delay all other connections of the loop for as long as their responses take. So these
/// tasks wait for a turn after every few parts. Between two turns the loop looks for events.
final class EventLoopTurns: Sendable {
    private struct State {
        var waiting: CircularBuffer<CheckedContinuation<Void, Never>> = []
        var isScheduled = false
    }

    private let eventLoop: any EventLoop
    private let state = Mutex(State())

    /// Later than now, so that the loop looks for events before.
    private static let pause = TimeAmount.microseconds(20)

    init(of eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isScheduled = self.state.withLock { state in
                state.waiting.append(continuation)
                defer { state.isScheduled = true }
                return state.isScheduled
            }
            if !isScheduled { self.scheduleNext() }
        }
    }

    private func scheduleNext() {
        self.eventLoop.scheduleTask(in: Self.pause) {
            let next = self.state.withLock { state in
                let next = state.waiting.popFirst()
                state.isScheduled = !state.waiting.isEmpty
                return (continuation: next, hasMore: state.isScheduled)
            }
            if next.hasMore { self.scheduleNext() }
            next.continuation?.resume()
        }
    }
}
