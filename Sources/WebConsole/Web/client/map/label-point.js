// The position of a feature's label or marker.

import { areaOf, containsPosition, longitudeAt, metresBetween, segmentsOf, shapeOf } from "./geometry.js";

/** Further lines rarely give a better position. */
const maximumLines = 32;
/** Bounds the time for a degenerate polygon in which no line gives a position. */
const maximumLinesWithoutResult = 1_024;
/** How far outside of an area a display point may lie, in degrees: about a metre. */
const displayPointTolerance = 1e-5;

/**
 * `{position, rule}`: by the first of these rules that gives a position: the feature's `display_point` unless it lies outside of its area,
 * its own `point`, its `anchor`, a position strictly inside the largest polygon (`surface`), the middle of the longest `line`. Null for
 * none. `anchor` is the feature that `anchor_id` names, if there is one.
 */
export function labelPointOf(feature, anchor) {
    const shape = shapeOf(feature.geometry);
    const candidates = [
        ["display_point", () => displayPointOf(feature, shape)],
        ["point", () => shape.points[0]],
        ["anchor", () => anchor && shapeOf(anchor.geometry).points[0]],
        ["surface", () => pointOnSurface(shape.polygons)],
        ["line", () => lineMiddle(shape)],
    ];
    for (const [rule, find] of candidates) {
        const position = find();
        if (position) return { position: position.slice(0, 2), rule };
    }
    return null;
}

/**
 * The `display_point`; undefined if it lies outside of the feature's area: producers convert units and their display points separately, and
 * a point of another place would send people there.
 */
function displayPointOf(feature, { polygons }) {
    const point = shapeOf(feature.properties?.display_point).points[0];
    if (!point || polygons.length === 0) return point;
    const reach = displayPointTolerance;
    const isInside = [[0, 0], [reach, 0], [-reach, 0], [0, reach], [0, -reach]]
        .some(([east, north]) => containsPosition(polygons, [point[0] + east, point[1] + north]));
    return isInside ? point : undefined;
}

/**
 * A position strictly inside the largest polygon, even if that is concave or has holes; undefined if there is no area.
 *
 * Horizontal lines halfway between the latitudes of consecutive vertices cross the polygon without touching a vertex. The result is the
 * midpoint of the inner segment with the most space, where the space is the smaller of the segment's length and the distance between the
 * two latitudes.
 */
function pointOnSurface(polygons) {
    let largest = { area: 0 };
    for (const rings of polygons) {
        const area = areaOf([rings]);
        if (area > largest.area) largest = { area, rings };
    }
    return largest.rings && pointInside(largest.rings);
}

function pointInside(rings) {
    const latitudes = [...new Set(rings.flat().map(([, y]) => y))].sort((one, other) => one - other);
    const gaps = latitudes.slice(1).map((north, index) => ({ south: latitudes[index], height: north - latitudes[index] }))
        .sort((one, other) => other.height - one.height || one.south - other.south);
    let best = { space: 0 };
    for (const [index, { south, height }] of gaps.entries()) {
        if (index >= (best.position ? maximumLines : maximumLinesWithoutResult)) break;
        const latitude = south + height / 2;
        // There is no number between adjacent doubles.
        if (!(latitude > south && latitude < south + height)) continue;
        const narrowing = Math.cos((latitude * Math.PI) / 180);
        for (const [west, east] of innerSegments(rings, latitude)) {
            const space = Math.min(height, (east - west) * narrowing);
            const longitude = west + (east - west) / 2;
            if (space > best.space && longitude > west && longitude < east) best = { space, position: [longitude, latitude] };
        }
    }
    return best.position;
}

/** The inner segments of a horizontal line that touches no vertex. */
function innerSegments(rings, latitude) {
    const crossings = rings.flatMap(segmentsOf)
        .filter(([start, end]) => start[1] > latitude !== end[1] > latitude)
        .map(([start, end]) => longitudeAt(latitude, start, end))
        .sort((one, other) => one - other);
    return Array.from({ length: Math.floor(crossings.length / 2) }, (_, index) => crossings.slice(2 * index, 2 * index + 2));
}

/** The midpoint of the longest line, or of the longest outer ring of polygons without area. */
function lineMiddle({ lines, polygons }) {
    const lengthOf = (line) => segmentsOf(line).reduce((sum, [start, end]) => sum + metresBetween(start, end), 0);
    const measured = [...lines, ...polygons.map(([outer]) => outer)].map((line) => ({ line, length: lengthOf(line) }));
    if (measured.length === 0) return undefined;
    // The first one of several of equal length.
    const { line, length } = measured.reduce((longest, each) => (each.length > longest.length ? each : longest));
    let rest = length / 2;
    for (const [start, end] of segmentsOf(line)) {
        const step = metresBetween(start, end);
        if (step >= rest && step > 0) {
            const share = rest / step;
            return [start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])];
        }
        rest -= step;
    }
    return line.at(-1);
}
