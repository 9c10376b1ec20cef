/// A revision as a map app walks it: floors, their levels, what lies on a level, what belongs to a unit.
///
/// Nothing that one feature says or fails to say costs the others: a reference that leads nowhere is passed over and counted,
/// a level without a usable ordinal comes last.
public struct VenueGraph: Hashable, Sendable {
    /// The levels at one height: those of several buildings, and what lies outdoors.
    public struct Floor: Hashable, Sendable {
        /// Nil for levels whose `ordinal` is missing or no integer.
        public let ordinal: Int?
        /// By their first building's id, those without a building last, then by their own id.
        public let levels: [Level]
    }

    /// A level feature and what is placed on it, each list by id.
    public struct Level: Hashable, Sendable {
        public let id: FeatureID
        public let ordinal: Int?
        public let isOutdoor: Bool
        public let name: Labels?
        public let shortName: Labels?
        /// The `building_ids` that name a building, by id.
        public internal(set) var buildings: [FeatureID] = []
        public internal(set) var units: [Unit] = []
        public internal(set) var openings: [FeatureID] = []
        public internal(set) var kiosks: [FeatureID] = []
        public internal(set) var fixtures: [FeatureID] = []
        public internal(set) var sections: [FeatureID] = []
        public internal(set) var details: [FeatureID] = []
        /// Venue-wide features that touch the level, such as a lift over several.
        public internal(set) var spanning: [FeatureID] = []
    }

    /// A unit, and by id what refers to it.
    public struct Unit: Hashable, Sendable {
        public let id: FeatureID
        public let name: Labels?
        /// Those whose `unit_ids` name the unit.
        public internal(set) var amenities: [FeatureID] = []
        /// Those whose anchor stands in the unit.
        public internal(set) var occupants: [FeatureID] = []
    }

    /// For a floor picker: the highest ordinal first, levels without one last.
    public let floors: [Floor]
    /// The references that would have tied features together here, but name nothing or something else.
    public let danglingReferences: Int

    /// Every level, floor by floor.
    public var levels: [Level] { self.floors.flatMap(\.levels) }

    /// Builds the graph of a revision's features, which may come in any order.
    ///
    /// - Complexity: O(*n* log *n*) in the number of features.
    public init(_ features: [(id: FeatureID, type: FeatureType, body: JSONValue, placement: Placement)]) {
        var builder = VenueGraphBuilder()
        for feature in features.sorted(by: { $0.id < $1.id }) {
            builder.add(feature.id, feature.type, feature.body["properties"], feature.placement)
        }
        (self.floors, self.danglingReferences) = builder.finish()
    }
}
