import ArchiveStore
import Logging
import RevisionStore

/// Deletes what is not needed any more, in small steps: chunks of abandoned uploads, archives of old uploads, and revisions that
/// the settings of a venue do not keep.
struct Sweep {
    /// The time between two searches for archives that are not needed any more.
    private static let interval = Duration.seconds(60)
    /// After so many of them, all venues are examined again, in case another process was killed while it pruned.
    private static let searchesPerRound = 60

    let store: RevisionStore
    private var sweptAt: ContinuousClock.Instant?
    /// The number of the last change after which there was nothing to prune.
    private var lastChange: Int64?
    /// The searches since all venues were examined for revisions that are not kept.
    private var searches = 0
    /// Where the search for revisions that are not kept continues, and the number of the last change when it began.
    private var prunePosition: Int64 = 0
    private var pruneStart: Int64 = 0
    /// Where the search for old archives continues.
    private var archivePosition: Int64 = 0
    /// Whether the archive store could be used the last time.
    private var isStoreAvailable = true
    private let logger: Logger

    init(store: RevisionStore, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// Deletes one batch. Most calls only read the number of the last change: no archives are searched for before the interval is over,
    /// and revisions only become superfluous when something is published or set.
    ///
    /// - Returns: Whether there may be more to do.
    mutating func deleteBatch() async throws -> Bool {
        let change = try await self.store.changeNumber()
        let isTime = self.sweptAt.map { $0.duration(to: .now) > Self.interval } ?? true
        guard isTime || change != self.lastChange else { return false }
        if isTime {
            try await self.store.sweepAbandonedArchives()
            if try await self.store.sweepOldArchives(from: &self.archivePosition) > 0 { return true }
            if try await self.deleteUnusedObjects() { return true }
            if try await self.store.sweepEditRecords() > 0 { return true }
        }
        if self.prunePosition == 0 { self.pruneStart = change }
        let isPruned = try await self.store.pruneNextBatch(changedAfter: self.lastChange, from: &self.prunePosition)
        if isPruned { return true }
        self.lastChange = self.pruneStart
        guard isTime else { return false }
        self.sweptAt = .now
        self.searches += 1
        if self.searches % Self.searchesPerRound == 0 { self.lastChange = nil }
        return false
    }

    /// Returns whether there may be more to do. While the archive store cannot be used, nothing is deleted, and the rest goes on.
    private mutating func deleteUnusedObjects() async throws -> Bool {
        do {
            let count = try await self.store.deleteUnusedObjects()
            if !self.isStoreAvailable { self.logger.notice("Archives can be deleted again") }
            self.isStoreAvailable = true
            return count > 0
        } catch let error as ArchiveStoreError {
            if self.isStoreAvailable {
                self.logger.warning("Archives that are not needed cannot be deleted", metadata: ["error": "\(error)"])
            }
            self.isStoreAvailable = false
            return false
        }
    }
}
