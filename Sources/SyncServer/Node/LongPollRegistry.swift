import Synchronization

/// Where requests wait for news: of one venue, or of any.
///
/// A request that waits is one entry in a table and a suspended task; there is one clock for all. The room is open as long as
/// somebody announces news and the time; when it is not, nobody is kept waiting.
package final class LongPollRegistry: Sendable {
    enum Outcome: Sendable {
        case news, timeUp
        /// The server goes down, or nobody would tell of news: answer with what there is.
        case closed
    }

    /// What is waited for. Each has numbers of its own that only grow.
    enum Subject: Hashable, Sendable {
        /// A change of a venue, by its row's number; counted in numbers of news.
        case venue(Int64)
        /// Any change of a venue or a key, counted likewise.
        case anything
        /// A revision of any venue, counted in positions of one of the node's histories.
        case revisions(of: Int)
    }

    private struct Waiter {
        let after: Int64
        let deadline: ContinuousClock.Instant
        let continuation: UnsafeContinuation<Outcome, Never>
    }

    private struct State {
        var isOpen = false
        var isClosed = false
        /// The number of the news announced last of each subject.
        var announced: [Subject: Int64] = [:]
        var waiters: [Subject: [UInt64: Waiter]] = [:]
        var lastNumber: UInt64 = 0
        var count = 0

        /// Takes those out of a subject's line who need not wait any longer.
        mutating func take(from subject: Subject, where isOver: (Waiter) -> Bool) -> [Waiter] {
            guard let line = self.waiters[subject] else { return [] }
            let over = line.filter { isOver($0.value) }
            guard !over.isEmpty else { return [] }
            let rest = over.count == line.count ? nil : line.filter { over[$0.key] == nil }
            self.waiters[subject] = rest
            self.count -= over.count
            return Array(over.values)
        }
    }

    private let state = Mutex(State())

    /// Whether the server goes down.
    package var isClosed: Bool { self.state.withLock(\.isClosed) }

    /// How many requests wait.
    package var count: Int { self.state.withLock(\.count) }

    /// Waits until something is announced of the subject that is newer than `news`.
    func wait(for subject: Subject, after news: Int64, until deadline: ContinuousClock.Instant) async -> Outcome {
        let number = self.state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let outcome = self.state.withLock { state -> Outcome? in
                    if !state.isOpen || Task.isCancelled { return .closed }
                    if deadline <= .now { return .timeUp }
                    if state.announced[subject, default: -1] > news { return .news }
                    state.waiters[subject, default: [:]][number] = Waiter(
                        after: news, deadline: deadline, continuation: continuation)
                    state.count += 1
                    return nil
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            let waiter = self.state.withLock { state in
                let waiter = state.waiters[subject]?.removeValue(forKey: number)
                if waiter != nil { state.count -= 1 }
                return waiter
            }
            waiter?.continuation.resume(returning: .closed)
        }
    }

    func open() {
        self.state.withLock { $0.isOpen = true }
    }

    /// Lets everyone go, and nobody wait from now on.
    package func close() {
        let waiters = self.state.withLock { state in
            state.isOpen = false
            state.isClosed = true
            return state.waiters.keys.flatMap { state.take(from: $0) { _ in true } }
        }
        for waiter in waiters { waiter.continuation.resume(returning: .closed) }
    }

    /// Wakes those who wait for what is new.
    func announce(_ news: [Subject: Int64]) {
        let woken = self.state.withLock { state in
            state.announced.merge(news) { max($0, $1) }
            return news.flatMap { subject, number in state.take(from: subject) { $0.after < number } }
        }
        for waiter in woken { waiter.continuation.resume(returning: .news) }
    }

    /// What was announced, and what is waited for, is of another history: numbers begin anew, and everyone looks again.
    func beginAnew() {
        let waiters = self.state.withLock { state in
            state.announced = [:]
            return state.waiters.keys.flatMap { state.take(from: $0) { _ in true } }
        }
        for waiter in waiters { waiter.continuation.resume(returning: .news) }
    }

    /// Lets those go whose time is up.
    func expire(at now: ContinuousClock.Instant) {
        let expired = self.state.withLock { state in
            state.waiters.keys.flatMap { state.take(from: $0) { $0.deadline <= now } }
        }
        for waiter in expired { waiter.continuation.resume(returning: .timeUp) }
    }
}
