import IMDF
import SampleVenue

@testable import Wayfinding

/// A venue whose geometry is given in millimeters.
struct GridVenue {
    static let frame = LocalFrame(longitude: 139.64, latitude: 35.45)
    var features: [WayfindingFeature] = []

    static func id(_ number: Int) -> FeatureID {
        FeatureID(high: 0x0000_0000_0000_4000, low: 0x8000_0000_0000_0000 | UInt64(number))
    }

    static func position(_ x: Int, _ y: Int) -> JSONValue {
        [
            .number(self.frame.longitude + Double(x) / self.frame.scaleX),
            .number(self.frame.latitude + Double(y) / self.frame.scaleY),
        ]
    }

    static func place(_ x: Int, _ y: Int, ordinal: Int = 0) -> Place {
        .position(
            longitude: self.frame.longitude + Double(x) / self.frame.scaleX,
            latitude: self.frame.latitude + Double(y) / self.frame.scaleY, ordinal: ordinal)
    }

    mutating func add(_ number: Int, _ type: FeatureType, _ properties: JSONObject, _ geometry: JSONValue = .null) {
        self.features.append(
            WayfindingFeature(id: Self.id(number), type: type, properties: properties, geometry: geometry))
    }

    /// Adds the level with the number 1 000 + `ordinal`.
    mutating func addLevel(_ ordinal: Int) {
        self.add(
            1_000 + ordinal, .level,
            ["ordinal": .number(Double(ordinal)), "short_name": ["en": .string("\(ordinal + 1)F")]])
    }

    mutating func addUnit(
        _ number: Int, _ rings: [[(Int, Int)]], category: String = "room", ordinal: Int = 0, restriction: String? = nil
    ) {
        self.add(
            number, .unit,
            [
                "category": .string(category), "level_id": .string(Self.id(1_000 + ordinal).description),
                "name": ["en": .string("Unit \(number)"), "ja": .string("\(number)号室")],
                "restriction": restriction.map { .string($0) } ?? .null,
            ],
            [
                "type": "Polygon",
                "coordinates": .array(
                    rings.map { ring in .array((ring + [ring[0]]).map { Self.position($0.0, $0.1) }) }),
            ])
    }

    mutating func addRoom(
        _ number: Int, _ left: Int, _ bottom: Int, _ right: Int, _ top: Int, category: String = "room",
        ordinal: Int = 0,
        restriction: String? = nil
    ) {
        self.addUnit(
            number, [[(left, bottom), (right, bottom), (right, top), (left, top)]], category: category,
            ordinal: ordinal, restriction: restriction)
    }

    mutating func addDoor(
        _ number: Int, _ from: (Int, Int), _ to: (Int, Int), category: String = "pedestrian", ordinal: Int = 0
    ) {
        self.add(
            number, .opening,
            ["category": .string(category), "level_id": .string(Self.id(1_000 + ordinal).description)],
            ["type": "LineString", "coordinates": [Self.position(from.0, from.1), Self.position(to.0, to.1)]])
    }

    mutating func addRelationship(
        _ number: Int, _ category: String, _ units: [Int], directed: Bool = false, hours: String? = nil
    ) {
        func reference(_ unit: Int) -> JSONValue { ["feature_type": "unit", "id": .string(Self.id(unit).description)] }
        self.add(
            number, .relationship,
            [
                "category": .string(category), "direction": directed ? "directed" : "undirected",
                "hours": hours.map { .string($0) } ?? .null, "origin": reference(units[0]),
                "destination": reference(units[units.count - 1]),
                "intermediary": units.count > 2 ? .array(units.dropFirst().dropLast().map(reference)) : .null,
            ])
    }

    mutating func remove(_ number: Int) { self.features.removeAll { $0.id == Self.id(number) } }

    var map: WayfindingMap { WayfindingMap(self.features) }

    // MARK: - Shapes

    /// A shape on one level for a seed: a comb, pillars in rows, rooms behind thick walls, or a star with needles.
    static func shape(_ seed: UInt64) -> GridVenue {
        var random = SplitMix64(seed: seed)
        func number(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }
        var venue = GridVenue()
        venue.addLevel(0)
        switch seed % 4 {
        case 0:
            let teeth = 3 + number(6)
            var ring = [(0, 0)]
            for tooth in 0..<teeth {
                let x = 1_000 * tooth + 400
                ring += [(x, 0), (x + number(100), 8_000 + number(1_500)), (x + 200, 0)]
            }
            ring += [(1_000 * teeth, 0), (1_000 * teeth, 10_000)]
            for tooth in (0..<teeth).reversed() {
                let x = 1_000 * tooth + 900
                ring += [(x, 10_000), (x - number(80), 1_000 + number(1_500)), (x - 150, 10_000)]
            }
            venue.addUnit(1, [ring + [(0, 10_000)]])
        case 1:
            let count = 2 + number(3)
            var rings = [[(0, 0), (3_000 * count, 0), (3_000 * count, 3_000 * count), (0, 3_000 * count)]]
            for row in 0..<count {
                for column in 0..<count {
                    let (x, y) = (3_000 * column + 1_000, 3_000 * row + 1_000)
                    let right = min(x + (number(3) == 0 ? 1_900 : 1_000), 3_000 * count - 500)
                    rings.append([(x, y), (x, y + 1_000), (right, y + 1_000), (right, y)])
                }
            }
            venue.addUnit(1, rings)
        case 2:
            let (columns, rows, wall) = (2 + number(2), 2 + number(2), 20 + number(280))
            for row in 0..<rows {
                for column in 0..<columns {
                    let (x, y) = (6_000 * column, 5_000 * row)
                    let room = 10 * row + column
                    venue.addRoom(100 + room, x, y, x + 6_000 - wall, y + 5_000 - wall)
                    if column > 0, number(4) > 0 {
                        let start = y + 300 + number(3_000)
                        venue.addDoor(200 + room, (x - wall / 2, start), (x - wall / 2, start + 900))
                    }
                    if row > 0, number(4) > 0 {
                        let start = x + 300 + number(3_000)
                        let line = y - number(wall + 1)
                        venue.addDoor(300 + room, (start, line), (start + 1_200, line))
                    }
                }
            }
        default:
            let directions = [
                (10, 0), (9, 4), (7, 7), (4, 9), (0, 10), (-4, 9), (-7, 7), (-9, 4), (-10, 0), (-9, -4), (-7, -7),
                (-4, -9),
                (0, -10), (4, -9), (7, -7), (9, -4),
            ]
            venue.addUnit(
                1,
                [
                    directions.map { x, y in
                        let length = 150 + number(2_000)
                        return (x * length, y * length)
                    }
                ])
        }
        return venue
    }
}
