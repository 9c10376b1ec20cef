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

extension OverridePointer: LosslessStringConvertible {
    /// Nil for a pointer to anything that cannot be overridden.
    package init?(_ text: String) {
        let tokens = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(Self.unescaped)
        switch (text.first, tokens.first, tokens.count) {
        case (nil, _, _): self = .existence
        case ("/", "geometry", 1): self = .geometry
        case ("/", "properties", 2): self = .property(tokens[1])
        case ("/", "properties", 3) where Self.isLabel(tokens[1]): self = .label(tokens[1], language: tokens[2])
        default: return nil
        }
    }

    package var description: String {
        switch self {
        case .existence: ""
        case .geometry: "/geometry"
        case .property(let name): "/properties/\(Self.escaped(name))"
        case .label(let name, let language): "/properties/\(Self.escaped(name))/\(Self.escaped(language))"
        }
    }

    /// A token of an RFC 6901 pointer.
    package static func escaped(_ token: String) -> String {
        token.replacing("~", with: "~0").replacing("/", with: "~1")
    }

    private static func unescaped(_ token: Substring) -> String {
        String(token.replacing("~1", with: "/").replacing("~0", with: "~"))
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
            var properties = feature["properties"]?.object ?? [:]
            properties[name] = value
            feature["properties"] = .object(properties)
        case .label(let name, let language):
            var properties = feature["properties"]?.object ?? [:]
            guard value != nil || properties[name]?.object != nil else { return }
            var texts = properties[name]?.object ?? [:]
            texts[language] = value
            properties[name] = texts.members.isEmpty ? .some(.null) : .object(texts)
            feature["properties"] = .object(properties)
        }
    }
}
