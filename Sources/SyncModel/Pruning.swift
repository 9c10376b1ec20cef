/// What pruning deleted, or would delete: the response of `POST /venues/{venue}/prune`.
package struct Pruning: Sendable, Codable, Hashable {
    package var venue: VenueKey
    /// The oldest revision that is kept.
    package var first: Int64
    package var revisions: Int64
    /// Feature versions that occur only in the deleted revisions.
    package var versions: Int64
    /// The size of their bodies.
    package var bytes: Int64

    package init(venue: VenueKey, first: Int64, revisions: Int64, versions: Int64, bytes: Int64) {
        self.venue = venue
        self.first = first
        self.revisions = revisions
        self.versions = versions
        self.bytes = bytes
    }
}
