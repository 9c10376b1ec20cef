/// What differs between two versions of a feature, in the words of the wire.
package struct ChangeClasses: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The shape: lines and areas, and a geometry that came, went or is of another kind.
    package static let geometry = ChangeClasses(rawValue: 1 << 0)
    /// A point that moved, or the point at which a feature is labelled.
    package static let position = ChangeClasses(rawValue: 1 << 1)
    package static let name = ChangeClasses(rawValue: 1 << 2)
    /// `category` alone: a restriction or an accessibility is another thing, and `other`.
    package static let category = ChangeClasses(rawValue: 1 << 3)
    package static let hours = ChangeClasses(rawValue: 1 << 4)
    /// Telephone and website.
    package static let contact = ChangeClasses(rawValue: 1 << 5)
    /// What the feature refers to, by a member that IMDF declares or by any other that holds references.
    package static let reference = ChangeClasses(rawValue: 1 << 6)
    /// The level it belongs to, which may change although its body did not.
    package static let level = ChangeClasses(rawValue: 1 << 7)
    package static let type = ChangeClasses(rawValue: 1 << 8)
    /// Everything else, so that no change is without a class.
    package static let other = ChangeClasses(rawValue: 1 << 9)

    /// The names on the wire, in the order in which they are listed.
    package static let names: [(classes: ChangeClasses, name: String)] = [
        (.geometry, "geometry"), (.position, "position"), (.name, "name"), (.category, "category"), (.hours, "hours"),
        (.contact, "contact"), (.reference, "reference"), (.level, "level"), (.type, "type"), (.other, "other"),
    ]

    package var names: [String] {
        Self.names.filter { self.contains($0.classes) }.map(\.name)
    }
}

extension ChangeClasses: Codable {
    /// Reads a list of names; those of a later version count as `other`.
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
