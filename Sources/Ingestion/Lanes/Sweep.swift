import RevisionStore

/// Deletes what nobody needs: bodies that were left behind, archives of old uploads, revisions that are not to be kept. A bit
/// at a time.
struct Sweep {
    /// How often is looked for archives that nobody needs any more.
    private static let interval = Duration.seconds(60)

    let store: RevisionStore
    private var sweptAt: ContinuousClock.Instant?
    /// The news by which there was nothing to do.
    private var news: Int64?

    init(store: RevisionStore) {
        self.store = store
    }

    /// Whether there was anything to do, so that there may be more. Most calls find that it is not yet time, and that nothing was
    /// published or set since.
    mutating func sweepSome() async throws -> Bool {
        let news = try await self.store.changeNumber()
        let isTime = self.sweptAt.map { $0.duration(to: .now) > Self.interval } ?? true
        guard isTime || news != self.news else { return false }
        if isTime {
            try await self.store.sweepAbandonedArchives()
            if try await self.store.sweepOldArchives() > 0 { return true }
        }
        if try await self.store.pruneNextBatch() { return true }
        if isTime { self.sweptAt = .now }
        self.news = news
        return false
    }
}
