public import IMDF

/// For every unit the nearest exits without lifts. It is computed from the map alone, and is not an evacuation plan.
public struct EgressReport: Hashable, Sendable {
    public enum Status: String, Hashable, Sendable {
        case exit
        /// No way without lifts leads to an exit that the map states.
        case cutOff = "cut-off"
        /// The map states no exit.
        case noExitStated = "no-exit-stated"
        /// The search was given up, or the floor of the unit is too complex.
        case tooFar = "too-far"
        /// The outline of the unit cannot be used.
        case unusable
    }

    public struct Way: Hashable, Sendable {
        public let exit: FeatureID
        /// In tenths of a meter.
        public let decimeters: Int
    }

    public struct Unit: Hashable, Sendable {
        public let unit: FeatureID
        public let level: FeatureID
        let name: JSONValue
        public let status: Status
        /// The nearest exit, and the second one if there is one.
        public let exits: [Way]
        /// Whether there is a second exit; nil if that is not known.
        public let hasSecond: Bool?
    }

    /// The heading of every presentation of the report.
    public static let notice = "Not an evacuation plan"

    /// By id.
    public internal(set) var units: [Unit] = []

    var json: JSONValue {
        ["notice": .string(Self.notice), "units": .array(self.units.map(\.json))]
    }
}

extension EgressReport.Unit {
    var json: JSONValue {
        [
            "exits": .array(
                self.exits.map { way in
                    [
                        "distance": .number(Double(way.decimeters) / 10),
                        "feature": .string(way.exit.description),
                    ]
                }), "feature": .string(self.unit.description), "level_id": .string(self.level.description),
            "name": self.name, "second": self.hasSecond.map { .bool($0) } ?? .null,
            "status": .string(self.status.rawValue),
        ]
    }
}
