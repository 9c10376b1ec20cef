// The floors of a venue as its picker shows them: ordinals from the top down, with the levels of all buildings on each.

import { boxOf } from "./geometry.js";
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
            name: joined(levels, "short_name", replica) ?? String(ordinal),
            title: joined(levels, "name", replica) ?? joined(levels, "short_name", replica) ?? String(ordinal),
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
    const box = floor?.levels.reduce((found, level) => boxOf(level.geometry?.coordinates, found), null);
    return box ?? replica.featuresOf(null).reduce((found, each) => boxOf(each.geometry?.coordinates, found), null);
}

/** The names of several levels, each once; at most two, so that a picker stays one. */
function joined(levels, member, replica) {
    const names = levels.map((level) => labelText(level.properties?.[member], replica.about.language)).filter(Boolean);
    const own = [...new Set(names)];
    return own.length > 0 ? own.slice(0, 2).join(" / ") : undefined;
}
