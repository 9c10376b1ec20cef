public import IMDF

/// Computes routes in a venue from its features.
///
/// Units are areas to walk in, openings join two of them, and nothing else passes a wall. Floors are joined by relationships, and where
/// there are none by units of the same kind that lie above each other. Two maps of the same features, on whichever platform, give equal
/// answers to equal questions.
public struct WayfindingMap: Sendable {
    let plan: SpacePlan
    let mesh: VenueMesh
    let shafts: Shafts
    let doors: OneWayDoors
    let rules: PassageRules
    let reachability: Reachability
    let landmarks: Landmarks
    let features: [FeatureID: WayfindingFeature]
    let indexOfSpace: [FeatureID: Int]
    let spaceTree: BoxTree
    let limits: WorkLimits
    /// The language of the archive.
    public let language: String?
    /// How long ways take. Setting them computes nothing again.
    public var travelTimes = TravelTimes()

    /// - Parameters:
    ///   - features: Those of all levels and of the venue. If several have the same id, the last one is used.
    ///   - former: A map of the venue before some features changed. Floors whose units and openings are where they were are taken
    ///     over from it; the map is the same as without it.
    ///   - shouldStop: Is called often; whether the map is not wanted any more.
    /// - Complexity: O(*n* log *n*) in the number of positions of typical venues.
    public init(
        _ features: some Sequence<WayfindingFeature>, language: String? = nil, reusing former: WayfindingMap? = nil,
        shouldStop: () -> Bool = { false }
    ) {
        self.init(features, language: language, reusing: former, limits: WorkLimits(), shouldStop: shouldStop)
    }

    init(
        _ features: some Sequence<WayfindingFeature>, language: String? = nil, reusing former: WayfindingMap? = nil,
        limits: WorkLimits, shouldStop: () -> Bool = { false }
    ) {
        self.language = language
        self.limits = limits
        self.features = Dictionary(features.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        let sorted = self.features.values.sorted { $0.id < $1.id }
        self.plan = SpacePlan(sorted)
        self.mesh = VenueMesh(self.plan, reusing: former.map { ($0.plan, $0.mesh) }, limits, shouldStop)
        self.shafts = Shafts(sorted, self.plan, self.mesh, limits, shouldStop)
        self.doors = OneWayDoors(sorted, self.plan, self.mesh)
        self.rules = PassageRules(self.plan, self.mesh, self.shafts, self.doors)
        self.reachability = Reachability(self.mesh, self.shafts)
        self.indexOfSpace = Dictionary(
            self.plan.spaces.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        let plan = self.plan
        self.spaceTree = BoxTree(plan.spaces.indices.map { plan.box(of: $0) })
        self.landmarks = Landmarks(sorted, self.plan, self.mesh, self.indexOfSpace, self.features)
    }

    /// Whether the venue has a feature.
    public func contains(_ id: FeatureID) -> Bool { self.features[id] != nil }

    /// Whether something can be closed: units that can be entered, openings, levels, relationships of ways, lifts, and occupants and anchors
    /// of units.
    public func canClose(_ id: FeatureID) -> Bool {
        guard let feature = self.features[id] else { return false }
        switch feature.type {
        case .opening, .level: return true
        case .unit: return Space.Kind(category: feature.text("category")) != nil
        case .relationship:
            return OneWayDoors.isTraversal(feature) || VerticalMode(relationship: feature.text("category")) != nil
        default: return self.unitsClosed(with: id).contains { self.features[$0]?.type == .unit && self.canClose($0) }
        }
    }

    /// The units that are closed with an amenity that is a lift, with an occupant or with an anchor.
    func unitsClosed(with id: FeatureID) -> [FeatureID] {
        guard let feature = self.features[id] else { return [] }
        guard !feature.isLift else { return feature.ids("unit_ids") }
        let anchor = feature.type == .occupant ? feature.id("anchor_id").flatMap { self.features[$0] } : feature
        return anchor.flatMap { $0.type == .anchor ? $0.id("unit_id") : nil }.map { [$0] } ?? []
    }

    /// Whether a floor, or what joins floors, needs more work than is done. A way that is not found may exist then.
    package var isTooComplex: Bool { !self.mesh.tooComplexOrdinals.isEmpty || self.shafts.isExhausted }

    /// The ordinals of the floors that were not taken over from a former map.
    package var computedOrdinals: [Int] { self.mesh.computedOrdinals }

    /// How many bytes the triangles and portals take.
    package var meshBytes: Int { self.mesh.byteCount }

    /// How many triangles there are.
    public var triangleCount: Int { self.mesh.triangleCount }

    /// The opening hours of everything that can be passed, and of amenities that are lifts, stairs, escalators or ramps, for ``RouteQuery/closed``.
    public var timetables: [(feature: FeatureID, hours: String)] {
        let spaces = self.plan.spaces.compactMap { space in space.hours.map { (space.id, $0) } }
        let doorways = self.plan.doorways.compactMap { doorway in doorway.hours.map { (doorway.id, $0) } }
        let shafts = self.shafts.shafts.compactMap { shaft in
            shaft.hours.flatMap { hours in shaft.relationship.map { ($0, hours) } }
        }
        let traversals = self.doors.relationships.compactMap { relationship in
            relationship.hours.map { (relationship.id, $0) }
        }
        let amenities = self.features.values.filter(\.isLift).sorted { $0.id < $1.id }
            .compactMap { amenity in amenity.text("hours").map { (amenity.id, $0) } }
        return spaces + doorways + shafts + traversals + amenities
    }
}
