public import IMDF

/// Numbers of changed features: in total, by level and by type.
public struct ChangeSummary: Sendable, Codable, Hashable {
    public struct Level: Sendable, Codable, Hashable {
        @OrNull public var level: FeatureID?
        @OrNull public var ordinal: Int?
        public var added: Int
        public var changed: Int
        public var removed: Int

        enum CodingKeys: String, CodingKey {
            case ordinal, added, changed, removed
            case level = "level_id"
        }

        package init(level: FeatureID?, ordinal: Int?, added: Int, changed: Int, removed: Int) {
            self.level = level
            self.ordinal = ordinal
            self.added = added
            self.changed = changed
            self.removed = removed
        }
    }

    public struct TypeCount: Sendable, Codable, Hashable {
        public var type: FeatureType
        public var added: Int
        public var changed: Int
        public var removed: Int

        enum CodingKeys: String, CodingKey {
            case added, changed, removed
            case type = "feature_type"
        }

        package init(type: FeatureType, added: Int, changed: Int, removed: Int) {
            self.type = type
            self.added = added
            self.changed = changed
            self.removed = removed
        }
    }

    public var added: Int
    public var changed: Int
    public var removed: Int
    /// Levels without a change are left out.
    public var levels: [Level]
    /// Types without a change are left out.
    public var types: [TypeCount]
    /// Descriptions of the changes in the language of the request.
    public var words: [String]

    enum CodingKeys: String, CodingKey {
        case added, changed, removed, levels, types, words
    }

    package init(
        added: Int, changed: Int, removed: Int, levels: [Level] = [], types: [TypeCount] = [], words: [String] = []
    ) {
        self.added = added
        self.changed = changed
        self.removed = removed
        self.levels = levels
        self.types = types
        self.words = words
    }

    /// Stored summaries have no `words`; they are added to a response in its language.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.added = try container.decode(Int.self, forKey: .added)
        self.changed = try container.decode(Int.self, forKey: .changed)
        self.removed = try container.decode(Int.self, forKey: .removed)
        self.levels = try container.decode([Level].self, forKey: .levels)
        self.types = try container.decodeIfPresent([TypeCount].self, forKey: .types) ?? []
        self.words = try container.decodeIfPresent([String].self, forKey: .words) ?? []
    }
}
