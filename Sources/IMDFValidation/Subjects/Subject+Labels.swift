import IMDF

extension Subject {
    /// The texts of a LABELS member by their tags; empty for what is no such object.
    func labels(_ property: String) -> [(tag: String, text: String)] {
        (self[property]?.object?.members ?? []).compactMap { member in
            member.value.string.map { (member.key, $0) }
        }
    }

    /// Texts that say something.
    func texts(_ property: String) -> [String] {
        self.labels(property).map(\.text).filter { !$0.isBlank }
    }

    var category: String? { self.text("category") }

    /// Whether the feature has a text that says something as its name.
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

    /// As it begins a sentence.
    var noun: String { Shown.clean(self.rawValue) }

    /// With its article.
    var article: String {
        let noun = self.noun
        return "\("aeio".contains(noun.first ?? " ") ? "an" : "a") \(noun)"
    }
}
