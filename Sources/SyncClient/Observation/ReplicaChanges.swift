import Foundation

/// The changes of a replica as a sequence of updates.
///
/// A slow reader misses nothing: changes that were committed in the meantime are merged into one net difference, which is kept in the
/// file and not in memory. The sequence ends when the replica is closed, and throws if the file cannot be read. It has one reader.
public struct ReplicaChanges: AsyncSequence, Sendable {
    public typealias Element = ReplicaUpdate

    private let observation: Observation

    init(_ replica: VenueReplica, _ scope: ReplicaScope, _ start: ReplicaStart) async throws {
        self.observation = try await Observation(replica, scope, start)
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(observation: self.observation) }

    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let observation: Observation

        /// Waits for the next update.
        public mutating func next() async throws -> ReplicaUpdate? { try await self.observation.next() }
    }

    /// The state of one reader. Its registration ends when the sequence and its iterator are released.
    fileprivate actor Observation {
        private let id = UUID()
        private let scope: ReplicaScope
        private let store: ReplicaStore
        private let observers: Observers
        /// The commit of the last update; -1 before the first one.
        private var seen: Int64

        init(_ replica: VenueReplica, _ scope: ReplicaScope, _ start: ReplicaStart) async throws {
            self.scope = scope
            self.store = replica.store
            self.observers = replica.observers
            self.seen = -1
            // Registered before the state is read, so that former features are kept from here on.
            self.observers.add(self.id)
            do {
                let commits = try await replica.store.state().commits
                self.observers.noteCommit(commits)
                if start == .now { self.seen = commits }
                self.observers.setSeen(commits, for: self.id)
            } catch {
                self.observers.remove(self.id)
                throw error
            }
        }

        deinit { self.observers.remove(self.id) }

        func next() async throws -> ReplicaUpdate? {
            repeat {
                self.observers.beginRead(self.id)
                var update = try await self.store.read { [seen, scope] in try $0.update(since: seen, on: scope) }
                if self.seen >= 0, self.observers.noteCommit(update.commit, since: self.seen) {
                    update = try await self.store.read { [scope] in try $0.update(since: -1, on: scope) }
                }
                self.seen = update.commit
                self.observers.setSeen(update.commit, for: self.id)
                if update.isSnapshot || !update.changes.isEmpty { return update }
            } while await self.observers.wait(self.id)
            try Task.checkCancellation()
            return nil
        }
    }
}

extension VenueReplica {
    /// Readers of ``changes(on:from:)`` that have every update and wait for the next one.
    package nonisolated var waitingObservers: Int { self.observers.waitingCount }

    /// The changes on one level, or on all of them, after every commit: enough to move a marker instead of redrawing a floor.
    ///
    ///     for try await update in try await replica.changes(on: .level(floor)) {
    ///         for change in update.changes { markers.apply(change) }
    ///     }
    ///
    /// - Parameters:
    ///   - scope: What to observe.
    ///   - start: Whether the first update is a snapshot of what is held.
    public nonisolated func changes(
        on scope: ReplicaScope, from start: ReplicaStart = .snapshot
    ) async throws -> ReplicaChanges {
        try await ReplicaChanges(self, scope, start)
    }
}
