package import IMDF

/// What an edit did, told by ids in ascending order. No feature stands in two of the lists.
package struct EditReport: Hashable, Sendable {
    package var edit: Edit
    package var added: [FeatureID] = []
    /// Those that say something else under the same id.
    package var changed: [FeatureID] = []
    package var removed: [FeatureID] = []
    /// Those whose text did not change but whose level did, or the levels they touch, because of what they refer to.
    package var carried: [FeatureID] = []
    /// Those that only say the same in another way.
    package var respelt: [FeatureID] = []
    /// New ids by old ones.
    package var reminted: [FeatureID: FeatureID] = [:]

    package init(edit: Edit) {
        self.edit = edit
    }
}

extension SampleVenue {
    /// Compares two states of a venue and says what an edit did to it.
    static func report(
        of edit: Edit, reminted: [FeatureID: FeatureID], before: SampleVenue, after: SampleVenue
    ) -> EditReport {
        var report = EditReport(edit: edit)
        report.reminted = reminted
        let places = zip(before.features, before.placements)
        var old = Dictionary(
            places.map { ($0.id, (feature: $0, placement: $1)) }, uniquingKeysWith: { first, _ in first })
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
        if edit.kind == .noise { swap(&report.changed, &report.respelt) }
        for list in [\EditReport.added, \.changed, \.removed, \.carried, \.respelt] { report[keyPath: list].sort() }
        return report
    }

    /// On which level each feature is, in the order of the features.
    package var placements: [Placement] { LevelAssignment.placements(of: self.nodes) }

    /// The features as level assignment sees them.
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
