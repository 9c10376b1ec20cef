// Shops and named amenities by which people find their way.

import { BoxTree, boxAround, boxOf, clamp, distance, expanded, roundedPoint } from "./grid.js";
import { middleOf } from "./shafts.js";
import { idOf, idsOf, namedLabel } from "./space-plan.js";

/** The greatest distance of a landmark that is passed, and of one that is named beside a lift, in millimetres. */
const passingDistance = 6_000;
const besideDistance = 12_000;
/** Landmarks this close to either end of a leg, in millimetres, are not passed. */
const margin = 2_000;

/** Units in which a shop is seen where it stands. Others that have one only are its rooms, and seen by their doors. */
const openCategories = [
    "concourse", "fieldofplay", "footbridge", "lobby", "parking", "platform", "recreation", "road", "terrace", "unenclosedarea", "vegetation",
    "waitingroom", "walkway", "walkway.island",
];
const verticalCategories = ["elevator", "escalator", "stairs", "ramp", "movingwalkway"];

export const lengthOf = (line) => {
    let length = 0;
    for (let index = 1; index < line.length; index += 1) length += distance(line[index - 1], line[index]);
    return length;
};

export class Landmarks {
    #landmarks = [];
    #tree;
    #occupantOfSpace = new Map();

    /** `features` are sorted by id. */
    constructor(features, plan, mesh, indexOfSpace, byId) {
        const located = features.map((feature) => locationOf(feature, plan, indexOfSpace, byId)).filter((each) => each !== null);
        const counts = new Map();
        for (const { space, isOccupant } of located) if (isOccupant) counts.set(space, (counts.get(space) ?? 0) + 1);
        for (const { id, label, space, point, isOccupant } of located) {
            if (label === null) continue;
            const { category, ordinal } = plan.spaces[space];
            const hasRooms = isOccupant && counts.get(space) === 1 && !openCategories.includes(category);
            const entrances = hasRooms ? entrancesOf(space, plan, mesh) : [];
            for (const each of entrances.length > 0 ? entrances : [{ point, outside: null }]) {
                if (each.point === null) continue;
                if (isOccupant && !this.#occupantOfSpace.has(space)) this.#occupantOfSpace.set(space, this.#landmarks.length);
                this.#landmarks.push({ ...each, id, label, space, ordinal, isOccupant });
            }
        }
        this.#tree = new BoxTree(this.#landmarks.map(({ point }) => boxOf(point, point)));
    }

    occupant(space) {
        return this.#landmarks[this.#occupantOfSpace.get(space)];
    }

    /** A landmark is an entrance from a space on a path, or in one of those `near` it, and not in one at its `ends`, unless it is an amenity. */
    #isUseful(landmark, ordinal, { near, passed, ends }) {
        const isSeen = landmark.outside === null ? near.has(landmark.space) : passed.has(landmark.outside);
        return landmark.ordinal === ordinal && isSeen && !(landmark.isOccupant && ends.has(landmark.space));
    }

