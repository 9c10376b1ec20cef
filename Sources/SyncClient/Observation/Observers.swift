import Foundation
import Synchronization

/// The observers of a replica, with the last commit that each has seen.
final class Observers: Sendable {
    private struct Observer {
        /// Nil while the observer reads the file, because it may then see any commit.
        var seen: Int64?
        /// Resumed when there may be something new.
        var waiter: CheckedContinuation<Void, Never>?
    }

    private struct State {
        var observers: [UUID: Observer] = [:]
        var isClosed = false
        /// The newest commit that this process knows.
        var newest: Int64?
        /// The newest commit of another process, which did not keep former features for the observers of this one.
        var newestOfOthers: Int64 = -1
    }

    private let state = Mutex(State())

    /// The commits that observers have seen. Features that were deleted or replaced since have to be kept for them. Nil: keep all.
    var seen: Set<Int64>? {
        self.state.withLock { state in
            let seen = state.observers.values.compactMap(\.seen)
            return seen.count == state.observers.count ? Set(seen) : nil
        }
    }

    var waitingCount: Int { self.state.withLock { $0.observers.values.filter { $0.waiter != nil }.count } }

    func add(_ id: UUID) {
        self.state.withLock { $0.observers[id] = Observer() }
    }

    /// Keeps all former features until ``setSeen(_:for:)`` reports which commit the observer read.
    func beginRead(_ id: UUID) {
        self.state.withLock { $0.observers[id]?.seen = nil }
    }

    /// Records a commit that was read from the file.
    ///
    /// - Returns: Whether another process has written since `seen`.
    @discardableResult
    func noteCommit(_ commit: Int64, since seen: Int64 = 0) -> Bool {
        self.state.withLock { state in
            if let newest = state.newest, commit > newest { state.newestOfOthers = commit }
            state.newest = max(state.newest ?? commit, commit)
            return state.newestOfOthers > seen
        }
    }

    /// Records the commit of the state that the next change set continues, and wakes observers that have not seen it: another replica of the file
    /// wrote it.
    func catchUp(with commit: Int64) {
        self.noteCommit(commit)
        let isNews = self.state.withLock { state in state.observers.values.contains { $0.seen ?? commit < commit } }
        if isNews { self.wake { _ in } }
    }

    func remove(_ id: UUID) {
        let observer = self.state.withLock { $0.observers.removeValue(forKey: id) }
        observer?.waiter?.resume()
    }

    func setSeen(_ commit: Int64, for id: UUID) {
        self.state.withLock { $0.observers[id]?.seen = commit }
    }

    /// Called before this process commits.
    func willCommit(_ number: Int64) {
        self.state.withLock { $0.newest = max($0.newest ?? number, number) }
    }

    /// Called if that commit failed.
    func didFail(_ number: Int64) {
        self.state.withLock { state in
            if state.newest == number { state.newest = number - 1 }
        }
    }

    /// Called after that commit.
    func didCommit() {
        self.wake { _ in }
    }

    /// Ends every observation.
    func close() {
        self.wake { $0.isClosed = true }
    }

    private func wake(_ change: (inout State) -> Void) {
        let waiters = self.state.withLock { state in
            change(&state)
            let waiters = state.observers.values.compactMap(\.waiter)
            for id in state.observers.keys { state.observers[id]?.waiter = nil }
            return waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns true when there may be something new for an observer, and false when there never will be.
    func wait(_ id: UUID) async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = self.state.withLock { state in
                    guard let observer = state.observers[id], !state.isClosed, let seen = observer.seen,
                        seen >= state.newest ?? 0,
                        !Task.isCancelled
                    else { return true }
                    state.observers[id]?.waiter = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            let waiter = self.state.withLock { state in
                let waiter = state.observers[id]?.waiter
                state.observers[id]?.waiter = nil
                return waiter
            }
            waiter?.resume()
        }
        return self.state.withLock { !$0.isClosed && $0.observers[id] != nil } && !Task.isCancelled
    }
}
