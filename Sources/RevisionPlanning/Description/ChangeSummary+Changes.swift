package import IMDF
package import IMDFDiff
package import SyncModel

extension ChangeSummary {
    /// Counts changes, in all, by level and by type; levels and types without a change are left out.
    ///
    /// A feature that moved to another level counts once, as changed, under its new level. The venue-wide part comes first, then
    /// the levels by ordinal and id, those without a known ordinal last; standard types come before others.
    ///
    /// - Parameter ordinals: of the levels before and after.
    package init(of changes: [Change], ordinals: [FeatureID: Int] = [:]) {
        var total = Count()
        var levels: [FeatureID?: Count] = [:]
        var types: [FeatureType: Count] = [:]
        for change in changes {
            total.add(change.kind)
            levels[change.level, default: Count()].add(change.kind)
            types[change.type, default: Count()].add(change.kind)
        }
        let order = LevelOrder(ordinals)
        self.init(
            added: total.added, changed: total.changed, removed: total.removed,
            levels: levels.sorted { order.precedes($0.key, $1.key) }.map { id, count in
                Level(
                    level: id, ordinal: id.flatMap { ordinals[$0] }, added: count.added, changed: count.changed,
                    removed: count.removed)
            },
            types: types.sorted { $0.key.precedes($1.key) }.map { type, count in
                TypeCount(type: type, added: count.added, changed: count.changed, removed: count.removed)
            })
    }

    private struct Count {
        var added = 0
        var changed = 0
        var removed = 0

        mutating func add(_ kind: Change.Kind) {
            switch kind {
            case .added: self.added += 1
            case .changed: self.changed += 1
            case .removed: self.removed += 1
            }
        }
    }
}
