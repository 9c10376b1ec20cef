import IMDF

/// A level with the features that are drawn on it, each type with its own index.
final class LevelPlan {
    let venuePlan: VenuePlan
    let level: ValidationFeature
    /// Nil if the level has no valid geometry. The features on it can still be compared with each other.
    let placedLevel: PlacedFeature?
    /// Results of rules about the units that save another rule work; false also if these rules were not checked.
    var unitsAreInside = false
    var unitsAreDisjoint = false
    private let layers: [FeatureType: Layer]
    private let emptyLayer = Layer([])

    /// The features of one type on a level, by id.
    final class Layer {
        let features: [PlacedFeature]
        private lazy var boxes = BoxIndex(self.features.map(\.box))
        private lazy var indices = Dictionary(
            uniqueKeysWithValues: zip(self.features.map(\.feature.id), self.features.indices))

        init(_ features: [PlacedFeature]) {
            self.features = features
        }

        subscript(id: FeatureID) -> PlacedFeature? { self.indices[id].map { self.features[$0] } }

        /// The features whose bounding boxes intersect a box, by id.
        func features(near box: Box, in run: inout RuleRun) throws -> [PlacedFeature] {
            let indices = self.boxes.indices(intersecting: box)
            try run.spend(5 * indices.count)
            return indices.map { self.features[$0] }
        }
    }

    init(_ level: ValidationFeature, on venuePlan: VenuePlan, _ features: [FeatureType: [PlacedFeature]]) {
        self.venuePlan = venuePlan
        self.level = level
        self.placedLevel = venuePlan.levelsByID[level.id]
        self.layers = features.mapValues { Layer($0) }
    }

    subscript(type: FeatureType) -> Layer { self.layers[type] ?? self.emptyLayer }
}
