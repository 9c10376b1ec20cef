import IMDF
import IMDFDiff
import SampleVenue

extension Change {
    static func added(_ id: FeatureID, _ type: FeatureType, on level: FeatureID? = nil) -> Change {
        Change(id: id, kind: .added, type: type, levelBefore: nil, levelAfter: level)
    }

    static func removed(_ id: FeatureID, _ type: FeatureType, from level: FeatureID? = nil) -> Change {
        Change(id: id, kind: .removed, type: type, levelBefore: level, levelAfter: nil)
    }

    static func changed(
        _ id: FeatureID, _ type: FeatureType, _ classes: ChangeClasses, on level: FeatureID? = nil
    ) -> Change {
        Change(id: id, kind: .changed, type: type, levelBefore: level, levelAfter: level, classes: classes)
    }

    static func moved(
        _ id: FeatureID, _ type: FeatureType, from before: FeatureID?, to after: FeatureID?,
        _ classes: ChangeClasses = .level
    ) -> Change {
        Change(id: id, kind: .changed, type: type, levelBefore: before, levelAfter: after, classes: classes)
    }
}

/// Changes of every kind, type and class, on a few levels.
func randomChanges(_ count: Int, levels: [FeatureID], using random: inout SplitMix64) -> [Change] {
    let types = FeatureType.standard + ["navPath", "a.b", "", String(repeating: "x", count: 99)].map(FeatureType.init)
    return (0..<count).map { _ in
        let type = types.randomElement(using: &random) ?? .unit
        let (before, after) = (
            (levels + [nil]).randomElement(using: &random), (levels + [nil]).randomElement(using: &random)
        )
        switch Change.Kind.allCases.randomElement(using: &random) ?? .added {
        case .added: return .added(random.id(), type, on: after ?? nil)
        case .removed: return .removed(random.id(), type, from: before ?? nil)
        case .changed:
            let classes = ChangeClasses(rawValue: .random(in: 1..<1 << 10, using: &random))
            return .moved(random.id(), type, from: before ?? nil, to: after ?? nil, classes)
        }
    }
}
