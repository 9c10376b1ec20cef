package import IMDF

/// How often one kind of thing happened on one level, such as `occupant.opened`: what a revision's sentences are made of.
package struct Fact: Hashable, Sendable {
    /// The feature type and what happened, parted by the last full stop.
    package let fact: String
    package let count: Int
    /// Where it happened; after a move, where to; nil for the venue-wide part. Of a level itself, that level.
    package let levelID: FeatureID?

    package init(fact: String, count: Int, levelID: FeatureID?) {
        self.fact = fact
        self.count = count
        self.levelID = levelID
    }
}

extension Fact: Codable {
    enum CodingKeys: String, CodingKey {
        case fact, count
        case levelID = "level_id"
    }

    /// The venue-wide part is written as null, so that a reader sees one shape.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(self.fact, forKey: .fact)
        try container.encode(self.count, forKey: .count)
        try container.encode(self.levelID, forKey: .levelID)
    }
}

extension Fact {
    /// The manifest has other content. No feature changed by that, so it is not among the facts of changes.
    package static let manifestChanged = Fact(fact: "manifest.changed", count: 1, levelID: nil)

    /// The facts of a list of changes: every change is counted in exactly one of them.
    ///
    /// They come in the order in which they are told: what a visitor sees first, and within a type what came and went before
    /// what changed. `ordinals` holds those of the levels before and after.
    package static func facts(of changes: [Change], ordinals: [FeatureID: Int] = [:]) -> [Fact] {
        var counts: [Occurrence: Int] = [:]
        for change in changes {
            counts[Occurrence(change), default: 0] += 1
        }
        let order = LevelOrder(ordinals)
        return
            counts.sorted { left, right in
                let (left, right) = (left.key, right.key)
                if left.subject != right.subject { return left.subject.isToldBefore(right.subject) }
                if left.event != right.event { return left.event < right.event }
                return order.precedes(left.level, right.level)
            }
            .map { occurrence, count in
                Fact(
                    fact: "\(occurrence.subject.rawValue).\(occurrence.event.rawValue)", count: count,
                    levelID: occurrence.level)
            }
    }
}

/// What one change is counted as.
private struct Occurrence: Hashable {
    let subject: FeatureType
    let event: Event
    let level: FeatureID?

    init(_ change: Change) {
        self.subject = change.type.isStandard || change.type.rawValue.utf8.count <= 64 ? change.type : .anything
        self.event = Event(change)
        // Level features are venue-wide; what a reader wants to know is which level it was.
        self.level = change.type == .level ? change.id : change.level
    }
}

extension FeatureType {
    /// Stands for types whose names are no names.
    static let anything = FeatureType(rawValue: "feature")

    private static let telling: [FeatureType] = [
        .venue, .building, .level, .occupant, .unit, .amenity, .kiosk, .section, .opening, .fixture, .geofence,
        .relationship, .footprint, .detail, .anchor, .address,
    ]
    private static let tellingRanks = Dictionary(uniqueKeysWithValues: zip(telling, 0...))

    fileprivate func isToldBefore(_ other: FeatureType) -> Bool {
        let (here, there) = (Self.tellingRanks[self] ?? .max, Self.tellingRanks[other] ?? .max)
        return here == there ? self.precedes(other) : here < there
    }
}
