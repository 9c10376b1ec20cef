// Geometries. Archives are untrusted input: a value that is no valid geometry is treated as missing. Positions are `[longitude,
// latitude]` in degrees, as in GeoJSON.

const depths = { Point: 0, MultiPoint: 1, LineString: 1, MultiLineString: 2, Polygon: 2, MultiPolygon: 3 };

/** Whether a value is a valid geometry of a type that maps draw. Checks every position. */
export function isDrawable(geometry) {
    const depth = Object.hasOwn(depths, geometry?.type ?? "") ? depths[geometry.type] : undefined;
    return depth !== undefined && isNested(geometry.coordinates, depth);
}

function isNested(coordinates, depth) {
    if (!Array.isArray(coordinates)) return false;
    if (depth > 0) return coordinates.length > 0 && coordinates.every((each) => isNested(each, depth - 1));
    const [x, y] = coordinates;
    return Number.isFinite(x) && Number.isFinite(y) && Math.abs(x) <= 180 && Math.abs(y) <= 90;
}

/** The points, lines or polygons of a geometry, `{points, lines, polygons}`; all empty if it cannot be drawn. */
export function shapeOf(geometry) {
    const shape = { points: [], lines: [], polygons: [] };
    if (!isDrawable(geometry)) return shape;
    const { type, coordinates } = geometry;
    const list = type.startsWith("Multi") ? coordinates : [coordinates];
    if (type.endsWith("Point")) shape.points = list;
    else if (type.endsWith("LineString")) shape.lines = list;
    else shape.polygons = list;
    return shape;
}

/** The bounding box `[west, south, east, north]` of coordinates of any nesting depth; null for none. */
export function boundsOf(coordinates, bounds = null) {
    if (!Array.isArray(coordinates)) return bounds;
    if (typeof coordinates[0] !== "number") return coordinates.reduce((extended, each) => boundsOf(each, extended), bounds);
    const [x, y] = coordinates;
    if (!bounds) return [x, y, x, y];
    return [Math.min(bounds[0], x), Math.min(bounds[1], y), Math.max(bounds[2], x), Math.max(bounds[3], y)];
}

/** Coordinates of any nesting depth with longitudes from 0° to 360°. */
export function movedEast(coordinates) {
    if (typeof coordinates[0] !== "number") return coordinates.map(movedEast);
    const [x, y] = coordinates;
    return [x < 0 ? x + 360 : x, y];
}

/** The great-circle distance in metres on a sphere with a radius of 6 371 008.8 m. */
export function metresBetween([x0, y0], [x1, y1]) {
    const degree = Math.PI / 180;
    const northward = Math.sin(((y1 - y0) * degree) / 2);
    const eastward = Math.sin(((x1 - x0) * degree) / 2);
    const chord = northward ** 2 + Math.cos(y0 * degree) * Math.cos(y1 * degree) * eastward ** 2;
    return 2 * 6_371_008.8 * Math.asin(Math.min(1, Math.sqrt(chord)));
}

/** Whether a position is in one of these polygons, and in none of its holes. Borders belong to the polygon. */
export function containsPosition(polygons, position) {
    return polygons.some((rings) => {
        let isInside = false;
        for (const ring of rings) {
            for (const [start, end] of segmentsOf(ring)) {
                if (isOnSegment(position, start, end)) return true;
                const [x, y] = position;
                if (start[1] > y !== end[1] > y && x < longitudeAt(y, start, end)) isInside = !isInside;
            }
        }
        return isInside;
    });
}

/** The area of polygons without their holes in square degrees; only for comparison. */
export function areaOf(polygons) {
    return polygons.reduce((sum, [outer, ...holes]) =>
        sum + ringArea(outer) - holes.reduce((all, hole) => all + ringArea(hole), 0), 0);
}

function ringArea(ring) {
    const [x, y] = ring[0];
    // Coordinates relative to a vertex keep the products small, which keeps their precision.
    let double = 0;
    for (const [start, end] of segmentsOf(ring)) {
        double += (start[0] - x) * (end[1] - y) - (end[0] - x) * (start[1] - y);
    }
    return Math.abs(double) / 2;
}

export function segmentsOf(line) {
    return line.slice(1).map((end, index) => [line[index], end]);
}

/** The longitude of a segment at a latitude between its ends. */
export function longitudeAt(latitude, start, end) {
    return start[0] + ((latitude - start[1]) / (end[1] - start[1])) * (end[0] - start[0]);
}

function isOnSegment([x, y], [x0, y0], [x1, y1]) {
    const isBetween = (value, one, other) => value >= Math.min(one, other) && value <= Math.max(one, other);
    return isBetween(x, x0, x1) && isBetween(y, y0, y1) && (x1 - x0) * (y - y0) === (x - x0) * (y1 - y0);
}
