import Caching
import Synchronization

/// What is computed when tiles need it, and kept.
extension PreparedLevel {
    /// The labels at a zoom. They are kept for some combinations of zoom and language.
    package func labels(zoom: Int, language: String?, by engine: TextEngine) -> [PlacedLabel] {
        self.placedLabels(zoom, language, engine) { false }.labels
    }

    /// - Parameter shouldStop: Called before each candidate; the rest has no labels then.
    func placedLabels(
        _ zoom: Int, _ language: String?, _ engine: TextEngine, shouldStop: () -> Bool
    ) -> PlacedLabels {
        let key = PlacementKey(zoom: zoom, language: self.effectiveLanguage(language))
        if let labels = self.placements.value(for: key) { return labels }
        let placed = LabelPlacement.labels(
            of: [self], zoom: zoom, language: key.language, by: engine, shouldStop: shouldStop)
        let labels = PlacedLabels(placed.flatMap(\.self))
        if !shouldStop() { self.placements.keep(labels, for: key, cost: 1) }
        return labels
    }

    /// The features and label points as vector tiles read them. Images do not need them.
    var vectors: VectorFeatures {
        self.vectorFeatures.withLock { known in
            if let known { return known }
            let vectors = VectorFeatures(self)
            known = vectors
            return vectors
        }
    }

    /// What vector tiles contain of the features and labels. It is kept for some languages.
    func properties(language: String?) -> LevelProperties {
        let key = PropertiesKey(language: self.effectiveLanguage(language))
        return self.properties.value(for: key, cost: { _ in 1 }) { LevelProperties(of: self, language: key.language) }
    }

    /// The best place for a label with these proportions. It does not depend on the zoom.
    ///
    /// - Parameters:
    ///   - area: The index of one of its areas.
    ///   - isClear: Whether the place must be clear of furniture.
    ///   - work: Increased by what the search takes.
    func place(
        of candidate: LabelCandidate, in area: Int, aspect: Double, isClear: Bool, work: inout Int
    ) -> InscribedBox? {
        guard aspect > 0, aspect.isFinite else { return nil }
        let key = PlaceKey(
            id: candidate.id, type: candidate.type, area: area, isClear: isClear,
            aspect: Int((aspect * 50).rounded(.up)))
        if let found = self.places.withLock({ $0[key] }) {
            work += found.work
            return found.place
        }
        let rounded = Double(max(key.aspect, 1)) / 50
        var ownWork = 0
        let labelArea = candidate.areas[area]
        let obstacles = isClear ? labelArea.furniture : []
        let place = BoxSearch(labelArea, aspect: rounded, obstacles: obstacles)?.best(
            preferred: candidate.preferred, work: &ownWork)
        let found = FoundPlace(place: place, work: ownWork)
        self.places.withLock { places in
            if places.count > 1_000 + 4 * self.candidates.count { places = [:] }
            places[key] = found
        }
        work += ownWork
        return place
    }
}
