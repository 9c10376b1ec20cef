import SyncModel
import Synchronization

/// How far a job is, written by the work and read by the heartbeat.
final class ProgressMeter: Sendable {
    private let state = Mutex(Upload.Progress(phase: .reading, done: 0, total: 0))

    var reading: Upload.Progress { self.state.withLock { $0 } }

    func enter(_ phase: Upload.Phase, total: Int) {
        self.state.withLock { $0 = Upload.Progress(phase: phase, done: 0, total: total) }
    }

    func advance(by count: Int) {
        self.state.withLock { $0.done += count }
    }
}
