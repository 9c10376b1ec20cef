// How much work is done for a floor, to join floors, and for a search. Of what needs more it is not known what it joins.

export const workLimits = {
    /** How many pairs of walls are compared to join the parts of units of a floor. */
    wallPairs: 2_000_000,
    /** How many positions of parts, walls and stretches are compared for the openings of a floor. */
    openingComparisons: 200_000_000,
    /** How many positions of what lies on top are added to units of a floor, and how many are compared with points. */
    blockerPositions: 200_000,
    blockerComparisons: 20_000_000,
    /** How many pairs of triangles are compared to join floors. */
    trianglePairs: 2_000_000,
    /** The greatest number of nodes of a search. */
    searchNodes: 500_000,
};
