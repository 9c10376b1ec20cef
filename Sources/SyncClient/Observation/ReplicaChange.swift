public import IMDF

/// What became of one feature since an observer last heard of it.
public enum ReplicaChange: Hashable, Sendable {
    /// It was not there, or on no level that the observer watches and the replica holds.
    case added(ReplicaFeature)
    /// It is on the same level and its body is another one.
    case changed(from: ReplicaFeature, to: ReplicaFeature)
    /// It is on another level, whatever else changed about it. One of the two levels may be one that is not watched.
    case moved(from: ReplicaFeature, to: ReplicaFeature)
    /// It is not there any more, or on no level that the replica holds.
    case removed(ReplicaFeature)

    /// As it is now, or as it was last.
    public var feature: ReplicaFeature {
        switch self {
        case .added(let feature), .removed(let feature), .changed(_, let feature), .moved(_, let feature): feature
        }
    }

    public var id: FeatureID { self.feature.id }
    public var type: FeatureType { self.feature.type }

    /// Nil when nothing about it is another.
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

/// What became of the watched features since an observer last heard: the net difference, however many revisions lie between.
public struct ReplicaUpdate: Hashable, Sendable {
    /// The revision that is held now; nil before the first synchronisation.
    public let revision: Int64?
    /// Each feature at most once, by id.
    public let changes: [ReplicaChange]
    /// The changes lead from nothing: they are all features that are held. So are the first news of an observer that begins with
    /// ``ReplicaStart/nothing``, and those after another process wrote into the file, which keeps nothing for observers here.
    public let isFromNothing: Bool
    /// The commit that this leads to.
    let commits: Int64
}

/// What an observer watches.
public enum ReplicaScope: Hashable, Sendable {
    /// Everything that the replica holds.
    case everything
    /// One level; nil: the venue-wide part.
    case level(FeatureID?)
}

/// Where an observer begins.
public enum ReplicaStart: Hashable, Sendable {
    /// With nothing: the first news are all features that are held, as added, even if that is none.
    case nothing
    /// With what is held now.
    case now
}
