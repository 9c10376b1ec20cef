// Whether a label fits into the area that it names, on the screen.

import { areaOf, boundsOf, shapeOf } from "../client/map/geometry.js";
import { labelPointOf } from "../client/map/label-point.js";
import { simplified } from "./simplified.js";

/** The most vertices of an area, because all are projected for every frame. */
const maximumVertices = 120;
/** By how much an area with more vertices may be simplified at first, as a part of its width and height. */
const firstTolerance = 1 / 400;
/** Labels may reach over the wall by this many pixels, the width of their halo. */
const tolerance = 3;

/** The rings of the largest polygon of a feature, and a position inside for a label: `{rings, center}`; null if it has no area. */
export function labelArea(feature) {
    const { polygons } = shapeOf(feature?.geometry);
    if (polygons.length === 0) return null;
    const largest = polygons.reduce((best, each) => (areaOf([each]) > areaOf([best]) ? each : best));
    const center = labelPointOf({ properties: {}, geometry: { type: "Polygon", coordinates: largest } })?.position;
    return center ? { rings: withFewVertices(largest), center } : null;
}

/** The rings of a polygon, simplified as much as it needs to have few vertices. Holes that are too small for this are left out. */
function withFewVertices(rings) {
    const [west, south, east, north] = boundsOf(rings[0]);
    const narrowing = Math.cos((south * Math.PI) / 180);
    const size = Math.hypot((east - west) * narrowing, north - south);
    let result = rings;
    for (let part = firstTolerance; part < 1 && result.flat().length > maximumVertices; part *= 2) {
        result = rings.map((ring) => simplified(ring, part * size, narrowing)).filter((ring) => ring.length > 3);
    }
    return result;
}

/** Returns a function that says whether a box of a width and height around a point on the screen is inside of a polygon. */
export function fitTest(rings, point, project) {
    const edges = rings.flatMap((ring) => {
        const points = ring.map(project);
        return points.slice(1).map((end, index) => [points[index], end]);
    });
    const isAround = isInside(edges, point);
    return (width, height) => {
        const [w, h] = [Math.max(2, width / 2 - tolerance), Math.max(2, height / 2 - tolerance)];
        const box = { left: point.x - w, right: point.x + w, top: point.y - h, bottom: point.y + h };
        return isAround && !edges.some(([start, end]) => crosses(start, end, box));
    };
}

function isInside(edges, { x, y }) {
    return edges.filter(([a, b]) => a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x).length % 2 === 1;
}

/** Whether an edge is partly in a box: neither a side of the box nor the edge separates them. */
function crosses(a, b, { left, right, top, bottom }) {
    if (Math.max(a.x, b.x) <= left || Math.min(a.x, b.x) >= right || Math.max(a.y, b.y) <= top || Math.min(a.y, b.y) >= bottom) return false;
    const sides = [[left, top], [right, top], [right, bottom], [left, bottom]]
        .map(([x, y]) => (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x));
    return Math.min(...sides) < 0 && Math.max(...sides) > 0;
}
