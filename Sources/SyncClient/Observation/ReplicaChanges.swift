import Foundation

/// What changes on a replica, commit by commit.
///
/// Whoever is slow loses nothing: what happened meanwhile is merged into the net difference from what was heard last, and waits in
/// the file, not in memory. The sequence ends when the replica is closed, and throws when its file cannot be read. It is meant for one
/// reader.
public struct ReplicaChanges: AsyncSequence, Sendable {
    public typealias Element = ReplicaUpdate

    private let observation: Observation

    init(_ replica: VenueReplica, _ scope: ReplicaScope, _ start: ReplicaStart) async throws {
        self.observation = try await Observation(replica, scope, start)
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(observation: self.observation) }

    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let observation: Observation

        /// Waits for the next change.
        public mutating func next() async throws -> ReplicaUpdate? { try await self.observation.next() }
    }

    /// One reader's place. It is given up when nobody can read on.
    fileprivate actor Observation {
        private let id = UUID()
        private let scope: ReplicaScope
        private let store: ReplicaStore
        private let observers: Observers
        /// The commit that it has heard of; -1: of none.
        private var seen: Int64

        init(_ replica: VenueReplica, _ scope: ReplicaScope, _ start: ReplicaStart) async throws {
            self.scope = scope
            self.store = replica.store
            self.observers = replica.observers
            self.seen = -1
            // What is written from here on is kept, whatever was written when it is looked at.
            self.observers.add(self.id)
            do {
                let commits = try await replica.store.state().commits
                self.observers.found(commits)
                if start == .now { self.seen = commits }
                self.observers.heard(self.id, of: commits)
            } catch {
                self.observers.remove(self.id)
                throw error
            }
        }

        deinit { self.observers.remove(self.id) }

        func next() async throws -> ReplicaUpdate? {
            repeat {
                self.observers.looks(self.id)
                var news = try await self.store.read { [seen, scope] in try $0.news(since: seen, on: scope) }
                if self.seen >= 0, self.observers.found(news.commits, since: self.seen) {
                    news = try await self.store.read { [scope] in try $0.news(since: -1, on: scope) }
                }
                self.seen = news.commits
                self.observers.heard(self.id, of: news.commits)
                if news.isFromNothing || !news.changes.isEmpty { return news }
            } while await self.observers.wait(self.id)
            try Task.checkCancellation()
            return nil
        }
    }
}

extension VenueReplica {
    /// How many readers of ``changes(on:from:)`` have heard everything and wait.
    package nonisolated var waitingObservers: Int { self.observers.waiting }

    /// What changes on a level, or on everything that is held, as it is committed: enough to move a marker instead of drawing a floor
    /// anew.
    ///
    ///     for try await news in try await replica.changes(on: .level(floor)) {
    ///         for change in news.changes { markers.apply(change) }
    ///     }
    ///
    /// - Parameters:
    ///   - scope: What to watch.
    ///   - start: Where to begin: with nothing, so that the first news are all that is held, or with what is held now.
    public nonisolated func changes(
        on scope: ReplicaScope, from start: ReplicaStart = .nothing
    ) async throws -> ReplicaChanges {
        try await ReplicaChanges(self, scope, start)
    }
}
