/// A deviation of a `geometry` member from RFC 7946.
package struct GeoJSONDefect: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// Not an object with a `type` that GeoJSON defines, or a GeometryCollection.
        case unknownType
        /// `coordinates` are missing, empty, or not nested as the type requires.
        case malformedCoordinates
        /// A position is not two or more finite numbers.
        case notNumbers
        /// Longitude outside ±180 or latitude outside ±90.
        case outsideGlobe
        /// A ring whose last position is not its first.
        case openRing
        /// A ring whose last position differs from the first one, but not in longitude or latitude.
        case unequalAltitudes
        /// A ring of fewer than four positions, or a line of fewer than two.
        case tooFewPositions
        /// A ring of fewer than three different positions, or a line of equal positions.
        case tooFewDistinctPositions
    }

    package let kind: Kind
    /// How many defects of this kind the geometry has.
    package internal(set) var count = 1
    /// The path of the first one: an RFC 6901 pointer relative to the feature, such as `/geometry/coordinates/0`.
    package let pointer: String
    /// Where the first one lies on the map, if known.
    package let position: GeoJSONGeometry.Position?
}
