// Shops and named amenities by which people find their way.

import { BoxTree, boxAround, boxOf, clamp, distance, expanded, roundedPoint } from "./grid.js";
import { middleOf } from "./shafts.js";
import { idOf, idsOf, namedLabel } from "./space-plan.js";

/** The greatest distance of a landmark that is passed, and of one that is named beside a lift, in millimetres. */
const passingDistance = 6_000;
const besideDistance = 12_000;
/** Landmarks this close to either end of a leg, in millimetres, are not passed. */
const margin = 2_000;

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
        for (const feature of features) {
            const label = namedLabel(feature.properties.name);
            const place = label === null ? null : placeOf(feature, plan, mesh, indexOfSpace, byId);
            if (!place?.point) continue;
            const isOccupant = feature.type === "occupant";
            if (isOccupant && !this.#occupantOfSpace.has(place.space)) this.#occupantOfSpace.set(place.space, this.#landmarks.length);
            this.#landmarks.push({ label, ...place, ordinal: plan.spaces[place.space].ordinal, isOccupant });
        }
        this.#tree = new BoxTree(this.#landmarks.map(({ point }) => boxOf(point, point)));
    }

    occupant(space) {
        return this.#landmarks[this.#occupantOfSpace.get(space)];
    }

    /** A landmark is in one of the spaces `near` a path, and not in one at its `ends`, unless it is an amenity. */
    #isUseful(landmark, ordinal, { near, ends }) {
        return landmark.ordinal === ordinal && near.has(landmark.space) && !(landmark.isOccupant && ends.has(landmark.space));
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
        return passed.sort((one, other) => one.distance - other.distance || one.index - other.index).slice(0, 2)
            .sort((one, other) => one.position - other.position || one.index - other.index)
            .map(({ index }) => this.#landmarks[index]);
    }
}

/** The spaces at the `ends` of a path, and those `near` it: in which it is, or which one opening joins with these. What is behind a wall is not seen. */
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
    return { ends, near };
}

/** The entrance of a shop, the place of an amenity. */
function placeOf(feature, plan, mesh, indexOfSpace, byId) {
    const { type, properties } = feature;
    if (type === "amenity" && !verticalCategories.includes(properties.category)) {
        const space = idsOf(properties.unit_ids).map((id) => indexOfSpace.get(id)).find((each) => each !== undefined);
        return space === undefined ? null : { point: plan.point(feature.geometry), space };
    }
    const anchor = type === "occupant" ? byId.get(idOf(properties.anchor_id)) : undefined;
    const space = anchor?.type === "anchor" ? indexOfSpace.get(idOf(anchor.properties.unit_id)) : undefined;
    if (space === undefined) return null;
    // In a hall with several shops, each is where its anchor is.
    const entrance = plan.spaces[space].category === "walkway"
        ? undefined : mesh.portalsOfSpace[space].map((each) => mesh.portals[each]).find(({ edges }) => edges.length === 2);
    return { point: entrance ? middleOf(entrance) : plan.point(anchor.geometry), space };
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
