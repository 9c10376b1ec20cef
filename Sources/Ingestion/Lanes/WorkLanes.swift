import RevisionStore
import Synchronization

/// What one worker process does at the same time.
///
/// Uploads are processed in slots, each on threads of its own. One slot takes archives of any size, one only smaller ones, and
/// one only smaller ones of authors of whom nothing else is being processed: whatever one author sends, another author's upload
/// finds a slot. The rules run in two lanes of lower priority, one run at a time in each: for uploads that are published only
/// if the rules let them, and, behind everything else, for uploads that are published already.
final class WorkLanes: Sendable {
    struct Slot: Sendable {
        let scope: ClaimScope
        let threads = WorkThreads(count: 2)
    }

    /// Larger archives, in bytes, are processed one at a time, because of the memory that they take.
    private static let largeArchive: Int64 = 8 << 20
    /// Uploads that may wait for the rules outside of the slots, and how many bytes their archives may have together.
    private static let parkingLimit = (uploads: 8, bytes: 64 << 20 as Int64)

    let slots = [
        Slot(scope: .any), Slot(scope: ClaimScope(largestArchive: WorkLanes.largeArchive)),
        Slot(scope: ClaimScope(largestArchive: WorkLanes.largeArchive, onlyIdleAuthors: true)),
    ]
    /// Runs the rules over uploads that are not published yet.
    let judging = WorkThreads(count: 1, niceness: 5)
    /// Runs the rules over uploads that are published.
    let following = WorkThreads(count: 1, niceness: 10)
    /// Reads the archives of published uploads again.
    let rereading = WorkThreads(count: 1, niceness: 10)

    private struct State {
        var parked = 0
        var parkedBytes: Int64 = 0
        var isFollowing = false
    }

    private let state = Mutex(State())

    func close() {
        for threads in self.slots.map(\.threads) + [self.judging, self.following, self.rereading] { threads.close() }
    }

    /// Takes in an upload that waits for the rules, so that its slot is free; false when too many wait already.
    func park(_ bytes: Int64) -> Bool {
        self.state.withLock { state in
            guard state.parked < Self.parkingLimit.uploads,
                state.parked == 0 || state.parkedBytes + bytes <= Self.parkingLimit.bytes
            else { return false }
            state.parked += 1
            state.parkedBytes += bytes
            return true
        }
    }

    func unpark(_ bytes: Int64) {
        self.state.withLock { state in
            state.parked -= 1
            state.parkedBytes -= bytes
        }
    }

    /// Enters the lane of published uploads; false when another one is in it.
    func enterFollowing() -> Bool {
        self.state.withLock { state in
            guard !state.isFollowing else { return false }
            state.isFollowing = true
            return true
        }
    }

    func leaveFollowing() {
        self.state.withLock { $0.isFollowing = false }
    }
}
