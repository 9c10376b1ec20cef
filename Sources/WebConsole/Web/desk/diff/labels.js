// The names of places on the map of a difference, before and after.

import { labelText } from "../../map/labels.js";

/** The types with labels, in the order of their importance. */
const types = ["occupant", "kiosk", "amenity", "unit"];
/** Longer names are cut: archives are untrusted, and the list has the whole names. */
const longestText = 40;

/**
 * The labels of a scene, the most important first: `{id, text, at, side, rank, isChanged}`. `side` is `before` or `after`, or `both` if the
 * text and the position are the same in both states.
 */
export function labelsOf({ items, unchanged, locate }) {
    const changed = new Set(items.map(({ id }) => id));
    const [before, after] = ["before", "after"].map((side) =>
        labelsOfSide([...items.map((item) => item[side]).filter(Boolean), ...unchanged], side, locate));
    const labels = [];
    for (const [id, old] of before) {
        const now = after.get(id);
        const isSame = now && now.text === old.text && now.at[0] === old.at[0] && now.at[1] === old.at[1];
        labels.push({ id, ...old, side: isSame ? "both" : "before", isChanged: changed.has(id) });
        if (isSame) after.delete(id);
    }
    for (const [id, now] of after) labels.push({ id, ...now, side: "after", isChanged: changed.has(id) });
    return labels.sort((one, other) => Number(other.isChanged) - Number(one.isChanged) || one.rank - other.rank || (one.id < other.id ? -1 : 1));
}

/** By id, `{text, at, rank}`. A unit with an occupant has no label of its own. */
function labelsOfSide(features, side, locate) {
    const anchors = new Map(features.filter(({ feature_type: type }) => type === "anchor").map(({ id, properties }) => [id, properties?.unit_id]));
    const occupied = new Set(features.filter(({ feature_type: type }) => type === "occupant").map(({ properties }) => anchors.get(properties?.anchor_id)));
    const labels = new Map();
    for (const feature of features) {
        const rank = types.indexOf(feature.feature_type);
        if (rank < 0 || (feature.feature_type === "unit" && occupied.has(feature.id))) continue;
        const text = shortened(labelText(feature.properties?.name));
        const at = text && locate(feature, side);
        if (at) labels.set(feature.id, { text, at, rank });
    }
    return labels;
}

function shortened(text) {
    const characters = [...(text ?? "").slice(0, 2 * longestText + 2)];
    return characters.length > longestText ? `${characters.slice(0, longestText - 1).join("")}…` : text;
}
