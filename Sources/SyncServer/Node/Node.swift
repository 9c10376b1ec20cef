import IMDF
package import RevisionStore
import SyncModel
import Synchronization

/// What this process knows of venues and keys without asking, so that a poll without news takes no SQL.
///
/// ``NodeWatch`` is told of news and looks for them every second; what it saw last it vouches for. When nobody vouches any more,
/// a request looks for itself. Whatever names a revision that is not known here makes the node look first, so nobody is answered
/// with less than they have seen elsewhere.
package final class Node: Sendable {
    /// Where everything is written, and what decides.
    package let store: RevisionStore
    /// Where revisions are read from as soon as they are there.
    let replica: RevisionStore?
    /// Where news are looked for: the same database as `store`, whose statements may keep all of its connections for a while.
    private let lookout: RevisionStore

    /// A venue, or the tombstone of one.
    struct Known: Sendable {
        let venue: VenueRecord
        let isDeleted: Bool
    }

    private struct Memory: Sendable {
        var news: Int64 = -1
        /// How many histories were seen here, one after the other.
        var histories = 0
        var newsOfKeys: Int64 = -1
        var newsOfReplica: Int64 = -1
        var venues: [VenueKey: Known] = [:]
        var keys: [FeatureID: KeyRecord] = [:]
        var position: Int64 = 0
        var catalogue = CatalogueState()
        var vouchedUntil: ContinuousClock.Instant?
        /// After an outage the database is not asked again before this.
        var quietUntil: ContinuousClock.Instant?
    }

    private let memory = Mutex(Memory())
    private let readings = Mutex(Readings())

    /// - Parameter lookout: The same database over a connection of its own; nil to share the others.
    package init(store: RevisionStore, replica: RevisionStore? = nil, lookout: RevisionStore? = nil) {
        self.store = store
        self.lookout = lookout ?? store
        self.replica = replica
    }

    /// How long what was seen counts as what is.
    package static let trust = Duration.seconds(2)
    /// How long a look may take.
    private static let patience = Duration.seconds(5)
}

extension Node {
    /// The number up to which everything is known; -1 before the first look.
    var news: Int64 { self.memory.withLock(\.news) }

    /// How many histories were seen: with another copy of the database begins another one.
    var histories: Int { self.memory.withLock(\.histories) }

    /// The number up to which everything is known, while somebody vouches for it.
    var vouchedNews: Int64? {
        let now = ContinuousClock.now
        return self.memory.withLock { memory in
            guard let until = memory.vouchedUntil, until > now else { return nil }
            return memory.news
        }
    }

    /// Of the newest revision among those of all venues.
    var position: Int64 { self.memory.withLock(\.position) }

    /// All venues, as the clients of all venues need them.
    var catalogue: CatalogueState { self.memory.withLock(\.catalogue) }

    func known(_ key: VenueKey) -> Known? { self.memory.withLock { $0.venues[key] } }

    func key(_ id: FeatureID) -> KeyRecord? { self.memory.withLock { $0.keys[id] } }

    /// Venues that changed after `news`.
    func venues(changedAfter news: Int64) -> [VenueRecord] {
        self.memory.withLock { $0.venues.values.filter { $0.venue.news > news } }.map(\.venue)
    }

    /// Where to read a venue: the replica once it shows all that is known here of the venue.
    ///
    /// - Parameter revision: Must be there, too, though it may not be known here yet.
    package func reader(of venue: VenueRecord, at revision: Int64 = 0) -> RevisionStore {
        self.replica(showing: venue, at: revision) ?? self.store
    }

    private func replica(showing venue: VenueRecord, at revision: Int64) -> RevisionStore? {
        guard revision <= venue.head, self.memory.withLock(\.newsOfReplica) >= venue.news else { return nil }
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
            self.mistrustReplica()
            return try await body(self.store)
        }
    }

    /// Nothing is read from the replica until it is looked at again.
    private func mistrustReplica() {
        self.memory.withLock { $0.newsOfReplica = -1 }
    }
}

