package import Foundation
import IMDF
package import RevisionStore
package import SyncModel
import Synchronization

/// The venues and keys of the database as this process knows them, so that a poll without changes takes no SQL.
///
/// ``ChangeNotifier`` refreshes it on every notification and every second, and confirms it for ``confirmationLifetime``. A request
/// that finds it unconfirmed refreshes it first, and so does a request that names a revision which is not known here: a client
/// never receives an older state than another node has sent it.
package final class ReadModel: Sendable {
    /// The primary: everything is written there, and it decides.
    package let store: RevisionStore
    /// Revisions are read here as soon as the replica has them.
    let replica: RevisionStore?
    /// The same database as `store` over connections that requests cannot exhaust.
    let pollStore: RevisionStore
    let comparisonInterval: Duration
    let unconfirmedLimits: UnconfirmedLimits
    /// The clock of confirmations and outages.
    let now: @Sendable () -> ContinuousClock.Instant
    /// The clock by which keys expire here. Writes are decided by the clock of the database.
    let date: @Sendable () -> Date
    /// What was read of revisions, from either database.
    let revisionCache = RevisionCache()

    let state = Mutex(State())
    let refreshes = Mutex(Refreshes())
    /// See ``recordKeyUse()``.
    let usedKeys = Mutex<Set<KeyID>>([])

    /// A venue, or the tombstone of one.
    struct VenueEntry: Sendable {
        fileprivate(set) var venue: VenueRecord
        let isDeleted: Bool
        let checksum: Int64
        /// The venue before its newest revision; nil if something else has changed with it.
        private let former: VenueRecord?

        init(_ change: CatalogueChanges.Change, after former: VenueEntry?) {
            self.venue = change.venue
            self.isDeleted = change.isDeleted
            self.checksum = change.checksum
            self.former = former.flatMap { $0.differsByRevision(from: change) ? $0.venue : nil }
        }

        private func differsByRevision(from change: CatalogueChanges.Change) -> Bool {
            !self.isDeleted && !change.isDeleted && self.venue.head > 0 && self.venue.head < change.venue.head
                && self.venue.id == change.venue.id && self.venue.epoch == change.venue.epoch
                && self.venue.settings == change.venue.settings
        }

        /// The venue as a replica knows that has come to a change number.
        fileprivate func known(at changeNumber: Int64) -> VenueEntry {
            guard self.venue.changeNumber > changeNumber, let former, former.changeNumber <= changeNumber else {
                return self
            }
            var entry = self
            entry.venue = former
            return entry
        }
    }

    struct State: Sendable {
        var changeNumber: Int64 = -1
        /// False when the last refresh found parts of the database missing: everything is loaded anew before any request is served.
        var isComplete = false
        /// Identifies the files of the tables; see ``CatalogueChanges``.
        var files = ""
        /// See ``CatalogueChanges/lineage``.
        var lineage = ""
        var checksums = CatalogueChanges.Checksums(venues: 0, keys: 0)
        /// Refreshes that still compare all checksums because the database was found to be another copy: a restore may go on.
        var pendingComparisons = 0
        var lastComparison: ContinuousClock.Instant?
        /// Counts the histories that this process has seen, one after the other.
        var generation = 0
        var keyChangeNumber: Int64 = -1
        var replicaChangeNumber: Int64 = -1
        var venues: [VenueKey: VenueEntry] = [:]
        /// All keys of `venues`, ascending.
        var order: [VenueKey] = []
        var keys: [KeyID: KeyRecord] = [:]
        /// When the next of `keys` expires that has not; nil if none does.
        var nextExpiry: Date?
        /// Raised when requests must be authorized anew although nothing in the database has changed.
        var authorizationNumber = 0
        /// Keys that were changed or revoked, or have expired; see ``ReadModel/takeChangedKeys()``.
        var changedKeys: Set<KeyID> = []
        var cataloguePosition: Int64 = 0
        var catalogue = CatalogueState()
        var confirmedUntil: ContinuousClock.Instant?
        /// When the last refresh that succeeded began: what is known was right then.
        var readAt: ContinuousClock.Instant?
        /// Nothing is read; see ``ReadModel/suspend()``.
        var isSuspended = false
        /// After an outage, requests are served without another refresh until this time.
        var retryOutageAt: ContinuousClock.Instant?
        /// Until this time only the replica is read; see ``ReadModel/noteOutage()``.
        var readsReplicaUntil: ContinuousClock.Instant?
    }

    /// - Parameters:
    ///   - pollStore: The same database over a connection of its own; nil to share those of `store`.
    ///   - comparison: The interval at which everything is compared with the database by checksum, whatever the change numbers
    ///     are. A comparison takes some milliseconds for a thousand venues.
    package init(
        store: RevisionStore, replica: RevisionStore? = nil, pollStore: RevisionStore? = nil,
        comparison: Duration = .seconds(10), unconfirmed: UnconfirmedLimits = UnconfirmedLimits(),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        date: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.comparisonInterval = comparison
        self.unconfirmedLimits = unconfirmed
        self.now = now
        self.date = date
        self.store = store
        self.pollStore = pollStore ?? store
        self.replica = replica
    }

    /// How long a refresh confirms the read model.
    package static let confirmationLifetime = Duration.seconds(2)
    /// How long a refresh may take where nothing else can be served. A server that has just started on a busy machine may need some seconds.
    static let refreshTimeout = Duration.seconds(15)
}

