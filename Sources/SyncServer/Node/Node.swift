package import IMDF
package import RevisionStore
package import SyncModel
import Synchronization

/// What this process knows of venues and keys without asking, so that a poll without news takes no SQL.
///
/// ``ChangeNotifier`` is told of news and looks for them every second; what it saw last it vouches for. When nobody vouches any more,
/// a request looks for itself. Whatever names a revision that is not known here makes the node look first, so nobody is answered
/// with less than they have seen elsewhere.
package final class Node: Sendable {
    /// Where everything is written, and what decides.
    package let store: RevisionStore
    /// Where revisions are read from as soon as they are there.
    let replica: RevisionStore?
    /// What was read of revisions from either database.
    let revisionCache = RevisionCache()
    /// Where news are looked for: the same database as `store`, whose statements may keep all of its connections for a while.
    let pollStore: RevisionStore

    /// A venue, or the tombstone of one.
    struct Known: Sendable {
        let venue: VenueRecord
        let isDeleted: Bool
        let checksum: Int64

        init(_ change: CatalogueChanges.Change) {
            self.venue = change.venue
            self.isDeleted = change.isDeleted
            self.checksum = change.checksum
        }
    }

    struct Memory: Sendable {
        var news: Int64 = -1
        /// False when the last look found a part of the database missing: all of it is read before anything is answered.
        var isWhole = false
        /// See ``CatalogueChanges``.
        var files = ""
        var checksums = CatalogueChanges.Checksums(venues: 0, keys: 0)
        /// Looks that still compare everything, after the database was found to be another copy: more may be on its way.
        var suspicion = 0
        var comparedAt: ContinuousClock.Instant?
        /// How many histories were seen here, one after the other.
        var histories = 0
        var newsOfKeys: Int64 = -1
        var newsOfReplica: Int64 = -1
        var venues: [VenueKey: Known] = [:]
        var keys: [FeatureID: KeyRecord] = [:]
        var position: Int64 = 0
        var catalogue = CatalogueState()
        var confirmedUntil: ContinuousClock.Instant?
        /// After an outage the database is not asked again before this.
        var quietUntil: ContinuousClock.Instant?
    }

    let memory = Mutex(Memory())
    let comparison: Duration
    let readings = Mutex(Readings())

    /// - Parameters:
    ///   - pollStore: The same database over a connection of its own; nil to share the others.
    ///   - comparison: How often everything that is known here is compared with the database, whatever the news say. It takes
    ///     some milliseconds for a thousand venues.
    package init(
        store: RevisionStore, replica: RevisionStore? = nil, pollStore: RevisionStore? = nil,
        comparison: Duration = .seconds(10)
    ) {
        self.comparison = comparison
        self.store = store
        self.pollStore = pollStore ?? store
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

    /// What a node knew at a moment: in another history the same number stands for something else.
    struct Moment: Sendable, Hashable {
        let history: Int
        let news: Int64
    }

    /// That up to which everything is known, while somebody vouches for it.
    var confirmedChangeNumber: Moment? {
        let now = ContinuousClock.now
        return self.memory.withLock { memory in
            guard let until = memory.confirmedUntil, until > now else { return nil }
            return Moment(history: memory.histories, news: memory.news)
        }
    }

    /// Of the newest revision among those of all venues.
    var position: Int64 { self.memory.withLock(\.position) }

    /// All venues, as the clients of all venues need them.
    var catalogue: CatalogueState { self.memory.withLock(\.catalogue) }

    /// Of the database that everything here was read from.
    var cursorSeal: CursorSeal { self.memory.withLock(\.catalogue.seal) }

    func known(_ key: VenueKey) -> Known? { self.memory.withLock { $0.venues[key] } }

    func key(_ id: FeatureID) -> KeyRecord? { self.memory.withLock { $0.keys[id] } }

    /// Venues that changed after `news`.
    func venues(changedAfter news: Int64) -> [VenueRecord] {
        self.memory.withLock { $0.venues.values.filter { $0.venue.changeNumber > news } }.map(\.venue)
    }

    /// Whether a venue is known as it is here, or as it was later.
    package func knows(_ venue: VenueRecord) -> Bool {
        self.known(venue.key)?.venue.changeNumber ?? -1 >= venue.changeNumber
    }

    /// Vouches for what was known at a moment.
    package func confirm(asOf moment: ContinuousClock.Instant) {
        self.memory.withLock { if $0.isWhole { $0.confirmedUntil = moment + Self.trust } }
    }

    /// What is known of venues and keys: two nodes that know the same answer the same.
    package struct Contents: Sendable, Hashable {
        package let venues: [VenueKey: VenueRecord]
        package let deleted: Set<VenueKey>
        package let keys: [FeatureID: KeyRecord]
        package let news: Int64
        package let position: Int64
        package let readable: VenueSet
    }

    package var contents: Contents {
        self.memory.withLock { memory in
            Contents(
                venues: memory.venues.mapValues(\.venue), deleted: Set(memory.venues.filter(\.value.isDeleted).keys),
                keys: memory.keys, news: memory.news, position: memory.position,
                readable: memory.catalogue.readable(of: nil))
        }
    }
}
