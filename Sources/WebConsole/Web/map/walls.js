// The walls of a level in three dimensions: a thin block along each edge of a unit, with gaps where the doors are.

import { shapeOf } from "../client/map/geometry.js";

/** The slot of the layer of the walls. */
export const wallSlot = "above-walls";

/** In metres. The walls are lower than a room, so that they hide little of what is behind them. */
const height = 1.8;
const thickness = 0.16;
/** How far the middle of a door may be from its wall, in metres. */
const doorDistance = 0.5;
const metresPerDegree = 111_320;

/** Groups of units without walls of their own: people walk or drive on them, or look down through them. */
const openGroups = new Set(["walkway", "outdoor", "parking", "void"]);

/** A GeoJSON feature with the walls around units; `groupOf(unit)` is the group of a unit. */
export function wallsOf(features, groupOf) {
    const units = features.filter((feature) => feature.type === "unit" && !openGroups.has(groupOf(feature)));
    const rings = units.flatMap((unit) => shapeOf(unit.geometry).polygons.flat());
    if (rings.length === 0) return { type: "FeatureCollection", features: [] };
    const plane = new Plane(rings[0][0]);
    const doors = features.filter(({ type }) => type === "opening").flatMap(({ geometry }) => shapeOf(geometry).lines)
        .map((line) => doorOf(line.map((position) => plane.point(position))));
    // Walls between two units belong to both.
    const seen = new Set();
    const coordinates = [];
    for (const ring of rings) {
        const points = ring.map((position) => plane.point(position));
        for (let i = 1; i < points.length; i += 1) {
            const key = [points[i - 1], points[i]].map((point) => point.map((each) => each.toFixed(2)).join()).sort().join();
            if (seen.has(key)) continue;
            seen.add(key);
            for (const [from, to] of spansBetween(points[i - 1], points[i], doors)) coordinates.push([block(from, to, plane)]);
        }
    }
    return { type: "FeatureCollection", features: [{ type: "Feature", properties: {}, geometry: { type: "MultiPolygon", coordinates } }] };
}

/** The layer of the walls; `colours` are those that `mapColours` returns. */
export function wallPaint(colours, { isDimmed }) {
    return { "fill-extrusion-color": colours.wall, "fill-extrusion-height": height, "fill-extrusion-opacity": isDimmed ? 0.25 : 0.9 };
}

/** Metres east and north of an origin, exact enough within a building. */
class Plane {
    constructor([longitude, latitude]) {
        this.origin = [longitude, latitude];
        this.scale = [metresPerDegree * Math.cos((latitude * Math.PI) / 180), metresPerDegree];
    }

    point(position) {
        return [0, 1].map((axis) => (position[axis] - this.origin[axis]) * this.scale[axis]);
    }

    position(point) {
        return [0, 1].map((axis) => point[axis] / this.scale[axis] + this.origin[axis]);
    }
}

/** The middle of a door and half of its width. */
function doorOf(points) {
    const [[x0, y0], [x1, y1]] = [points[0], points.at(-1)];
    return { x: (x0 + x1) / 2, y: (y0 + y1) / 2, half: Math.hypot(x1 - x0, y1 - y0) / 2 };
}

/** The parts of a wall from `a` to `b` between its doors, as pairs of points. */
function spansBetween(a, b, doors) {
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
    if (length < 0.05) return [];
    const [ux, uy] = [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
    const gaps = doors.map(({ x, y, half }) => {
        const [dx, dy] = [x - a[0], y - a[1]];
        const along = dx * ux + dy * uy;
        const isInWall = Math.abs(dy * ux - dx * uy) < doorDistance && along > 0 && along < length;
        return isInWall ? [along - half, along + half] : null;
    }).filter(Boolean).sort(([one], [other]) => one - other);
    const spans = [];
    let start = 0;
    for (const [from, to] of [...gaps, [length, length]]) {
        if (from > start) spans.push([start, Math.min(from, length)]);
        start = Math.max(start, to);
    }
    return spans.map((span) => span.map((along) => [a[0] + ux * along, a[1] + uy * along]));
}

/** The outline of a block along a line. */
function block(from, to, plane) {
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    const [nx, ny] = [(-(to[1] - from[1]) / length) * (thickness / 2), ((to[0] - from[0]) / length) * (thickness / 2)];
    const at = ([x, y], sign) => plane.position([x + sign * nx, y + sign * ny]);
    return [at(from, 1), at(from, -1), at(to, -1), at(to, 1), at(from, 1)];
}
