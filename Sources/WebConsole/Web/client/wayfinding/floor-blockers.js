// What lies on top of the units on which people walk: columns, holes in the floor, stairs, lifts, restricted units, and rooms with a door to them.

import { BoxTree, boxAround, boxOf, intersects, roundedPoint } from "./grid.js";
import { contains, doubleArea } from "./portal-planner.js";

const isWalkedOn = ({ kind }) => kind === "floor" || kind === "ramp";
const liesOnTop = ({ kind, isRestricted }) => isRestricted || !isWalkedOn({ kind });

/** Categories of units that need no walls, also where an opening is drawn. */
const areasWithoutWalls = new Set(["footbridge", "movingwalkway", "platform", "road", "unenclosedarea", "walkway", "walkway.island"]);
const isRoom = (space) => space.kind === "floor" && !liesOnTop(space) && !areasWithoutWalls.has(space.category);

export class FloorBlockers {
    #spaces;
    #parts;
    #outlines;
    #areas;
    /** `{ space, level, rings, box, area, isRoom }`; the space is -1 for what cannot be entered. */
    #blockers = [];
    #tree;
    /** What is left of the limits. */
    #positionsLeft;
    #comparisonsLeft;

    /** `outlines` are the rings of the parts, led to their openings. */
    constructor(spaces, parts, outlines, solids, { blockerPositions, blockerComparisons }) {
        this.#spaces = spaces;
        this.#parts = parts;
        this.#outlines = outlines;
        this.#positionsLeft = blockerPositions;
        this.#comparisonsLeft = blockerComparisons;
        this.#areas = parts.map(doubleArea);
        for (const { level, polygons } of solids) {
            for (const rings of polygons) {
                this.#blockers.push({ space: -1, level, rings, box: boxAround(rings[0]), area: doubleArea({ rings }), isRoom: false });
            }
        }
        for (const [index, { space }] of parts.entries()) {
            if (liesOnTop(spaces[space])) this.#blockers.push(this.#blocker(index, false));
        }
        this.#tree = new BoxTree(this.#blockers.map(({ box }) => box));
    }

    #blocker(index, isRoom) {
        const { space, level } = this.#parts[index];
        const { rings } = this.#outlines[index];
        return { space, level, rings, box: boxAround(rings[0]), area: this.#areas[index], isRoom };
    }

    /** Whether a limit was reached, so that something that lies on top may be missing. */
    get isExhausted() {
        return this.#positionsLeft <= 0 || this.#comparisonsLeft <= 0;
    }

    /** Smaller polygons of the same level that lie on a part. What is larger than the part lies below it. `entered` are parts with an opening into it. */
    on(part, index, entered) {
        const space = this.#spaces[part.space];
        if (!isWalkedOn(space) || this.#positionsLeft <= 0) return [];
        const near = this.#tree.indices(part.box, Math.max(0, this.#comparisonsLeft));
        this.#comparisonsLeft -= near.length;
        const hasWalls = (other) => space.kind === "floor" && isRoom(this.#spaces[this.#parts[other].space]);
        const rooms = entered.filter(hasWalls).map((other) => this.#blocker(other, true));
        return near.map((each) => this.#blockers[each]).concat(rooms).filter((each) => {
            if (each.level !== space.level || each.area >= this.#areas[index]) return false;
            if (each.space === part.space || (each.space >= 0 && space.isRestricted)) return false;
            this.#positionsLeft -= each.rings.reduce((sum, ring) => sum + ring.length, 0);
            return this.#positionsLeft > 0;
        });
    }

    /** For each triangle inside of a part whether something lies on it. Rings lead out of a part to its openings; there nothing does. */
    covered(part, blockers, triangulation, isInside) {
        const isCovered = isInside.map(() => false);
        const tree = new BoxTree(blockers.map(({ box }) => box));
        for (const { triangles, corners: [a, b, c] } of triangulation.regions(isInside)) {
            const point = roundedPoint({ x: (a.x + b.x + c.x) / 3, y: (a.y + b.y + c.y) / 3 });
            if (!this.#isIn(part, point) || !tree.indices(boxOf(point, point)).some((each) => this.#isIn(blockers[each], point))) continue;
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
