/// A change of a venue between two revisions.
package struct Edit: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case rename, move, recategorise, hours, add, remove, relevel, retype, floor
        case removeFloor = "remove-floor"
        case remint, noise
    }

    package var kind: Kind
    /// How many features to edit; nil for kinds without a count, and to remint all.
    package var count: Int?

    package init(_ kind: Kind, _ count: Int? = nil) {
        self.kind = kind
        self.count = count
    }
}

extension Edit.Kind {
    enum Counting {
        case required, optional, never
    }

    var counting: Counting {
        switch self {
        case .floor, .removeFloor, .noise: .never
        case .remint: .optional
        default: .required
        }
    }

    /// The syntax, such as `rename=N`.
    package var form: String {
        switch self.counting {
        case .required: "\(self.rawValue)=N"
        case .optional: "\(self.rawValue)[=N]"
        case .never: self.rawValue
        }
    }

    /// The description for `--help`.
    package var meaning: String {
        switch self {
        case .rename: "N occupants or units get another name"
        case .move: "N points, kiosks, fixtures or units shift by a few metres on their level"
        case .recategorise: "N occupants, units or amenities get another category"
        case .hours: "N occupants or amenities get other opening hours"
        case .add: "N shops open: an occupant and its anchor in an existing unit"
        case .remove: "N occupants close; anchors that nothing else uses are removed with them"
        case .relevel: "N units are moved to another level, with everything that refers to them"
        case .retype: "N occupants become amenities under the same id"
        case .floor: "a building gets another level on top, a copy of its highest level with new tenants"
        case .removeFloor: "a building loses its highest level and everything on it"
        case .remint: "all features, or N of them, get new ids; references follow"
        case .noise: "the content stays the same, the formatting of everything changes"
        }
    }
}

/// Why a text cannot be parsed as an edit.
package struct EditParsingError: Error, Hashable, CustomStringConvertible {
    package let description: String
}

extension Edit: CustomStringConvertible {
    package var description: String {
        self.count.map { "\(self.kind.rawValue)=\($0)" } ?? self.kind.rawValue
    }

    /// Parses one edit, such as `rename=10` or `floor`.
    package static func parse(_ text: String) throws(EditParsingError) -> Edit {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let kind = Kind(rawValue: parts[0]) else {
            let known = Kind.allCases.map(\.form).joined(separator: ", ")
            throw EditParsingError(description: "“\(text)” is not an edit; the edits are \(known)")
        }
        if parts.count == 1, kind.counting != .required { return Edit(kind) }
        guard kind.counting != .never, parts.count == 2, let count = Int(parts[1]), count > 0 else {
            throw EditParsingError(description: "“\(text)” must have the form “\(kind.form)”, with N at least 1")
        }
        return Edit(kind, count)
    }

    /// Parses edits separated by commas; they are applied in this order.
    package static func parse(list: String) throws(EditParsingError) -> [Edit] {
        var edits: [Edit] = []
        for text in list.split(separator: ",") {
            let text = text.drop { $0 == " " }
            edits.append(try self.parse(String(text)))
        }
        return edits
    }
}
