package import Logging
import RevisionStore
import Synchronization

/// Whether a worker can use its database. All slots of a worker share it, because they share the database: an outage is logged once when
/// it begins and once when it is over, and until then there are pauses between attempts.
package final class DatabaseCondition: Sendable {
    private struct State {
        /// Attempts that failed since the last one that succeeded.
        var failures = 0
        /// No job is claimed before.
        var retryAt: ContinuousClock.Instant?
        var lastFailure: ContinuousClock.Instant?
        var lastSuccess: ContinuousClock.Instant?
    }

    private let state = Mutex(State())
    private let messages: (lost: String, back: String)
    private let logger: Logger

    /// The longest pause between two attempts.
    private let longestPause: Duration

    /// - Parameters:
    ///   - messages: What is logged when the condition begins, and when it is over.
    ///   - longestPause: The longest pause between two attempts.
    package init(_ messages: (lost: String, back: String), longestPause: Duration, logger: Logger) {
        self.messages = messages
        self.longestPause = longestPause
        self.logger = logger
    }

    package var isPausing: Bool { self.state.withLock { $0.retryAt.map { $0 > .now } ?? false } }

    /// Records an attempt that failed. The next one is made after 1 s, then after twice as long each time. Attempts that fail during a
    /// pause began before it, and do not make it longer.
    ///
    /// - Parameter start: When the attempt began, if that was long ago. A failure of one that began before the last success is old.
    package func failed(_ error: any Error, since start: ContinuousClock.Instant = .now) {
        let isFirst = self.state.withLock { state in
            if state.lastSuccess.map({ $0 > start }) ?? false { return false }
            state.lastFailure = .now
            if state.retryAt.map({ $0 > .now }) ?? false { return false }
            state.retryAt = .now + min(.seconds(1 << min(state.failures, 6)), self.longestPause)
            state.failures += 1
            return state.failures == 1
        }
        if isFirst { self.logger.warning("\(self.messages.lost)", metadata: ["error": "\(error)"]) }
    }

    /// Records an attempt that succeeded.
    ///
    /// - Parameter start: When the attempt began, if that was long ago. A success of one that began before the last failure is old: what
    ///   it needed was there earlier.
    package func succeeded(since start: ContinuousClock.Instant = .now) {
        let wasFailing = self.state.withLock { state in
            if state.lastFailure.map({ $0 > start }) ?? false { return false }
            defer { state = State(lastSuccess: .now) }
            return state.failures > 0
        }
        if wasFailing { self.logger.notice("\(self.messages.back)") }
    }
}
