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
    const portals = new Map();
    for (const [index, { doorway, edges }] of mesh.portals.entries()) {
        if (doorway === null || edges.length < 2) continue;
        const { id } = plan.doorways[doorway];
        portals.set(id, [...(portals.get(id) ?? []), index]);
    }
    const spaces = new Map(plan.spaces.map(({ id }, index) => [id, index]));
    const stated = new Array(mesh.portals.length).fill(0);
    const endsOf = (portal) => mesh.portals[portal].edges.map((edge) => mesh.spaceOfTriangle[Math.floor(edge / 3)]);
    const state = (portal, origin, destination, isDirected) => {
        const [first, second] = endsOf(portal);
        if (first === second || (origin === undefined && destination === undefined)) return;
        const leads = (from, to) => (origin ?? from) === from && (destination ?? to) === to;
        const direction = leads(first, second) ? forward : leads(second, first) ? backward : 0;
        if (direction !== 0) stated[portal] |= isDirected ? direction : both;
    };
    for (const { properties } of relationships) {
        const isDirected = properties.direction === "directed";
        const intermediary = Array.isArray(properties.intermediary) ? properties.intermediary.slice(0, referenceLimit) : [];
        const ids = [properties.origin, ...intermediary, properties.destination].map((each) => idOf(each?.id)).filter((each) => each !== null);
        for (const [index, id] of ids.entries()) {
            const [space, next] = [spaces.get(id), spaces.get(ids[index + 1])];
            if (space !== undefined && next !== undefined) {
                // Without an opening between two units, the one that joins them, if there is only one.
                const joining = mesh.portalsOfSpace[space].filter((portal) => {
                    const { doorway, edges } = mesh.portals[portal];
                    return doorway !== null && edges.length === 2 && endsOf(portal).includes(next);
                });
                if (new Set(joining.map((portal) => mesh.portals[portal].doorway)).size !== 1) continue;
                for (const portal of joining) state(portal, space, next, isDirected);
            }
            for (const portal of portals.get(id) ?? []) state(portal, index > 0 ? spaces.get(ids[index - 1]) : undefined, next, isDirected);
        }
    }
    return stated.map((each) => (each === 0 ? both : each));
}
