// The triangles of a part of a unit without what lies on it.

import { boxAround, boxOf, expanded, intersects, orientation } from "./grid.js";
import { Triangulation, mark } from "./triangulation.js";

/** The parts of which an opening leads into a part, by the openings inside of it, ascending. */
export function enteredFrom({ plans, parts, walls }, slits) {
    const found = new Set();
    for (const plan of slits) {
        for (const side of [plans[plan].left, plans[plan].right]) {
            if (side?.wall !== undefined) found.add(walls[side.wall].part);
        }
    }
    return [...found].sort((one, other) => one - other);
}

/**
 * The triangles of a part without what lies on it, as far as that closes no opening and rooms divide nothing; null if it is too complex. If rooms
 * do in any case, none of them is cut out.
 */
export function surfaceWithout(blockers, part, outline, plans, all) {
    let chosen = blockers;
    for (let attempt = 1; ; attempt += 1) {
        const surface = surfaceOf(part, outline, plans, all, chosen);
        if (chosen.length === 0 || surface?.lost.length === 0) return surface;
        chosen = surface === null || attempt > 3 ? [] : withoutNear(chosen, surface.lost);
        if (chosen.length === 0) break;
    }
    return surfaceWithout(blockers.some(({ isRoom }) => isRoom) ? blockers.filter(({ isRoom }) => !isRoom) : [], part, outline, plans, all);
}

/**
 * The triangles of a part without what lies on it: `{ triangulation, isInside, ends, lost }`, or null if it is too complex. What is lost are the
 * boxes of what cannot be reached because of that.
 */
function surfaceOf(part, { rings, wanted, slits }, plans, blockers, chosen) {
    const all = [...rings, ...chosen.flatMap((each) => each.rings)];
    const box = boxAround(all.flat());
    const triangulation = new Triangulation(box, all.reduce((sum, ring) => sum + ring.length, 0));
    const indices = all.map((ring) => ring.map((point) => triangulation.add(point)));
    const ends = wanted.map((plan) => [triangulation.add(plans[plan].start), triangulation.add(plans[plan].end)]);
    for (const [number, ring] of indices.entries()) {
        let start = ring[ring.length - 1];
        for (const end of ring) {
            triangulation.addSegment(start, end, number >= rings.length ? mark.slit : number === 0 ? mark.outerRing : mark.innerRing);
            start = end;
        }
    }
    for (const [index, plan] of wanted.entries()) {
        if (slits.has(plan)) triangulation.addSegment(ends[index][0], ends[index][1], mark.slit);
    }
    if (triangulation.isTooComplex) return null;
    const isInside = triangulation.inside();
    if (chosen.length === 0) return { triangulation, isInside, ends, lost: [] };
    const isCovered = blockers.covered(part, chosen, triangulation, isInside);
    const isOpen = isInside.map((each, triangle) => each && !isCovered[triangle]);
    const lost = wanted.filter((plan, index) => {
        const edge = triangulation.edge(ends[index][0], ends[index][1]);
        if (edge < 0) return true;
        return [edge, triangulation.twins[edge]].some((each) => isCovered[Math.floor(each / 3)])
            && !(slits.has(plan) && isOpen[Math.floor((plans[plan].left?.part !== undefined ? edge : triangulation.twins[edge]) / 3)]);
    });
    if (lost.length > 0 || !chosen.some(({ isRoom }) => isRoom)) {
        return { triangulation, isInside: isOpen, ends, lost: lost.map((plan) => expanded(boxOf(plans[plan].start, plans[plan].end), 2)) };
    }
    const entries = new Set(wanted.flatMap((plan, index) => {
        const edge = triangulation.edge(ends[index][0], ends[index][1]);
        const twin = triangulation.twins[edge];
        if (slits.has(plan)) return [plans[plan].left?.part !== undefined ? edge : twin];
        return [edge, twin];
    }).map((edge) => Math.floor(edge / 3)));
    return { triangulation, ends, ...withoutPockets(triangulation, isOpen, entries, chosen) };
}

/** `{ isInside, lost }` if rooms lie on a part: without what they enclose if no opening leads there. Rooms do not part what openings lead into. */
function withoutPockets(triangulation, isOpen, entries, chosen) {
    const pieces = openPieces(triangulation, isOpen, entries);
    const entered = pieces.filter(({ isEntered }) => isEntered);
    const largest = entered.reduce((best, each) => (best === null || each.area > best.area ? each : best), null);
    // Without a piece that is entered, nothing of the part is left.
    const divided = (largest === null ? chosen : entered.filter((each) => each !== largest)).map(({ box }) => expanded(box, 2));
    const lost = divided.filter((each) => chosen.some(({ box, isRoom }) => isRoom && intersects(each, box)));
    const isInside = [...isOpen];
    for (const { triangles, isEntered } of pieces) {
        if (!isEntered) for (const triangle of triangles) isInside[triangle] = false;
    }
    return { isInside, lost };
}

/**
 * Blockers without those that are near boxes which could not be reached otherwise: without the rooms, or if none is near, without everything else.
 * None if nothing is near.
 */
function withoutNear(blockers, boxes) {
    const near = blockers.filter(({ box }) => boxes.some((each) => intersects(each, box)));
    const left = new Set(near.some((each) => each.isRoom) ? near.filter((each) => each.isRoom) : near);
    return left.size > 0 ? blockers.filter((each) => !left.has(each)) : [];
}

/**
 * The pieces of the triangles that are open, `{ triangles, box, area, isEntered }`: what joins without passing others. `entries` are triangles at
 * openings.
 */
function openPieces(triangulation, isOpen, entries) {
    const pieces = [];
    const isDone = isOpen.map((each) => !each);
    for (let start = 0; start < isDone.length; start += 1) {
        if (isDone[start]) continue;
        isDone[start] = true;
        const piece = { triangles: [start], box: null, area: 0, isEntered: false };
        const points = [];
        for (let position = 0; position < piece.triangles.length; position += 1) {
            const triangle = piece.triangles[position];
            const corners = [0, 1, 2].map((offset) => triangulation.points[triangulation.origins[3 * triangle + offset]]);
            points.push(...corners);
            piece.area += orientation(...corners);
            piece.isEntered ||= entries.has(triangle);
            for (let edge = 3 * triangle; edge < 3 * triangle + 3; edge += 1) {
                const other = Math.floor(triangulation.twins[edge] / 3);
                if (other < 0 || isDone[other]) continue;
                isDone[other] = true;
                piece.triangles.push(other);
            }
        }
        piece.box = boxAround(points);
        pieces.push(piece);
    }
    return pieces;
}
