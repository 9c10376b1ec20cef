import IMDF

/// How labels of a kind of features are chosen and set.
enum LabelClass: String, Hashable, Sendable, CaseIterable {
    case occupant, icon, dot, kiosk, unit, fixture, section

    init(of type: FeatureType, pictogram: Pictogram?) {
        switch (type, pictogram) {
        case (_, .dot?): self = .dot
        case (_, .some): self = .icon
        case (.occupant, nil): self = .occupant
        case (.kiosk, nil): self = .kiosk
        case (.fixture, nil): self = .fixture
        case (.section, nil): self = .section
        default: self = .unit
        }
    }

    /// Labels with a smaller number are placed first.
    var priority: Int {
        switch self {
        case .occupant: 0
        case .icon: 1
        case .kiosk: 2
        case .unit: 3
        case .section: 4
        case .fixture: 5
        case .dot: 6
        }
    }

    /// The zoom, for tiles of 256 pixels, from which labels are placed.
    var minimumZoom: Int {
        switch self {
        case .occupant, .section: 16
        case .icon: 17
        case .unit: 17
        case .kiosk: 18
        case .dot, .fixture: 19
        }
    }

    /// The zoom, for tiles of 256 pixels, up to which labels are placed.
    var maximumZoom: Int { self == .section ? 18 : 22 }

    /// The sizes of the text in pixels.
    func textSizes(at zoom: Int) -> ClosedRange<Double> {
        let growth = Double(max(0, min(zoom, 22) - 18)) / 2
        switch self {
        case .occupant: return 9...(12 + growth)
        case .section: return 10...(12 + growth)
        case .unit, .icon, .dot: return 9...(11 + growth)
        case .kiosk, .fixture: return 8.5...(10.5 + growth)
        }
    }

    /// The side of the pictogram in pixels.
    func iconSize(at zoom: Int) -> Int {
        if self == .dot { return zoom >= 20 ? 9 : 7 }
        return zoom >= 20 ? 22 : zoom >= 18 ? 18 : 14
    }
}
