// Converts GeoJSON geometries to SVG paths, bounding boxes and label positions. Archives are untrusted input: a value that is no valid
// geometry draws nothing.

/** All positions of a geometry of any type. */
export function* positions(geometry) {
    if (geometry?.type === "GeometryCollection") {
        for (const part of list(geometry.geometries)) yield* positions(part);
    } else {
        yield* nested(geometry?.coordinates);
    }
}

function* nested(coordinates) {
    if (!Array.isArray(coordinates)) return;
    if (typeof coordinates[0] === "number") {
        if (isOnGlobe(coordinates)) yield coordinates;
    } else {
        for (const part of coordinates) yield* nested(part);
    }
}

const isOnGlobe = ([longitude, latitude]) => Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90;

/** The lines and rings of a geometry; none for points. */
function* linesOf(geometry) {
    const parts = list(geometry?.coordinates);
    switch (geometry?.type) {
        case "LineString": yield { line: parts, closed: false }; break;
        case "MultiLineString": for (const line of parts) yield { line, closed: false }; break;
        case "Polygon": for (const line of parts) yield { line, closed: true }; break;
        case "MultiPolygon": for (const rings of parts) for (const line of list(rings)) yield { line, closed: true }; break;
        case "GeometryCollection": for (const part of list(geometry.geometries)) yield* linesOf(part); break;
    }
}

const list = (value) => (Array.isArray(value) ? value : []);

/** The SVG path of a geometry; empty for points and missing geometries. */
export function path(geometry, plane) {
    const parts = [];
    for (const { line, closed } of linesOf(geometry)) {
        const points = [...nested(line)].map((position) => plane.point(position).join(" "));
        if (points.length > 1) parts.push(`M${points.join("L")}${closed ? "Z" : ""}`);
    }
    return parts.join("");
}

export const isArea = (geometry) => geometry?.type === "Polygon" || geometry?.type === "MultiPolygon";

/** Positions farther than this from the origin of the plane are ignored as errors, in metres. */
const maximumDistance = 30_000;

/** The bounding box `{left, top, right, bottom}` of geometries in the plane; null for none. */
export function boundingBox(geometries, plane) {
    const bounds = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
    for (const geometry of geometries) {
        for (const position of positions(geometry)) {
            const [x, y] = plane.point(position);
            if (Math.abs(x) > maximumDistance || Math.abs(y) > maximumDistance) continue;
            bounds.left = Math.min(bounds.left, x);
            bounds.right = Math.max(bounds.right, x);
            bounds.top = Math.min(bounds.top, y);
            bounds.bottom = Math.max(bounds.bottom, y);
        }
    }
    return bounds.left <= bounds.right ? bounds : null;
}

/** The position for the symbol of a feature: its display point, else the middle of its geometry. */
export function labelPosition(feature) {
    const display = feature?.properties?.display_point?.coordinates;
    if (Array.isArray(display) && display.length >= 2 && isOnGlobe(display)) return display;
    return middle(feature?.geometry);
}

/** The centre of the largest ring, the middle vertex of a line, the point itself. */
export function middle(geometry) {
    const rings = [...linesOf(geometry)].map(({ line, closed }) => ({ line: [...nested(line)], closed }));
    let largest = null;
    for (const { line, closed } of rings) {
        if (!closed || line.length < 4) continue;
        const candidate = centroid(line);
        if (candidate && (!largest || candidate.area > largest.area)) largest = candidate;
    }
    if (largest) return largest.position;
    const line = rings.find(({ line }) => line.length > 0)?.line;
    if (line) return line[Math.floor((line.length - 1) / 2)];
    return positions(geometry).next().value ?? null;
}

function centroid(ring) {
    // Relative to the first vertex, to keep the precision of small areas.
    const [x0, y0] = ring[0];
    let doubleArea = 0, x = 0, y = 0;
    for (let i = 0; i + 1 < ring.length; i += 1) {
        const [ax, ay] = [ring[i][0] - x0, ring[i][1] - y0];
        const [bx, by] = [ring[i + 1][0] - x0, ring[i + 1][1] - y0];
        const cross = ax * by - bx * ay;
        doubleArea += cross;
        x += (ax + bx) * cross;
        y += (ay + by) * cross;
    }
    if (doubleArea === 0) return null;
    return { area: Math.abs(doubleArea), position: [x0 + x / (3 * doubleArea), y0 + y / (3 * doubleArea)] };
}
