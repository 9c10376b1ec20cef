// The visual centre of an area: where a wide box, such as a name, has the most space along the long side of the area.

import { areaOf } from "../client/map/geometry.js";
import { distance } from "./box-distance.js";

/** Width by height of the box: about that of a name. */
const aspect = 3;
/** How many points are tried at most. */
const maximumCells = 120;
/** The middle of the area is better to look at than a point with a little more space. */
const middleShare = 0.8;

/** `{center, along}`, see `labelArea`. `inside` is a position in the polygon. */
export function visualCenter(rings, inside) {
    const narrowing = Math.cos((inside[1] * Math.PI) / 180);
    const plane = rings.map((ring) => ring.map(([x, y]) => [(x - inside[0]) * narrowing, y - inside[1]]));
    const angle = directionOf(plane[0]);
    const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
    // The long side is horizontal, and the box is a square.
    const turned = plane.map((ring) => ring.map(([x, y]) => [(x * cos + y * sin) / aspect, y * cos - x * sin]));
    const [x, y] = pole(turned);
    const position = (u, v) => [inside[0] + (u * cos - v * sin) / narrowing, inside[1] + u * sin + v * cos];
    const [center, step] = [position(x * aspect, y), Math.sqrt(areaOf([plane])) || 1e-6];
    return { center, along: position(x * aspect + step, y) };
}

/** The direction of the long side: the walls of a room are parallel or perpendicular to it. */
function directionOf(ring) {
    let [x, y] = [0, 0];
    for (let index = 1; index < ring.length; index += 1) {
        const [dx, dy] = [ring[index][0] - ring[index - 1][0], ring[index][1] - ring[index - 1][1]];
        // Directions that differ by a right angle are equal when multiplied by four.
        const [length, angle] = [Math.hypot(dx, dy), 4 * Math.atan2(dy, dx)];
        x += length * Math.cos(angle);
        y += length * Math.sin(angle);
    }
    const angle = Math.atan2(y, x) / 4;
    const extent = (direction) => {
        const values = ring.map(([px, py]) => px * Math.cos(direction) + py * Math.sin(direction));
        return Math.max(...values) - Math.min(...values);
    };
    return extent(angle) >= extent(angle + Math.PI / 2) ? angle : angle + Math.PI / 2;
}

/** The point of a polygon that is farthest from its outline (pole of inaccessibility), or the middle if that is nearly as far. */
function pole(rings) {
    const edges = rings.flatMap((ring) => ring.slice(1).map((end, index) => [ring[index][0], ring[index][1], end[0], end[1]]));
    const far = (x, y) => {
        let least = Infinity;
        let isInside = false;
        for (const [ax, ay, bx, by] of edges) {
            if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) isInside = !isInside;
            least = Math.min(least, distance(ax - x, ay - y, bx - x, by - y));
        }
        return isInside ? least : -least;
    };
    const [xs, ys] = [0, 1].map((axis) => rings[0].map((point) => point[axis]));
    const [west, east, south, north] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const middle = middleOf(edges) ?? [0, 0];
    const most = Math.min(east - west, north - south) / 2;
    const middleDistance = far(...middle);
    // The position inside is the origin.
    let best = { x: 0, y: 0, distance: far(0, 0) };
    if (middleDistance > best.distance) best = { x: middle[0], y: middle[1], distance: middleDistance };
    if (middleDistance >= 0.95 * most || !(most > 0)) return [best.x, best.y];
    const cells = [];
    const add = (x, y, half) => {
        const cell = { x, y, half, distance: far(x, y) };
        if (cell.distance > best.distance) best = cell;
        cells.push(cell);
    };
    const side = Math.max(most * 2, Math.max(east - west, north - south) / 8);
    for (let x = west + side / 2; x - side / 2 < east; x += side) for (let y = south + side / 2; y - side / 2 < north; y += side) add(x, y, side / 2);
    for (let count = cells.length; count < maximumCells && cells.length > 0; count += 4) {
        const index = cells.reduce((top, each, at) => (each.distance + each.half > cells[top].distance + cells[top].half ? at : top), 0);
        const [{ x, y, half, distance: own }] = cells.splice(index, 1);
        if (own + half <= 1.05 * best.distance) break;
        for (const dx of [-half / 2, half / 2]) for (const dy of [-half / 2, half / 2]) add(x + dx, y + dy, half / 2);
    }
    return middleDistance >= middleShare * best.distance ? middle : [best.x, best.y];
}

/** The centre of the area; null if there is none. */
function middleOf(edges) {
    let [area, x, y] = [0, 0, 0];
    for (const [ax, ay, bx, by] of edges) {
        const cross = ax * by - bx * ay;
        area += cross;
        x += (ax + bx) * cross;
        y += (ay + by) * cross;
    }
    return area === 0 ? null : [x / (3 * area), y / (3 * area)];
}
