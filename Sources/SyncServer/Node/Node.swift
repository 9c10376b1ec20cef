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
    let lookout: RevisionStore

    /// A venue, or the tombstone of one.
    struct Known: Sendable {
        let venue: VenueRecord
        let isDeleted: Bool
    }

    struct Memory: Sendable {
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

    let memory = Mutex(Memory())
    let readings = Mutex(Readings())

    /// - Parameter lookout: The same database over a connection of its own; nil to share the others.
    package init(store: RevisionStore, replica: RevisionStore? = nil, lookout: RevisionStore? = nil) {
        self.store = store
        self.lookout = lookout ?? store
        self.replica = replica
    }

    /// How long what was seen counts as what is.
    package static let trust = Duration.seconds(2)
    /// How long a look may take.
    static let patience = Duration.seconds(5)
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

    /// Whether a venue is known as it is here, or as it was later.
    package func knows(_ venue: VenueRecord) -> Bool { self.known(venue.key)?.venue.news ?? -1 >= venue.news }

    /// Vouches for what was known at a moment.
    package func vouch(since moment: ContinuousClock.Instant) {
        self.memory.withLock { $0.vouchedUntil = moment + Self.trust }
    }
}
