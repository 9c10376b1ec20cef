internal import CGEOS
import Foundation

/// Decides when a run of the rules has to stop: when it was interrupted, or when a rule or the whole run exceeds its time limit.
///
/// The time limits only back up ``WorkBudget``. They are far above what the budgets allow on any machine, because a report must
/// not depend on the machine. GEOS calls its interrupt hook while it computes. The hook is global to the process and is called
/// on the computing thread, so each thread stores the clock of its run.
package final class RunClock {
    /// The limit of one rule.
    static let ruleLimit = Duration.seconds(120)
    /// The limit of all rules together.
    package static let runLimit = Duration.seconds(300)

    private let interruption: Interruption?
    private let runDeadline: ContinuousClock.Instant
    /// The deadline of the current rule; nil between rules.
    private var ruleDeadline: ContinuousClock.Instant?
    private var isLate = false
    private var checks: UInt32 = 0

    package init(_ interruption: Interruption?, runLimit: Duration = RunClock.runLimit) {
        self.interruption = interruption
        self.runDeadline = .now + runLimit
    }

    /// Whether the run has exceeded its time limit.
    var isRunOver: Bool { self.runDeadline < .now }

    /// Whether to stop now. Reads the time at every 16th call only, because it is called more often than any step takes long.
    var mustStop: Bool {
        if self.interruption?.isRequested == true { return true }
        self.checks &+= 1
        if self.checks % 16 == 0 {
            let now = ContinuousClock.now
            self.isLate = now > self.runDeadline || self.ruleDeadline.map { now > $0 } == true
        }
        return self.isLate
    }

    /// Does work of a rule that has some time left. Returns the time that the work took.
    func measure(within limit: Duration, _ work: () -> Void) -> Duration {
        let start = ContinuousClock.now
        self.ruleDeadline = start + limit
        defer {
            self.ruleDeadline = nil
            self.isLate = false
        }
        work()
        return start.duration(to: .now)
    }
}

// MARK: - The interrupt hook of GEOS

extension RunClock {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        precondition(pthread_key_create(&key, nil) == 0, "no thread-specific keys are left")
        return key
    }()

    /// The hook of the process before this one, which goes on being called.
    private static let formerHook: (@convention(c) () -> Void)? = GEOS_interruptRegisterCallback {
        // Another thread may consume this request. It then repeats its operation, and this thread requests again.
        if RunClock.ofThread?.mustStop == true { GEOS_interruptRequest() }
        RunClock.formerHook?()
    }

    private static var ofThread: RunClock? {
        pthread_getspecific(Self.key).map { Unmanaged<RunClock>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Does work under this clock. The work must not leave the thread.
    package func whileOnThread<Result>(_ work: () throws -> Result) rethrows -> Result {
        _ = Self.formerHook
        pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
        defer { pthread_setspecific(Self.key, nil) }
        return try work()
    }
}
