public import IMDF
import SyncModel

/// How one feature differs from what an observer saw last.
public enum ReplicaChange: Hashable, Sendable {
    /// The feature is new, or came into the observed scope.
    case added(ReplicaFeature)
    /// The body differs; the level is the same.
    case changed(from: ReplicaFeature, to: ReplicaFeature)
    /// The level differs, and perhaps the body too. One of the two levels may be outside of the observed scope.
    case moved(from: ReplicaFeature, to: ReplicaFeature)
    /// The feature was deleted, went to a level that is not held, or touches no observed level any more.
    case removed(ReplicaFeature)

    /// The feature after the change, or before its removal.
    public var feature: ReplicaFeature {
        switch self {
        case .added(let feature), .removed(let feature), .changed(_, let feature), .moved(_, let feature): feature
        }
    }

    public var id: FeatureID { self.feature.id }
    public var type: FeatureType { self.feature.type }

    /// Nil if nothing changed for the observer.
    ///
    /// - Parameters:
    ///   - wasObserved: Whether `old` belonged to the observed scope.
    ///   - isObserved: Whether `new` belongs to it.
    init?(from old: ReplicaFeature?, wasObserved: Bool, to new: ReplicaFeature?, isObserved: Bool) {
        guard wasObserved || isObserved else { return nil }
        switch (old, new) {
        case (nil, nil): return nil
        case (nil, .some(let new)): self = .added(new)
        case (.some(let old), nil): self = .removed(old)
        case (.some(let old), .some(let new)) where old.level != new.level: self = .moved(from: old, to: new)
        case (.some(let old), .some(let new)):
            if wasObserved != isObserved {
                self = isObserved ? .added(new) : .removed(old)
            } else {
                guard old != new else { return nil }
                self = .changed(from: old, to: new)
            }
        }
    }
}

/// The net difference between what an observer saw last and what the replica holds now, over any number of revisions.
public struct ReplicaUpdate: Hashable, Sendable {
    /// The revision of the replica; nil before the first synchronization.
    public let revision: Int64?
    /// Each feature at most once, by id.
    public let changes: [ReplicaChange]
    /// Whether ``changes`` are all held features, as added, instead of a difference. So are the first update of an observer that
    /// starts with ``ReplicaStart/snapshot``, and an update after another process wrote to the file: that process does not keep
    /// former features for observers here.
    public let isSnapshot: Bool
    /// The number of the commit that this update leads to.
    let commit: Int64
    /// What the observed scope contains after the update.
    let part: ReplicaPart
    let about: ChangeSet.About
}

/// What the first update of an observer contains.
public enum ReplicaStart: Hashable, Sendable {
    /// All held features, as added, even if there are none.
    case snapshot
    /// Only changes after the observation began.
    case now
}
