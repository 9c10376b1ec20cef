package import IMDF

/// The effect of an edit: ids in ascending order. Every feature is in at most one of the lists.
package struct EditEffect: Hashable, Sendable {
    package var edit: Edit
    package var added: [FeatureID] = []
    /// Features whose content changed under the same id.
    package var changed: [FeatureID] = []
    package var removed: [FeatureID] = []
    /// Features with the same body whose level, or whose touched levels, changed because of the features they refer to.
    package var carried: [FeatureID] = []
    /// Features whose formatting changed, but not their content.
    package var reformatted: [FeatureID] = []
    /// New ids by old ones.
    package var reminted: [FeatureID: FeatureID] = [:]

    package init(edit: Edit) {
        self.edit = edit
    }
}

extension SampleVenue {
    /// Reports the effect of an edit by comparing the states before and after it.
    static func report(
        of edit: Edit, reminted: [FeatureID: FeatureID], before: SampleVenue, after: SampleVenue
    ) -> EditEffect {
        var report = EditEffect(edit: edit)
        report.reminted = reminted
        let placed = zip(before.features, before.placements)
        var old = Dictionary(
            placed.map { ($0.id, (feature: $0, placement: $1)) }, uniquingKeysWith: { first, _ in first })
        let fresh = Set(reminted.values)
        for (feature, placement) in zip(after.features, after.placements) {
            guard let previous = old.removeValue(forKey: feature.id) else {
                if !fresh.contains(feature.id) { report.added.append(feature.id) }
                continue
            }
            if previous.feature.body != feature.body {
                report.changed.append(feature.id)
            } else if previous.placement.level != placement.level || previous.placement.touches != placement.touches {
                report.carried.append(feature.id)
            }
        }
        report.removed = old.keys.filter { reminted[$0] == nil }
        if edit.kind == .noise { swap(&report.changed, &report.reformatted) }
        for list in [\EditEffect.added, \.changed, \.removed, \.carried, \.reformatted] { report[keyPath: list].sort() }
        return report
    }

    /// The level of every feature, in the order of the features.
    package var placements: [Placement] { LevelAssignment.placements(of: self.nodes) }

    /// The features in the form that level assignment needs.
    var nodes: [Node] {
        let ids = Set(self.features.map(\.id))
        return self.features.map { Node(id: $0.id, type: $0.type, references: $0.references(among: ids)) }
    }

    struct Node: ReferringFeature {
        var id: FeatureID
        var type: FeatureType
        var references: [Reference]
    }
}
