// Whether a label fits into the area that it names, on the screen.

import { areaOf, shapeOf } from "../client/map/geometry.js";
import { labelPointOf } from "../client/map/label-point.js";

/** Rings with more vertices are not tested at every frame; their labels count as fitting. */
const maximumVertices = 120;
/** Labels may reach over the wall by this many pixels, the width of their halo. */
const tolerance = 3;

/** The outer ring of the largest polygon of a feature, and a position inside for a label: `{ring, center}`; null if it has no area. */
export function labelArea(feature) {
    const { polygons } = shapeOf(feature?.geometry);
    if (polygons.length === 0) return null;
    const largest = polygons.reduce((best, each) => (areaOf([each]) > areaOf([best]) ? each : best));
    const center = labelPointOf({ properties: {}, geometry: { type: "Polygon", coordinates: largest } })?.position;
    return center ? { ring: largest[0], center } : null;
}

/** Returns a function that says whether a box of a width and height around a point on the screen is inside a ring. */
export function fitTest(ring, point, project) {
    if (ring.length > maximumVertices) return () => true;
    const points = ring.map(project);
    return (width, height) => {
        const [w, h] = [Math.max(2, width / 2 - tolerance), Math.max(2, height / 2 - tolerance)];
        // The corners, and the middles of the sides, because rooms may be concave.
        return [[-w, -h], [w, -h], [w, h], [-w, h], [0, -h], [0, h], [-w, 0], [w, 0]]
            .every(([dx, dy]) => isInside(points, point.x + dx, point.y + dy));
    };
}

function isInside(points, x, y) {
    let inside = false;
    for (let i = 0, j = points.length - 1; i < points.length; j = i, i += 1) {
        const [a, b] = [points[i], points[j]];
        if (a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) inside = !inside;
    }
    return inside;
}
