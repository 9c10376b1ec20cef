public import IMDF

/// What a synchronisation did.
public struct SyncReport: Hashable, Sendable {
    /// How many features came, became others or went. A feature that moved to another level is changed.
    public struct Changes: Hashable, Sendable {
        public var added = 0
        public var changed = 0
        public var removed = 0

        public init() {}
    }

    /// The revision that was held before; nil when nothing was.
    public var from: Int64?
    /// The revision that is held now.
    public var to: Int64
    /// Of features that were received; those of a level that is not wanted any more are not counted.
    public var changes = Changes()
    /// Requests that were sent, failed ones apart.
    public var requests = 0
    /// Levels (nil: the venue-wide part) that did not come out as their digest says, and were fetched once more.
    public var repaired: [FeatureID?] = []
    /// Whether the server had lost the history that the replica came from. Levels that are still right were kept.
    public var hasStartedOver = false
    /// Whether anything about the replica is another than before, if only its cursor.
    public var hasCommitted = false
}
