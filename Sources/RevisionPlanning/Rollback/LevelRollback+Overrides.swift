import IMDF
import IMDFDiff
import RevisionStore

extension LevelRollback {
    /// What the rollback changes about the overrides. All overrides of a feature come from the same revision: those of features that
    /// come from the earlier revision are as in that, all others stay.
    func overrides(now: OverrideSet, then: OverrideSet) -> OverrideChanges {
        let current = Dictionary(grouping: now.overrides, by: \.feature)
        let earlier = Dictionary(grouping: then.overrides, by: \.feature)
        var changes = OverrideChanges(basedOn: now.number)
        for id in Set(current.keys).union(earlier.keys).sorted() {
            let (before, restored) = (current[id] ?? [], earlier[id] ?? [])
            guard self.origin(ofOverridesOf: id, before, restored) == .earlier else { continue }
            let kept = Set(restored.map(\.id))
            changes.ended += before.map(\.id).filter { !kept.contains($0) }
            let known = Set(before)
            changes.written += restored.filter { !known.contains($0) }
        }
        return changes
    }

    /// Where the overrides of a feature come from. A feature that the new state lacks was hidden or orphaned on the level that its
    /// overrides have. If that is one of the levels in only one of the two revisions, its overrides stay: if they ended, the next
    /// upload would bring a hidden feature back.
    private func origin(
        ofOverridesOf id: FeatureID, _ now: [Override], _ then: [Override]
    ) -> Origin {
        let feature = self.feature(id)
        if let origin = feature.flatMap(self.origin(of:)) { return origin }
        let isInside = [
            feature?.current.map { self.contains($0, id) } ?? self.isInside(now),
            feature?.earlier.map { self.contains($0, id) } ?? self.isInside(then),
        ]
        return isInside.contains(false) ? .current : .earlier
    }

    /// Whether the overrides of a feature that a revision lacks belong to the levels; nil if there are none.
    private func isInside(_ overrides: [Override]) -> Bool? {
        overrides.isEmpty ? nil : overrides.allSatisfy { $0.level.map(self.levels.contains) ?? false }
    }
}
