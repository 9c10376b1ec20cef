package import Foundation
package import IMDF

/// The difference between what a client holds of all venues and what its key may read, or a page of it: the response of `GET /sync`.
///
/// To apply it, join all pages, and of every venue all parts; then in one transaction
/// 1. delete every venue that ``gone`` of any page names, even if earlier pages have changes of it, and every venue whose `from`
///    is nil;
/// 2. apply the parts of every other venue as a ``ChangeSet``;
/// 3. store the cursor.
package struct CatalogueChangeSet: Hashable, Sendable {
    /// The changes of one venue, or the part of them that is on this page: a ``ChangeSet`` without a cursor.
    package struct VenueChanges: Hashable, Sendable {
        package var venue: VenueKey
        /// Nil for a full snapshot.
        package var from: Int64?
        package var to: Int64
        /// The digest of revision `to`.
        package var digest: Digest
        /// When revision `to` was published; nil if the document does not say.
        package var publishedAt: Date?
        package var about: ChangeSet.About
        /// Whether the changes of the venue end on this page.
        package var isComplete: Bool
        package var blocks: [ChangeSet.Block]
    }

    /// Catalogue positions; `from` is nil if the client holds nothing.
    package var from: Int64?
    package var to: Int64
    /// Whether this is the last page. Only its cursor is stored.
    package var isComplete: Bool
    package var cursor: CatalogueCursor
    /// Venues with changes, by key.
    package var venues: [VenueChanges]
    /// Venues that the client may hold but its key may no longer read, or that were deleted; by key.
    package var gone: [VenueKey]

    package init(
        from: Int64?, to: Int64, isComplete: Bool, cursor: CatalogueCursor, venues: [VenueChanges], gone: [VenueKey]
    ) {
        self.from = from
        self.to = to
        self.isComplete = isComplete
        self.cursor = cursor
        self.venues = venues
        self.gone = gone
    }
}

extension CatalogueChangeSet.VenueChanges {
    package init(_ set: ChangeSet) {
        self.init(
            venue: set.venue, from: set.from, to: set.to, digest: set.digest, publishedAt: set.publishedAt,
            about: set.about, isComplete: set.isComplete, blocks: set.blocks)
    }
}

extension ChangeSet {
    package init(_ changes: CatalogueChangeSet.VenueChanges, cursor: Cursor) {
        self.init(
            venue: changes.venue, from: changes.from, to: changes.to, digest: changes.digest,
            publishedAt: changes.publishedAt, about: changes.about, isComplete: changes.isComplete, cursor: cursor,
            blocks: changes.blocks)
    }
}
