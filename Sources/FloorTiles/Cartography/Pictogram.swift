/// The pictograms of the cartography, drawn on a square of 16 units.
package enum Pictogram: String, Hashable, Sendable, CaseIterable {
    case restroom, elevator, escalator, stairs, information, cash, baby, locker, water, power, wifi, firstAid =
        "first-aid"
    case parking, transit, entrance, dot

    /// The pictogram of a category of amenities and units; nil for those without one.
    package init?(category: String?) {
        guard let category, let entry = Self.prefixes.first(where: { $0.prefixes.contains { category.hasPrefix($0) } })
        else {
            return nil
        }
        self = entry.pictogram
    }

    private static let prefixes: [(pictogram: Pictogram, prefixes: [String])] = [
        (.restroom, ["restroom", "shower"]),
        (.elevator, ["elevator"]),
        (.escalator, ["escalator", "movingwalkway"]),
        (.stairs, ["stairs", "steps", "ramp"]),
        (.information, ["information", "guestservices", "reception"]),
        (.cash, ["atm", "changemachine"]),
        (.baby, ["mothersroom", "babychanging"]),
        (.locker, ["coinlocker", "baggagestorage"]),
        (.water, ["drinkingfountain", "vendingmachine"]),
        (.power, ["powercharging", "phonecharging"]),
        (.wifi, ["wifi"]),
        (.firstAid, ["defibrillator", "firstaid", "fireextinguisher", "firealarm", "mobilityrescue"]),
        (.parking, ["parking"]),
        (.transit, ["bus", "taxi", "rail", "rideshare", "shuttle", "groundtransportation", "transit"]),
        (.entrance, ["entry", "exit"]),
    ]

    /// The shapes, filled with the colour of the pictogram by the even-odd rule.
    package var shapes: [PictogramShape] {
        switch self {
        case .restroom:
            // A woman and a man beside a line.
            [
                .circle(x: 4.5, y: 3.6, radius: 1.5), .polygon([(4.5, 5.6), (6.9, 10.4), (2.1, 10.4)]),
                .box(3.5, 10.4, 2, 3), .box(7.6, 2.5, 0.8, 11),
                .circle(x: 11.5, y: 3.6, radius: 1.5), .box(9.7, 5.6, 3.6, 4.6), .box(10.3, 10.2, 1, 3.2),
                .box(11.7, 10.2, 1, 3.2),
            ]
        case .elevator:
            [.polygon([(4.5, 7), (8, 2.5), (11.5, 7)]), .polygon([(4.5, 9), (8, 13.5), (11.5, 9)])]
        case .escalator:
            [
                .polygon([(2, 13), (2, 11), (5, 11), (11, 4), (14, 4), (14, 6), (12, 6), (6, 13)]),
                .circle(x: 6.6, y: 4.2, radius: 1.4), .box(6, 6, 1.3, 2.6),
            ]
        case .stairs:
            [
                .polygon([
                    (2, 13.5), (2, 11), (5, 11), (5, 8.5), (8, 8.5), (8, 6), (11, 6), (11, 3.5), (14, 3.5), (14, 13.5),
                ])
            ]
        case .information: [.circle(x: 8, y: 4.2, radius: 1.4), .box(6.9, 6.6, 2.2, 7)]
        case .cash:
            [.box(2, 4, 12, 8), .circle(x: 8, y: 8, radius: 2.3), .box(3.2, 7.4, 1.2, 1.2), .box(11.6, 7.4, 1.2, 1.2)]
        case .baby:
            [
                .circle(x: 8, y: 4.6, radius: 2.2),
                .polygon([(5, 7.6), (11, 7.6), (11.8, 11), (9.6, 11), (9.6, 13.5), (6.4, 13.5), (6.4, 11), (4.2, 11)]),
            ]
        case .locker:
            [
                .box(3, 2.5, 10, 11), .box(4.4, 4, 3, 8), .box(8.6, 4, 3, 8), .box(6, 7.4, 0.8, 1.4),
                .box(10.2, 7.4, 0.8, 1.4),
            ]
        case .water:
            [.polygon([(8, 2), (11.6, 8.2), (11.9, 10), (10.9, 12.4), (8, 13.8), (5.1, 12.4), (4.1, 10), (4.4, 8.2)])]
        case .power: [.polygon([(9.4, 1.8), (3.8, 9), (7.3, 9), (6.4, 14.2), (12.2, 6.8), (8.6, 6.8)])]
        case .wifi:
            [
                .circle(x: 8, y: 12.2, radius: 1.5),
                .polygon([
                    (8, 7.2), (10.6, 8.1), (12, 9.4), (10.7, 10.8), (9.4, 9.7), (8, 9.3), (6.6, 9.7), (5.3, 10.8),
                    (4, 9.4), (5.4, 8.1),
                ]),
                .polygon([
                    (8, 3), (12, 4.2), (14.6, 6.6), (13.2, 8), (11, 6.1), (8, 5.2), (5, 6.1), (2.8, 8), (1.4, 6.6),
                    (4, 4.2),
                ]),
            ]
        case .firstAid:
            [
                .polygon([
                    (6.2, 2.5), (9.8, 2.5), (9.8, 6.2), (13.5, 6.2), (13.5, 9.8), (9.8, 9.8), (9.8, 13.5), (6.2, 13.5),
                    (6.2, 9.8), (2.5, 9.8), (2.5, 6.2), (6.2, 6.2),
                ])
            ]
        case .parking:
            [
                .polygon([
                    (5, 2.6), (9.6, 2.6), (11.4, 3.8), (12, 5.8), (11.4, 7.8), (9.6, 9), (7.3, 9), (7.3, 13.4),
                    (5, 13.4),
                ]),
                .polygon([(7.3, 4.6), (9, 4.6), (9.8, 5.8), (9, 7), (7.3, 7)]),
            ]
        case .transit:
            [
                .polygon([(3.4, 2.6), (12.6, 2.6), (13, 4), (13, 11.6), (3, 11.6), (3, 4)]), .box(4.4, 4.4, 7.2, 3.4),
                .circle(x: 5.4, y: 9.8, radius: 0.9), .circle(x: 10.6, y: 9.8, radius: 0.9), .box(4, 11.6, 2, 1.8),
                .box(10, 11.6, 2, 1.8),
            ]
        case .entrance:
            [
                .polygon([
                    (7, 2.5), (13.5, 2.5), (13.5, 13.5), (7, 13.5), (7, 11.6), (11.6, 11.6), (11.6, 4.4), (7, 4.4),
                ]),
                .polygon([(6, 4.8), (10.2, 8), (6, 11.2), (6, 9), (2, 9), (2, 7), (6, 7)]),
            ]
        case .dot: []
        }
    }
}

/// A part of a pictogram.
package enum PictogramShape: Sendable {
    case polygon([(x: Double, y: Double)])
    case circle(x: Double, y: Double, radius: Double)

    static func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> PictogramShape {
        .polygon([(x, y), (x + width, y), (x + width, y + height), (x, y + height)])
    }
}
