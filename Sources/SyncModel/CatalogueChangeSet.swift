public import IMDF

/// What turns all that a client holds into all that its key may read, or a page of it: the answer of `GET /sync`.
///
/// To apply it, join all pages, and of every venue all parts; then in one transaction
/// 1. forget every venue that ``gone`` of any page names, whatever the pages before said of it, and every venue whose `from` is
///    nil;
/// 2. apply the parts of every other venue as a ``ChangeSet``;
/// 3. store the cursor.
public struct CatalogueChangeSet: Hashable, Sendable {
    /// One venue's share, or the part of it that is on this page: a ``ChangeSet`` without a cursor.
    public struct Reply: Hashable, Sendable {
        public var venue: VenueKey
        /// Nil when the client holds nothing of the venue, or nothing that can be continued.
        public var from: Int64?
        public var to: Int64
        /// Of revision `to`.
        public var digest: Digest
        public var about: ChangeSet.About
        /// Whether the venue's share ends on this page.
        public var isComplete: Bool
        public var blocks: [ChangeSet.Block]

        public init(
            venue: VenueKey, from: Int64?, to: Int64, digest: Digest, about: ChangeSet.About, isComplete: Bool,
            blocks: [ChangeSet.Block]
        ) {
            self.venue = venue
            self.from = from
            self.to = to
            self.digest = digest
            self.about = about
            self.isComplete = isComplete
            self.blocks = blocks
        }

        public init(_ set: ChangeSet) {
            self.init(
                venue: set.venue, from: set.from, to: set.to, digest: set.digest, about: set.about,
                isComplete: set.isComplete, blocks: set.blocks)
        }
    }

    /// Positions: how many revisions of all venues were published by then. `from` is nil when the client holds nothing.
    public var from: Int64?
    public var to: Int64
    /// Whether this is the last page. Only then is the cursor worth storing.
    public var isComplete: Bool
    public var cursor: CatalogueCursor
    /// Venues with news, by key.
    public var venues: [Reply]
    /// Venues that the client may hold and that the key may not read, or that are deleted; by key.
    public var gone: [VenueKey]

    public init(
        from: Int64?, to: Int64, isComplete: Bool, cursor: CatalogueCursor, venues: [Reply], gone: [VenueKey]
    ) {
        self.from = from
        self.to = to
        self.isComplete = isComplete
        self.cursor = cursor
        self.venues = venues
        self.gone = gone
    }
}

extension ChangeSet {
    public init(_ reply: CatalogueChangeSet.Reply, cursor: Cursor) {
        self.init(
            venue: reply.venue, from: reply.from, to: reply.to, digest: reply.digest, about: reply.about,
            isComplete: reply.isComplete, cursor: cursor, blocks: reply.blocks)
    }
}
