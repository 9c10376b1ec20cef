// The boxes that labels take on the screen. A box is that of a label, turned by an angle around its middle.

/** The size of a cell of the grid, in CSS pixels. */
export const cellSize = 64;

/** A box around a point: `{x, y, width, height, angle}`, and `{left, top, right, bottom}` of the upright box around it. */
export function boxAround({ x, y }, width, height, angle = 0) {
    const [sin, cos] = [Math.abs(Math.sin(angle)), Math.abs(Math.cos(angle))];
    const [halfX, halfY] = [(width * cos + height * sin) / 2, (width * sin + height * cos) / 2];
    return { x, y, width, height, angle, left: x - halfX, top: y - halfY, right: x + halfX, bottom: y + halfY };
}

/** How much wider and higher the image of a name is than its letters: it has a halo, which may be over that of another name. */
const [haloWidth, haloHeight] = [2, 6];

/** The box that the image of a label takes. */
export const boxOf = ({ width, height, isName }, at, angle = 0) =>
    isName ? boxAround(at, width - haloWidth, height - haloHeight, angle) : boxAround(at, width, height, angle);

/** Whether a point is in a box. */
export function contains(box, { x, y }) {
    const [dx, dy] = [x - box.x, y - box.y];
    const [sin, cos] = [Math.sin(box.angle), Math.cos(box.angle)];
    return Math.abs(dx * cos + dy * sin) <= box.width / 2 && Math.abs(dy * cos - dx * sin) <= box.height / 2;
}

/** Boxes in a grid. The time to add one grows with its area, so that a box is no larger than the screen, see `clipped`. */
export class LabelBoxes {
    #cells = new Map();

    add(box) {
        for (const key of cellsOf(box)) {
            if (!this.#cells.has(key)) this.#cells.set(key, []);
            this.#cells.get(key).push(box);
        }
    }

    /** Whether a box overlaps none of the others. */
    isFree(box) {
        for (const key of cellsOf(box)) {
            for (const other of this.#cells.get(key) ?? []) if (overlaps(box, other)) return false;
        }
        return true;
    }

    /** The boxes whose upright boxes may overlap that of a box. */
    near(box) {
        const found = new Set();
        for (const key of cellsOf(box)) {
            for (const other of this.#cells.get(key) ?? []) if (areNear(box, other)) found.add(other);
        }
        return found;
    }
}

/** The part of an upright box that is on a screen or at most one cell beside it; null if there is none. */
export function clipped({ left, top, right, bottom }, { width, height }) {
    [left, top] = [Math.max(left, -cellSize), Math.max(top, -cellSize)];
    [right, bottom] = [Math.min(right, width + cellSize), Math.min(bottom, height + cellSize)];
    if (!(left <= right && top <= bottom)) return null;
    return boxAround({ x: (left + right) / 2, y: (top + bottom) / 2 }, right - left, bottom - top);
}

function* cellsOf({ left, top, right, bottom }) {
    for (let x = Math.floor(left / cellSize); x <= Math.floor(right / cellSize); x += 1) {
        for (let y = Math.floor(top / cellSize); y <= Math.floor(bottom / cellSize); y += 1) yield x * 65_536 + y;
    }
}

const areNear = (one, other) => one.left <= other.right && other.left <= one.right && one.top <= other.bottom && other.top <= one.bottom;

function overlaps(one, other) {
    if (one.left >= other.right || other.left >= one.right || one.top >= other.bottom || other.top >= one.bottom) return false;
    if (one.angle === 0 && other.angle === 0) return true;
    return !isSeparated(one, other) && !isSeparated(other, one);
}

/** Whether a side of a box separates it from another one. */
function isSeparated(box, other) {
    const turn = other.angle - box.angle;
    const [sin, cos] = [Math.abs(Math.sin(turn)), Math.abs(Math.cos(turn))];
    const [dx, dy] = [other.x - box.x, other.y - box.y];
    const [s, c] = [Math.sin(box.angle), Math.cos(box.angle)];
    return Math.abs(dx * c + dy * s) >= (box.width + other.width * cos + other.height * sin) / 2
        || Math.abs(dy * c - dx * s) >= (box.height + other.width * sin + other.height * cos) / 2;
}
