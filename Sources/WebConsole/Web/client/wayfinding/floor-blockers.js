// What lies on top of the units on which people walk: columns, holes in the floor, stairs, lifts, and restricted units.

import { BoxTree, boxAround, boxOf, expanded, intersects, roundedPoint } from "./grid.js";
import { contains, doubleArea } from "./portal-planner.js";

const isWalkedOn = ({ kind }) => kind === "floor" || kind === "ramp";
const liesOnTop = ({ kind, isRestricted }) => isRestricted || !isWalkedOn({ kind });

export class FloorBlockers {
    #spaces;
    #areas;
    /** `{ space, level, rings, box, area }`; the space is -1 for what cannot be entered. */
    #blockers = [];
    #tree;
    /** What is left of the limits. */
    #positionsLeft;
    #comparisonsLeft;

    /** `outlines` are the rings of the parts, led to their openings. */
    constructor(spaces, parts, outlines, solids, { blockerPositions, blockerComparisons }) {
        this.#spaces = spaces;
        this.#positionsLeft = blockerPositions;
        this.#comparisonsLeft = blockerComparisons;
        this.#areas = parts.map(doubleArea);
        for (const { level, polygons } of solids) {
            for (const rings of polygons) this.#blockers.push({ space: -1, level, rings, box: boxAround(rings[0]), area: doubleArea({ rings }) });
        }
        for (const [index, { space }] of parts.entries()) {
            if (!liesOnTop(spaces[space])) continue;
            const { rings } = outlines[index];
            this.#blockers.push({ space, level: spaces[space].level, rings, box: boxAround(rings[0]), area: this.#areas[index] });
        }
        this.#tree = new BoxTree(this.#blockers.map(({ box }) => box));
    }

    /** Whether a limit was reached, so that something that lies on top may be missing. */
    get isExhausted() {
        return this.#positionsLeft <= 0 || this.#comparisonsLeft <= 0;
    }

    /** Smaller polygons of the same level that lie on a part. What is larger than the part lies below it. */
    on(part, index) {
        const space = this.#spaces[part.space];
        if (!isWalkedOn(space) || this.#positionsLeft <= 0) return [];
        const near = this.#tree.indices(part.box, Math.max(0, this.#comparisonsLeft));
        this.#comparisonsLeft -= near.length;
        return near.map((each) => this.#blockers[each]).filter((each) => {
            if (each.level !== space.level || each.area >= this.#areas[index]) return false;
            if (each.space === part.space || (each.space >= 0 && space.isRestricted)) return false;
            this.#positionsLeft -= each.rings.reduce((sum, ring) => sum + ring.length, 0);
            return this.#positionsLeft > 0;
        });
    }

    /** For each triangle inside of a part whether something lies on it. Rings lead out of a part to its openings; there nothing does. */
    covered(part, blockers, triangulation, isInside) {
        const isCovered = isInside.map(() => false);
        for (const { triangles, corners: [a, b, c] } of triangulation.regions(isInside)) {
            const point = roundedPoint({ x: (a.x + b.x + c.x) / 3, y: (a.y + b.y + c.y) / 3 });
            if (!this.#isIn(part, point) || !blockers.some((each) => this.#isIn(each, point))) continue;
            for (const triangle of triangles) isCovered[triangle] = true;
        }
        return isCovered;
    }

    #isIn(polygon, point) {
        if (!intersects(polygon.box, boxOf(point, point)) || this.#comparisonsLeft <= 0) return false;
        this.#comparisonsLeft -= polygon.rings.reduce((sum, ring) => sum + ring.length, 0);
        return contains(polygon, point);
    }
}

/** Blockers without those that lie on an opening, which could not be reached otherwise. */
export function withoutOpenings(blockers, plans) {
    const boxes = plans.map(({ start, end }) => expanded(boxOf(start, end), 2));
    const kept = blockers.filter(({ box }) => !boxes.some((each) => intersects(each, box)));
    return kept.length < blockers.length ? kept : [];
}
