import Synchronization

/// Lets through one at a time, in the order of their coming.
final class Turnstile: Sendable {
    private struct State {
        var isTaken = false
        var line: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func pass<Answer>(_ work: () async throws -> Answer) async rethrows -> Answer {
        await self.enter()
        defer { self.leave() }
        return try await work()
    }

    private func enter() async {
        await withCheckedContinuation { continuation in
            let isFree = self.state.withLock { state in
                guard state.isTaken else {
                    state.isTaken = true
                    return true
                }
                state.line.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private func leave() {
        let next: CheckedContinuation<Void, Never>? = self.state.withLock { state in
            guard !state.line.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.line.removeFirst()
        }
        next?.resume()
    }
}
