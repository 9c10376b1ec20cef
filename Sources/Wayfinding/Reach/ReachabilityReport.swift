public import IMDF

/// What can be reached from the exits of a venue, and what is cut off, with the features to mend.
public struct ReachabilityReport: Hashable, Sendable {
    /// How many of something there are, and how many of them can be reached.
    public struct Share: Hashable, Sendable {
        public internal(set) var total = 0
        public internal(set) var reached = 0
    }

    /// The shares of public units and of occupants under each profile. Stairs and escalators are not counted as step-free units.
    public struct Shares: Hashable, Sendable {
        public internal(set) var units: [Profile: Share] = [:]
        public internal(set) var occupants: [Profile: Share] = [:]
    }

    public struct Level: Hashable, Sendable {
        public let level: FeatureID
        public let ordinal: Int
        let name: JSONValue
        public internal(set) var shares = Shares()
    }

    /// An opening that leads out of the venue.
    public struct Exit: Hashable, Sendable {
        public let feature: FeatureID
        public let category: String
        public let level: FeatureID
    }

    /// A unit, or an occupant without one, that cannot be reached.
    public struct CutOff: Hashable, Sendable {
        public let feature: FeatureID
        public let type: FeatureType
        public let level: FeatureID?
        let name: JSONValue
        /// For whom: `walk` for everybody.
        public let profile: Profile
        /// ``RouteAnswer/Status/none`` if the map shows that there is no way, ``RouteAnswer/Status/unknown`` if data is missing.
        public internal(set) var status: RouteAnswer.Status
        public let occupants: [FeatureID]
        public let reasons: [RouteAnswer.Reason]
    }

    /// A feature because of which others are cut off.
    public struct Mend: Hashable, Sendable {
        public let feature: FeatureID
        public let type: FeatureType
        public let code: String
        public let level: FeatureID?
        let name: JSONValue
        /// How many of those that are cut off name it as a reason.
        public internal(set) var units = 0
        public internal(set) var occupants = 0
    }

    static let cutOffLimit = 2_000
    static let mendLimit = 500

    let language: String?
    public internal(set) var exits: [Exit] = []
    public internal(set) var shares = Shares()
    public internal(set) var levels: [Level] = []
    public internal(set) var cutOff: [CutOff] = []
    public internal(set) var mends: [Mend] = []
    /// Whether there is more that is cut off, or to mend, than is listed.
    public internal(set) var hasMore = false
    public var egress: EgressReport?
    /// The occupants, and the public units without one, with the profiles that reach them; of stairs and escalators none is expected to.
    public internal(set) var reach: [FeatureID: Reach] = [:]

    public struct Reach: Hashable, Sendable {
        public let type: FeatureType
        public let level: FeatureID
        public let profiles: Set<Profile>
    }

    /// At most eight levels of the venue that the map lacks.
    public private(set) var levelsNotHeld: [FeatureID] = []

    /// Whether a part of the map needs more work than is done.
    public private(set) var isTooComplex = false

    /// Whether the venue states an exit, and the map has all levels and is not too complex. Otherwise nothing is known about what can be
    /// reached from an exit. Without an exit, ``cutOff`` has what is not joined with the largest connected part.
    public var isKnown: Bool { !self.exits.isEmpty && self.levelsNotHeld.isEmpty && !self.isTooComplex }

    /// Notes that the map lacks levels of its venue. They may join what seems to be cut off, and no feature is known to be at fault.
    package mutating func addLevelsNotHeld(_ levels: [FeatureID]) {
        guard !levels.isEmpty else { return }
        self.levelsNotHeld = Array(levels.sorted().prefix(8))
        self.forgetFaults()
    }

    /// Notes that a part of the map is too complex, which may join what seems to be cut off.
    mutating func addTooComplex() {
        self.isTooComplex = true
        self.hasMore = true
        self.forgetFaults()
    }

    private mutating func forgetFaults() {
        for index in self.cutOff.indices { self.cutOff[index].status = .unknown }
        self.mends = []
    }

    private var reasons: [JSONValue] {
        var reasons: [JSONValue] = []
        if self.isTooComplex {
            reasons.append(["code": "too-far"])
        } else if self.exits.isEmpty {
            reasons.append(["code": "no-exit-stated"])
        }
        return reasons + self.levelsNotHeld.map { ["code": "level-not-held", "feature": .string($0.description)] }
    }

    /// The report as JSON; equal bytes on every platform once it is written canonically.
    public var json: JSONObject {
        let isKnown = self.isKnown
        var object: JSONObject = [
            "cut_off": .array(self.cutOff.map(\.json)),
            "exits": .array(self.exits.map(\.json)), "language": self.language.map { .string($0) } ?? .null,
            "levels": .array(self.levels.map { $0.json(isKnown: isKnown) }), "mend": .array(self.mends.map(\.json)),
            "more": .bool(self.hasMore), "occupants": Share.json(self.shares.occupants, isKnown),
            "reasons": .array(self.reasons),
            "status": isKnown ? "known" : "unknown", "units": Share.json(self.shares.units, isKnown),
        ]
        if let egress { object["egress"] = egress.json }
        return object
    }
}

extension ReachabilityReport.Share {
    static func json(_ shares: [Profile: Self], _ isKnown: Bool) -> JSONValue {
        var object: JSONObject = [:]
        for profile in Profile.allCases {
            let share = shares[profile] ?? Self()
            object[profile.rawValue] = [
                "reached": isKnown ? .number(Double(share.reached)) : .null, "total": .number(Double(share.total)),
            ]
        }
        return .object(object)
    }
}

extension ReachabilityReport.Level {
    func json(isKnown: Bool) -> JSONValue {
        [
            "level_id": .string(self.level.description), "name": self.name,
            "occupants": ReachabilityReport.Share.json(self.shares.occupants, isKnown),
            "ordinal": .number(Double(self.ordinal)),
            "units": ReachabilityReport.Share.json(self.shares.units, isKnown),
        ]
    }
}

extension ReachabilityReport.Exit {
    var json: JSONValue {
        [
            "category": .string(self.category), "feature": .string(self.feature.description),
            "level_id": .string(self.level.description),
        ]
    }
}

extension ReachabilityReport.CutOff {
    var json: JSONValue {
        [
            "feature": .string(self.feature.description), "feature_type": .string(self.type.rawValue),
            "level_id": self.level.map { .string($0.description) } ?? .null, "name": self.name,
            "occupants": .array(self.occupants.map { .string($0.description) }),
            "profile": .string(self.profile.rawValue), "reasons": .array(self.reasons.map(\.json)),
            "status": .string(self.status.rawValue),
        ]
    }
}

extension ReachabilityReport.Mend {
    var json: JSONValue {
        [
            "code": .string(self.code), "feature": .string(self.feature.description),
            "feature_type": .string(self.type.rawValue),
            "level_id": self.level.map { .string($0.description) } ?? .null, "name": self.name,
            "occupants": .number(Double(self.occupants)), "units": .number(Double(self.units)),
        ]
    }
}
