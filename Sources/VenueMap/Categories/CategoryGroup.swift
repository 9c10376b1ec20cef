public import IMDF

/// What the map distinguishes among categories, each with a color.
///
/// A category belongs to the first group with a prefix of it, so unknown subcategories belong to the group of the known ones. The web
/// console uses the same prefixes.
public enum CategoryGroup: String, Hashable, Sendable, CaseIterable {
    case shop, food, service, room, walkway, restroom, vertical, outdoor, parking
    /// Not for visitors, and parts of the structure.
    case nonpublic = "private"
    /// Open to the level below.
    case void

    /// The group of a category. Unknown and missing categories are shops for occupants and kiosks, and rooms for all other types.
    public init(_ category: String?, of type: FeatureType) {
        switch type {
        case .occupant, .kiosk: self = Self.group(of: category, in: Self.occupantPrefixes) ?? .shop
        default: self = Self.group(of: category, in: Self.unitPrefixes) ?? .room
        }
    }

    /// Whether a unit of this group can belong to an occupant, which then determines its color. Walkways and shared facilities cannot.
    public var canBeOccupied: Bool { [.room, .food, .nonpublic].contains(self) }

    /// The name of the group in the first of these languages that is English or Japanese, or else in English.
    public func name(for languages: [String] = []) -> String {
        let (english, japanese) = self.names
        return CategoryLanguage(languages) == .japanese ? japanese : english
    }

    private var names: (english: String, japanese: String) {
        switch self {
        case .shop: ("Shops", "ショップ")
        case .food: ("Food and drink", "飲食")
        case .service: ("Services", "サービス")
        case .room: ("Rooms", "部屋")
        case .walkway: ("Walkways", "通路")
        case .restroom: ("Restrooms", "トイレ")
        case .vertical: ("Lifts and stairs", "エレベーター・階段")
        case .outdoor: ("Outdoors", "屋外")
        case .parking: ("Parking and roads", "駐車場・道路")
        case .nonpublic: ("Not public", "関係者専用")
        case .void: ("Open to below", "吹き抜け")
        }
    }

    private static func group(of category: String?, in prefixes: [(group: CategoryGroup, prefixes: [String])]) -> Self?
    {
        guard let category else { return nil }
        return prefixes.first { $0.prefixes.contains { category.hasPrefix($0) } }?.group
    }

    private static let unitPrefixes: [(group: CategoryGroup, prefixes: [String])] = [
        (
            .restroom,
            words(
                """
                restroom shower mothersroom
                """)
        ),
        (
            .vertical,
            words(
                """
                elevator escalator stairs steps ramp movingwalkway
                """)
        ),
        (
            .walkway,
            words(
                """
                walkway footbridge lobby platform waitingroom concourse
                """)
        ),
        (
            .food,
            words(
                """
                foodservice kitchen
                """)
        ),
        (
            .parking,
            words(
                """
                parking road
                """)
        ),
        (
            .outdoor,
            words(
                """
                vegetation terrace unenclosedarea fieldofplay recreation
                """)
        ),
        (
            .nonpublic,
            words(
                """
                nonpublic structure column brick concrete drywall glass wood serverroom mailroom
                """)
        ),
        (
            .void,
            words(
                """
                opentobelow
                """)
        ),
        (
            .room,
            words(
                """
                unspecified room office conferenceroom storage lounge auditorium classroom laboratory library
                theater movietheater firstaid fitnessroom huddleroom phoneroom privatelounge smokingarea
                """)
        ),
    ]

    private static let occupantPrefixes: [(group: CategoryGroup, prefixes: [String])] = [
        (
            .food,
            words(
                """
                cafe coffee tea bar pub restaurant sushi pizza burgers izakaya bakedgoods bakery gelato icecream
                juicebar noodles ramen fastfood foodcourt diner bistro desserts japanese chinese italian korean
                indian french thai mexican sandwiches donuts bubbletea cakes steak seafood barbecue winebar sakebar
                beer canteen cafeteria kaiseki hotpot tapas salad soup crepes bagels vegan vegetarian eatingdrinking
                conveyorsushi
                """)
        ),
        // On campuses, rooms are occupants.
        (
            .room,
            words(
                """
                auditorium classroom lab laboratory office administration conferenceroom meetingroom lecture
                """)
        ),
        (
            .service,
            words(
                """
                bank atm clinic dent pharmacy travelagent hairstylist haircuts barber beauty manicurists postoffice
                optic medical health physician education school gym yoga laundry drycleaning realestate insurance
                currencyexchange library hotel cinema theater police visitorcenter childcare
                """)
        ),
    ]

    private static func words(_ text: String) -> [String] { text.split { $0.isWhitespace }.map(String.init) }
}

/// The languages in which the map names categories.
enum CategoryLanguage {
    case english, japanese

    /// The first of these BCP 47 tags that is known, or else English.
    init(_ languages: [String]) {
        let known = languages.lazy.compactMap { tag -> Self? in
            switch tag.lowercased().prefix(while: { $0 != "-" && $0 != "_" }) {
            case "ja": .japanese
            case "en": .english
            default: nil
            }
        }
        self = known.first ?? .english
    }
}
