internal import IMDF

/// The members that every feature has, in canonical order.
enum KnownMember: Int, CaseIterable {
    case featureType, geometry, id, properties, type

    var key: StaticString {
        switch self {
        case .featureType: "feature_type"
        case .geometry: "geometry"
        case .id: "id"
        case .properties: "properties"
        case .type: "type"
        }
    }

    init?(_ key: UnsafeRawBufferPointer) {
        switch key.count {
        case 2 where key.spells("id"): self = .id
        case 4 where key.spells("type"): self = .type
        case 8 where key.spells("geometry"): self = .geometry
        case 10 where key.spells("properties"): self = .properties
        case 12 where key.spells("feature_type"): self = .featureType
        default: return nil
        }
    }

    /// Whether this member stands before another one, given by its key and by what it is, if it is one of these.
    func precedes(_ key: UnsafeRawBufferPointer, _ other: KnownMember?) -> Bool {
        if let other { return self.rawValue < other.rawValue }
        let own = UnsafeRawBufferPointer(start: self.key.utf8Start, count: self.key.utf8CodeUnitCount)
        return CanonicalJSON.precedes(own, key)
    }
}

/// Where a feature has the values of the members that every feature has: the numbers of their first words.
struct KnownMembers {
    private var values: (Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0)

    /// The value of a member; nil when the feature does not have it.
    subscript(member: KnownMember) -> Int? {
        get {
            let value =
                switch member {
                case .featureType: self.values.0
                case .geometry: self.values.1
                case .id: self.values.2
                case .properties: self.values.3
                case .type: self.values.4
                }
            // No value is an object's first word.
            return value == 0 ? nil : value
        }
        set {
            switch member {
            case .featureType: self.values.0 = newValue ?? 0
            case .geometry: self.values.1 = newValue ?? 0
            case .id: self.values.2 = newValue ?? 0
            case .properties: self.values.3 = newValue ?? 0
            case .type: self.values.4 = newValue ?? 0
            }
        }
    }
}
