/// The structure of a revision for map apps: floors, their levels, the features of a level, and the features of a unit.
///
/// A defect in one feature does not affect others: dangling references are ignored and counted, and levels without a valid ordinal
/// come last.
public struct VenueGraph: Hashable, Sendable {
    /// The levels of one ordinal: those of all buildings and those outdoors.
    public struct Floor: Hashable, Sendable {
        /// Nil for levels whose `ordinal` is missing or not an integer.
        public let ordinal: Int?
        /// Sorted by the id of the first building, those without a building last, then by their own id.
        public let levels: [Level]
    }

    /// A level and the features that belong to it, each list sorted by id.
    public struct Level: Hashable, Sendable {
        public let id: FeatureID
        public internal(set) var ordinal: Int?
        public internal(set) var isOutdoor = false
        public internal(set) var name: Labels?
        public internal(set) var shortName: Labels?
        /// The `building_ids` of existing buildings, sorted.
        public internal(set) var buildings: [FeatureID] = []
        public internal(set) var units: [Unit] = []
        public internal(set) var openings: [FeatureID] = []
        public internal(set) var kiosks: [FeatureID] = []
        public internal(set) var fixtures: [FeatureID] = []
        public internal(set) var sections: [FeatureID] = []
        public internal(set) var details: [FeatureID] = []
        /// Venue-wide features that touch the level, such as a lift over several.
        public internal(set) var spanning: [FeatureID] = []

        init(id: FeatureID) {
            self.id = id
        }
    }

    /// A unit and the features that refer to it, sorted by id.
    public struct Unit: Hashable, Sendable {
        public let id: FeatureID
        public let name: Labels?
        /// Amenities whose `unit_ids` contain the unit.
        public internal(set) var amenities: [FeatureID] = []
        /// Occupants whose anchor belongs to the unit.
        public internal(set) var occupants: [FeatureID] = []
    }

    /// Sorted for a floor picker: the highest ordinal first, levels without an ordinal last.
    public let floors: [Floor]
    /// The number of references that name no feature or one of another type, among those that the graph uses.
    public let danglingReferences: Int

    /// Every level, floor by floor.
    public var levels: [Level] { self.floors.flatMap(\.levels) }

    /// Builds the graph of a revision's features, which may come in any order.
    ///
    /// - Complexity: O(*n* log *n*) in the number of features.
    public init(_ features: [(id: FeatureID, type: FeatureType, body: JSONValue, placement: Placement)]) {
        var index = VenueGraphIndex()
        index.update(
            removing: [],
            adding: features.sorted { $0.id < $1.id }.map {
                ($0.id, $0.type, $0.body["properties"]?.object ?? [:], $0.placement)
            })
        self = index.graph
    }

    init(floors: [Floor], danglingReferences: Int) {
        self.floors = floors
        self.danglingReferences = danglingReferences
    }
}
