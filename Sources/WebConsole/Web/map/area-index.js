// Which areas of places are at a point of the screen.

import { LabelBoxes, boxAround, clipped, contains } from "./label-boxes.js";

/** The distance of the points of a box that are looked at, in pixels. */
const step = 7;

export class AreaIndex {
    #project;
    #screen;
    #areas = new LabelBoxes();
    #middles = new LabelBoxes();
    #outlines = new Map();

    /** `screen` is `{width, height}`. What is asked for is on it, so that only the part of an area that is there needs to be found. */
    constructor(project, screen) {
        [this.#project, this.#screen] = [project, screen];
    }

    add(candidate) {
        const { area, point, place } = candidate;
        this.#middles.add({ ...boxAround(point, 0, 0), candidate });
        // Also a room that several shops share is theirs. What only stands in a unit, such as an amenity in a walkway, does not own it.
        if (!area || !place.unit || place.isMarked || place.kind === "amenity" || place.isBackOfHouse) return;
        const outline = this.#outline(candidate);
        const [xs, ys] = ["x", "y"].map((axis) => outline[0].map((corner) => corner[axis]));
        const bounds = { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
        const box = clipped(bounds, this.#screen);
        if (box) this.#areas.add({ ...box, candidate });
    }

    #outline(candidate) {
        if (!this.#outlines.has(candidate)) this.#outlines.set(candidate, candidate.area.rings.map((ring) => ring.map(this.#project)));
        return this.#outlines.get(candidate);
    }

    /** `[low, high]`: how far the area of a candidate reaches from its middle in a direction and against it, in pixels. */
    extent(candidate, angle) {
        const { point } = candidate;
        const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
        let [low, high] = [-Infinity, Infinity];
        for (const ring of this.#outline(candidate)) {
            const turned = ring.map(({ x, y }) => [(x - point.x) * cos + (y - point.y) * sin, (y - point.y) * cos - (x - point.x) * sin]);
            for (let index = 1; index < turned.length; index += 1) {
                const [[ax, ay], [bx, by]] = [turned[index - 1], turned[index]];
                if (ay > 0 === by > 0) continue;
                const x = ax - (ay * (bx - ax)) / (by - ay);
                if (x > 0) high = Math.min(high, x);
                else low = Math.max(low, x);
            }
        }
        return [low, high];
    }

    /** Whether a box covers the area of a place other than that of a candidate. */
    coversArea(box, candidate) {
        const others = [...this.#areas.near(box)].filter((each) => each.candidate !== candidate && each.candidate.place.unit !== candidate.place.unit);
        if (others.length === 0) return false;
        const [cos, sin] = [Math.cos(box.angle), Math.sin(box.angle)];
        const [halfWidth, halfHeight] = [box.width / 2 - 4, box.height / 2 - 4];
        const columns = Math.max(1, Math.ceil((2 * halfWidth) / step));
        for (let column = 0; column <= columns; column += 1) {
            const u = -halfWidth + (2 * halfWidth * column) / columns;
            for (const v of [-halfHeight, 0, halfHeight]) {
                const point = { x: box.x + u * cos - v * sin, y: box.y + u * sin + v * cos };
                if (others.some((each) => contains(each, point) && isInside(this.#outline(each.candidate), point))) return true;
            }
        }
        return false;
    }

    /** Whether a box is nearer than some pixels to the middle of a place that it may not hide. */
    coversMiddle(box, isHideable, distance) {
        const { x, y, width, height, angle } = box;
        const wide = boxAround({ x, y }, width + distance, height + distance, angle);
        for (const each of this.#middles.near(wide)) if (!isHideable(each.candidate) && contains(wide, each)) return true;
        return false;
    }
}

function isInside(rings, { x, y }) {
    let isInside = false;
    for (const ring of rings) {
        for (let index = 1; index < ring.length; index += 1) {
            const [one, other] = [ring[index - 1], ring[index]];
            if (one.y > y !== other.y > y && x < ((other.x - one.x) * (y - one.y)) / (other.y - one.y) + one.x) isInside = !isInside;
        }
    }
    return isInside;
}
