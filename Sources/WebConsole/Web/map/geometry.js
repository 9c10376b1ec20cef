// Bounding boxes and label points of geometries. Archives are untrusted input: a value that is no valid geometry is treated as missing.

const depths = { Point: 0, MultiPoint: 1, LineString: 1, MultiLineString: 2, Polygon: 2, MultiPolygon: 3 };

/** Whether a value is a valid geometry of a type that the map draws. Checks every position. */
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

/** The point that represents a feature: its own point, else its display point, else a point inside its geometry; null for none. */
export function pointOf(feature) {
    const geometry = isDrawable(feature.geometry) ? feature.geometry : null;
    if (geometry?.type === "Point") return geometry.coordinates.slice(0, 2);
    const display = feature.properties?.display_point;
    if (display?.type === "Point" && isDrawable(display)) return display.coordinates.slice(0, 2);
    return geometry ? interiorPoint(geometry) : null;
}

/** A point inside the largest polygon: the middle of the longest segment that a horizontal line through its centre cuts out. */
function interiorPoint(geometry) {
    const polygons = polygonsOf(geometry);
    if (polygons.length === 0) return firstPosition(geometry.coordinates);
    const rings = polygons.reduce((best, each) => (area(each[0]) > area(best[0]) ? each : best));
    const [west, south, east, north] = boundsOf(rings);
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
    const crossings = [];
    for (let index = 0; index + 1 < ring.length; index += 1) {
        const [[x0, y0], [x1, y1]] = [ring[index], ring[index + 1]];
        if (y0 > y !== y1 > y) crossings.push(x0 + ((y - y0) / (y1 - y0)) * (x1 - x0));
    }
    return crossings;
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

/** The bounding box `[west, south, east, north]` of coordinates of any nesting depth; null for none. */
export function boundsOf(coordinates, bounds = null) {
    if (!Array.isArray(coordinates)) return bounds;
    if (typeof coordinates[0] !== "number") return coordinates.reduce((extended, each) => boundsOf(each, extended), bounds);
    const [x, y] = coordinates;
    if (!bounds) return [x, y, x, y];
    return [Math.min(bounds[0], x), Math.min(bounds[1], y), Math.max(bounds[2], x), Math.max(bounds[3], y)];
}

/** Metres between two positions; for distances within a venue. */
export function metresBetween([x0, y0], [x1, y1]) {
    const metresPerDegree = 111_320;
    return Math.hypot((x1 - x0) * metresPerDegree * Math.cos((y0 * Math.PI) / 180), (y1 - y0) * metresPerDegree);
}
