import IMDF
import IMDFValidation
import RevisionStore

/// Runs the rules over the archive of one job, outside of the slot in which the job began.
struct RuleRunner: Sendable {
    /// Nil where one job is done at a time.
    let lanes: WorkLanes?
    /// Makes the job's slot available to the next upload.
    let freeSlot: @Sendable () -> Void

    /// Runs the rules on the caller's thread, without lanes.
    static let inPlace = RuleRunner(lanes: nil) {}

    /// Runs the rules over an upload that is not published yet.
    func beforePublishing(
        _ bytes: Int64, _ run: @escaping @Sendable (Interruption) throws -> FindingReport
    ) async throws -> FindingReport {
        guard let lanes = self.lanes else { return try await Self.run(on: nil, run) }
        let isQueued = lanes.enqueue(bytes)
        defer { if isQueued { lanes.dequeue(bytes) } }
        if isQueued { self.freeSlot() }
        return try await Self.run(on: lanes.unpublishedRules, run)
    }

    /// Enters the lane of published uploads; false when another upload is in it.
    func afterPublishing(_ run: () async throws -> Void) async throws -> Bool {
        guard let lanes = self.lanes else {
            try await run()
            return true
        }
        guard lanes.enterPublishedLane() else { return false }
        defer { lanes.leavePublishedLane() }
        self.freeSlot()
        try await run()
        return true
    }

    /// Runs the rules over an upload that is published or unchanged; to be called inside of ``afterPublishing(_:)``.
    func runAfterPublishing(
        _ run: @escaping @Sendable (Interruption) throws -> FindingReport
    ) async throws -> FindingReport {
        try await Self.run(on: self.lanes?.publishedRules, run)
    }

    private static func run(
        on threads: WorkThreads?, _ run: @escaping @Sendable (Interruption) throws -> FindingReport
    ) async throws -> FindingReport {
        let interruption = Interruption()
        return try await withTaskCancellationHandler {
            try await Task(executorPreference: threads) { try run(interruption) }.value
        } onCancel: {
            interruption.request()
        }
    }
}
