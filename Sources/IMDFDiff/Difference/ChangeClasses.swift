/// The classes of differences between two versions of a feature, with their names on the wire.
package struct ChangeClasses: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// A line or area changed, or a geometry was added, removed or replaced by another kind.
    package static let geometry = ChangeClasses(rawValue: 1 << 0)
    /// A point or the display point moved.
    package static let position = ChangeClasses(rawValue: 1 << 1)
    package static let name = ChangeClasses(rawValue: 1 << 2)
    /// `category` only; `restriction` and `accessibility` are `other`.
    package static let category = ChangeClasses(rawValue: 1 << 3)
    package static let hours = ChangeClasses(rawValue: 1 << 4)
    /// Telephone and website.
    package static let contact = ChangeClasses(rawValue: 1 << 5)
    /// References, in properties that IMDF declares and in others.
    package static let reference = ChangeClasses(rawValue: 1 << 6)
    /// The level that the feature belongs to, which may change without a change of the body.
    package static let level = ChangeClasses(rawValue: 1 << 7)
    package static let type = ChangeClasses(rawValue: 1 << 8)
    /// Everything else, so that every change has a class.
    package static let other = ChangeClasses(rawValue: 1 << 9)
    /// A name was added or removed in some languages and is the same in all others. On the wire it is `name`.
    package static let translation = ChangeClasses(rawValue: 1 << 10)
    /// The ordinal. On the wire it is `other`.
    package static let ordinal = ChangeClasses(rawValue: 1 << 11)

    /// The names on the wire, in their order.
    package static let names: [(classes: ChangeClasses, name: String)] = [
        (.geometry, "geometry"), (.position, "position"), (.name, "name"), (.category, "category"), (.hours, "hours"),
        (.contact, "contact"), (.reference, "reference"), (.level, "level"), (.type, "type"), (.other, "other"),
    ]

    package var names: [String] {
        var classes = self
        if self.contains(.translation) { classes.insert(.name) }
        if self.contains(.ordinal) { classes.insert(.other) }
        return Self.names.filter { classes.contains($0.classes) }.map(\.name)
    }
}

extension ChangeClasses: Codable {
    /// Reads a list of names. Unknown names of later versions become `other`.
    package init(from decoder: any Decoder) throws {
        let names = try decoder.singleValueContainer().decode([String].self)
        self = []
        for name in names {
            self.insert(Self.names.first { $0.name == name }?.classes ?? .other)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self.names)
    }
}
