package import IMDF

/// The part of a feature that an override replaces, written as an RFC 6901 pointer into the feature.
package enum OverridePointer: Hashable, Sendable {
    /// Whether the feature exists: the empty pointer, which stands for the whole feature.
    case existence
    case geometry
    /// A member of `properties` as a whole.
    case property(String)
    /// One language of a label in `properties`.
    case label(String, language: String)

    /// Whether a property is a label, whose languages are overridden one by one.
    package static func isLabel(_ property: String) -> Bool {
        ["name", "alt_name", "short_name"].contains(property)
    }

    /// The property that the pointer lies in; nil for the geometry and the whole feature.
    package var property: String? {
        switch self {
        case .property(let name), .label(let name, _): name
        case .existence, .geometry: nil
        }
    }
}

extension OverridePointer {
    /// Compares names by bytes, as JSON objects do: Swift's string equality treats different Unicode normal forms as equal.
    package static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.existence, .existence), (.geometry, .geometry): true
        case (.property(let one), .property(let other)): one.hasBytes(of: other)
        case (.label(let one, let language), .label(let other, let otherLanguage)):
            one.hasBytes(of: other) && language.hasBytes(of: otherLanguage)
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        ExactText(self.description).hash(into: &hasher)
    }

    /// Whether another pointer is the same, or leads into the property that this one names.
    package func contains(_ other: Self) -> Bool {
        if case .property(let name) = self { other.isIn(property: name) } else { self == other }
    }

    /// Whether the pointer lies in a property, whose name is compared by bytes.
    package func isIn(property name: String) -> Bool {
        self.property?.hasBytes(of: name) ?? false
    }
}

extension OverridePointer: LosslessStringConvertible {
    /// Nil for a pointer to anything that cannot be overridden.
    package init?(_ text: String) {
        let tokens = JSONPointer.keys(of: text)
        guard let first = text.utf8.first else {
            self = .existence
            return
        }
        guard first == UInt8(ascii: "/") else { return nil }
        switch (tokens.first, tokens.count) {
        case ("geometry", 1): self = .geometry
        case ("properties", 2): self = .property(tokens[1])
        case ("properties", 3) where Self.isLabel(tokens[1]): self = .label(tokens[1], language: tokens[2])
        default: return nil
        }
    }

    package var description: String {
        switch self {
        case .existence: ""
        case .geometry: "/geometry"
        case .property(let name): "/properties/\(JSONPointer.token(name))"
        case .label(let name, let language): "/properties/\(JSONPointer.token(name))/\(JSONPointer.token(language))"
        }
    }
}

extension OverridePointer {
    /// The value in a feature; nil if there is none. Of the whole feature, the feature itself.
    package func value(in feature: JSONObject) -> JSONValue? {
        switch self {
        case .existence: .some(.object(feature))
        case .geometry: feature["geometry"]
        case .property(let name): feature["properties"]?[name]
        case .label(let name, let language): feature["properties"]?[name]?[language]
        }
    }

    /// Sets the value in a feature, or removes it. A label that becomes empty becomes null.
    ///
    /// - Precondition: the pointer is not that of the whole feature.
    package func set(_ value: JSONValue?, in feature: inout JSONObject) {
        switch self {
        case .existence: preconditionFailure("a whole feature is not a part of itself")
        case .geometry: feature["geometry"] = value ?? .some(.null)
        case .property(let name):
            var properties = Self.taken("properties", from: &feature)
            properties[name] = value
            feature["properties"] = .object(properties)
        case .label(let name, let language):
            guard value != nil || feature["properties"]?[name]?.object != nil else { return }
            var properties = Self.taken("properties", from: &feature)
            var texts = Self.taken(name, from: &properties)
            texts[language] = value
            properties[name] = texts.members.isEmpty ? .some(.null) : .object(texts)
            feature["properties"] = .object(properties)
        }
    }

    /// Moves an object out of a member, so that it can be changed without being copied; empty if the member is no object.
    private static func taken(_ name: String, from object: inout JSONObject) -> JSONObject {
        let taken = object[name]?.object ?? [:]
        object[name] = .some(.null)
        return taken
    }
}
