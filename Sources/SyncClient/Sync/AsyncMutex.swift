import Synchronization

/// Mutual exclusion across suspension points, in the order of arrival.
final class AsyncMutex: Sendable {
    private struct State {
        var isLocked = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func withLock<Answer>(_ work: () async throws -> Answer) async rethrows -> Answer {
        await self.lock()
        defer { self.unlock() }
        return try await work()
    }

    func lock() async {
        await withCheckedContinuation { continuation in
            let isFree = self.state.withLock { state in
                guard state.isLocked else {
                    state.isLocked = true
                    return true
                }
                state.waiters.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    func unlock() {
        let next: CheckedContinuation<Void, Never>? = self.state.withLock { state in
            guard !state.waiters.isEmpty else {
                state.isLocked = false
                return nil
            }
            return state.waiters.removeFirst()
        }
        next?.resume()
    }
}
