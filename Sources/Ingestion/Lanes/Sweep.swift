import RevisionStore

/// Deletes what is not needed any more, in small steps: chunks of abandoned uploads, archives of old uploads, and revisions that
/// the settings of a venue do not keep.
struct Sweep {
    /// The time between two searches for archives that are not needed any more.
    private static let interval = Duration.seconds(60)

    let store: RevisionStore
    private var sweptAt: ContinuousClock.Instant?
    /// The number of the last change after which there was nothing to prune.
    private var lastChange: Int64?

    init(store: RevisionStore) {
        self.store = store
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
            if try await self.store.sweepOldArchives() > 0 { return true }
            if try await self.store.sweepEditRecords() > 0 { return true }
        }
        if try await self.store.pruneNextBatch() { return true }
        if isTime { self.sweptAt = .now }
        self.lastChange = change
        return false
    }
}
