import Hummingbird
import IMDF
import RevisionPlanning
import SyncModel

/// What the problem document for levels that cannot be rolled back by themselves says beside that: what prevents it.
struct EntanglementProblem: Encodable {
    private struct Move: Encodable {
        let id: FeatureID
        let type: FeatureType
        @OrNull var level: FeatureID?
        @OrNull var earlierLevel: FeatureID?

        enum CodingKeys: String, CodingKey {
            case id
            case type = "feature_type"
            case level = "level_id"
            case earlierLevel = "level_id_then"
        }

        init(_ move: LevelEntanglement.Move) {
            self.id = move.id
            self.type = move.type
            self.level = move.level
            self.earlierLevel = move.earlierLevel
        }
    }

    private struct DanglingReference: Encodable {
        let id: FeatureID
        let type: FeatureType
        let missing: FeatureID

        enum CodingKeys: String, CodingKey {
            case id, missing
            case type = "feature_type"
        }

        init(_ reference: LevelEntanglement.DanglingReference) {
            self.id = reference.id
            self.type = reference.type
            self.missing = reference.missing
        }
    }

    private struct Counts: Encodable {
        let crossed: Int
        let dangling: Int
        let displaced: Int
    }

    private let crossed: [Move]
    private let dangling: [DanglingReference]
    private let displaced: [Move]
    private let counts: Counts
    private let addLevels: [FeatureID]

    enum CodingKeys: String, CodingKey {
        case crossed, dangling, displaced, counts
        case addLevels = "add_levels"
    }

    private init(_ entanglement: LevelEntanglement) {
        self.crossed = entanglement.crossed.items.map(Move.init)
        self.dangling = entanglement.dangling.items.map(DanglingReference.init)
        self.displaced = entanglement.displaced.items.map(Move.init)
        self.counts = Counts(
            crossed: entanglement.crossed.count, dangling: entanglement.dangling.count,
            displaced: entanglement.displaced.count)
        self.addLevels = entanglement.levelsToAdd
    }

    private static func detail(_ entanglement: LevelEntanglement, target: Int64) -> String {
        var reasons: [String] = []
        if entanglement.crossed.count > 0 {
            reasons.append(
                "features that moved to or from these levels since revision \(target): \(entanglement.crossed.count)")
        }
        if entanglement.dangling.count > 0 {
            reasons.append("references that would dangle: \(entanglement.dangling.count)")
        }
        if entanglement.displaced.count > 0 {
            reasons.append("features that would be on another level: \(entanglement.displaced.count)")
        }
        let solution =
            entanglement.levelsToAdd.isEmpty
            ? "No other level resolves this: roll back the whole venue."
            : "Roll back the levels of “add_levels” too."
        let list = reasons.joined(separator: "; ")
        return "\(list.prefix(1).uppercased())\(list.dropFirst()). \(solution)"
    }

    /// - Parameter target: the revision that was to be restored.
    static func response(to entanglement: LevelEntanglement, target: Int64) throws -> Response {
        try Problem.levelsEntangled(Self.detail(entanglement, target: target)).response(beside: Self(entanglement))
    }
}
