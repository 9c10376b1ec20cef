internal import CGEOS
import Foundation

/// When a run of the rules has to stop computing: when it was interrupted, or when the rule or the whole run takes too long.
///
/// The limits in time are the safety net behind ``WorkBudget`` and far above what the budgets allow on any machine, because a
/// report must not depend on the machine. GEOS asks through its interrupt hook while it computes. The hook is process-wide and
/// called on the computing thread, so the clock of a run is found by its thread.
package final class RunClock {
    /// Of one rule.
    static let ruleLimit = Duration.seconds(120)
    /// Of all rules together.
    package static let runLimit = Duration.seconds(300)

    private let interruption: Interruption?
    private let runDeadline: ContinuousClock.Instant
    /// When the current rule has to end; nil between rules.
    var ruleDeadline: ContinuousClock.Instant?
    private var isLate = false
    private var questions: UInt32 = 0

    package init(_ interruption: Interruption?, runLimit: Duration = RunClock.runLimit) {
        self.interruption = interruption
        self.runDeadline = .now + runLimit
    }

    var isInterrupted: Bool { self.interruption?.isRequested == true }

    /// Whether the run has used up its time.
    var isRunOver: Bool { self.runDeadline < .now }

    /// Whether to stop now. The time is looked at now and then only: this is asked more often than anything takes long.
    var mustStop: Bool {
        if self.isInterrupted { return true }
        self.questions &+= 1
        if self.questions % 16 == 0 {
            let now = ContinuousClock.now
            self.isLate = now > self.runDeadline || self.ruleDeadline.map { now > $0 } == true
        }
        return self.isLate
    }

    /// Lets a rule begin with the time that it has left, and answers with what the work returns and how long it took.
    func measure<Answer>(within limit: Duration, _ work: () -> Answer) -> (Answer, Duration) {
        let start = ContinuousClock.now
        self.ruleDeadline = start + limit
        defer {
            self.ruleDeadline = nil
            self.isLate = false
        }
        return (work(), start.duration(to: .now))
    }
}

// MARK: - GEOS's interrupt hook

extension RunClock {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        precondition(pthread_key_create(&key, nil) == 0, "no thread-specific keys are left")
        _ = GEOS_interruptRegisterCallback {
            // Another thread may take this request for its own; it repeats its operation, and this thread asks again.
            if RunClock.ofThread?.mustStop == true { GEOS_interruptRequest() }
        }
        return key
    }()

    private static var ofThread: RunClock? {
        pthread_getspecific(Self.key).map { Unmanaged<RunClock>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Does the work under this clock. The work must not leave the thread.
    package func whileOnThread<Answer>(_ work: () throws -> Answer) rethrows -> Answer {
        pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
        defer { pthread_setspecific(Self.key, nil) }
        return try work()
    }
}
