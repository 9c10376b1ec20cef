// Finds what openings join.

import { BoxTree, boxOf, clamp, distance, expanded, intersects, minus, orientation, roundedPoint, samePoint } from "./grid.js";

/** The greatest distance of an opening from a wall, in millimetres. */
const tolerance = 300;
/** The least width of a passage, in millimetres, unless the opening itself is narrower. */
const leastWidth = 100;
/** The greatest number of walls that are compared with a segment of an opening. */
const wallLimit = 512;
/** Stretches of an opening up to this distance from each other are one, in millimetres. */
const gapLimit = 2;

/** Whether a point is within an odd number of rings of a part; points on a ring may be either. */
export function contains(part, point) {
    const { box } = part;
    if (point.x < box.left || point.x > box.right || point.y < box.bottom || point.y > box.top) return false;
    let isInside = false;
    for (const ring of part.rings) {
        let start = ring[ring.length - 1];
        for (const end of ring) {
            if (start.y > point.y !== end.y > point.y && orientation(start, end, point) > 0 === end.y > start.y) isInside = !isInside;
            start = end;
        }
    }
    return isInside;
}

/** Whether a point is on a ring of a part. */
function isOnRing(part, point) {
    return part.rings.some((ring) => ring.some((end, index) => {
        const start = ring[index > 0 ? index - 1 : ring.length - 1];
        return orientation(start, end, point) === 0 && intersects(boxOf(start, end), boxOf(point, point));
    }));
}

/** Twice the area, in square millimetres. */
export function doubleArea(part) {
    let area = 0;
    for (const [index, ring] of part.rings.entries()) {
        let sum = 0;
        for (let position = 1; position < ring.length - 1; position += 1) sum += orientation(ring[0], ring[position], ring[position + 1]);
        area += index === 0 ? Math.abs(sum) : -Math.abs(sum);
    }
    return area;
}

const ascending = (one, other) => one - other;
const byEnds = (one, other) => one[0] - other[0] || one[1] - other[1];

/**
 * `plans` are stretches of openings with what is on their left and right: `{ wall }` for a wall that ends at the opening, `{ part }` for a
 * part inside of which it lies, by their indices, or null.
 */
export class PortalPlanner {
    walls = [];
    plans = [];
    #wallTree;
    #partTree;
    /** Stretches of walls that belong to portals, as distances from the start of the wall. */
    #occupied = new Map();
    /** What is left of the limits. */
    #pairsLeft;
    #comparisonsLeft;
    #positionsOfPart;
    /** The stretches of an opening one after the other that join the same spaces: `{ spaces, start, end, plans }`. */
    #run = null;

    constructor(parts, { wallPairs, openingComparisons }) {
        this.parts = parts;
        this.#pairsLeft = wallPairs;
        this.#comparisonsLeft = openingComparisons;
        for (const [index, part] of parts.entries()) {
            for (const ring of part.rings) {
                for (const [position, start] of ring.entries()) {
                    this.walls.push({ part: index, start, end: ring[(position + 1) % ring.length] });
                }
            }
        }
        this.#positionsOfPart = parts.map(({ rings }) => rings.reduce((sum, ring) => sum + ring.length, 0));
        this.#wallTree = new BoxTree(this.walls.map(({ start, end }) => boxOf(start, end)));
        this.#partTree = new BoxTree(parts.map(({ box }) => box));
    }

    /** Whether a limit was reached, so that what is planned may be incomplete. */
    get isExhausted() {
        return this.#pairsLeft <= 0 || this.#comparisonsLeft <= 0;
    }

    // MARK: - Parts of a unit

