package import RevisionStore
import SyncModel
import Synchronization

/// Where a node reads revisions from.
extension Node {
    /// Where to read a venue: the replica once it shows all that is known here of the venue.
    ///
    /// - Parameter revision: Must be there, too, though it may not be known here yet.
    package func reader(of venue: VenueRecord, at revision: Int64 = 0) -> RevisionStore {
        self.replica(showing: venue, at: revision) ?? self.store
    }

    /// Like ``reader(of:at:)``, through the cache of this node.
    package func revisions(of venue: VenueRecord, at revision: Int64 = 0) -> RevisionReader {
        RevisionReader(store: self.reader(of: venue, at: revision), cache: self.revisionCache)
    }

    /// Reads the primary through the cache of this node.
    var revisions: RevisionReader { RevisionReader(store: self.store, cache: self.revisionCache) }

    private func replica(showing venue: VenueRecord, at revision: Int64) -> RevisionStore? {
        guard revision <= venue.head, self.memory.withLock(\.newsOfReplica) >= venue.changeNumber else { return nil }
        return self.replica
    }

    /// Reads of a venue what stands still, and once more from where everything is written when the replica has gone away.
    ///
    /// - Parameter revision: As for ``reader(of:at:)``.
    func read<Answer>(
        _ venue: VenueRecord, at revision: Int64 = 0, _ body: (RevisionStore) async throws -> Answer
    ) async throws -> Answer {
        guard let replica = self.replica(showing: venue, at: revision) else { return try await body(self.store) }
        do {
            return try await body(replica)
        } catch let error where RevisionStore.isOutage(error) {
            self.markReplicaStale()
            return try await body(self.store)
        }
    }

    /// Nothing is read from the replica until it is looked at again.
    private func markReplicaStale() {
        self.memory.withLock { $0.newsOfReplica = -1 }
    }

    /// Looks how far the replica has come.
    func pollReplica() async {
        guard let replica = self.replica else { return }
        let news = await bounded(by: .milliseconds(500)) { try? await replica.changeNumber() }
        self.memory.withLock { $0.newsOfReplica = news.flatMap(\.self) ?? -1 }
    }

    /// Whether there is a replica and it answered when it was looked at last.
    var hasReplica: Bool { self.replica != nil && self.memory.withLock { $0.newsOfReplica >= 0 } }

    /// Whether the replica shows everything that is known here.
    var isReplicaLevel: Bool {
        self.replica == nil || self.memory.withLock { $0.newsOfReplica >= $0.news }
    }
}
