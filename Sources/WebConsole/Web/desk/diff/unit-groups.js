// The colour groups of units, as on the visitor's map.

import { canBeOccupied } from "../../map/categories.js";
import { coloursOf } from "../../map/place-groups.js";

/** Returns a function that gives the group of a unit: that of its occupant, if these features have it, else its own. */
export function groupsOf(features) {
    const anchors = new Map();
    for (const { feature_type: type, id, properties } of features) if (type === "anchor") anchors.set(id, properties?.unit_id);
    const occupants = new Map();
    for (const { feature_type: type, properties } of features) {
        if (type === "occupant") occupants.set(anchors.get(properties?.anchor_id), text(properties?.category));
    }
    return ({ id, properties }) => {
        const category = text(properties?.category);
        return coloursOf(category, canBeOccupied(category) ? occupants.get(id) : undefined);
    };
}

const text = (value) => (typeof value === "string" ? value : undefined);
