/// Levels of a venue, by id or by floor: what a client requests, what is observed, and what a map shows.
///
///     let floor: LevelSelection = [.ordinal(0)]
///
/// In requests these are the values of the parameter `level`: `level=<id>`, `level=ordinal:<n>` and `level=venue`; without the parameter
/// everything is requested. A name that fits no level selects nothing and is not an error, because a level may be deleted while apps
/// still name it.
public struct LevelSelection: Hashable, Sendable {
    public enum Name: Hashable, Sendable {
        case level(FeatureID)
        /// A floor: the levels of this ordinal, in all buildings and outdoors.
        case ordinal(Int)
        /// The features that belong to no single level, such as the venue, buildings and lifts.
        case venueWide
    }

    /// Nil: everything.
    public var names: Set<Name>?

    /// All levels and the venue-wide part.
    public static let everything = LevelSelection(names: nil)

    public init(names: Set<Name>?) {
        self.names = names
    }

    /// Parses the values of the query parameter; nil if one of them is not a name.
    public init?(values: [String]) {
        guard !values.isEmpty else {
            self = .everything
            return
        }
        var names: Set<Name> = []
        for value in values {
            guard let name = Name(value) else { return nil }
            names.insert(name)
        }
        self.names = names
    }

    public func includes(level: FeatureID, ordinal: Int?) -> Bool {
        guard let names = self.names else { return true }
        return names.contains(.level(level)) || ordinal.map { names.contains(.ordinal($0)) } ?? false
    }
}

extension LevelSelection: ExpressibleByArrayLiteral {
    public init(arrayLiteral names: Name...) {
        self.init(names: Set(names))
    }
}

extension LevelSelection.Name: LosslessStringConvertible {
    public init?(_ text: String) {
        if text == "venue" {
            self = .venueWide
        } else if text.hasPrefix("ordinal:"), let ordinal = Int(text.dropFirst("ordinal:".count)) {
            self = .ordinal(ordinal)
        } else if let id = FeatureID(text) {
            self = .level(id)
        } else {
            return nil
        }
    }

    public var description: String {
        switch self {
        case .level(let id): id.description
        case .ordinal(let ordinal): "ordinal:\(ordinal)"
        case .venueWide: "venue"
        }
    }
}

extension LevelSelection: CustomStringConvertible {
    public var description: String {
        self.names.map { $0.map(\.description).sorted().joined(separator: ", ") } ?? "all levels"
    }
}
