internal import IMDF

/// The members that every feature has, in canonical order, and the one that keeps an id that is no UUID.
enum KnownMember: Int, CaseIterable {
    case featureType, geometry, id, originalID, properties, type

    var key: StaticString {
        switch self {
        case .featureType: "feature_type"
        case .geometry: "geometry"
        case .id: "id"
        case .originalID: "original_id"
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
        case 11 where key.spells("original_id"): self = .originalID
        case 12 where key.spells("feature_type"): self = .featureType
        default: return nil
        }
    }

    /// Whether this member precedes another one in canonical order. `other` is the known member with that key, if any.
    func precedes(_ key: UnsafeRawBufferPointer, _ other: KnownMember?) -> Bool {
        if let other { return self.rawValue < other.rawValue }
        let own = UnsafeRawBufferPointer(start: self.key.utf8Start, count: self.key.utf8CodeUnitCount)
        return CanonicalJSON.precedes(own, key)
    }
}

/// The values of the known members of a feature: the indices of their first words.
struct KnownMembers {
    private var values: (Int, Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0, 0)

    /// The value of a member; nil if the feature does not have it.
    subscript(member: KnownMember) -> Int? {
        get {
            let value =
                switch member {
                case .featureType: self.values.0
                case .geometry: self.values.1
                case .id: self.values.2
                case .originalID: self.values.3
                case .properties: self.values.4
                case .type: self.values.5
                }
            // Index 0 is the word of the feature itself.
            return value == 0 ? nil : value
        }
        set {
            switch member {
            case .featureType: self.values.0 = newValue ?? 0
            case .geometry: self.values.1 = newValue ?? 0
            case .id: self.values.2 = newValue ?? 0
            case .originalID: self.values.3 = newValue ?? 0
            case .properties: self.values.4 = newValue ?? 0
            case .type: self.values.5 = newValue ?? 0
            }
        }
    }
}
