public import IMDF

/// The way, or the reason why there is none.
public struct RouteAnswer: Hashable, Sendable {
    public enum Status: String, Hashable, Sendable {
        /// There is a route.
        case route
        /// There would be a route if it were not closed.
        case infeasible
        /// The data shows that this profile has no way.
        case none
        /// Data is missing.
        case unknown
    }

    public enum Mode: String, Hashable, Sendable {
        case walk, elevator, stairs, escalator, ramp
    }

    /// A part of a route on one level, or from one level to another one.
    public struct Leg: Hashable, Sendable {
        public let mode: Mode
        public let level: FeatureID
        /// The level to which a leg leads that changes levels.
        public let toLevel: FeatureID?
        /// Longitudes and latitudes in degrees.
        public let coordinates: [[Double]]
        /// In tenths of a meter.
        public let decimeters: Int
        public let seconds: Int
        public let instruction: String
        /// Whether the map states the leg; otherwise it was derived from units that lie above each other.
        public let isStated: Bool
    }

    public struct Reason: Hashable, Sendable {
        /// Such as `no-opening`.
        public let code: String
        public let feature: FeatureID?
        /// When a closure ends.
        public var until: String?
    }

    public private(set) var status: Status
    public var legs: [Leg] = []
    public var reasons: [Reason] = []
    /// Without a step-free route, the one for walking, if there is one now.
    public var alternative: Alternative?

    public struct Alternative: Hashable, Sendable {
        public let profile: Profile
        public let legs: [Leg]
    }

    init(_ status: Status, legs: [Leg] = [], reasons: [Reason] = []) {
        self.status = status
        self.legs = legs
        self.reasons = reasons
    }

    /// Notes that the map lacks levels of its venue.
    package mutating func addLevelsNotHeld(_ levels: [FeatureID]) {
        self.addUnknown(levels.sorted().prefix(8).map { Reason(code: "level-not-held", feature: $0) })
    }

    /// Notes what is not known. It may have a way, so that the map cannot show that there is none.
    mutating func addUnknown(_ reasons: [Reason]) {
        guard !reasons.isEmpty, self.status == .none || self.status == .unknown else { return }
        self.status = .unknown
        for reason in reasons where !self.reasons.contains(reason) { self.reasons.append(reason) }
    }

    /// The answer as JSON; equal bytes on every platform once it is written canonically.
    public var json: JSONObject {
        var object = Self.summary(self.legs)
        object["reasons"] = .array(self.reasons.map(\.json))
        object["status"] = .string(self.status.rawValue)
        if let alternative {
            var other = Self.summary(alternative.legs)
            other["profile"] = .string(alternative.profile.rawValue)
            object["alternative"] = .object(other)
        }
        return object
    }

    private static func summary(_ legs: [Leg]) -> JSONObject {
        [
            "distance": .number(Double(legs.reduce(0) { $0 + $1.decimeters }) / 10),
            "duration": .number(Double(legs.reduce(0) { $0 + $1.seconds })), "legs": .array(legs.map(\.json)),
        ]
    }
}

extension RouteAnswer.Leg {
    var json: JSONValue {
        var object: JSONObject = [
            "confidence": .string(self.isStated ? "stated" : "derived"),
            "distance": .number(Double(self.decimeters) / 10), "duration": .number(Double(self.seconds)),
            "geometry": [
                "coordinates": .array(self.coordinates.map { .array($0.map { .number($0) }) }), "type": "LineString",
            ],
            "instruction": .string(self.instruction), "level_id": .string(self.level.description),
            "mode": .string(self.mode.rawValue),
        ]
        if let toLevel { object["to_level_id"] = .string(toLevel.description) }
        return .object(object)
    }
}

extension RouteAnswer.Reason {
    var json: JSONValue {
        var object: JSONObject = ["code": .string(self.code)]
        if let feature { object["feature"] = .string(feature.description) }
        if let until { object["until"] = .string(until) }
        return .object(object)
    }
}
