package import IMDF

/// How often an event happened to features of one type on one level, such as `occupant.opened`. Revisions are described from
/// their facts.
package struct Fact: Hashable, Sendable {
    /// The feature type and the event, separated by the last full stop.
    package let fact: String
    package let count: Int
    /// The level of the features; after a move, the new one; nil for the venue-wide part. Of level features, the level itself.
    package let levelID: FeatureID?
    /// What the features were before they turned into another type.
    package let typeBefore: FeatureType?

    package init(fact: String, count: Int, levelID: FeatureID?, typeBefore: FeatureType? = nil) {
        self.fact = fact
        self.count = count
        self.levelID = levelID
        self.typeBefore = typeBefore
    }
}

extension Fact: Codable {
    enum CodingKeys: String, CodingKey {
        case fact, count
        case levelID = "level_id"
        case typeBefore = "type_before"
    }

    /// The level is always written, null for the venue-wide part.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(self.fact, forKey: .fact)
        try container.encode(self.count, forKey: .count)
        try container.encode(self.levelID, forKey: .levelID)
        try container.encodeIfPresent(self.typeBefore, forKey: .typeBefore)
    }
}

extension Fact {
    /// The content of the manifest changed. It is not among the facts of changes, because no feature changed.
    package static let manifestChanged = Fact(fact: "manifest.changed", count: 1, levelID: nil)

    /// The facts of a list of changes: every change is counted in exactly one of them. An anchor that took several occupants along counts
    /// as often as there are occupants, and one that other occupants have taken over does not count: these have moved.
    ///
    /// They are in the order of the descriptions: types that a visitor notices first come first, and within a type additions and
    /// removals come before changes.
    ///
    /// - Parameter ordinals: of the levels before and after.
    package static func facts(of changes: [Change], ordinals: [FeatureID: Int] = [:]) -> [Fact] {
        var counts: [Occurrence: Int] = [:]
        for change in changes where !change.isTakenOver {
            counts[Occurrence(change), default: 0] += max(1, change.movedOccupants)
        }
        return Self.sorted(counts, LevelOrder(ordinals))
    }

    private static func sorted(_ counts: [Occurrence: Int], _ order: LevelOrder) -> [Fact] {
        counts.sorted { left, right in
            let (left, right) = (left.key, right.key)
            if left.subject != right.subject { return left.subject.isDescribedBefore(right.subject) }
            if left.event != right.event { return left.event < right.event }
            if let here = left.typeBefore, let there = right.typeBefore, here != there { return here.precedes(there) }
            return order.precedes(left.level, right.level)
        }
        .map { occurrence, count in
            Fact(
                fact: "\(occurrence.subject.rawValue).\(occurrence.event.rawValue)", count: count,
                levelID: occurrence.level, typeBefore: occurrence.typeBefore)
        }
    }
}

/// Which profiles can reach a feature from the exits of a venue.
package struct Reach: Hashable, Sendable {
    package let type: FeatureType
    package let level: FeatureID
    package let isReached: Bool
    package let isReachedWithoutSteps: Bool

    package init(type: FeatureType, level: FeatureID, isReached: Bool, isReachedWithoutSteps: Bool) {
        self.type = type
        self.level = level
        self.isReached = isReached
        self.isReachedWithoutSteps = isReachedWithoutSteps
    }
}

/// Why it cannot be said what can be reached from the exits of a venue.
package enum UnknownReach: String, Hashable, Sendable {
    /// The map states no exit.
    case noExit = "no-exit"
    case tooComplex = "too-complex"
    /// There are more features than are looked at.
    case tooLarge = "too-large"
    /// It was given up.
    case tooSlow = "too-slow"

    /// The feature type of the facts.
    static let subject = FeatureType(rawValue: "reachability")

    /// Whether it was not determined, so that it is unknown what changes do.
    fileprivate var isLimit: Bool { self == .tooLarge || self == .tooSlow }

    /// That it cannot be said any more.
    package var fact: Fact { Fact(fact: "\(Self.subject.rawValue).\(self.rawValue)", count: 1, levelID: nil) }
}

/// What can be reached from the exits of a venue.
package enum VenueReach: Hashable, Sendable {
    case known([FeatureID: Reach])
    case unknown(UnknownReach)
}

extension Fact {
    /// The facts of what can be reached before and after. If that was known before and is not any more, or was not determined because of a
    /// limit, there is one fact that says so.
    package static func facts(before: VenueReach, after: VenueReach, ordinals: [FeatureID: Int]) -> [Fact] {
        switch (before, after) {
        case (.known(let earlier), .known(let later)): self.facts(before: earlier, after: later, ordinals: ordinals)
        case (.known, .unknown(let reason)): [reason.fact]
        case (.unknown(let reason), _) where reason.isLimit: [reason.fact]
        case (.unknown, .unknown(let reason)) where reason.isLimit: [reason.fact]
        case (.unknown, _): []
        }
    }

    /// The facts of what can be reached before and after; of features that exist both times.
    ///
    /// - Parameter ordinals: of the levels.
    package static func facts(
        before: [FeatureID: Reach], after: [FeatureID: Reach], ordinals: [FeatureID: Int]
    ) -> [Fact] {
        var counts: [Occurrence: Int] = [:]
        for (id, reach) in after {
            guard let earlier = before[id] else { continue }
            let event: Event? =
                if earlier.isReached != reach.isReached {
                    reach.isReached ? .connected : .cutOff
                } else if reach.isReached, earlier.isReachedWithoutSteps != reach.isReachedWithoutSteps {
                    reach.isReachedWithoutSteps ? .stepFreeGained : .stepFreeLost
                } else {
                    nil
                }
            if let event { counts[Occurrence(reach.type, event, reach.level), default: 0] += 1 }
        }
        return Self.sorted(counts, LevelOrder(ordinals))
    }
}

/// The fact in which a change is counted.
private struct Occurrence: Hashable {
    let subject: FeatureType
    let event: Event
    let level: FeatureID?
    let typeBefore: FeatureType?

    init(_ subject: FeatureType, _ event: Event, _ level: FeatureID) {
        (self.subject, self.event, self.level, self.typeBefore) = (subject, event, level, nil)
    }

    init(_ change: Change) {
        self.subject = change.movedOccupants > 0 ? .occupant : change.type.subject
        self.event = Event(change)
        self.typeBefore = self.event == .retyped ? change.typeBefore?.subject : nil
        // Level features are venue-wide, but a description says which level changed.
        self.level = change.type == .level ? change.id : change.level
    }
}

extension FeatureType {
    /// Stands for types whose names are too long.
    static let anything = FeatureType(rawValue: "feature")

    fileprivate var subject: FeatureType { self.isStandard || self.rawValue.utf8.count <= 64 ? self : .anything }

    private static let descriptionOrder: [FeatureType] = [
        .venue, .building, .level, .occupant, .unit, .amenity, .kiosk, .section, .opening, .fixture, .geofence,
        .relationship, .footprint, .detail, .anchor, .address,
    ]
    private static let ranks = Dictionary(uniqueKeysWithValues: zip(descriptionOrder, 0...))

    fileprivate func isDescribedBefore(_ other: FeatureType) -> Bool {
        let (here, there) = (Self.ranks[self] ?? .max, Self.ranks[other] ?? .max)
        return here == there ? self.precedes(other) : here < there
    }
}
