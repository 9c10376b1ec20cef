/// What goes with the revisions that are not kept: the answer of `POST /venues/{venue}/prune`.
public struct Pruning: Sendable, Codable, Hashable {
    public var venue: VenueKey
    /// The oldest revision that is kept.
    public var first: Int64
    public var revisions: Int64
    /// States of features that only these revisions had.
    public var versions: Int64
    /// Of their bodies.
    public var bytes: Int64

    public init(venue: VenueKey, first: Int64, revisions: Int64, versions: Int64, bytes: Int64) {
        self.venue = venue
        self.first = first
        self.revisions = revisions
        self.versions = versions
        self.bytes = bytes
    }
}
