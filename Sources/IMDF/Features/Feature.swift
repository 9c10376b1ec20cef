/// An IMDF feature as the service keeps it: its canonical body, and what has to be known of it without reading that again.
public struct Feature: Hashable, Sendable {
    public let id: FeatureID
    public let type: FeatureType
    /// RFC 8785 text in UTF-8, without a line feed: what is hashed, stored and sent.
    public var body: [UInt8]
    /// What the feature refers to, in the order of its body.
    public var references: [Reference]

    public init(id: FeatureID, type: FeatureType, body: [UInt8], references: [Reference]) {
        self.id = id
        self.type = type
        self.body = body
        self.references = references
    }
}

/// A feature's id standing in another feature's properties.
public struct Reference: Hashable, Sendable {
    /// Where a reference stands. The members that IMDF declares decide on which level a feature is; any other is `undeclared`.
    public enum Role: UInt8, Hashable, Sendable, CaseIterable {
        case undeclared
        case level, levels
        case unit, units
        case anchor
        case buildings
        case address
        case parents
        case origin, intermediary, destination
    }

    public let role: Role
    public let target: FeatureID

    public init(role: Role, target: FeatureID) {
        self.role = role
        self.target = target
    }
}
