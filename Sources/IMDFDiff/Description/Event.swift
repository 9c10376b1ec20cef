import IMDF

/// What can happen to a feature: the second part of a fact's name. The order is that of the descriptions.
enum Event: String, CaseIterable, Hashable {
    case added, opened
    case removed, closed
    case moved, relocated, renumbered, renamed, translated, redrawn, shifted
    case recategorised, rehoured, recontacted, relinked, retyped, updated
    /// Any change of a feature whose type is not described in detail.
    case changed
    /// What changes do to features that they do not change: whether these can be reached from the exits, at all or without steps.
    case cutOff = "cut-off"
    case stepFreeLost = "step-free-lost"
    case connected
    case stepFreeGained = "step-free-gained"

    /// The event that describes a change: of several the one that a visitor would notice first.
    init(_ change: Change) {
        switch change.kind {
        case .added:
            self = change.type == .occupant ? .opened : .added
        case .removed:
            self = change.type == .occupant ? .closed : .removed
        case .changed:
            // Shops stand at their anchors: where an anchor takes them along, they have moved within its floor.
            if change.movedOccupants > 0 {
                self = .relocated
                return
            }
            // Only floors have numbers.
            let classes = change.type == .level ? change.classes : change.classes.subtracting(.ordinal)
            let event = change.type.isDescribedInDetail ? Event(classes) : .changed
            // A shop refers only to its anchor: with another anchor it has moved within its floor.
            self = change.type == .occupant && event == .relinked ? .relocated : event
        }
    }

    private init(_ classes: ChangeClasses) {
        self = Self.byClass.first { classes.contains($0.classes) }?.event ?? .updated
    }

    private static let byClass: [(classes: ChangeClasses, event: Event)] = [
        (.type, .retyped), (.level, .moved), (.ordinal, .renumbered), (.name, .renamed), (.translation, .translated),
        (.geometry, .redrawn), (.position, .shifted),
        (.category, .recategorised), (.hours, .rehoured), (.contact, .recontacted), (.reference, .relinked),
        (.other, .updated),
    ]
}

extension Event: Comparable {
    private static let ranks = Dictionary(uniqueKeysWithValues: zip(allCases, 0...))

    static func < (left: Event, right: Event) -> Bool {
        (self.ranks[left] ?? 0) < (self.ranks[right] ?? 0)
    }
}

extension FeatureType {
    /// Types that a visitor can see on the map.
    fileprivate var isDescribedInDetail: Bool {
        switch self {
        case .address, .anchor, .detail, .relationship: false
        default: self.isStandard
        }
    }
}
