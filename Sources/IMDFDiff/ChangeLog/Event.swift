import IMDF

/// What can happen to a feature, in the words of facts and in the order in which they are told.
enum Event: String, CaseIterable, Hashable {
    case added, opened
    case removed, closed
    case moved, relocated, renamed, redrawn, shifted, recategorised, rehoured, recontacted, relinked, retyped, updated
    /// Anything that happens to a feature of which nobody wants to know more.
    case changed

    /// The one thing that a change is told as: of several the one that a visitor would notice first.
    init(_ change: Change) {
        switch change.kind {
        case .added:
            self = change.type == .occupant ? .opened : .added
        case .removed:
            self = change.type == .occupant ? .closed : .removed
        case .changed:
            let event = change.type.isToldInDetail ? Event(change.classes) : .changed
            // A shop refers to nothing but its anchor: another one is another place on the same floor.
            self = change.type == .occupant && event == .relinked ? .relocated : event
        }
    }

    private init(_ classes: ChangeClasses) {
        self = Self.byClass.first { classes.contains($0.classes) }?.event ?? .updated
    }

    private static let byClass: [(classes: ChangeClasses, event: Event)] = [
        (.type, .retyped), (.level, .moved), (.name, .renamed), (.geometry, .redrawn), (.position, .shifted),
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
    /// Places and things that a visitor knows; what only holds them together is merely changed.
    fileprivate var isToldInDetail: Bool {
        switch self {
        case .address, .anchor, .detail, .relationship: false
        default: self.isStandard
        }
    }
}
