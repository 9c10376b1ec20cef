// The floors of a venue as its picker shows them: ordinals from the top down, with the levels of all buildings on each.

import { boxOf, isDrawable } from "./geometry.js";
import { labelText } from "./labels.js";

/** `[{ordinal, name, title, levels, ids}]`, ordinals descending; gaps and negative ones as they are. */
export function floorsOf(replica) {
    const floors = new Map();
    for (const level of replica.featuresOf(null)) {
        if (level.feature_type !== "level") continue;
        const ordinal = level.properties?.ordinal;
        if (!Number.isInteger(ordinal)) continue;
        if (!floors.has(ordinal)) floors.set(ordinal, []);
        floors.get(ordinal).push(level);
    }
    return [...floors.entries()].sort(([a], [b]) => b - a).map(([ordinal, levels]) => {
        levels.sort((a, b) => (a.id < b.id ? -1 : 1));
        return {
            ordinal, levels,
            ids: new Set(levels.map(({ id }) => id)),
            name: namesOf(levels, "short_name", replica)[0] ?? String(ordinal),
            title: namesOf(levels, "name", replica).slice(0, 2).join(" / ")
                || (namesOf(levels, "short_name", replica)[0] ?? String(ordinal)),
        };
    });
}

/** The floor to begin with: the ground floor, or what is nearest to it. */
export function firstFloor(floors) {
    return floors.reduce((best, floor) => {
        const distance = Math.abs(floor.ordinal) - Math.abs(best?.ordinal ?? Infinity);
        return distance < 0 || (distance === 0 && floor.ordinal > best.ordinal) ? floor : best;
    }, null);
}

/** What a view of a floor shows: its levels, or the venue when they have no shape. */
export function boxOfFloor(floor, replica) {
    const box = floor?.levels.reduce((found, level) => boxOf(shapeOf(level), found), null);
    return box ?? replica.featuresOf(null).reduce((found, each) => boxOf(shapeOf(each), found), null);
}

/** The names of several levels, each once, what most of them are called first. */
function namesOf(levels, member, replica) {
    const counts = new Map();
    for (const level of levels) {
        const name = labelText(level.properties?.[member], replica.about.language);
        if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return [...counts.entries()].sort(([, a], [, b]) => b - a).map(([name]) => name);
}

function shapeOf(feature) {
    return isDrawable(feature.geometry) ? feature.geometry.coordinates : null;
}
