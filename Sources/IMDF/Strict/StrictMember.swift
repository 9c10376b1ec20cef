/// A member of `properties` that strict decoders read, apart from references to levels, units and anchors.
struct StrictMember {
    enum Form {
        case text
        /// An object of texts by language.
        case label
        case integer
        case boolean
        case texts
        case ids
        case point
        /// An http(s) URL.
        case website
    }

    let key: String
    let form: Form
    /// The value that replaces a missing one or one of another form. Without one, decoders require the member, and the feature is
    /// left out.
    let fallback: JSONValue?

    private init(_ key: String, _ form: Form, or fallback: JSONValue? = .none) {
        self.key = key
        self.form = form
        self.fallback = fallback
    }
}

extension StrictMember.Form {
    func accepts(_ value: JSONValue) -> Bool {
        switch self {
        case .text: value.string != nil
        case .label: value.object?.members.allSatisfy { $0.value.string != nil } ?? false
        case .integer: value.number.flatMap { Int32(exactly: $0) } != nil
        case .boolean: value.bool != nil
        case .texts: value.array?.allSatisfy { $0.string != nil } ?? false
        case .ids: value.array?.allSatisfy { $0.string.flatMap { FeatureID($0) } != nil } ?? false
        case .point: GeoJSONGeometry.isValid(value, of: .point)
        case .website: value.string.map { HTTPAddress.isValid($0) } ?? false
        }
    }
}

extension StrictMember {
    /// Members that may be missing or null in every type. A feature with another value is left out.
    static let contact = [StrictMember("website", .website), .init("hours", .text), .init("phone", .text)]

    /// The members that decoders read of features of a type.
    static func members(of type: FeatureType) -> [StrictMember] { self.byType[type] ?? [] }

    private static let byType: [FeatureType: [StrictMember]] = {
        let category = StrictMember("category", .text)
        // Optional, and more useful to be left out than the features that have them.
        let (name, point) = (StrictMember("name", .label, or: .null), StrictMember("display_point", .point, or: .null))
        let own: [FeatureType: [StrictMember]] = [
            .venue: [.init("category", .text, or: "unspecified"), name]
                + StrictMember.contact.map { StrictMember($0.key, $0.form, or: .null) },
            .level: [
                category, name, .init("ordinal", .integer), .init("short_name", .label),
                .init("outdoor", .boolean, or: false), .init("building_ids", .texts, or: .null),
            ],
            .unit: [category, name], .opening: [category, name], .amenity: [category, name],
            .anchor: [.init("address_id", .text, or: .null)],
            .occupant: [category, .init("name", .label)],
            .footprint: [category, name, .init("building_ids", .ids)],
            .building: [category, name], .geofence: [category, name],
            .address: [
                .init("address", .text), .init("locality", .text), .init("country", .text),
                .init("province", .text, or: .null),
            ],
            .relationship: [category, .init("direction", .text)],
            .fixture: [name], .section: [name], .kiosk: [name], .detail: [name],
        ]
        return own.mapValues { $0 + [point] }
    }()
}
