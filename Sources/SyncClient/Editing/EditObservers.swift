import Foundation
import Synchronization

/// Those who wait for changes of edits or of the revision of a replica.
final class EditObservers: Sendable {
    private struct State {
        var observers: [UUID: AsyncStream<Void>.Continuation] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())

    /// An element at once, and one after every change. A slow reader skips elements.
    func changes() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { observer in
            let id = UUID()
            observer.onTermination = { [weak self] _ in
                self?.state.withLock { _ = $0.observers.removeValue(forKey: id) }
            }
            let isClosed = self.state.withLock { state in
                if !state.isClosed { state.observers[id] = observer }
                return state.isClosed
            }
            if isClosed { observer.finish() } else { observer.yield() }
        }
    }

    func notify() {
        let observers = self.state.withLock { $0.observers.values.map(\.self) }
        for observer in observers { observer.yield() }
    }

    /// Ends all observations.
    func close() {
        let observers = self.state.withLock { state in
            defer { state.observers = [:] }
            state.isClosed = true
            return state.observers.values.map(\.self)
        }
        for observer in observers { observer.finish() }
    }
}
