// The directions in which portals are passed, by relationships of the category `traversal` between units of a level.

import { idOf } from "./space-plan.js";

const categories = ["traversal", "traversal.path", "movingwalkway"];
/** The greatest number of features of a relationship that are read. */
const referenceLimit = 256;

/** From the space of the first half-edge of a portal to that of the second one, or back, as bits. */
export const forward = 1;
export const backward = 2;
const both = 3;

/** The directions of each portal. `features` are sorted by id. */
export function directionsOf(features, plan, mesh) {
    const relationships = features.filter(({ type, properties }) => type === "relationship" && categories.includes(properties.category));
    if (!relationships.some(({ properties }) => properties.direction === "directed")) return new Array(mesh.portals.length).fill(both);
    const groups = new PortalGroups(plan, mesh);
    const spaces = new Map(plan.spaces.map(({ id }, index) => [id, index]));
    for (const { properties } of relationships) {
        const isDirected = properties.direction === "directed";
        const intermediary = Array.isArray(properties.intermediary) ? properties.intermediary.slice(0, referenceLimit) : [];
        const ids = [properties.origin, ...intermediary, properties.destination].map((each) => idOf(each?.id)).filter((each) => each !== null);
        for (const [index, id] of ids.entries()) {
            const [space, next] = [spaces.get(id), spaces.get(ids[index + 1])];
            if (space === undefined) groups.state(id, index > 0 ? spaces.get(ids[index - 1]) : undefined, next, isDirected);
            // Without an opening between two units, the one that joins them, if there is only one.
            else if (next !== undefined) groups.state(null, space, next, isDirected);
        }
    }
    return groups.stated.map((each) => (each === 0 ? both : each));
}

/** Portals by the units that they join, so that a relationship costs a look at each of its features, however many portals there are. */
class PortalGroups {
    /** `{doorway, isOfOneDoorway, portals, statements}` by opening and units, of which the second one may be left out. */
    #groups = new Map();

    constructor(plan, mesh) {
        /** For each portal; 0 if nothing was stated. */
        this.stated = new Array(mesh.portals.length).fill(0);
        for (const [index, { doorway, edges }] of mesh.portals.entries()) {
            if (doorway === null || edges.length < 2) continue;
            const [first, second] = edges.map((edge) => mesh.spaceOfTriangle[Math.floor(edge / 3)]);
            if (first === second) continue;
            const { id } = plan.doorways[doorway];
            for (const key of [keyOf(null, first, second), keyOf(id, first, second), keyOf(id, first), keyOf(id, second)]) {
                let group = this.#groups.get(key);
                if (group === undefined) this.#groups.set(key, group = { doorway, isOfOneDoorway: true, portals: [], statements: 0 });
                group.portals.push({ index, first });
                if (group.doorway !== doorway) group.isOfOneDoorway = false;
            }
        }
    }

    /** States that an opening, or the only one between two units, leads from one space to another; one of them may be unknown. */
    state(opening, origin, destination, isDirected) {
        const end = origin ?? destination;
        if (end === undefined) return;
        const other = origin === undefined ? undefined : destination;
        const group = this.#groups.get(keyOf(opening, end, other));
        if (group === undefined || (opening === null && !group.isOfOneDoorway)) return;
        const isForward = other === undefined ? origin !== undefined : origin < destination;
        // What was stated about all of them is not stated again.
        const statement = isDirected ? (isForward ? 1 : 2) : 4;
        if ((group.statements & statement) !== 0) return;
        group.statements |= statement;
        for (const { index, first } of group.portals) {
            const leadsForward = origin === undefined ? destination !== first : origin === first;
            this.stated[index] |= isDirected ? (leadsForward ? forward : backward) : both;
        }
    }
}

function keyOf(opening, first, second) {
    return second === undefined ? `${opening}:${first}` : `${opening}:${Math.min(first, second)}-${Math.max(first, second)}`;
}
