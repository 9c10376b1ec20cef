import IMDF

/// A level with what is drawn on it, each type with an index of its own.
final class LevelPlan {
    let site: Site
    let level: Subject
    /// Nil when the level has no valid geometry; what lies on it can still be compared with each other.
    let parcel: PlacedFeature?
    /// What rules found out about the units that spares another one work; false also when they were not asked.
    var unitsAreInside = false
    var unitsAreDisjoint = false
    private let layers: [FeatureType: Layer]
    private let nothing = Layer([])

    /// The features of one type on a level, by id.
    final class Layer {
        let parcels: [PlacedFeature]
        private(set) lazy var index = BoxIndex(self.parcels.map(\.box))
        private(set) lazy var places = Dictionary(
            uniqueKeysWithValues: zip(self.parcels.map(\.feature.id), self.parcels.indices))

        init(_ parcels: [PlacedFeature]) {
            self.parcels = parcels
        }

        subscript(id: FeatureID) -> PlacedFeature? { self.places[id].map { self.parcels[$0] } }

        /// Those whose boxes meet a box, by id.
        func parcels(near box: Box, in inspection: inout Inspection) throws -> [PlacedFeature] {
            let places = self.index.places(meeting: box)
            try inspection.spend(5 * places.count)
            return places.map { self.parcels[$0] }
        }
    }

    init(_ level: Subject, on site: Site, _ features: [FeatureType: [PlacedFeature]]) {
        self.site = site
        self.level = level
        self.parcel = site.levelsByID[level.id]
        self.layers = features.mapValues { Layer($0) }
    }

    subscript(type: FeatureType) -> Layer { self.layers[type] ?? self.nothing }
}
