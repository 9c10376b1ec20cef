// The difference of one level, prepared for drawing: unchanged features, and changes with their positions before and after.

import { kindOf } from "./kinds.js";
import { boundingBox, labelPosition } from "./shapes.js";
import { shiftOf } from "./shift.js";

/**
 * @param changes the changes of one level, with bodies.
 * @param around the features of the level in one of the two revisions.
 * @param outline the level itself, as of `LevelOutlines`; null for none.
 * @param level the id of the level; null for the venue-wide part. With it, a shift of the whole level is found: its features have
 *     `isShifted`, and those that only moved `isFolded` too. Undefined to look for none.
 */
export function scene({ changes, around, outline = null }, level) {
    const locate = locator(changes, around);
    const changedIds = new Set(changes.map((change) => change.id));
    const items = changes.map((change) => ({
        change,
        id: change.id,
        kind: kindOf(change, locate),
        before: change.before,
        after: change.after,
        from: change.before && locate(change.before, "before"),
        at: locate(change.after ?? change.before, change.after ? "after" : "before"),
    }));
    const unchanged = around.filter((feature) => !changedIds.has(feature.id));
    const shift = level === undefined ? null : shiftOf(changes, unchanged.filter((feature) => isOn(feature, level)).length);
    return {
        items: shift ? items.map((item) => (shift.ids.has(item.id) ? shifted(item) : item)) : items,
        unchanged, outline, locate, shift: shift && { ...shift, isVenueWide: level === null },
    };
}

/** Whether a feature has a geometry that a shift of this level would move. */
function isOn({ geometry, properties }, level) {
    const own = properties?.level_id;
    return Boolean(geometry) && (typeof own === "string" ? own.toLowerCase() : null) === level;
}

/** An item of a shifted level: its own change is what is different besides the position. */
function shifted(item) {
    const classes = item.change.classes.filter((name) => name !== "geometry" && name !== "position");
    if (classes.length === 0) return { ...item, isShifted: true, isFolded: true };
    return { ...item, kind: "changed", change: { ...item.change, classes }, isShifted: true };
}

/** Returns a function that finds positions. A feature without geometry, such as an occupant, is at its anchor or unit. */
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
        const own = labelPosition(feature);
        if (own || steps === 0) return own;
        const properties = feature?.properties ?? {};
        for (const reference of [properties.anchor_id, properties.unit_id, ...[properties.unit_ids].flat()]) {
            const other = typeof reference === "string" ? sides[side].get(reference.toLowerCase()) : undefined;
            const position = other && locate(other, side, steps - 1);
            if (position) return position;
        }
        return null;
    };
}

/** The bounding box of the changes, or of everything if no change has a position. Of a shifted level, the new state: the old may be far. */
export function extent(scene, plane) {
    const shapes = boundingBox(
        scene.items.flatMap(({ before, after, isShifted }) => [!isShifted && before?.geometry, after?.geometry]), plane);
    const positions = scene.items.flatMap(({ at, from, isShifted }) => [at, !isShifted && from]).filter(Boolean);
    const points = boundingBox(positions.map((coordinates) => ({ type: "Point", coordinates })), plane);
    return union(shapes, points) ?? boundingBox(scene.unchanged.map((feature) => feature.geometry), plane);
}

/** The bounding box of everything that is drawn. */
export function fullExtent(scene, plane) {
    const { unchanged, outline } = scene;
    return union(extent(scene, plane), boundingBox([...unchanged, outline?.after ?? outline?.before].map((feature) => feature?.geometry), plane));
}

function union(a, b) {
    if (!a || !b) return a ?? b;
    return {
        left: Math.min(a.left, b.left), top: Math.min(a.top, b.top),
        right: Math.max(a.right, b.right), bottom: Math.max(a.bottom, b.bottom),
    };
}

/** The origin for the plane: the median of all positions, which outliers do not affect; null if nothing has a position. */
export function origin(scene) {
    const positions = [...scene.items.map(({ at, from }) => at ?? from), ...scene.unchanged.map(labelPosition)].filter(Boolean);
    if (positions.length === 0) return null;
    const median = (axis) => positions.map((position) => position[axis]).sort((a, b) => a - b)[positions.length >> 1];
    return [median(0), median(1)];
}
