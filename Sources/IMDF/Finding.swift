/// A violation of a rule in an archive.
public struct Finding: Hashable, Sendable {
    public enum Severity: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
        case error, warning, info

        /// Errors first.
        public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .error: 0
            case .warning: 1
            case .info: 2
            }
        }
    }

    /// The rule's id in the rule book, such as `ST-09`.
    public var rule: String
    public var severity: Severity
    /// A sentence for the person who made the archive.
    public var message: String
    public var featureID: FeatureID?
    public var featureType: FeatureType?
    /// The name of the entry in the archive.
    public var file: String?
    /// The position in the file: an RFC 6901 pointer, or `line:column` if the file is not valid JSON.
    public var pointer: String?
    /// Longitude and latitude in degrees (WGS 84).
    public var at: [Double]?

    public init(
        rule: String, severity: Severity, message: String, featureID: FeatureID? = nil, featureType: FeatureType? = nil,
        file: String? = nil, pointer: String? = nil, at: [Double]? = nil
    ) {
        self.rule = rule
        self.severity = severity
        self.message = message
        self.featureID = featureID
        self.featureType = featureType
        self.file = file
        self.pointer = pointer
        self.at = at
    }
}

extension Finding: Codable {
    enum CodingKeys: String, CodingKey {
        case rule, severity, message, file, pointer, at
        case featureID = "feature_id"
        case featureType = "feature_type"
    }

    /// Nil members are written as null, so that all findings have the same members.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(self.rule, forKey: .rule)
        try container.encode(self.severity, forKey: .severity)
        try container.encode(self.message, forKey: .message)
        try container.encode(self.featureID, forKey: .featureID)
        try container.encode(self.featureType, forKey: .featureType)
        try container.encode(self.file, forKey: .file)
        try container.encode(self.pointer, forKey: .pointer)
        try container.encode(self.at, forKey: .at)
    }
}
