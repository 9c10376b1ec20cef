import RevisionPlanning
import SyncModel
import Synchronization

/// The progress of a job, written by the work and read by the heartbeat.
final class ProgressMeter: Sendable {
    private let state = Mutex((progress: Upload.Progress(phase: .reading, done: 0, total: 0), isClosing: false))

    var reading: Upload.Progress { self.state.withLock { $0.progress } }

    /// Whether the work has reached the statement that ends the job and its lease.
    var isClosing: Bool { self.state.withLock { $0.isClosing } }

    /// Whether the work has come to the transaction with its outcome, which finds out by itself what became of it when the primary is
    /// lost, even after COMMIT was sent.
    var isWriting: Bool { self.state.withLock { $0.isClosing || $0.progress.phase == .publishing } }

    func close() {
        self.state.withLock { $0.isClosing = true }
    }

    func enter(_ phase: Upload.Phase, total: Int) {
        self.state.withLock { $0.progress = Upload.Progress(phase: phase, done: 0, total: total) }
    }

    func reach(_ count: Int) {
        self.state.withLock { $0.progress.done = count }
    }

    func advance(by count: Int) {
        self.state.withLock { $0.progress.done += count }
    }

    func update(_ progress: PlanningProgress) {
        switch progress {
        case .entered(let phase, let total): self.enter(phase, total: total)
        case .advanced(let count): self.advance(by: count)
        }
    }
}
