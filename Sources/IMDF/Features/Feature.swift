/// An IMDF feature: its canonical body, and the parts of it that are needed without parsing it again.
public struct Feature: Hashable, Sendable {
    public let id: FeatureID
    public let type: FeatureType
    /// RFC 8785 text in UTF-8, without a line feed: what is hashed, stored and sent.
    public var body: [UInt8]
    /// The references in the order of the body.
    public var references: [Reference]

    public init(id: FeatureID, type: FeatureType, body: [UInt8], references: [Reference]) {
        self.id = id
        self.type = type
        self.body = body
        self.references = references
    }
}

/// The id of a feature in the properties of another one.
public struct Reference: Hashable, Sendable {
    /// The property of a reference. Properties that IMDF declares determine the level of a feature; all others are `undeclared`.
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
