import Foundation
public import IMDF
import SyncModel

/// The changes of a replica as a sequence of updates.
///
/// A slow reader misses nothing: changes that were committed in the meantime are merged into one net difference, which is kept in the
/// file and not in memory. The sequence ends when the replica is closed, and throws if the file cannot be read. It has one reader.
public struct ReplicaChanges: AsyncSequence, Sendable {
    public typealias Element = ReplicaUpdate

    private let observation: Observation

    /// - Parameter reportsAbout: Whether a commit that changes only the time zone, the language or the country gives an update.
    init(
        _ replica: VenueReplica, _ scope: ReplicaScope, _ start: ReplicaStart, reportsAbout: Bool = false
    ) async throws {
        self.observation = try await Observation(replica, scope, start, reportsAbout: reportsAbout)
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
        /// What the scope contained at that commit.
        private var part = ReplicaPart()
        private let reportsAbout: Bool
        private var about: ChangeSet.About?

        init(
            _ replica: VenueReplica, _ scope: ReplicaScope, _ start: ReplicaStart, reportsAbout: Bool
        ) async throws {
            self.reportsAbout = reportsAbout
            self.scope = scope
            self.store = replica.store
            self.observers = replica.observers
            self.seen = -1
            // Registered before the state is read, so that former features are kept from here on.
            self.observers.add(self.id)
            do {
                let (commits, part) = try await replica.store.read { reader in
                    (try reader.state().commits, start == .now ? try reader.part(of: scope) : ReplicaPart())
                }
                self.observers.noteCommit(commits)
                if start == .now { (self.seen, self.part) = (commits, part) }
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
                var update = try await self.store.read { [seen, part, scope] in
                    try seen < 0 ? $0.snapshot(of: scope) : $0.update(since: seen, before: part, on: scope)
                }
                if self.seen >= 0, self.observers.noteCommit(update.commit, since: self.seen) {
                    update = try await self.store.read { [scope] in try $0.snapshot(of: scope) }
                }
                (self.seen, self.part) = (update.commit, update.part)
                self.observers.setSeen(update.commit, for: self.id)
                let isNews = self.reportsAbout && self.about != update.about
                self.about = update.about
                if update.isSnapshot || !update.changes.isEmpty || isNews { return update }
            } while await self.observers.wait(self.id)
            try Task.checkCancellation()
            return nil
        }
    }
}

extension VenueReplica {
    /// Readers of ``changes(on:from:)`` that have every update and wait for the next one.
    package nonisolated var waitingObservers: Int { self.observers.waitingCount }

    /// The changes of the stored features on some levels, after every commit. For what they change in a drawn map, see
    /// ``mapUpdates(in:)``.
    ///
    ///     for try await update in try await replica.changes(on: [.ordinal(0)]) {
    ///         for change in update.changes { list.apply(change) }
    ///     }
    ///
    /// - Parameters:
    ///   - levels: What to observe. Of the venue-wide part, those features that touch one of the levels, such as lifts: those that refer to
    ///     features on a level, and the level features; with `.venueWide` all. Levels that are not held are added when they are.
    ///   - start: Whether the first update is a snapshot of what is held.
    public nonisolated func changes(
        on levels: LevelSelection, from start: ReplicaStart = .snapshot
    ) async throws -> ReplicaChanges {
        try await ReplicaChanges(self, ReplicaScope(levels), start)
    }
}
