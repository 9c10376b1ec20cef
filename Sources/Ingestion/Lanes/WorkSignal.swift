import Synchronization

/// Tells all tasks of a worker that there may be work.
final class WorkSignal: Sendable {
    private let listeners = Mutex<[AsyncStream<Void>.Continuation]>([])

    /// A stream with one element at once and one for every later signal. Signals that were not received yet are combined.
    func stream() -> AsyncStream<Void> {
        let (stream, listener) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.listeners.withLock { $0.append(listener) }
        listener.yield()
        return stream
    }

    func send() {
        for listener in self.listeners.withLock(\.self) { listener.yield() }
    }
}
