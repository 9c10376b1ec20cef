package import RevisionStore
import SyncModel
import Synchronization

extension ReadModel {
    /// The database to read a venue from: the replica once it has the state of the venue that is known here, else the primary.
    ///
    /// - Parameter revision: A revision that is needed, too, and that may not be known here yet.
    package func reader(of venue: VenueRecord, at revision: Int64 = 0) -> RevisionStore {
        self.replica(with: venue, at: revision) ?? self.store
    }

    /// Like ``reader(of:at:)``, through the cache of this node.
    package func revisions(of venue: VenueRecord, at revision: Int64 = 0) -> RevisionReader {
        RevisionReader(store: self.reader(of: venue, at: revision), cache: self.revisionCache)
    }

    /// Reads the primary through the cache of this node.
    var revisions: RevisionReader { RevisionReader(store: self.store, cache: self.revisionCache) }

    private func replica(with venue: VenueRecord, at revision: Int64) -> RevisionStore? {
        guard revision <= venue.head, self.state.withLock(\.replicaChangeNumber) >= venue.changeNumber else {
            return nil
        }
        return self.replica
    }

    /// Reads immutable data of a venue, and reads it from the primary when the replica fails.
    ///
    /// - Parameter revision: As for ``reader(of:at:)``.
    func read<Value>(
        _ venue: VenueRecord, at revision: Int64 = 0, _ body: (RevisionStore) async throws -> Value
    ) async throws -> Value {
        guard let replica = self.replica(with: venue, at: revision) else { return try await body(self.store) }
        do {
            return try await body(replica)
        } catch let error where RevisionStore.isOutage(error) {
            self.markReplicaUnavailable()
            return try await body(self.store)
        }
    }

    /// The bodies of versions of one or more venues, in one statement.
    func bodies(of selections: [ChunkCache.Selection]) async throws -> [[UInt8]] {
        // A replica that has the newest change has all of them.
        guard let newest = selections.max(by: { $0.source.venue.changeNumber < $1.source.venue.changeNumber }) else {
            return []
        }
        let source = newest.source
        return try await self.read(source.venue, at: source.revision) { store in
            guard selections.count > 1 else { return try await store.bodies(of: newest.versions, in: source.venue) }
            return try await store.bodies(of: selections.map { ($0.source.venue, $0.versions) })
        }
    }

    /// Reads nothing from the replica until it was polled again.
    private func markReplicaUnavailable() {
        self.state.withLock { $0.replicaChangeNumber = -1 }
    }

    /// Reads how far the replica has come. One of another history, such as a standby of the former primary after a promotion, is not
    /// used, whatever its numbers are.
    package func pollReplica() async {
        guard let replica = self.replica else { return }
        let position = await withTimeout(.milliseconds(500)) { try? await replica.historyPosition() }
        self.state.withLock { state in
            guard let position = position.flatMap(\.self), state.isOfSameHistory(position) else {
                return state.replicaChangeNumber = -1
            }
            state.replicaChangeNumber = position.changeNumber
        }
    }

    /// Either the primary or the replica has failed. If the replica responds, it is the primary.
    ///
    /// A change that the primary has shown and the replica does not have yet cannot be read until there is a primary again; it may even
    /// be lost. So the venue is shown for a second as it was before, unless anything but its revision has changed, such as who may
    /// read it. A client that has seen more names it, and gets no such response meanwhile.
    func noteOutage() async {
        await self.pollReplica()
        self.state.withLock { state in
            if state.replicaChangeNumber >= 0 { state.readsReplicaUntil = self.now() + .seconds(1) }
        }
    }

    /// Whether there is a replica that responded to the last poll.
    package var isReplicaAvailable: Bool { self.replica != nil && self.state.withLock { $0.replicaChangeNumber >= 0 } }

    /// Whether the replica has everything that is known here. True without a replica.
    var isReplicaCurrent: Bool {
        self.replica == nil || self.state.withLock { $0.replicaChangeNumber >= $0.changeNumber }
    }
}

extension ReadModel.State {
    /// Whether the primary has failed and the replica is read instead.
    func readsReplicaOnly(_ now: ContinuousClock.Instant) -> Bool { self.readsReplicaUntil.map { $0 > now } ?? false }

    /// Whether a server has the history that is known here. Its lineage proves it, unless the role may not read the system identifier
    /// and the timeline; with equal numbers, the hash chain must be the same as well.
    fileprivate func isOfSameHistory(_ position: HistoryPosition) -> Bool {
        position.lineage == self.lineage
            && (position.changeNumber != self.changeNumber || position.checkpoint == self.catalogue.checkpoint)
    }
}
