import Foundation
import Synchronization

/// Who watches a replica, and up to which commit each has heard of it.
final class Observers: Sendable {
    private struct Observer {
        /// Nil while it looks: then it may know any commit.
        var seen: Int64?
        var bell: CheckedContinuation<Void, Never>?
    }

    private struct State {
        var observers: [UUID: Observer] = [:]
        var isOver = false
        /// The newest commit that is known here.
        var newest: Int64?
        /// The newest that another process made. It kept nothing for the observers of this one.
        var newestOfOthers: Int64 = -1
    }

    private let state = Mutex(State())

    /// Commits that observers know. What was there then and is no more has to be kept for them. Nil: everything has to be kept.
    var seen: Set<Int64>? {
        self.state.withLock { state in
            let seen = state.observers.values.compactMap(\.seen)
            return seen.count == state.observers.count ? Set(seen) : nil
        }
    }

    /// How many wait for a bell.
    var waiting: Int { self.state.withLock { $0.observers.values.filter { $0.bell != nil }.count } }

    func add(_ id: UUID) {
        self.state.withLock { $0.observers[id] = Observer() }
    }

    /// What an observer does not know yet is kept until it says what it has heard of.
    func looks(_ id: UUID) {
        self.state.withLock { $0.observers[id]?.seen = nil }
    }

    /// Takes note of a commit that was found in the file.
    ///
    /// - Returns: Whether another process has written since `seen`.
    @discardableResult
    func found(_ commit: Int64, since seen: Int64 = 0) -> Bool {
        self.state.withLock { state in
            if let newest = state.newest, commit > newest { state.newestOfOthers = commit }
            state.newest = max(state.newest ?? commit, commit)
            return state.newestOfOthers > seen
        }
    }

    func remove(_ id: UUID) {
        let observer = self.state.withLock { $0.observers.removeValue(forKey: id) }
        observer?.bell?.resume()
    }

    func heard(_ id: UUID, of commit: Int64) {
        self.state.withLock { $0.observers[id]?.seen = commit }
    }

    /// Is said before a commit of this process.
    func commits(_ number: Int64) {
        self.state.withLock { $0.newest = max($0.newest ?? number, number) }
    }

    /// Is said when that commit came to nothing.
    func failed(_ number: Int64) {
        self.state.withLock { state in
            if state.newest == number { state.newest = number - 1 }
        }
    }

    /// Is said after it.
    func committed() {
        self.ring { _ in }
    }

    /// Nobody hears any more.
    func end() {
        self.ring { $0.isOver = true }
    }

    private func ring(_ change: (inout State) -> Void) {
        let bells = self.state.withLock { state in
            change(&state)
            let bells = state.observers.values.compactMap(\.bell)
            for id in state.observers.keys { state.observers[id]?.bell = nil }
            return bells
        }
        for bell in bells { bell.resume() }
    }

    /// Returns when there may be something new to an observer; false when there will never be.
    func wait(_ id: UUID) async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isNow = self.state.withLock { state in
                    guard let observer = state.observers[id], !state.isOver, let seen = observer.seen,
                        seen >= state.newest ?? 0,
                        !Task.isCancelled
                    else { return true }
                    state.observers[id]?.bell = continuation
                    return false
                }
                if isNow { continuation.resume() }
            }
        } onCancel: {
            let bell = self.state.withLock { state in
                let bell = state.observers[id]?.bell
                state.observers[id]?.bell = nil
                return bell
            }
            bell?.resume()
        }
        return self.state.withLock { !$0.isOver && $0.observers[id] != nil } && !Task.isCancelled
    }
}
