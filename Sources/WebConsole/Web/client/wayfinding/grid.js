// Points of a local frame in whole millimetres, `{ x, y }`. Coordinates are below 2^25, so that the products and sums in `cross` and
// `orientation` are whole numbers below 2^53: their signs are exact.

export const cross = (one, other) => one.x * other.y - one.y * other.x;

/** Positive if `point` is to the left of the line from `start` to `end`, zero if it is on it. */
export const orientation = (start, end, point) =>
    (end.x - start.x) * (point.y - start.y) - (end.y - start.y) * (point.x - start.x);

/** Whether a point is certainly in the circle through three others, in counterclockwise order: only products and sums are rounded. */
export function isInCircle(a, b, c, point) {
    const [ax, ay] = [a.x - point.x, a.y - point.y];
    const [bx, by] = [b.x - point.x, b.y - point.y];
    const [cx, cy] = [c.x - point.x, c.y - point.y];
    const first = (ax * ax + ay * ay) * (bx * cy - by * cx);
    const second = (bx * bx + by * by) * (ax * cy - ay * cx);
    const third = (cx * cx + cy * cy) * (ax * by - ay * bx);
    return first - second + third > 1e-15 * (Math.abs(first) + Math.abs(second) + Math.abs(third));
}

export const minus = (one, other) => ({ x: one.x - other.x, y: one.y - other.y });

export function distance(one, other) {
    const x = other.x - one.x;
    const y = other.y - one.y;
    return Math.sqrt(x * x + y * y);
}

/** Rounds halves up. */
export const rounded = (value) => Math.floor(value + 0.5);

export const roundedPoint = (point) => ({ x: rounded(point.x), y: rounded(point.y) });

export const samePoint = (one, other) => one.x === other.x && one.y === other.y;

export const clamp = (value) => Math.min(Math.max(value, 0), 1);

// MARK: - Boxes

export const boxOf = (one, other) => ({
    left: Math.min(one.x, other.x), bottom: Math.min(one.y, other.y), right: Math.max(one.x, other.x), top: Math.max(one.y, other.y),
});

const union = (one, other) => ({
    left: Math.min(one.left, other.left), bottom: Math.min(one.bottom, other.bottom),
    right: Math.max(one.right, other.right), top: Math.max(one.top, other.top),
});

/** The box of points; null for none. */
export function boxAround(points) {
    let box = null;
    for (const point of points) box = box ? union(box, boxOf(point, point)) : boxOf(point, point);
    return box;
}

export const expanded = (box, margin) => ({
    left: box.left - margin, bottom: box.bottom - margin, right: box.right + margin, top: box.top + margin,
});

export const intersects = (one, other) =>
    one.left <= other.right && other.left <= one.right && one.bottom <= other.top && other.bottom <= one.top;

const leafSize = 8;

/** A static tree of boxes that finds those which intersect another box. */
export class BoxTree {
    #boxes;
    #order;
    #nodes = [];

    constructor(boxes) {
        this.#boxes = boxes;
        this.#order = boxes.map((_, index) => index);
        if (boxes.length > 0) this.#build(0, boxes.length);
    }

    #build(start, end) {
        let box = this.#boxes[this.#order[start]];
        for (let index = start + 1; index < end; index += 1) box = union(box, this.#boxes[this.#order[index]]);
        const index = this.#nodes.length;
        this.#nodes.push({ box, first: start, second: end, isLeaf: true });
        if (end - start <= leafSize) return index;
        const isWide = box.right - box.left > box.top - box.bottom;
        const key = (each) => {
            const { left, right, bottom, top } = this.#boxes[each];
            return isWide ? left + right : bottom + top;
        };
        const sorted = this.#order.slice(start, end).sort((one, other) => key(one) - key(other) || one - other);
        for (let offset = 0; offset < sorted.length; offset += 1) this.#order[start + offset] = sorted[offset];
        const middle = Math.floor((start + end) / 2);
        const first = this.#build(start, middle);
        const second = this.#build(middle, end);
        this.#nodes[index] = { box, first, second, isLeaf: false };
        return index;
    }

    /** The indices of the boxes that intersect a box, ascending; at most as many as the limit. */
    indices(box, limit = Infinity) {
        const found = [];
        const stack = this.#nodes.length > 0 ? [0] : [];
        while (stack.length > 0 && found.length < limit) {
            const node = this.#nodes[stack.pop()];
            if (!intersects(node.box, box)) continue;
            if (node.isLeaf) {
                for (let index = node.first; index < node.second; index += 1) {
                    const each = this.#order[index];
                    if (found.length < limit && intersects(this.#boxes[each], box)) found.push(each);
                }
            } else {
                stack.push(node.first, node.second);
            }
        }
        return found.sort((one, other) => one - other);
    }
}
