// The camera with which a floor fills the visible part of the map. Long buildings are turned so that they use the space.

const maximumZoom = 21;
/** Where the Web Mercator square ends. */
const maximumLatitude = 85.0511287798066;
/** How many zoom levels a bearing must gain, because visitors expect north to be up: a little for small turns, more for large ones. */
const minimumGain = { small: 0.1, large: 0.4 };

/**
 * `{center, zoom, bearing}` for positions in a box of a width and a height in CSS pixels; null without positions. `mark` is `{at, room}`, a
 * position that is in the box too, with a number of pixels around it; null for none. With a `bearing`, the map is not turned away from it.
 */
export function cameraFor(positions, { width, height }, mark = null, bearing = null) {
    const hull = convexHull(positions.map(toMercator));
    if (hull.length === 0) return null;
    const marked = mark && { point: toMercator(mark.at), room: mark.room };
    const north = view(hull, bearing ?? 0, width, height, marked);
    const turned = (bearing === null ? bearingsOf(hull) : []).map((each) => view(hull, each, width, height, marked)).filter((each) =>
        each.zoom - north.zoom > (Math.abs(each.bearing) <= 45 ? minimumGain.small : minimumGain.large));
    const best = turned.reduce((best, each) => (gain(each) > gain(best) ? each : best), north);
    return { center: toPosition(best.center), zoom: Math.min(best.zoom, maximumZoom), bearing: best.bearing };

    function gain({ zoom, bearing }) {
        return zoom - Math.abs(bearing) / 1_000;
    }
}

/** The bearings, from -90 to 90, at which an edge of the hull is horizontal or vertical. */
function bearingsOf(hull) {
    const bearings = hull.map(([x, y], i) => {
        const [nextX, nextY] = hull[(i + 1) % hull.length];
        return (Math.atan2(nextY - y, nextX - x) * 180) / Math.PI;
    });
    const turns = bearings.flatMap((degrees) => [degrees, degrees + 90]).map((degrees) => {
        const turn = ((degrees % 180) + 180) % 180;
        return turn > 90 ? turn - 180 : turn;
    });
    return [...new Set(turns.map((degrees) => Math.round(degrees * 100) / 100))].filter((degrees) => Math.abs(degrees) > 0.5);
}

/** The largest zoom at which the hull and the mark fit into the box at a bearing, and the centre in Mercator coordinates. */
function view(hull, bearing, width, height, mark) {
    const [sin, cos] = [Math.sin((bearing * Math.PI) / 180), Math.cos((bearing * Math.PI) / 180)];
    const turn = ([x, y]) => [x * cos + y * sin, y * cos - x * sin];
    const points = hull.map(turn);
    const [markX, markY] = mark ? turn(mark.point) : [];
    const across = extent(points.map(([x]) => x), markX, mark?.room, width);
    const down = extent(points.map(([, y]) => y), markY, mark?.room, height);
    // At zoom 0, the world is 512 pixels wide.
    const zoom = Math.log2(Math.max(Math.min(across.scale, down.scale) / 512, 1));
    const [x, y] = [across, down].map(({ middle }) => middle(512 * 2 ** Math.min(zoom, maximumZoom)));
    return { bearing, zoom, center: [x * cos - y * sin, x * sin + y * cos] };
}

/** In one dimension: the largest scale, in pixels per unit, at which values and a mark fit into a length, and the middle at a scale. */
function extent(values, mark, room, length) {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const scale = length / Math.max(high - low, 1e-9);
    if (mark === undefined) return { scale, middle: () => (low + high) / 2 };
    const rest = Math.max(length - room, length / 2);
    return {
        scale: Math.min(scale, rest / Math.max(mark - low, high - mark, 1e-9)),
        middle: (scale) => (Math.min(low, mark - room / scale) + Math.max(high, mark + room / scale)) / 2,
    };
}

/** On the Web Mercator square, from 0 in the north-west to 1 in the south-east. */
export function toMercator([longitude, latitude]) {
    const sin = Math.sin((Math.max(-maximumLatitude, Math.min(maximumLatitude, latitude)) * Math.PI) / 180);
    return [(longitude + 180) / 360, 0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)];
}

function toPosition([x, y]) {
    return [x * 360 - 180, (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI];
}

/** The convex hull of points (monotone chain). */
function convexHull(points) {
    const sorted = [...points].sort(([x0, y0], [x1, y1]) => x0 - x1 || y0 - y1);
    const half = (list) => {
        const chain = [];
        for (const point of list) {
            while (chain.length > 1 && cross(chain.at(-2), chain.at(-1), point) <= 0) chain.pop();
            chain.push(point);
        }
        return chain.slice(0, -1);
    };
    return sorted.length < 3 ? sorted : [...half(sorted), ...half(sorted.toReversed())];
}

const cross = ([x0, y0], [x1, y1], [x2, y2]) => (x1 - x0) * (y2 - y0) - (y1 - y0) * (x2 - x0);
