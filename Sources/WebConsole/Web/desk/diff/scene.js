// One floor's difference, ready to be drawn: what stayed, what each change was before and is after, and where.

import { kindOf } from "./kinds.js";
import { box, markPosition } from "./shapes.js";

/**
 * @param changes of one floor, with bodies.
 * @param surroundings the floor's features at one of the two revisions.
 */
export function scene(changes, surroundings) {
    const locate = locator(changes, surroundings);
    const touched = new Set(changes.map((change) => change.id));
    const items = changes.map((change) => ({
        change,
        id: change.id,
        kind: kindOf(change, locate),
        before: change.before,
        after: change.after,
        from: change.before && locate(change.before, "before"),
        at: locate(change.after ?? change.before, change.after ? "after" : "before"),
    }));
    return { items, unchanged: surroundings.filter((feature) => !touched.has(feature.id)) };
}

/** Finds the place of features that have no geometry: an occupant is where its anchor is, or where its unit is. */
function locator(changes, surroundings) {
    const sides = { before: new Map(), after: new Map() };
    for (const feature of surroundings) {
        sides.before.set(feature.id, feature);
        sides.after.set(feature.id, feature);
    }
    for (const { id, before, after } of changes) {
        if (before) sides.before.set(id, before); else sides.before.delete(id);
        if (after) sides.after.set(id, after); else sides.after.delete(id);
    }
    return function locate(feature, side, steps = 3) {
        const own = markPosition(feature);
        if (own || steps === 0) return own;
        const properties = feature?.properties ?? {};
        for (const reference of [properties.anchor_id, properties.unit_id, ...[properties.unit_ids].flat()]) {
            const other = typeof reference === "string" ? sides[side].get(reference.toLowerCase()) : undefined;
            const place = other && locate(other, side, steps - 1);
            if (place) return place;
        }
        return null;
    };
}

/** The box around what changed, or around everything when nothing that changed is anywhere. */
export function extent(scene, plane) {
    const changed = box(scene.items.flatMap(({ before, after }) => [before?.geometry, after?.geometry]), plane);
    const marks = scene.items.flatMap(({ at, from }) => [at, from]).filter(Boolean);
    const marked = box(marks.map((coordinates) => ({ type: "Point", coordinates })), plane);
    return join(changed, marked) ?? box(scene.unchanged.map((feature) => feature.geometry), plane);
}

/** The box around everything that is drawn. */
export function whole(scene, plane) {
    return join(extent(scene, plane), box(scene.unchanged.map((feature) => feature.geometry), plane));
}

function join(a, b) {
    if (!a || !b) return a ?? b;
    return {
        left: Math.min(a.left, b.left), top: Math.min(a.top, b.top),
        right: Math.max(a.right, b.right), bottom: Math.max(a.bottom, b.bottom),
    };
}

/** Where most of the scene is, to lay the plane around; null when nothing is anywhere. One stray feature does not move it. */
export function origin(scene) {
    const places = [...scene.items.map(({ at, from }) => at ?? from), ...scene.unchanged.map(markPosition)].filter(Boolean);
    if (places.length === 0) return null;
    const median = (axis) => places.map((place) => place[axis]).sort((a, b) => a - b)[places.length >> 1];
    return [median(0), median(1)];
}
