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

/** Whether an opening leads out of a space, or what joins floors, if it is entered from elsewhere on the floor of the space. */
export function hasPassage({ plan, mesh, shafts }, space) {
    const hasOpening = (each) => mesh.portalsOfSpace[each].some((index) => {
        const { doorway, edges } = mesh.portals[index];
        return doorway !== null && edges.length === 2;
    });
    if (hasOpening(space)) return true;
    const { kind, ordinal } = plan.spaces[space];
    return shafts.shaftsOf(space).some(({ mode, first, end }) => mode !== kind || shafts.stops.slice(first, end)
        .filter((stop) => stop.ordinal === ordinal).flatMap(({ triangles }) => triangles.map((triangle) => mesh.spaceOfTriangle[triangle]))
        .some((each) => each !== space && (plan.spaces[each].kind !== mode || hasOpening(each))));
}

/** A triangle at the point at which a route enters a space; undefined if there is none. */
export function entranceOf({ plan, mesh }, space) {
    const point = centerOf(plan, mesh, space);
    return point === null ? undefined : mesh.trianglesAt(space, point)[0];
}
