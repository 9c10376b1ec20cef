// Finds out whether a whole floor was moved by one vector, for example because the map was georeferenced anew.

import { displacement } from "./plane.js";
import { positions } from "./shapes.js";

/** Archives round coordinates, with seven decimals to about 1 cm; the difference of two rounded positions has twice that error. In metres. */
const roundingTolerance = 0.05;
/** A shift by degrees has another length in metres at another latitude: 0.01 % for a venue of 1 km. Relative to the length. */
const relativeTolerance = 0.0002;
/** Shorter shifts cannot be told from rounding, in metres. */
const minimumLength = 2 * roundingTolerance;
/** Fewer features are not a floor. */
const minimumCount = 5;
/** The part of the features with a geometry that must have moved by the vector. */
const minimumPart = 0.9;

const directions = ["north", "northEast", "east", "southEast", "south", "southWest", "west", "northWest"];

/**
 * The vector by which a floor was moved, or null: `{length, direction, ids}`, with the length in metres, a compass direction and the ids of
 * the features that moved so. A rotation moves positions by different vectors, and is no shift.
 *
 * @param changes objects with `id`, `before` and `after`, the bodies.
 * @param unmoved the number of features with a geometry on the floor that are not among the changes.
 *
 * Takes O(n log n) for n features, and O(p) for their positions.
 */
export function shiftOf(changes, unmoved = 0) {
    const pairs = changes.filter(({ before, after }) => before?.geometry && after?.geometry);
    const vectors = pairs.map(({ before, after }) => translation(before, after));
    const moved = vectors.filter(Boolean);
    const needed = Math.max(minimumCount, minimumPart * (pairs.length + unmoved));
    if (moved.length < needed) return null;
    const shift = [median(moved.map(([east]) => east)), median(moved.map(([, north]) => north))];
    const length = Math.hypot(...shift);
    if (length < minimumLength) return null;
    const ids = new Set(pairs.filter((_, i) => vectors[i] && isSame(vectors[i], shift)).map(({ id }) => id));
    return ids.size < needed ? null : { length, direction: directionOf(shift), ids };
}

/** The vector in metres by which all positions of a feature, with its display point, were moved; null if its form changed too. */
function translation(before, after) {
    if (before.geometry.type !== after.geometry.type) return null;
    const [old, current] = [allPositions(before), allPositions(after)];
    if (old.length === 0 || old.length !== current.length) return null;
    const first = displacement(old[0], current[0]);
    return old.every((position, i) => isSame(displacement(position, current[i]), first)) ? first : null;
}

const allPositions = ({ geometry, properties }) => [...positions(geometry), ...positions(properties?.display_point)];

function isSame(vector, other) {
    const tolerance = roundingTolerance + relativeTolerance * Math.hypot(...other);
    return Math.hypot(vector[0] - other[0], vector[1] - other[1]) <= tolerance;
}

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

/** The nearest of eight compass directions. */
const directionOf = ([east, north]) => directions[(Math.round(Math.atan2(east, north) / (Math.PI / 4)) + 8) % 8];
