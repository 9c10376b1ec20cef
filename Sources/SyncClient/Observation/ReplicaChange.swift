public import IMDF

/// How one feature differs from what an observer saw last.
public enum ReplicaChange: Hashable, Sendable {
    /// The feature is new, or came to a level that is observed and held.
    case added(ReplicaFeature)
    /// The body differs; the level is the same.
    case changed(from: ReplicaFeature, to: ReplicaFeature)
    /// The level differs, and perhaps the body too. One of the two levels may be outside of the observed scope.
    case moved(from: ReplicaFeature, to: ReplicaFeature)
    /// The feature was deleted, or went to a level that is not held.
    case removed(ReplicaFeature)

    /// The feature after the change, or before its removal.
    public var feature: ReplicaFeature {
        switch self {
        case .added(let feature), .removed(let feature), .changed(_, let feature), .moved(_, let feature): feature
        }
    }

    public var id: FeatureID { self.feature.id }
    public var type: FeatureType { self.feature.type }

    /// Nil if nothing changed.
    init?(from old: ReplicaFeature?, to new: ReplicaFeature?) {
        switch (old, new) {
        case (nil, nil): return nil
        case (nil, .some(let new)): self = .added(new)
        case (.some(let old), nil): self = .removed(old)
        case (.some(let old), .some(let new)):
            guard old != new else { return nil }
            self = old.level == new.level ? .changed(from: old, to: new) : .moved(from: old, to: new)
        }
    }
}

/// The net difference between what an observer saw last and what the replica holds now, over any number of revisions.
public struct ReplicaUpdate: Hashable, Sendable {
    /// The revision of the replica; nil before the first synchronisation.
    public let revision: Int64?
    /// Each feature at most once, by id.
    public let changes: [ReplicaChange]
    /// Whether ``changes`` are all held features, as added, instead of a difference. So are the first update of an observer that
    /// starts with ``ReplicaStart/snapshot``, and an update after another process wrote to the file: that process does not keep
    /// former features for observers here.
    public let isSnapshot: Bool
    /// The number of the commit that this update leads to.
    let commit: Int64
}

/// The part of a replica that is observed.
public enum ReplicaScope: Hashable, Sendable {
    /// All levels of the replica.
    case everything
    /// One level; nil: the venue-wide part.
    case level(FeatureID?)
}

/// What the first update of an observer contains.
public enum ReplicaStart: Hashable, Sendable {
    /// All held features, as added, even if there are none.
    case snapshot
    /// Only changes after the observation began.
    case now
}
