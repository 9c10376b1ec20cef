import IMDF
import VenueMap

/// How labels of a kind of features are chosen and set, by the cartography.
package enum LabelClass: String, Hashable, Sendable, CaseIterable {
    case occupant, icon, dot, kiosk, unit, fixture, section
    /// A room that is not for visitors.
    case nonpublic

    init(of type: FeatureType, category: String?, pictogram: Pictogram?) {
        switch (type, pictogram) {
        case (_, Pictogram.dot?): self = .dot
        case (_, .some): self = .icon
        case (.occupant, nil): self = .occupant
        case (.kiosk, nil): self = .kiosk
        case (.fixture, nil): self = .fixture
        case (.section, nil): self = .section
        default: self = type == .unit && CategoryGroup(category, of: .unit) == .nonpublic ? .nonpublic : .unit
        }
    }

    private struct Rule {
        let priority: Double
        let groups: [String: Double]
        let zooms: ClosedRange<Int>
        let text: ClosedRange<Double>
        /// From the highest zoom to the lowest.
        let icons: [(zoom: Int, side: Int)]

        init(_ rule: Cartography.LabelRule) {
            self.priority = Double(rule.priority)
            self.groups = rule.groups ?? [:]
            self.zooms = rule.zooms[0]...rule.zooms[1]
            self.text = rule.text[0]...rule.text[1]
            self.icons = (rule.icons ?? [:]).compactMap { zoom, side in
                Int(zoom).map { (zoom: $0, side: side) }
            }.sorted { $0.zoom > $1.zoom }
        }
    }

    private static let rules = Dictionary(
        uniqueKeysWithValues: Self.allCases.compactMap { own in
            Cartography.shared.labels[own.rawValue].map { (own, Rule($0)) }
        })

    /// Every class has an entry in the cartography.
    private var rule: Rule { Self.rules[self]! }

    /// Labels with a smaller number are more important.
    func priority(of group: CategoryGroup) -> Double { self.rule.groups[group.rawValue] ?? self.rule.priority }

    /// The zooms, for tiles of 256 pixels, at which labels are placed.
    var zooms: ClosedRange<Int> { self.rule.zooms }

    /// The sizes of the text in pixels.
    func textSizes(at zoom: Int) -> ClosedRange<Double> {
        let growth = Double(max(0, min(zoom, 22) - 18)) / 2
        return self.rule.text.lowerBound...(self.rule.text.upperBound + growth)
    }

    /// The side of the pictogram in pixels.
    func iconSize(at zoom: Int) -> Int { self.rule.icons.first { $0.zoom <= zoom }?.side ?? 14 }
}
