import Caching
import IMDF
import SyncModel

/// A cache of what was read of published revisions, which are immutable.
///
/// The epoch of the venue is part of every key, because a deleted venue and a later one of the same name are different.
package final class RevisionCache: Sendable {
    struct RevisionKey: Hashable {
        let venue: Int64
        let epoch: Int64
        let number: Int64

        init(_ number: Int64, of venue: VenueRecord) {
            self.venue = venue.id
            self.epoch = venue.epoch
            self.number = number
        }
    }

    struct RangeKey: Hashable {
        let from: RevisionKey
        let to: RevisionKey
    }

    struct LevelKey: Hashable {
        let revision: RevisionKey
        let level: FeatureID?
    }

    /// Costs are numbers of records of about 100 bytes each: about 135 MB when all caches are full.
    let revisions = LRUCache<RevisionKey, RevisionRecord>(cost: 50_000)
    let levelStates = LRUCache<RevisionKey, [LevelState]>(cost: 50_000)
    let changes = LRUCache<RangeKey, NetChanges>(cost: 750_000)
    /// Venues that were published between two catalogue positions. Some may have been deleted since.
    let publishedVenues = LRUCache<ClosedRange<Int64>, VenueSet>(cost: 10_000)
    /// The versions of levels whose snapshot does not fit on one page; the next page continues in them.
    let levelVersions = LRUCache<LevelKey, [VersionSummary]>(cost: 240_000)
    /// The versions of levels by id, which the ranks of the delta form are derived from.
    let levelOrders = LRUCache<LevelKey, [VersionSummary]>(cost: 240_000)

    package init() {}

    /// Removes everything: the database was replaced by another copy, whose content may differ.
    package func removeAll() {
        self.revisions.removeAll()
        self.levelStates.removeAll()
        self.changes.removeAll()
        self.publishedVenues.removeAll()
        self.levelVersions.removeAll()
        self.levelOrders.removeAll()
    }
}
