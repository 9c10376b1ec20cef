// How much space a label has in the area that it names, on the screen.

import { areaOf, boundsOf, shapeOf } from "../client/map/geometry.js";
import { labelPointOf } from "../client/map/label-point.js";
import { distance } from "./box-distance.js";
import { simplified } from "./simplified.js";
import { visualCenter } from "./visual-center.js";

/** The most vertices of an area, because all are projected for every frame. */
const maximumVertices = 120;
/** By how much an area with more vertices may be simplified at first, as a part of its width and height. */
const firstTolerance = 1 / 400;
/** Labels may reach over the wall by this many pixels, the width of their halo. */
const tolerance = 3;

/**
 * Where a label may be in the largest polygon of a feature: `{rings, center, along, size, isKiosk}`; null if it has no area. `center` is the middle
 * of the space for a label, and `along` a position beside it in the direction of the long side. `size` is only for comparison. A kiosk has
 * another colour than shops.
 */
export function labelArea(feature) {
    const { polygons } = shapeOf(feature?.geometry);
    if (polygons.length === 0) return null;
    const largest = polygons.reduce((best, each) => (areaOf([each]) > areaOf([best]) ? each : best));
    const inside = labelPointOf({ properties: {}, geometry: { type: "Polygon", coordinates: largest } })?.position;
    if (!inside) return null;
    const rings = withFewVertices(largest);
    return { rings, ...visualCenter(rings, inside), size: Math.sqrt(areaOf([largest])), isKiosk: feature.type === "kiosk" };
}

/**
 * The areas of places by their ids. Those of `before` are kept while the feature is the same, because finding a position in each takes time.
 */
export function labelAreas(places, replica, before) {
    const areas = new Map();
    for (const { id, unit, surroundings } of places) {
        const feature = replica.feature(unit ?? surroundings);
        if (!feature) continue;
        const known = before.get(id);
        const area = known?.geometry === feature.geometry ? known : labelArea(feature);
        if (area) areas.set(id, Object.assign(area, { geometry: feature.geometry }));
    }
    return areas;
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

/**
 * Returns a function of a width and a height: by how much a box of this size around a point on the screen can be enlarged until it reaches
 * the outline of a polygon; 0 outside of the polygon. Its member `turned(angle)` is such a function for boxes that are turned.
 */
export function spaceIn(rings, point, project) {
    const edges = [];
    for (const ring of rings) {
        const points = ring.map(project);
        for (let index = 1; index < points.length; index += 1) {
            const [start, end] = [points[index - 1], points[index]];
            edges.push(start.x - point.x, start.y - point.y, end.x - point.x, end.y - point.y);
        }
    }
    return Object.assign(spaceAround(edges), {
        turned(angle) {
            const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
            const turned = new Array(edges.length);
            for (let index = 0; index < edges.length; index += 2) {
                turned[index] = edges[index] * cos + edges[index + 1] * sin;
                turned[index + 1] = edges[index + 1] * cos - edges[index] * sin;
            }
            return spaceAround(turned);
        },
    });
}

/** The function of `spaceIn` for a box around the origin. `edges` has four numbers for each edge. All of this is done for every frame. */
function spaceAround(edges) {
    let isAround = false;
    for (let index = 0; index < edges.length; index += 4) {
        const [ax, ay, bx, by] = [edges[index], edges[index + 1], edges[index + 2], edges[index + 3]];
        if (ay > 0 !== by > 0 && ((bx - ax) * -ay) / (by - ay) + ax > 0) isAround = !isAround;
    }
    return (width, height) => {
        if (!isAround) return 0;
        let least = Infinity;
        for (let index = 0; index < edges.length; index += 4) {
            const [x, y] = [2 / width, 2 / height];
            least = Math.min(least, distance(edges[index] * x, edges[index + 1] * y, edges[index + 2] * x, edges[index + 3] * y));
        }
        return least;
    };
}

/** Returns a function that says whether a box of a width and height around a point on the screen is inside of a polygon. */
export function fitTest(rings, point, project) {
    const space = spaceIn(rings, point, project);
    return (width, height) => space(Math.max(4, width - 2 * tolerance), Math.max(4, height - 2 * tolerance)) >= 1;
}
