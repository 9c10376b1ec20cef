// Openings that join nothing although they should.

import { boxAround, expanded } from "./grid.js";

/** How far an opening that joins nothing may be from a unit that it was meant for, in millimetres. */
const nearby = 1_500;
/** How many units may be near one opening, and near all of them together. */
const [limitOfOne, limitOfAll] = [1_000, 200_000];

/**
 * `{ found, hasMore }`: for each space the openings at it, or near it on its level, that join nothing and are no exits, as indices, and whether there
 * may be more of them. `exits` are the portals of the exits. A generator, as of `finish`.
 */
export function* unjoinedDoorways({ plan, mesh, spaceTree }, exits) {
    const found = plan.spaces.map(() => []);
    const doorwaysOf = (portals) => new Set(portals.map(({ doorway }) => doorway));
    const exitDoorways = doorwaysOf(exits.map((index) => mesh.portals[index]));
    const [placed, joining] = [doorwaysOf(mesh.portals), doorwaysOf(mesh.portals.filter(({ edges }) => edges.length > 1))];
    let [left, hasMore] = [limitOfAll, false];
    for (const [index, { level, lines }] of plan.doorways.entries()) {
        const box = placed.has(index) ? null : boxAround(lines.flat());
        if (box === null) continue;
        const limit = Math.min(left, limitOfOne);
        const near = spaceTree.indices(expanded(box, nearby), limit);
        left -= near.length;
        hasMore ||= near.length === limit;
        for (const space of near) if (plan.spaces[space].level === level) found[space].push(index);
        yield;
    }
    for (const { doorway, edges } of mesh.portals) {
        if (edges.length !== 1 || doorway === null || joining.has(doorway) || exitDoorways.has(doorway)) continue;
        const list = found[mesh.spaceOfTriangle[Math.floor(edges[0] / 3)]];
        if (list[list.length - 1] !== doorway) list.push(doorway);
    }
    return { found, hasMore };
}