    /** Joins parts of a unit that have a common wall, as those of a unit that was cut at the antimeridian. */
    joinParts() {
        const counts = new Map();
        for (const { space } of this.parts) counts.set(space, (counts.get(space) ?? 0) + 1);
        for (const [index, wall] of this.walls.entries()) {
            if (counts.get(this.parts[wall.part].space) <= 1) continue;
            if (this.#pairsLeft <= 0) return;
            const others = this.#wallTree.indices(boxOf(wall.start, wall.end), this.#pairsLeft);
            this.#pairsLeft -= others.length;
            for (const other of others) {
                if (other > index) this.#join(index, wall, other, this.walls[other]);
            }
        }
    }

    #join(index, wall, other, twin) {
        if (twin.part === wall.part || this.parts[twin.part].space !== this.parts[wall.part].space) return;
        if (orientation(wall.start, wall.end, twin.start) !== 0 || orientation(wall.start, wall.end, twin.end) !== 0) return;
        const [left, right] = [this.#isInsideLeft(wall), this.#isInsideLeft(twin)];
        if (left === null || right === null) return;
        const direction = minus(wall.end, wall.start);
        const isOpposite = direction.x * (twin.end.x - twin.start.x) + direction.y * (twin.end.y - twin.start.y) < 0;
        // The insides have to be on different sides.
        if ((left === right) !== isOpposite) return;
        const ends = [wall.start, wall.end, twin.start, twin.end].sort((one, two) => one.x - two.x || one.y - two.y);
        const [low, high] = [ends[1], ends[2]];
        const common = boxOf(low, high);
        if (samePoint(low, high) || !intersects(common, boxOf(wall.start, wall.end)) || !intersects(boxOf(twin.start, twin.end), boxOf(wall.start, wall.end))) return;
        const isForward = (high.x - low.x) * direction.x + (high.y - low.y) * direction.y > 0;
        const [start, end] = isForward === left ? [low, high] : [high, low];
        const stretches = [wall, twin].map((each) => [distance(each.start, low), distance(each.start, high)].sort(ascending));
        if (!this.#isFree(index, stretches[0]) || !this.#isFree(other, stretches[1])) return;
        this.#occupy(index, stretches[0]);
        this.#occupy(other, stretches[1]);
        this.plans.push({ doorway: null, start, end, width: distance(start, end), left: { wall: index }, right: { wall: other } });
    }

    #isFree(wall, [from, to]) {
        const occupied = this.#occupied.get(wall) ?? [];
        this.#pairsLeft -= occupied.length;
        return occupied.every(([first, last]) => to <= first || last <= from);
    }

    #occupy(wall, stretch) {
        if (!this.#occupied.has(wall)) this.#occupied.set(wall, []);
        this.#occupied.get(wall).push(stretch);
    }

    /** Whether the inside of the part is on the left of a wall; null if it is on both sides, or on none. */
    #isInsideLeft(wall, share = 0.5) {
        const [x, y] = [wall.end.x - wall.start.x, wall.end.y - wall.start.y];
        const length = Math.sqrt(x * x + y * y);
        const middle = { x: wall.start.x + x * share, y: wall.start.y + y * share };
        const [offsetX, offsetY] = [(5 * y) / length, (5 * x) / length];
        const left = this.#isIn(wall.part, roundedPoint({ x: middle.x - offsetX, y: middle.y + offsetY }));
        const right = this.#isIn(wall.part, roundedPoint({ x: middle.x + offsetX, y: middle.y - offsetY }));
        return left === right ? null : left;
    }

