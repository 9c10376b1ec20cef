import Synchronization

/// Wakes everybody who waits for work.
final class Bell: Sendable {
    private let listeners = Mutex<[AsyncStream<Void>.Continuation]>([])

    /// Rings at once, and then each time; rings that nobody has heard yet are one.
    func rings() -> AsyncStream<Void> {
        let (rings, listener) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.listeners.withLock { $0.append(listener) }
        listener.yield()
        return rings
    }

    func ring() {
        for listener in self.listeners.withLock(\.self) { listener.yield() }
    }
}
