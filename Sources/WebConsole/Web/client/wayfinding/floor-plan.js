// What the triangles of a floor are made of.

import { samePoint } from "./grid.js";

/** The floors of a plan by ordinal: `{ spaces, doorways, solids }`, indices in its lists. */
export function floorsOf(plan) {
    const floors = new Map();
    const add = (list, kind) => {
        for (const [index, { ordinal }] of list.entries()) {
            if (!floors.has(ordinal)) floors.set(ordinal, { spaces: [], doorways: [], solids: [] });
            floors.get(ordinal)[kind].push(index);
        }
    };
    add(plan.spaces, "spaces");
    add(plan.doorways, "doorways");
    add(plan.solids, "solids");
    return floors;
}

/** Whether the triangles of a floor are those of one of another plan. Names and opening hours make no difference. */
export function isSameFloor(floor, plan, other, otherPlan) {
    if (!plan.frame.isSame(otherPlan.frame)) return false;
    const isSameLevel = (one, two) => plan.levels[one.level].id === otherPlan.levels[two.level].id;
    const areSame = (kind, isSame) => floor[kind].length === other[kind].length && floor[kind].every((index, position) => {
        const [one, two] = [plan[kind][index], otherPlan[kind][other[kind][position]]];
        return isSameLevel(one, two) && isSame(one, two);
    });
    return areSame("spaces", (one, two) => one.id === two.id && one.category === two.category && one.isRestricted === two.isRestricted
            && areSamePolygons(one.polygons, two.polygons))
        && areSame("doorways", (one, two) => one.id === two.id && areSameLines(one.lines, two.lines))
        && areSame("solids", (one, two) => areSamePolygons(one.polygons, two.polygons));
}

const areSameLists = (isSame) => (one, two) => one.length === two.length && one.every((each, index) => isSame(each, two[index]));

const areSameLines = areSameLists(areSameLists(samePoint));

const areSamePolygons = areSameLists(areSameLines);
