// Where people leave a venue, and where they enter and leave its units.

import { centerOf } from "./shafts.js";

/** The categories of openings that are exits if they have one side only. */
const exitCategories = ["pedestrian.principal", "emergencyexit"];

/** The indices of the portals of the exits, one for each. */
export function exitPortalsOf({ plan, mesh }) {
    const inside = new Set(mesh.portals.filter(({ edges }) => edges.length > 1).map(({ doorway }) => doorway));
    const known = new Set();
    return [...mesh.portals.keys()].filter((index) => {
        const { doorway } = mesh.portals[index];
        if (doorway === null || inside.has(doorway) || known.has(doorway)) return false;
        if (!exitCategories.includes(plan.doorways[doorway].category)) return false;
        known.add(doorway);
        return true;
    });
}

/** Whether an opening, or what joins floors, leads out of a space. */
export function hasPassage({ mesh, shafts }, space) {
    return shafts.isLinked(space) || mesh.portalsOfSpace[space].some((index) => {
        const { doorway, edges } = mesh.portals[index];
        return doorway !== null && edges.length === 2;
    });
}

/** A triangle at the point at which a route enters a space; undefined if there is none. */
export function entranceOf({ plan, mesh }, space) {
    const point = centerOf(plan, mesh, space);
    return point === null ? undefined : mesh.trianglesAt(space, point)[0];
}
