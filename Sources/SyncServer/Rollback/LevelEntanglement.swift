import IMDF
import RevisionStore
import SyncModel

/// Why some levels cannot be taken back by themselves, and which levels would have to come along.
struct LevelEntanglement {
    /// A feature that stood on one side of the border then and stands on the other now, or would come to.
    struct Move: Encodable {
        let id: FeatureID
        let type: FeatureType
        /// Where it is now; in `displaced`, where it would come to stand.
        @OrNull var level: FeatureID?
        /// Where it was then; in `displaced`, where the revision that it comes from has it.
        @OrNull var levelThen: FeatureID?

        enum CodingKeys: String, CodingKey {
            case id
            case type = "feature_type"
            case level = "level_id"
            case levelThen = "level_id_then"
        }
    }

    /// A reference that would lead nowhere.
    struct Dangling: Encodable {
        let id: FeatureID
        let type: FeatureType
        let missing: FeatureID

        enum CodingKeys: String, CodingKey {
            case id, missing
            case type = "feature_type"
        }
    }

    /// How many there are, and the first of them.
    struct Listing<Item: Encodable> {
        private(set) var count = 0
        private(set) var items: [Item] = []

        mutating func add(_ item: Item) {
            self.count += 1
            if self.items.count < 100 { self.items.append(item) }
        }
    }

    private let levels: Set<FeatureID>
    private(set) var crossed = Listing<Move>()
    private(set) var dangling = Listing<Dangling>()
    private(set) var displaced = Listing<Move>()
    private var cures: Set<FeatureID> = []
    private var isHopeless = false

    init(levels: Set<FeatureID>) {
        self.levels = levels
    }

    var isEmpty: Bool { self.crossed.count + self.dangling.count + self.displaced.count == 0 }

    /// The levels to take back as well, by id; none when only the whole venue can be.
    var addLevels: [FeatureID] { self.isHopeless ? [] : self.cures.sorted() }

    mutating func cross(_ feature: EndFeature) {
        let (now, then) = (feature.now, feature.then)
        self.crossed.add(
            Move(
                id: feature.id, type: (now ?? then)?.type ?? FeatureType(rawValue: ""), level: now?.placement.level,
                levelThen: then?.placement.level))
        self.cure([now, then].flatMap { $0?.levels(of: feature.id) ?? [] })
    }

    mutating func dangle(_ id: FeatureID, _ type: FeatureType, _ missing: FeatureID, cure levels: [FeatureID]) {
        self.dangling.add(Dangling(id: id, type: type, missing: missing))
        self.cure(levels)
    }

    mutating func displace(
        _ id: FeatureID, _ version: EndFeature.Version, to placement: Placement, cure levels: [FeatureID]
    ) {
        self.displaced.add(
            Move(id: id, type: version.type, level: placement.level, levelThen: version.placement.level))
        self.cure(levels)
    }

    /// What is in a tie with no other level stays in it, however many levels are added.
    private mutating func cure(_ levels: [FeatureID]) {
        let others = levels.filter { !self.levels.contains($0) }
        if others.isEmpty { self.isHopeless = true }
        self.cures.formUnion(others)
    }
}

extension LevelEntanglement {
    /// The refusal with its lists.
    struct Refusal: Encodable {
        struct Counts: Encodable {
            let crossed: Int
            let dangling: Int
            let displaced: Int
        }

        let type: String
        let title: String
        let status: Int
        let detail: String?
        let crossed: [Move]
        let dangling: [Dangling]
        let displaced: [Move]
        let counts: Counts
        let addLevels: [FeatureID]

        enum CodingKeys: String, CodingKey {
            case type, title, status, detail, crossed, dangling, displaced, counts
            case addLevels = "add_levels"
        }
    }

    /// - Parameter number: the revision that was to be brought back.
    func refusal(to number: Int64) -> Refusal {
        var reasons: [String] = []
        if self.crossed.count > 0 {
            reasons.append(
                "features that came to these levels or left them since revision \(number): \(self.crossed.count)")
        }
        if self.dangling.count > 0 {
            reasons.append("references that would lead nowhere: \(self.dangling.count)")
        }
        if self.displaced.count > 0 {
            reasons.append("features that would come to stand elsewhere: \(self.displaced.count)")
        }
        let way =
            self.addLevels.isEmpty
            ? "No other level resolves this: take the whole venue back."
            : "Take back the levels of “add_levels” as well."
        let list = reasons.joined(separator: "; ")
        let problem = Problem(
            "levels-entangled", status: 409, title: "These levels cannot be taken back by themselves",
            detail: "\(list.prefix(1).uppercased())\(list.dropFirst()). \(way)")
        return Refusal(
            type: problem.type, title: problem.title, status: problem.status, detail: problem.detail,
            crossed: self.crossed.items, dangling: self.dangling.items, displaced: self.displaced.items,
            counts: .init(
                crossed: self.crossed.count, dangling: self.dangling.count, displaced: self.displaced.count),
            addLevels: self.addLevels)
    }
}