extension Node {
    /// Looks for news unless somebody vouches for what is known.
    ///
    /// While the database cannot be reached, what was known last goes on being answered: it was right, and nothing can be changed.
    func settle() async throws {
        let now = ContinuousClock.now
        let (isSettled, isEmpty) = self.memory.withLock { memory in
            (max(memory.vouchedUntil ?? now, memory.quietUntil ?? now) > now, memory.news < 0)
        }
        if isSettled, !isEmpty { return }
        do {
            // A database that does not even refuse is away, too. Who was never vouched for has nothing to fall back on.
            let isWatched = self.memory.withLock { $0.vouchedUntil != nil }
            guard isWatched else { return try await self.refresh() }
            let outcome = await bounded(by: Self.trust) { await Result(catching: self.refresh) }
            guard let outcome else {
                try Task.checkCancellation()
                return self.keepQuiet()
            }
            try outcome.get()
        } catch {
            guard RevisionStore.isOutage(error), !isEmpty else { throw error }
            self.keepQuiet()
        }
    }

    private func keepQuiet() {
        self.memory.withLock { $0.quietUntil = .now + .seconds(1) }
    }

    /// Looks for news now, and gives up on a database that does not answer at all.
    package func refresh() async throws {
        let outcome = await bounded(by: Self.patience) { await Result(catching: self.look) }
        guard let outcome else {
            try Task.checkCancellation()
            throw RevisionStore.silence
        }
        try outcome.get()
    }

    /// Who asks while somebody is looking gets the next look: this one may have begun too early.
    private func look() async throws {
        let reading = self.readings.withLock { readings in
            if let next = readings.next { return next }
            let before = readings.running
            let next = Task {
                _ = await before?.result
                self.readings.withLock { readings in
                    readings.running = readings.next
                    readings.next = nil
                }
                try await self.read()
            }
            readings.next = next
            return next
        }
        try await reading.value
    }

    /// Looks for news when an upload was published as a revision that is not known here: who was told of it may ask for it.
    func catchUp(with upload: Upload) async throws {
        guard let revision = upload.revision, self.known(upload.venue)?.venue.head ?? 0 < revision else { return }
        try await self.refresh()
    }

    private struct Readings {
        var running: Task<Void, any Error>?
        /// Has not begun to read.
        var next: Task<Void, any Error>?
    }

    private func read() async throws {
        let (known, knownOfKeys) = self.memory.withLock { ($0.news, $0.newsOfKeys) }
        var news = try await self.lookout.news(after: known)
        // Another copy of the database: nothing of what is known has to be so any more.
        let isAnother = !news.goesOn(from: known)
        if isAnother {
            news = try await self.lookout.news(after: -1)
            for store in [self.store, self.replica] { store?.forgetAll() }
        }
        let keys = isAnother || news.ofKeys > knownOfKeys ? try await self.lookout.keys() : nil
        self.memory.withLock { memory in
            if isAnother {
                memory.venues = [:]
                memory.catalogue = CatalogueState()
                memory.histories += 1
            }
            for (venue, isDeleted) in news.venues {
                memory.venues[venue.key] = Known(venue: venue, isDeleted: isDeleted)
            }
            if let keys {
                memory.keys = Dictionary(uniqueKeysWithValues: keys.map { ($0.id, $0) })
                memory.newsOfKeys = news.ofKeys
            }
            memory.news = news.number
            memory.position = news.position
            memory.catalogue.apply(news)
            memory.quietUntil = nil
        }
    }

    /// Whether a venue is known as it is here, or as it was later.
    package func knows(_ venue: VenueRecord) -> Bool { self.known(venue.key)?.venue.news ?? -1 >= venue.news }

    /// Vouches for what was known at a moment.
    package func vouch(since moment: ContinuousClock.Instant) {
        self.memory.withLock { $0.vouchedUntil = moment + Self.trust }
    }

    /// Looks how far the replica has come.
    func lookAtReplica() async {
        guard let replica = self.replica else { return }
        let news = await bounded(by: .milliseconds(500)) { try? await replica.newsNumber() }
        self.memory.withLock { $0.newsOfReplica = news.flatMap(\.self) ?? -1 }
    }

    /// Whether there is a replica and it answered when it was looked at last.
    var hasReplica: Bool { self.replica != nil && self.memory.withLock { $0.newsOfReplica >= 0 } }

    /// Whether the replica shows everything that is known here.
    var isReplicaLevel: Bool {
        self.replica == nil || self.memory.withLock { $0.newsOfReplica >= $0.news }
    }
}

extension Result where Failure == any Error, Success: Sendable {
    fileprivate init(catching body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