    #isIn(part, point) {
        this.#comparisonsLeft -= this.#positionsOfPart[part];
        return this.#comparisonsLeft > 0 && contains(this.parts[part], point);
    }

    // MARK: - Openings

    add(doorway, level, line) {
        for (let index = 1; index < line.length; index += 1) {
            if (!samePoint(line[index - 1], line[index])) this.#addSegment(doorway, level, line[index - 1], line[index]);
        }
        this.#finishRun();
    }

    /** Adds a stretch to those before it; the plan is null if it is too narrow for a portal of its own. */
    #extendRun(spaces, start, end, plan) {
        const { spaces: others, end: last } = this.#run ?? {};
        if (others?.[0] !== spaces[0] || others[1] !== spaces[1] || distance(last, start) > gapLimit) {
            this.#finishRun();
            this.#run = { spaces, start, end, plans: [] };
        }
        this.#run.end = end;
        if (plan !== null) this.#run.plans.push(plan);
    }

    /** Walls end within openings; portals are as wide as all stretches together. */
    #finishRun() {
        const { start, end, plans } = this.#run ?? { plans: [] };
        for (const plan of plans) plan.width = Math.max(plan.width, distance(start, end));
        this.#run = null;
    }

    #addSegment(doorway, level, start, end) {
        const length = distance(start, end);
        const least = Math.min(leastWidth, length / 2);
        const candidates = this.#candidates(level, start, end, length, least);
        this.#comparisonsLeft -= candidates.length * candidates.length;
        const all = candidates.flatMap(({ from, to }) => [from, to]).sort(ascending);
        const stops = all.filter((each, index) => index === 0 || each > all[index - 1]);
        const stretches = [];
        for (let index = 1; index < stops.length; index += 1) {
            const [from, to] = [stops[index - 1], stops[index]];
            let left = candidates.findIndex((each) => each.isLeft && each.from <= from && each.to >= to);
            let right = candidates.findIndex((each) => !each.isLeft && each.from <= from && each.to >= to);
            if (this.#areOpposite(candidates[left], candidates[right])) [left, right] = left < right ? [left, -1] : [-1, right];
            const last = stretches[stretches.length - 1];
            if (last && last.to === from && last.left === left && last.right === right) last.to = to;
            else stretches.push({ from, to, left, right });
        }
        for (const stretch of stretches) {
            const sides = [stretch.left, stretch.right].filter((each) => each >= 0).map((each) => candidates[each]);
            // An opening can lead to another level of the same ordinal, such as that of the next building, but only from its own.
            if (!sides.some(({ isOwn }) => isOwn)) continue;
            const free = this.#freeStretch(stretch.from, stretch.to, sides);
            const at = (offset) => ({ x: start.x + (end.x - start.x) * (offset / length), y: start.y + (end.y - start.y) * (offset / length) });
            const spaceOf = (index) => (index >= 0 ? this.parts[this.walls[candidates[index].wall].part].space : -1);
            if (free === null || free[1] - free[0] < least) {
                const isFree = free !== null && free[0] === stretch.from && free[1] === stretch.to;
                if (isFree && sides.length === 2) this.#extendRun([spaceOf(stretch.left), spaceOf(stretch.right)], at(free[0]), at(free[1]), null);
                continue;
            }
            const [from, to] = free;
            const first = between(start, end, from / length);
            const last = between(start, end, to / length);
            if (samePoint(first, last)) continue;
            for (const side of sides) {
                const wall = this.walls[side.wall];
                const scale = distance(wall.start, wall.end) / (side.wallEnd - side.wallStart);
                this.#occupy(side.wall, [(from - side.wallStart) * scale, (to - side.wallStart) * scale].sort(ascending));
            }
            const sideOf = (index) => (index >= 0 ? { wall: candidates[index].wall } : null);
            const plan = { doorway, start: first, end: last, width: to - from, left: sideOf(stretch.left), right: sideOf(stretch.right) };
            this.#fillSide(plan, level, start, end, length);
            this.plans.push(plan);
            const behind = (side, index) => (side?.part !== undefined ? this.parts[side.part].space : spaceOf(index));
            this.#extendRun([behind(plan.left, stretch.left), behind(plan.right, stretch.right)], at(from), at(to), plan);
        }
    }

    /** Whether two walls are those of a narrow unit with the inside between them: nothing leads from it into itself. */
    #areOpposite(left, right) {
        if (left === undefined || right === undefined) return false;
        return this.walls[left.wall].part === this.walls[right.wall].part && left.offset < right.offset;
    }

    /**
     * The walls along an opening: the stretch of it, as distances from its start, and the distances from which the ends of the wall are the nearest
     * points of its line. The wall is led to the opening from the nearest points.
     */
    #candidates(level, start, end, length, least) {
        const [dx, dy] = [(end.x - start.x) / length, (end.y - start.y) / length];
        const found = [];
        const near = this.#comparisonsLeft > 0 ? this.#wallTree.indices(expanded(boxOf(start, end), tolerance + 1)) : [];
        this.#comparisonsLeft -= near.length;
        for (const index of near) {
            if (found.length >= wallLimit) break;
            const wall = this.walls[index];
            const [ax, ay] = [wall.start.x - start.x, wall.start.y - start.y];
            const [bx, by] = [wall.end.x - start.x, wall.end.y - start.y];
            const [ua, ub] = [ax * dx + ay * dy, bx * dx + by * dy];
            const [va, vb] = [ay * dx - ax * dy, by * dx - bx * dy];
            // Walls at more than 45° to the opening do not contain it.
            if (Math.abs(vb - va) > Math.abs(ub - ua) || ua === ub) continue;
            let from = Math.max(0, Math.min(ua, ub));
            let to = Math.min(length, Math.max(ua, ub));
            // Where the wall is within the tolerance.
            const slope = (vb - va) / (ub - ua);
            if (slope !== 0) {
                const one = ua + (tolerance - va) / slope;
                const other = ua + (-tolerance - va) / slope;
                from = Math.max(from, Math.min(one, other));
                to = Math.min(to, Math.max(one, other));
            } else if (Math.abs(va) > tolerance) {
                continue;
            }
            if (!(to - from >= Math.min(gapLimit, least))) continue;
            const middle = (from + to) / 2;
            const isInsideLeft = this.#isInsideLeft(wall, (middle - ua) / (ub - ua));
            if (isInsideLeft === null) continue;
            const offset = va + slope * (middle - ua);
            const nearest = (x, y) => (x * (bx - ax) + y * (by - ay)) / (ub - ua);
            found.push({
                wall: index, from, to, wallStart: nearest(ax, ay), wallEnd: nearest(bx, by), offset, distance: Math.abs(offset),
                isLeft: isInsideLeft === ub > ua, isOwn: this.parts[wall.part].level === level,
            });
        }
        return found.sort((one, other) => other.isOwn - one.isOwn || one.distance - other.distance || one.wall - other.wall);
    }

    /** The longest stretch that no other portal of the same walls has; null for none. */
    #freeStretch(from, to, sides) {
        const taken = [];
        for (const side of sides) {
            const wall = this.walls[side.wall];
            const scale = (side.wallEnd - side.wallStart) / distance(wall.start, wall.end);
            const occupied = this.#occupied.get(side.wall) ?? [];
            this.#comparisonsLeft -= occupied.length;
            for (const [one, other] of occupied) {
                const [first, second] = [side.wallStart + one * scale, side.wallStart + other * scale];
                const stretch = [Math.min(first, second), Math.max(first, second)];
                if (stretch[0] < to && stretch[1] > from) taken.push(stretch);
            }
        }
        if (taken.length === 0) return [from, to];
        taken.sort(byEnds);
        let best = null;
        let position = from;
        for (const [start, end] of [...taken, [to, to]]) {
            const stop = Math.min(start, to);
            if (stop > position && stop - position > (best ? best[1] - best[0] : 0)) best = [position, stop];
            position = Math.max(position, end);
        }
        return best;
    }

    /** An opening of a unit that is drawn over another one leads into the other one. */
    #fillSide(plan, level, start, end, length) {
        if (plan.left !== null && plan.right !== null) return;
        const { wall } = plan.left ?? plan.right;
        const sign = plan.left === null ? 1 : -1;
        const middle = roundedPoint({
            x: (plan.start.x + plan.end.x) / 2 + (-(end.y - start.y) / length) * 150 * sign,
            y: (plan.start.y + plan.end.y) / 2 + ((end.x - start.x) / length) * 150 * sign,
        });
        const { space } = this.parts[this.walls[wall].part];
        const near = this.#comparisonsLeft > 0 ? this.#partTree.indices(boxOf(middle, middle)) : [];
        this.#comparisonsLeft -= near.length;
        const [holder] = near
            .filter((each) => this.parts[each].space !== space && this.parts[each].level === level && this.#isIn(each, middle))
            .map((part) => ({ part, area: doubleArea(this.parts[part]) }))
            .sort((one, other) => one.area - other.area || one.part - other.part);
        if (holder === undefined) return;
        // The whole stretch has to be inside of it, or from one wall to another.
        const part = this.parts[holder.part];
        if (![plan.start, plan.end].every((each) => contains(part, each) || isOnRing(part, each))) return;
        if (plan.left === null) plan.left = { part: holder.part };
        else plan.right = { part: holder.part };
    }
}

const between = (start, end, share) => roundedPoint({ x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share });

/** The points that lead a wall to a portal beside it, and back. */
export function notch(plan, wall) {
    const direction = minus(wall.end, wall.start);
    const along = (plan.end.x - plan.start.x) * direction.x + (plan.end.y - plan.start.y) * direction.y;
    const [first, last] = along > 0 ? [plan.start, plan.end] : [plan.end, plan.start];
    return [...foot(first, wall), first, last, ...foot(last, wall)];
}

/** The nearest point of a wall, unless it is the point itself except for rounding. */
function foot(point, wall) {
    const direction = minus(wall.end, wall.start);
    const square = direction.x * direction.x + direction.y * direction.y;
    const product = (point.x - wall.start.x) * direction.x + (point.y - wall.start.y) * direction.y;
    const share = clamp(product / square);
    const nearest = roundedPoint({ x: wall.start.x + direction.x * share, y: wall.start.y + direction.y * share });
    return Math.abs(nearest.x - point.x) <= 1 && Math.abs(nearest.y - point.y) <= 1 ? [] : [nearest];
}
