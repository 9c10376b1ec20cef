import RevisionStore
import Synchronization

/// What one worker process does at the same time.
///
/// Uploads are processed in slots, each on threads of its own. One slot takes archives of any size, one only smaller ones, and
/// one only smaller ones of authors without another upload in process, so that no author can occupy all slots. The rules run in
/// two lanes of lower priority, one run at a time in each: one lane for uploads that are not published yet, and one with the
/// lowest priority for uploads that are published already.
final class WorkLanes: Sendable {
    struct Slot: Sendable {
        let scope: ClaimScope
        let threads = WorkThreads(count: 2)
    }

    /// In bytes. Larger archives are processed one at a time, because of the memory that they need.
    private static let largeArchive: Int64 = 8 << 20
    /// The number of uploads that may be queued for the rules outside of the slots, and the bytes of all their archives.
    private static let queueLimit = (uploads: 8, bytes: 64 << 20 as Int64)

    let slots = [
        Slot(scope: .any), Slot(scope: ClaimScope(largestArchive: WorkLanes.largeArchive)),
        Slot(scope: ClaimScope(largestArchive: WorkLanes.largeArchive, onlyIdleSubmitters: true)),
    ]
    /// Runs the rules over uploads that are not published yet.
    let unpublishedRules = WorkThreads(count: 1, niceness: 5)
    /// Runs the rules over uploads that are published.
    let publishedRules = WorkThreads(count: 1, niceness: 10)
    /// Reads the archives of published uploads again.
    let publishedArchives = WorkThreads(count: 1, niceness: 10)

    private struct State {
        var queued = 0
        var queuedBytes: Int64 = 0
        var isPublishedLaneTaken = false
    }

    private let state = Mutex(State())

    func close() {
        for threads in self.slots.map(\.threads) + [self.unpublishedRules, self.publishedRules, self.publishedArchives]
        { threads.close() }
    }

    /// Queues an upload for the rules outside of its slot; false when the queue is full.
    func enqueue(_ bytes: Int64) -> Bool {
        self.state.withLock { state in
            guard state.queued < Self.queueLimit.uploads,
                state.queued == 0 || state.queuedBytes + bytes <= Self.queueLimit.bytes
            else { return false }
            state.queued += 1
            state.queuedBytes += bytes
            return true
        }
    }

    /// Removes an upload from the queue once the rules have run.
    func dequeue(_ bytes: Int64) {
        self.state.withLock { state in
            state.queued -= 1
            state.queuedBytes -= bytes
        }
    }

    /// Enters the lane of published uploads; false when another upload is in it.
    func enterPublishedLane() -> Bool {
        self.state.withLock { state in
            guard !state.isPublishedLaneTaken else { return false }
            state.isPublishedLaneTaken = true
            return true
        }
    }

    func leavePublishedLane() {
        self.state.withLock { $0.isPublishedLaneTaken = false }
    }
}
