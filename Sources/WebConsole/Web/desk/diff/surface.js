// Draws the floor of a difference as the visitor's map does: what both states have once, and what differs in a group for each state.

import { canBeOccupied } from "../../map/categories.js";
import { groupsOf } from "./unit-groups.js";
import { isArea, path } from "./shapes.js";
import { svg } from "./svg.js";

/** The feature types of each layer, bottom first. The façade is above the areas and below the doors, as on the visitor's map. */
const layers = [
    { name: "ground", types: ["venue", "footprint", "level"] },
    { name: "areas", types: ["section", "unit", "fixture", "kiosk"] },
    { name: "facade", types: ["level"] },
    { name: "lines", types: ["detail", "opening"] },
];
const sides = ["both", "before", "after"];

export class Surface {
    constructor() {
        this.groups = layers.flatMap(({ name }) => sides.map((side) => ({ name, side, element: svg("g", { class: `diff-surface diff-surface-${side}` }) })));
    }

    get elements() { return this.groups.map(({ element }) => element); }

    /** The groups of one state. */
    of(side) { return this.groups.filter((group) => group.side === side).map(({ element }) => element); }

    draw({ items, unchanged, outline }, plane) {
        const outlines = { before: outline?.before, after: outline?.after };
        const isSameOutline = outlines.before === outlines.after;
        const features = {
            before: [...items.map(({ before }) => before), !isSameOutline && outlines.before].filter(Boolean),
            after: [...items.map(({ after }) => after), !isSameOutline && outlines.after].filter(Boolean),
            both: [...unchanged, isSameOutline && outlines.before].filter(Boolean),
        };
        const groupOf = Object.fromEntries(["before", "after"].map((side) => [side, groupsOf([...features[side], ...unchanged])]));
        // The colour of a unit is that of its occupant, which may be another one although the unit is the same.
        const isRecoloured = (feature) => feature.feature_type === "unit" && canBeOccupied(feature.properties?.category)
            && groupOf.before(feature) !== groupOf.after(feature);
        const recoloured = features.both.filter(isRecoloured);
        if (recoloured.length > 0) features.both = features.both.filter((feature) => !isRecoloured(feature));
        for (const side of ["before", "after"]) features[side] = [...recoloured, ...features[side]];
        const current = new Set(features.after.map(({ id }) => id));
        for (const { name, side, element } of this.groups) {
            const { types } = layers.find((layer) => layer.name === name);
            const groupOn = groupOf[side === "before" ? "before" : "after"];
            const classOf = (feature) => [
                classes(name, feature, groupOn), side === "before" && current.has(feature.id) && "is-replaced"].filter(Boolean).join(" ");
            element.replaceChildren(...types.flatMap((type) => {
                const own = features[side].filter(({ feature_type, geometry }) => feature_type === type && geometry);
                return [...Map.groupBy(own, classOf)].map(([name, list]) =>
                    svg("path", { class: name, d: list.map(({ geometry }) => path(geometry, plane)).join("") }));
            }));
        }
    }
}

/** The classes of css/floor.css for a feature. */
function classes(layer, feature, groupOf) {
    const { feature_type: type, geometry } = feature;
    if (type === "unit" && isArea(geometry)) return `floor-unit floor-${groupOf(feature)}`;
    return layer === "facade" ? "floor-facade" : `floor-${type}`;
}
