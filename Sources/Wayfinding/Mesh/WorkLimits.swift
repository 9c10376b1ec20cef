/// How much work is done for a floor, to join floors, and for a search. Of what needs more it is not known what it joins: see
/// ``WayfindingMap/isTooComplex``.
struct WorkLimits: Sendable {
    /// How many pairs of walls are compared to join the parts of units of a floor.
    var wallPairs = 2_000_000
    /// How many positions of parts, walls and stretches are compared for the openings of a floor.
    var openingComparisons = 200_000_000
    /// How many positions of what lies on top are added to units of a floor, and how many are compared with points.
    var blockerPositions = 200_000
    var blockerComparisons = 20_000_000
    /// How many pairs of triangles are compared to join floors.
    var trianglePairs = 2_000_000
    /// The greatest number of nodes of a search.
    var searchNodes = 500_000
}
