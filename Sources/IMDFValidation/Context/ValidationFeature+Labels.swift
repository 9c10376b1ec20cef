import IMDF

extension ValidationFeature {
    /// The texts of a LABELS property with their language tags; empty if the value is not an object.
    func labels(_ property: String) -> [(tag: String, text: String)] {
        (self[property]?.object?.members ?? []).compactMap { member in
            member.value.string.map { (member.key, $0) }
        }
    }

    /// The texts that are not blank.
    func texts(_ property: String) -> [String] {
        self.labels(property).map(\.text).filter { !$0.isBlank }
    }

    var category: String? { self.text("category") }

    /// Whether the feature has a name that is not blank.
    var isNamed: Bool { !self.texts("name").isEmpty }
}

extension FeatureType {
    static let withNames: [FeatureType] = [
        .venue, .building, .footprint, .level, .section, .unit, .amenity, .kiosk, .fixture, .opening, .occupant,
        .geofence,
    ]
    static let withAccessibility: [FeatureType] = [.section, .unit, .amenity, .opening]
    static let withRestriction: [FeatureType] = [.venue, .building, .level, .section, .unit, .geofence]
    static let withDisplayPoint: [FeatureType] = [
        .venue, .building, .level, .section, .unit, .kiosk, .fixture, .opening, .geofence,
    ]
    static let withCorrelation: [FeatureType] = [.section, .amenity, .occupant, .geofence]
    static let withContact: [FeatureType] = [.venue, .amenity, .occupant]

    /// The type as a noun in a message.
    var noun: String { DisplayText.clean(self.rawValue) }

    /// The noun with its indefinite article.
    var article: String {
        let noun = self.noun
        return "\("aeio".contains(noun.first ?? " ") ? "an" : "a") \(noun)"
    }
}