    /** `spaces` are those of `spacesOf`. Undefined if there is none. */
    nearest(point, ordinal, spaces) {
        let best = { distance: Infinity };
        for (const index of this.#tree.indices(expanded(boxOf(point, point), besideDistance))) {
            const landmark = this.#landmarks[index];
            if (!this.#isUseful(landmark, ordinal, spaces)) continue;
            const length = distance(landmark.point, point);
            if (length <= besideDistance && length < best.distance) best = { distance: length, landmark };
        }
        return best.landmark;
    }

    /** The two landmarks that are nearest to a line, in the order in which they are passed. */
    along(line, ordinal, spaces) {
        const length = lengthOf(line);
        if (!(length > 15_000)) return [];
        const passed = [];
        for (const index of this.#tree.indices(expanded(boxAround(line.map(roundedPoint)), passingDistance))) {
            const landmark = this.#landmarks[index];
            if (!this.#isUseful(landmark, ordinal, spaces)) continue;
            const best = nearestOnLine(landmark.point, line);
            if (best.distance <= passingDistance && best.position >= margin && best.position <= length - margin) passed.push({ ...best, index });
        }
        const known = new Set();
        const isNew = ({ index }) => {
            const { id } = this.#landmarks[index];
            return !known.has(id) && known.add(id);
        };
        return passed.sort((one, other) => one.distance - other.distance || one.index - other.index).filter(isNew).slice(0, 2)
            .sort((one, other) => one.position - other.position || one.index - other.index)
            .map(({ index }) => this.#landmarks[index]);
    }
}

/**
 * The spaces at the `ends` of a path, those that are `passed`, in which it is, and those `near` it: these, and which one opening joins with them.
 * What is behind a wall is not seen.
 */
export function spacesOf({ mesh, shafts }, steps, from, to) {
    const spaceOf = (edge) => mesh.spaceOfTriangle[Math.floor(edge / 3)];
    const ends = new Set([...from.spaces, ...to.spaces]);
    const passed = new Set(ends);
    for (const { space, departure, arrival } of steps) {
        if (space !== undefined) passed.add(space);
        const stops = departure === undefined ? [] : [shafts.stops[departure], shafts.stops[arrival]];
        for (const { triangles } of stops) for (const triangle of triangles) passed.add(mesh.spaceOfTriangle[triangle]);
    }
    const near = new Set(passed);
    for (const space of passed) for (const portal of mesh.portalsOfSpace[space]) for (const edge of mesh.portals[portal].edges) near.add(spaceOf(edge));
    return { ends, passed, near };
}

/** Where an occupant has its anchor, or an amenity is: `{ id, label, space, point, isOccupant }`; null for what is no landmark. */
function locationOf({ id, type, properties, geometry }, plan, indexOfSpace, byId) {
    const isOccupant = type === "occupant";
    if (!isOccupant && (type !== "amenity" || verticalCategories.includes(properties.category))) return null;
    const anchor = isOccupant ? byId.get(idOf(properties.anchor_id)) : undefined;
    if (isOccupant && anchor?.type !== "anchor") return null;
    const units = isOccupant ? [idOf(anchor.properties.unit_id)] : idsOf(properties.unit_ids);
    const space = units.map((unit) => indexOfSpace.get(unit)).find((each) => each !== undefined);
    const point = plan.point(isOccupant ? anchor.geometry : geometry);
    return space === undefined ? null : { id, label: namedLabel(properties.name), space, point, isOccupant };
}

/** The doors by which visitors enter a space, each with the space outside of it. */
function entrancesOf(space, plan, mesh) {
    const isEntrance = ({ doorway }) => doorway !== null && plan.doorways[doorway].category !== "emergencyexit";
    const outsideOf = ({ edges }) => edges.map((edge) => mesh.spaceOfTriangle[Math.floor(edge / 3)]).find((each) => each !== space);
    return mesh.portalsOfSpace[space].map((each) => mesh.portals[each]).filter(isEntrance)
        .map((portal) => ({ point: middleOf(portal), outside: outsideOf(portal) })).filter(({ outside }) => outside !== undefined);
}

function nearestOnLine(point, line) {
    let best = { distance: Infinity, position: 0 };
    let start = 0;
    for (let index = 1; index < line.length; index += 1) {
        const [one, other] = [line[index - 1], line[index]];
        const [dx, dy] = [other.x - one.x, other.y - one.y];
        const square = dx * dx + dy * dy;
        const share = square > 0 ? clamp(((point.x - one.x) * dx + (point.y - one.y) * dy) / square) : 0;
        const foot = { x: one.x + dx * share, y: one.y + dy * share };
        const length = distance(foot, point);
        if (length < best.distance) best = { distance: length, position: start + distance(one, foot) };
        start += distance(one, other);
    }
    return best;
}
