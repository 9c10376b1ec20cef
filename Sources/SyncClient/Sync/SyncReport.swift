public import IMDF

/// The outcome of a synchronization.
public struct SyncReport: Hashable, Sendable {
    /// Numbers of features. A feature that moved to another level counts as changed.
    public struct Changes: Hashable, Sendable {
        public var added = 0
        public var changed = 0
        public var removed = 0

        public init() {}
    }

    /// The revision before; nil if there was none.
    public var from: Int64?
    /// The revision now.
    public var to: Int64
    /// What was received. Features of ``dropped`` levels are not counted.
    public var changes = Changes()
    /// The levels that the replica held before and does not hold now, by id: they were removed from the selection, or the revision
    /// has no such level.
    public var dropped: [FeatureID] = []
    /// Successful requests.
    public var requests = 0
    /// Levels (nil: the venue-wide part) that did not match their digest and were fetched again.
    public var repaired: [FeatureID?] = []
    /// Whether the server no longer had the replica's history. Levels whose digests still match were kept.
    public var hasStartedOver = false
    /// Whether the file was changed, even if only its cursor was.
    public var hasCommitted = false
}
