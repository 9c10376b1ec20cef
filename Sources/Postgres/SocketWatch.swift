internal import CLibpq
internal import Glibc
internal import Synchronization

/// A socket that is registered with the poller, with at most one task that waits for it.
///
/// Wake-ups may be spurious: a task checks the socket after each.
final class SocketWatch: Sendable {
    enum Interest {
        case read
        /// For sending: the server may have to send before it continues to receive.
        case readOrWrite
    }

    private enum State {
        case idle
        case waiting(UnsafeContinuation<Void, Never>)
        /// Interrupted while no task waited.
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

    /// Waits until the socket may be ready or ``interrupt()`` is called; false if it cannot be watched any more.
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

    /// Like ``ready(_:)``, but also returns when the task is cancelled.
    func readyOrCancelled(_ interest: Interest) async -> Bool {
        await withTaskCancellationHandler {
            await self.ready(interest)
        } onCancel: {
            self.interrupt()
        }
    }

    /// Wakes the waiting task after an event of the socket.
    func wake() {
        let waiting = self.state.withLock { state -> UnsafeContinuation<Void, Never>? in
            guard case .waiting(let continuation) = state else { return nil }
            state = .idle
            return continuation
        }
        waiting?.resume()
    }

    /// Wakes the waiting task, or the next one that waits.
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

    /// Removes the socket from the poller. To be called before the socket is closed, because its number may be reused at once.
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
