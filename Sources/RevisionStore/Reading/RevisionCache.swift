import IMDF
import SyncModel

/// What was read of published revisions. None of it ever changes, so it is kept for the next who asks.
///
/// A venue's epoch is part of every key: what a deleted venue was is not what one made again under its name is.
final class RevisionCache: Sendable {
    struct RevisionName: Hashable {
        let venue: Int64
        let epoch: Int64
        let number: Int64

        init(_ number: Int64, of venue: VenueRecord) {
            self.venue = venue.id
            self.epoch = venue.epoch
            self.number = number
        }
    }

    struct Span: Hashable {
        let from: RevisionName
        let to: RevisionName
    }

    struct LevelName: Hashable {
        let revision: RevisionName
        let level: FeatureID?
    }

    /// Costs are numbers of records of about 100 bytes each, so this is some 85 MB when all of it is full.
    let revisions = LRUCache<RevisionName, RevisionRecord>(cost: 50_000)
    let states = LRUCache<RevisionName, [LevelState]>(cost: 50_000)
    let changes = LRUCache<Span, [FeatureChange]>(cost: 500_000)
    /// Venues that were published between two positions. Some may have been deleted since.
    let published = LRUCache<ClosedRange<Int64>, VenueSet>(cost: 10_000)
    /// Levels that did not fit on a page: the next page goes on in them.
    let contents = LRUCache<LevelName, [VersionSummary]>(cost: 240_000)

    func removeAll() {
        self.revisions.removeAll()
        self.states.removeAll()
        self.changes.removeAll()
        self.published.removeAll()
        self.contents.removeAll()
    }
}
