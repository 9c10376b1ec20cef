// Web Mercator, and sizes in metres around the sample venue.

const tileSize = 512;

/** The place of a position in the square world at a zoom, in pixels. */
export function toWorld([longitude, latitude], zoom) {
    const width = tileSize * 2 ** zoom;
    const y = Math.log(Math.tan(Math.PI / 4 + (latitude * Math.PI) / 360));
    return [((longitude + 180) / 360) * width, (0.5 - y / (2 * Math.PI)) * width];
}

export function fromWorld([x, y], zoom) {
    const width = tileSize * 2 ** zoom;
    const latitude = (360 / Math.PI) * Math.atan(Math.exp((0.5 - y / width) * 2 * Math.PI)) - 90;
    return [(x / width) * 360 - 180, latitude];
}

/** Metres between two positions of the sample venue, which is at 35.45° north. */
export const metres = (one, other) => Math.hypot((one[0] - other[0]) * 90_600, (one[1] - other[1]) * 111_320);

/** Whether a polygon contains a position. */
export function contains({ type, coordinates }, [x, y]) {
    if (type !== "Polygon") return false;
    const edges = coordinates.flatMap((ring) => ring.slice(1).map((end, index) => [ring[index], end]));
    return edges.filter(([a, b]) => a[1] > y !== b[1] > y && x < ((b[0] - a[0]) * (y - a[1])) / (b[1] - a[1]) + a[0]).length % 2 === 1;
}