extension ReadModel {
    /// All changes up to this number are known; -1 before the first refresh.
    var changeNumber: Int64 { self.state.withLock(\.changeNumber) }

    /// The number of the copy of the database that is read, counted from 0. A database that turns out to be another copy, with another
    /// history, begins the next generation.
    var generation: Int { self.state.withLock(\.generation) }

    /// A state of the read model. Equal change numbers of different histories are different changes.
    package struct Version: Sendable, Hashable {
        let generation: Int
        let changeNumber: Int64
        let authorizationNumber: Int
    }

    /// The present version, if it is confirmed.
    var confirmedVersion: Version? {
        let now = self.now()
        return self.withExpiry { state in
            guard let until = state.confirmedUntil, until > now, !state.readsReplicaOnly(now) else { return nil }
            return Version(
                generation: state.generation, changeNumber: state.changeNumber,
                authorizationNumber: state.authorizationNumber)
        }
    }

    /// The version, if it is still the confirmed one: what was read meanwhile belongs to it.
    func unchanged(_ version: Version?) -> Version? { self.confirmedVersion == version ? version : nil }

    /// The catalogue position of the newest revision.
    var cataloguePosition: Int64 { self.state.withLock(\.cataloguePosition) }

    /// All venues as catalogue synchronization needs them.
    var catalogue: CatalogueState { self.state.withLock(\.catalogue) }

    /// The seal of the cursors that this database issues.
    var cursorSeal: CursorSeal { self.state.withLock(\.catalogue.seal) }

    func entry(for key: VenueKey) -> VenueEntry? {
        let now = self.now()
        return self.state.withLock { state in
            let entry = state.venues[key]
            return state.readsReplicaOnly(now) ? entry?.known(at: state.replicaChangeNumber) : entry
        }
    }

    /// Nil for a key that does not exist, was revoked or has expired.
    func key(_ id: KeyID) -> KeyRecord? {
        self.withExpiry { state in state.keys[id] }.flatMap { $0.isExpired(at: self.date()) ? nil : $0 }
    }

    /// The state in which the keys that have expired by now are noted.
    private func withExpiry<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        let date = self.date()
        return self.state.withLock { state in
            state.noteExpiredKeys(at: date)
            return body(&state)
        }
    }

    /// The keys that were changed or revoked, or have expired, since the last call.
    func takeChangedKeys() -> Set<KeyID> {
        self.withExpiry { state in
            let changed = state.changedKeys
            state.changedKeys = []
            return changed
        }
    }

    func venues(changedAfter changeNumber: Int64) -> [VenueRecord] {
        self.state.withLock { $0.venues.values.filter { $0.venue.changeNumber > changeNumber } }.map(\.venue)
    }

    /// Venues ordered by key, also those without a revision: those after `key` that match, at most `limit` of them.
    func venues(after key: VenueKey?, limit: Int, where matches: (VenueRecord) -> Bool) -> [VenueRecord] {
        self.state.withLock { state in
            var venues: [VenueRecord] = []
            var index = key.map { state.order.firstIndex(after: $0) } ?? 0
            while index < state.order.count, venues.count < limit {
                if let entry = state.venues[state.order[index]], !entry.isDeleted, matches(entry.venue) {
                    venues.append(entry.venue)
                }
                index += 1
            }
            return venues
        }
    }

    /// Reads nothing until ``resume()``: every request is refused as during an outage. For a node whose database is not checked yet.
    package func suspend() { self.state.withLock { $0.isSuspended = true } }

    package func resume() { self.state.withLock { $0.isSuspended = false } }

    /// Confirms the read model as of a time before the refresh that succeeded.
    package func confirm(asOf time: ContinuousClock.Instant) {
        self.state.withLock { if $0.isComplete { $0.confirmedUntil = time + Self.confirmationLifetime } }
    }

    /// All venues and keys, for comparisons: two nodes with equal contents send equal responses.
    package struct Contents: Sendable, Hashable {
        package let venues: [VenueKey: VenueRecord]
        package let deleted: Set<VenueKey>
        package let keys: [KeyID: KeyRecord]
        package let changeNumber: Int64
        package let cataloguePosition: Int64
        package let readable: VenueSet
    }

    package var contents: Contents {
        self.withExpiry { state in
            Contents(
                venues: state.venues.mapValues(\.venue), deleted: Set(state.venues.filter(\.value.isDeleted).keys),
                keys: state.keys, changeNumber: state.changeNumber, cataloguePosition: state.cataloguePosition,
                readable: state.catalogue.readable(of: nil))
        }
    }
}
