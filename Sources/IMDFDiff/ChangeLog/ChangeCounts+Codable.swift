import IMDF

extension ChangeCounts: Codable {
    enum CodingKeys: String, CodingKey {
        case added, changed, removed, levels, types
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.tally = try Tally(from: decoder)
        self.levels = try container.decode([Level].self, forKey: .levels)
        self.types = try container.decodeIfPresent([TypeCount].self, forKey: .types) ?? []
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try self.tally.encode(to: encoder)
        try container.encode(self.levels, forKey: .levels)
        try container.encode(self.types, forKey: .types)
    }
}

extension ChangeCounts.Level: Codable {
    enum CodingKeys: String, CodingKey {
        case id = "level_id"
        case ordinal
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.id = try container.decodeIfPresent(FeatureID.self, forKey: .id)
        self.ordinal = try container.decodeIfPresent(Int.self, forKey: .ordinal)
        self.tally = try ChangeCounts.Tally(from: decoder)
    }

    /// The venue-wide part is written with its nulls.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(self.id, forKey: .id)
        try container.encode(self.ordinal, forKey: .ordinal)
        try self.tally.encode(to: encoder)
    }
}

extension ChangeCounts.TypeCount: Codable {
    enum CodingKeys: String, CodingKey {
        case type = "feature_type"
    }

    package init(from decoder: any Decoder) throws {
        self.type = try decoder.container(keyedBy: CodingKeys.self).decode(FeatureType.self, forKey: .type)
        self.tally = try ChangeCounts.Tally(from: decoder)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(self.type, forKey: .type)
        try self.tally.encode(to: encoder)
    }
}
