import Synchronization

/// Lets so many in at once; the others wait in line. For work that takes much memory.
package final class Turnstile: Sendable {
    private typealias Waiting = CheckedContinuation<Bool, Never>

    private struct State {
        var free: Int
        var line: [(number: UInt64, waiting: Waiting)] = []
        var lastNumber: UInt64 = 0
    }

    private let state: Mutex<State>

    package init(width: Int) {
        self.state = Mutex(State(free: width))
    }

    /// Does the work when it is its turn.
    ///
    /// - Throws: `CancellationError` when it is given up before.
    package func pass<Answer>(_ work: () async throws -> Answer) async throws -> Answer {
        guard await self.enter() else { throw CancellationError() }
        defer { self.leave() }
        return try await work()
    }

    private func enter() async -> Bool {
        let number = self.state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiting in
                let isIn = self.state.withLock { state -> Bool? in
                    if Task.isCancelled { return false }
                    guard state.free == 0 else {
                        state.free -= 1
                        return true
                    }
                    state.line.append((number, waiting))
                    return nil
                }
                if let isIn { waiting.resume(returning: isIn) }
            }
        } onCancel: {
            let waiting = self.state.withLock { state in
                state.line.firstIndex { $0.number == number }.map { state.line.remove(at: $0).waiting }
            }
            waiting?.resume(returning: false)
        }
    }

    private func leave() {
        let next = self.state.withLock { state -> Waiting? in
            guard !state.line.isEmpty else {
                state.free += 1
                return nil
            }
            return state.line.removeFirst().waiting
        }
        next?.resume(returning: true)
    }
}
