public import IMDF

/// What a client wants of a venue: the values of its `level=` parameters.
///
/// `level=<id>` and `level=ordinal:<n>` name levels, `level=venue` names just the venue-wide part (which always comes along), and
/// no parameter at all names everything. A name that no level bears now selects nothing and is no error: phones outlive floors.
public struct LevelSelection: Hashable, Sendable {
    public enum Name: Hashable, Sendable {
        case level(FeatureID)
        case ordinal(Int)
        case venueWide
    }

    /// Nil: everything.
    public var names: Set<Name>?

    public static let everything = LevelSelection(names: nil)

    public init(names: Set<Name>?) {
        self.names = names
    }

    /// Reads the values as they stand in a query; nil when one of them is no name.
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
