// The directions in which portals are passed, by relationships of the category `traversal` between units of a level.

import { idOf, textOf } from "./space-plan.js";

const categories = ["traversal", "traversal.path", "movingwalkway"];
/** The greatest number of features of a relationship that are read. */
const referenceLimit = 256;

/** From the space of the first half-edge of a portal to that of the second one, or back, as bits. */
export const forward = 1;
export const backward = 2;
const both = 3;

/** Whether a relationship is about doors of a floor, and not about what joins floors. */
export const isTraversal = ({ type, properties }) => type === "relationship" && categories.includes(properties.category);

export class OneWayDoors {
    /** The directions of each portal. */
    directions;
    /** The relationships that state something about a portal, as `{ id, hours }`. */
    relationships = [];
    /** `{ relationships, portals }`: the ids of relationships that state the same, and for each portal `{ index, bits }`. */
    #statements;

    /** `features` are sorted by id. */
    constructor(features, plan, mesh) {
        const relationships = features.filter(isTraversal);
        const groups = new PortalGroups(plan, relationships.length > 0 ? mesh : { portals: [] });
        const spaces = new Map(plan.spaces.map(({ id }, index) => [id, index]));
        for (const relationship of relationships) {
            if (groups.add(relationship, spaces)) this.relationships.push({ id: relationship.id, hours: textOf(relationship.properties.hours) });
        }
        this.#statements = groups.statements;
        this.directions = new Array(mesh.portals.length).fill(0);
        for (const { portals } of this.#statements) for (const { index, bits } of portals) this.directions[index] |= bits;
        this.directions = this.directions.map((each) => (each === 0 ? both : each));
    }

    /** The directions of portals that nothing states any more once relationships are closed, `{ bits, causes }` by portal. */
    closedDirections(closed) {
        const found = new Map();
        if (!this.relationships.some(({ id }) => closed.has(id))) return found;
        const open = new Map();
        for (const { relationships, portals } of this.#statements) {
            if (relationships.every((id) => closed.has(id))) continue;
            for (const { index, bits } of portals) open.set(index, (open.get(index) ?? 0) | bits);
        }
        for (const { relationships, portals } of this.#statements) {
            for (const { index, bits } of portals) {
                const lost = bits & ~(open.get(index) ?? 0);
                if (lost === 0) continue;
                const { bits: former = 0, causes = [] } = found.get(index) ?? {};
                found.set(index, { bits: former | lost, causes: [...new Set([...causes, ...relationships])].sort() });
            }
        }
        return found;
    }
}

/** Portals by the units that they join, so that a relationship costs a look at each of its features, however many portals there are. */
class PortalGroups {
    /** `{ doorway, isOfOneDoorway, portals, statements }` by opening and units, of which the second one may be left out. */
    #groups = new Map();
    statements = [];

    constructor(plan, mesh) {
        for (const [index, { doorway, edges }] of mesh.portals.entries()) {
            if (doorway === null || edges.length < 2) continue;
            const [first, second] = edges.map((edge) => mesh.spaceOfTriangle[Math.floor(edge / 3)]);
            if (first === second) continue;
            const { id } = plan.doorways[doorway];
            for (const key of [keyOf(null, first, second), keyOf(id, first, second), keyOf(id, first), keyOf(id, second)]) {
                let group = this.#groups.get(key);
                if (group === undefined) this.#groups.set(key, group = { doorway, isOfOneDoorway: true, portals: [], statements: [] });
                group.portals.push({ index, first });
                if (group.doorway !== doorway) group.isOfOneDoorway = false;
            }
        }
    }

    /** Reads a relationship; whether it states something. */
    add({ id: relationship, properties }, spaces) {
        const isDirected = properties.direction === "directed";
        const intermediary = Array.isArray(properties.intermediary) ? properties.intermediary.slice(0, referenceLimit) : [];
        const ids = [properties.origin, ...intermediary, properties.destination].map((each) => idOf(each?.id)).filter((each) => each !== null);
        const stated = ids.map((id, index) => {
            const [space, next] = [spaces.get(id), spaces.get(ids[index + 1])];
            if (space === undefined) return this.#state(relationship, id, index > 0 ? spaces.get(ids[index - 1]) : undefined, next, isDirected);
            // Without an opening between two units, the one that joins them, if there is only one.
            return next !== undefined && this.#state(relationship, null, space, next, isDirected);
        });
        return stated.includes(true);
    }

    /** States that an opening, or the only one between two units, leads from one space to another; one of them may be unknown. */
    #state(relationship, opening, origin, destination, isDirected) {
        const end = origin ?? destination;
        if (end === undefined) return false;
        const other = origin === undefined ? undefined : destination;
        const group = this.#groups.get(keyOf(opening, end, other));
        if (group === undefined || (opening === null && !group.isOfOneDoorway)) return false;
        const isForward = other === undefined ? origin !== undefined : origin < destination;
        // What was stated about all of them is not stated again.
        const kind = isDirected ? (isForward ? 0 : 1) : 2;
        if (group.statements[kind] === undefined) {
            const bitsOf = (first) => ((origin === undefined ? destination !== first : origin === first) ? forward : backward);
            const portals = group.portals.map(({ index, first }) => ({ index, bits: isDirected ? bitsOf(first) : both }));
            this.statements.push(group.statements[kind] = { relationships: [], portals });
        }
        const { relationships } = group.statements[kind];
        if (relationships[relationships.length - 1] !== relationship) relationships.push(relationship);
        return true;
    }
}

function keyOf(opening, first, second) {
    return second === undefined ? `${opening}:${first}` : `${opening}:${Math.min(first, second)}-${Math.max(first, second)}`;
}
