internal import IMDF

/// The position of a value in a feature, as far as it determines whether an id there is a reference.
enum ReferencePosition {
    /// Outside the properties, or in a label, an address or a `correlation_id`: an id is not a reference.
    case nowhere
    /// The feature's `properties`.
    case properties
    /// Any position in the properties for which IMDF declares nothing.
    case somewhere
    /// The value of a member such as `level_id`.
    case single(Reference.Role)
    /// The value of a member such as `level_ids`, an array of ids.
    case list(Reference.Role)
    /// An object whose `id` refers to a feature.
    case end(Reference.Role)
    /// An array of such objects.
    case ends(Reference.Role)
    /// The value of a member such as `accessibility`, an array of words that IMDF lists.
    case words

    /// The role of an id at this position; nil if it is not a reference.
    var role: Reference.Role? {
        switch self {
        case .nowhere: nil
        case .single(let role): role
        case .properties, .somewhere, .list, .end, .ends, .words: .undeclared
        }
    }

    /// Whether IMDF declares an id or a list of texts at this position, so that a list that is written as a text is nothing else.
    var admitsTextList: Bool {
        switch self {
        case .single, .list, .words: true
        case .nowhere, .properties, .somewhere, .end, .ends: false
        }
    }

    /// The position of the elements of an array at this position.
    var element: ReferencePosition {
        switch self {
        case .nowhere: .nowhere
        case .list(let role): .single(role)
        case .ends(let role): .end(role)
        case .properties, .somewhere, .single, .end, .words: .somewhere
        }
    }

    /// The position of the member with this key in an object at this position.
    func member(_ key: UnsafeRawBufferPointer) -> ReferencePosition {
        switch self {
        case .nowhere: .nowhere
        case .properties: TextMember.isText(key) ? .nowhere : Self.property(key)
        case .end(let role) where key.spells("id"): .single(role)
        case .somewhere, .single, .list, .end, .ends, .words: TextMember.isText(key) ? .nowhere : .somewhere
        }
    }

    private static func property(_ key: UnsafeRawBufferPointer) -> ReferencePosition {
        switch key.count {
        case 6: key.spells("origin") ? .end(.origin) : .somewhere
        case 7: key.spells("unit_id") ? .single(.unit) : key.spells("parents") ? .list(.parents) : .somewhere
        case 8: key.spells("level_id") ? .single(.level) : key.spells("unit_ids") ? .list(.units) : .somewhere
        case 9: key.spells("level_ids") ? .list(.levels) : key.spells("anchor_id") ? .single(.anchor) : .somewhere
        case 10: key.spells("address_id") ? .single(.address) : .somewhere
        case 11: key.spells("destination") ? .end(.destination) : .somewhere
        case 12:
            key.spells("building_ids")
                ? .list(.buildings) : key.spells("intermediary") ? .ends(.intermediary) : .somewhere
        case 13: key.spells("accessibility") ? .words : .somewhere
        case 14: key.spells("access_control") ? .words : .somewhere
        default: .somewhere
        }
    }
}
