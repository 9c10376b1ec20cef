internal import CLibpq
internal import Glibc
internal import Synchronization

/// One socket at the poller, with at most one task that waits for it.
///
/// A wake-up is only a hint: whoever waits looks at the socket again. So a wake-up too many does no harm.
final class Watch: Sendable {
    enum Interest {
        case read
        /// To send, or to receive what the server must get rid of before it reads on.
        case readOrWrite
    }

    private enum State {
        case idle
        case waiting(UnsafeContinuation<Void, Never>)
        /// Interrupted before anyone waited.
        case interrupted
        case removed
    }

    let socket: Int32
    let number: UInt64
    private let poller: Poller
    private let state = Mutex(State.idle)

    init(socket: Int32, number: UInt64, poller: Poller) {
        self.socket = socket
        self.number = number
        self.poller = poller
    }

    /// Returns when the socket may be ready or ``interrupt()`` was called; false when it cannot be watched any more.
    func ready(_ interest: Interest) async -> Bool {
        let events = interest == .read ? EPOLLIN.rawValue : EPOLLIN.rawValue | EPOLLOUT.rawValue
        var armed = true
        await withUnsafeContinuation { continuation in
            let waits = self.state.withLock { state in
                switch state {
                case .idle:
                    state = .waiting(continuation)
                    return true
                case .interrupted:
                    state = .idle
                    return false
                case .waiting, .removed:
                    armed = false
                    return false
                }
            }
            if !waits {
                continuation.resume()
            } else if !self.poller.arm(self, events) {
                armed = false
                self.wake()
            }
        }
        return armed
    }

    /// The same, and cancelling the task wakes it, too.
    func readyOrCancelled(_ interest: Interest) async -> Bool {
        await withTaskCancellationHandler {
            await self.ready(interest)
        } onCancel: {
            self.interrupt()
        }
    }

    /// The socket has an event.
    func wake() {
        let waiting = self.state.withLock { state -> UnsafeContinuation<Void, Never>? in
            guard case .waiting(let continuation) = state else { return nil }
            state = .idle
            return continuation
        }
        waiting?.resume()
    }

    /// Wakes the one who waits, or the next who will.
    func interrupt() {
        let waiting = self.state.withLock { state -> UnsafeContinuation<Void, Never>? in
            switch state {
            case .waiting(let continuation):
                state = .idle
                return continuation
            case .idle, .interrupted:
                state = .interrupted
                return nil
            case .removed:
                return nil
            }
        }
        waiting?.resume()
    }

    /// Takes the socket out. Call it before the socket is closed: its number may be given to another at once.
    func remove() {
        self.poller.remove(self)
        let waiting = self.state.withLock { state -> UnsafeContinuation<Void, Never>? in
            defer { state = .removed }
            guard case .waiting(let continuation) = state else { return nil }
            return continuation
        }
        waiting?.resume()
    }
}
