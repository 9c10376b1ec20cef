// The floors of a venue. A floor is an ordinal, with the levels of all buildings that have this ordinal.

import { boundsOf, isDrawable } from "../client/map/geometry.js";
import { labelText } from "./labels.js";

/** `[{ordinal, name, title, levels, ids}]`, top floor first. */
export function floorsOf(replica) {
    const floors = new Map();
    for (const level of replica.featuresOf(null)) {
        if (level.type !== "level") continue;
        const ordinal = level.ordinal;
        if (ordinal === null) continue;
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

/** The floor to show first: the ground floor, or the one nearest to it. */
export function initialFloor(floors) {
    return floors.reduce((best, floor) => {
        const distance = Math.abs(floor.ordinal) - Math.abs(best?.ordinal ?? Infinity);
        return distance < 0 || (distance === 0 && floor.ordinal > best.ordinal) ? floor : best;
    }, null);
}

/** The bounding box of a floor: of its levels, or of the venue if they have no geometry. */
export function floorBounds(floor, replica) {
    const bounds = floor?.levels.reduce((bounds, level) => boundsOf(coordinatesOf(level), bounds), null);
    return bounds ?? replica.featuresOf(null).reduce((bounds, each) => boundsOf(coordinatesOf(each), bounds), null);
}

/** The distinct names of several levels, the most frequent first. */
function namesOf(levels, member, replica) {
    const counts = new Map();
    for (const level of levels) {
        const name = labelText(level.properties[member], replica.about.language);
        if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return [...counts.entries()].sort(([, a], [, b]) => b - a).map(([name]) => name);
}

function coordinatesOf(feature) {
    return isDrawable(feature.geometry) ? feature.geometry.coordinates : null;
}
