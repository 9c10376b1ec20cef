// The floors of a venue. A floor is an ordinal, with the levels of all buildings that have this ordinal.

import { shapeOf } from "../client/map/geometry.js";
import { labelText } from "./labels.js";

/** `[{ordinal, name, names, title, levels, ids}]`, top floor first. */
export function floorsOf(replica) {
    const floors = new Map();
    for (const level of replica.featuresOf(null)) {
        if (level.type !== "level") continue;
        const ordinal = level.ordinal;
        if (ordinal === null) continue;
        if (!floors.has(ordinal)) floors.set(ordinal, []);
        floors.get(ordinal).push(level);
    }
    const sorted = [...floors.entries()].sort(([a], [b]) => b - a).map(([ordinal, levels]) => {
        levels.sort((a, b) => (a.id < b.id ? -1 : 1));
        return {
            ordinal, levels,
            ids: new Set(levels.map(({ id }) => id)),
            names: namesOf(levels, "short_name", replica),
            title: namesOf(levels, "name", replica).slice(0, 2).join(" / ")
                || (namesOf(levels, "short_name", replica)[0] ?? String(ordinal)),
        };
    });
    return withDistinctNames(sorted);
}

/**
 * Adds the `name` for the floor picker. Buildings may number their floors differently, so that two floors have the same most frequent name:
 * then all their names are shown, such as “2 · 3”, and if they are still equal, the ordinal too.
 */
function withDistinctNames(floors) {
    const named = floors.map((floor) => ({ ...floor, name: floor.names[0] ?? String(floor.ordinal) }));
    const isAmbiguous = (floor) => named.filter(({ name }) => name === floor.name).length > 1;
    const ambiguous = named.filter(isAmbiguous);
    for (const floor of ambiguous) if (floor.names.length > 1) floor.name = [...floor.names].sort(compareNumbers).join(" · ");
    for (const floor of named.filter(isAmbiguous)) floor.name += ` (${floor.ordinal})`;
    return named;
}

const compareNumbers = (one, other) => one.localeCompare(other, "en", { numeric: true });

/** The floor to show first: the ground floor, or the one nearest to it. */
export function initialFloor(floors) {
    return floors.reduce((best, floor) => {
        const distance = Math.abs(floor.ordinal) - Math.abs(best?.ordinal ?? Infinity);
        return distance < 0 || (distance === 0 && floor.ordinal > best.ordinal) ? floor : best;
    }, null);
}

/** The outer vertices of a floor: of its levels, or of the venue-wide features if they have no geometry. */
export function floorPositions(floor, replica) {
    const own = (floor?.levels ?? []).flatMap(verticesOf);
    return own.length > 0 ? own : replica.featuresOf(null).flatMap(verticesOf);
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

function verticesOf(feature) {
    const { points, lines, polygons } = shapeOf(feature.geometry);
    return [...points, ...lines.flat(), ...polygons.flatMap(([outer]) => outer)].map((position) => position.slice(0, 2));
}
