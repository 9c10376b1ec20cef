extension SampleVenue {
    /// The size and content of a generated venue.
    ///
    /// A venue has one or more main buildings, an annex and a plaza. A main building has 60 levels at most, so more levels
    /// make more buildings; they all share ordinals.
    package struct Options: Hashable, Sendable {
        /// Levels of the main buildings together, at least 1. The annex (two levels with a third of the units, one when
        /// there is a single level) and the plaza (an outdoor level with a few units) come on top.
        package var levels: Int
        /// Units on every level of a main building, exactly; at least 4.
        package var unitsPerLevel: Int
        package var seed: UInt64
        /// Adds an extension: the undeclared type `attraction` in `attractions.geojson`, unknown members on some units,
        /// and the manifest's `extensions` and `origin`.
        package var customExtension: Bool

        package init(levels: Int = 4, unitsPerLevel: Int = 250, seed: UInt64 = 7, customExtension: Bool = false) {
            self.levels = levels
            self.unitsPerLevel = unitsPerLevel
            self.seed = seed
            self.customExtension = customExtension
        }

        /// Two levels with a shop or two on each, for tests.
        package static let small = Options(levels: 2, unitsPerLevel: 12)
        /// About 115 000 features in 54 MB of GeoJSON, for benchmarks.
        package static let large = Options(levels: 200, unitsPerLevel: 250)
    }
}
