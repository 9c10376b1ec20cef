/// A rule that did not check everything, and why.
package struct SkippedRule: Hashable, Sendable, Codable {
    package let rule: String
    package let reason: String
    /// How many features it did not check; null if that is not known or if the rule was not checked at all.
    package let features: Int?

    package init(rule: String, reason: String, features: Int?) {
        self.rule = rule
        self.reason = reason
        self.features = features
    }

    enum CodingKeys: String, CodingKey {
        case rule, reason, features
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(self.rule, forKey: .rule)
        try container.encode(self.reason, forKey: .reason)
        try container.encode(self.features, forKey: .features)
    }
}
