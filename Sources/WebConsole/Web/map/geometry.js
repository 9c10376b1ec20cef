// Points and boxes of geometries: where a label stands, what a view shows. Geometries come from strangers' archives: what is none
// is nowhere.

const depths = { Point: 0, MultiPoint: 1, LineString: 1, MultiLineString: 2, Polygon: 2, MultiPolygon: 3 };

/** Whether a geometry is one that can be drawn, down to the last position. */
export function isDrawable(geometry) {
    const depth = depths[geometry?.type];
    return depth !== undefined && isNested(geometry.coordinates, depth);
}

function isNested(coordinates, depth) {
    if (!Array.isArray(coordinates)) return false;
    if (depth > 0) return coordinates.length > 0 && coordinates.every((each) => isNested(each, depth - 1));
    const [x, y] = coordinates;
    return Number.isFinite(x) && Number.isFinite(y) && Math.abs(x) <= 180 && Math.abs(y) <= 90;
}

/** The one point of a feature: its own, else its display point, else a point inside of its shape; null for no geometry. */
export function pointOf(feature) {
    const geometry = isDrawable(feature.geometry) ? feature.geometry : null;
    if (geometry?.type === "Point") return geometry.coordinates.slice(0, 2);
    const display = feature.properties?.display_point;
    if (display?.type === "Point" && isDrawable(display)) return display.coordinates.slice(0, 2);
    return geometry ? insidePoint(geometry) : null;
}

/** A point inside of the largest polygon: the middle of the longest piece of the line through the middle of its box. */
function insidePoint(geometry) {
    const polygons = polygonsOf(geometry);
    if (polygons.length === 0) return firstPosition(geometry.coordinates);
    const rings = polygons.reduce((best, each) => (area(each[0]) > area(best[0]) ? each : best));
    const [west, south, east, north] = boxOf(rings);
    const middle = (south + north) / 2;
    const crossings = rings.flatMap((ring) => crossingsOf(ring, middle)).sort((a, b) => a - b);
    let best = [(west + east) / 2, 0];
    for (let index = 0; index + 1 < crossings.length; index += 2) {
        const width = crossings[index + 1] - crossings[index];
        if (width > best[1]) best = [(crossings[index] + crossings[index + 1]) / 2, width];
    }
    return [best[0], middle];
}

function crossingsOf(ring, y) {
    const found = [];
    for (let index = 0; index + 1 < ring.length; index += 1) {
        const [[x0, y0], [x1, y1]] = [ring[index], ring[index + 1]];
        if (y0 > y !== y1 > y) found.push(x0 + ((y - y0) / (y1 - y0)) * (x1 - x0));
    }
    return found;
}

function polygonsOf({ type, coordinates }) {
    if (type === "Polygon") return [coordinates];
    return type === "MultiPolygon" ? coordinates : [];
}

function area(ring) {
    let sum = 0;
    for (let index = 0; index + 1 < ring.length; index += 1) {
        sum += ring[index][0] * ring[index + 1][1] - ring[index + 1][0] * ring[index][1];
    }
    return Math.abs(sum / 2);
}

function firstPosition(coordinates) {
    return Array.isArray(coordinates[0]) ? firstPosition(coordinates[0]) : coordinates.slice(0, 2);
}

/** `[west, south, east, north]` of coordinates of any depth; null for none. */
export function boxOf(coordinates, box = null) {
    if (!Array.isArray(coordinates)) return box;
    if (typeof coordinates[0] !== "number") return coordinates.reduce((found, each) => boxOf(each, found), box);
    const [x, y] = coordinates;
    if (!box) return [x, y, x, y];
    return [Math.min(box[0], x), Math.min(box[1], y), Math.max(box[2], x), Math.max(box[3], y)];
}

/** Metres between two positions; for distances within a venue. */
export function metresBetween([x0, y0], [x1, y1]) {
    const metres = 111_320;
    return Math.hypot((x1 - x0) * metres * Math.cos((y0 * Math.PI) / 180), (y1 - y0) * metres);
}
