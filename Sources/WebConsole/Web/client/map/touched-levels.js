// The levels that venue-wide features touch, such as a lift on three floors: the levels of the features that they refer to, if those are
// held.

import { isUUID } from "../sync/wire.js";

/** The longest path of references that is followed, such as occupant, anchor, unit. */
const maximumDepth = 3;
/** The number of references that are followed from one feature, which bounds the time for hostile data. */
const maximumReferences = 10_000;
/** Types that are on no level, and whose references are not followed. */
const typesWithoutLevel = new Set(["level", "venue", "address", "building", "footprint"]);

/** The ids of the touched levels, ascending. `features` is a map by id, `references` keeps what was read of features. */
export function touchedLevels(feature, features, references) {
    if (typesWithoutLevel.has(feature.type)) return [];
    const found = new Set();
    const seen = new Set([feature.id]);
    let followed = 0;
    for (let layer = [feature], depth = 0; depth < maximumDepth && layer.length > 0; depth += 1) {
        const next = [];
        for (const id of layer.flatMap((each) => referencesOf(each, references))) {
            followed += 1;
            if (followed > maximumReferences) return [...found].sort();
            const target = features.get(id);
            if (!target || seen.has(id)) continue;
            seen.add(id);
            if (target.type === "level") found.add(id);
            else if (target.level !== null) found.add(target.level);
            else if (!typesWithoutLevel.has(target.type)) next.push(target);
        }
        layer = next;
    }
    return [...found].sort();
}

function referencesOf(feature, references) {
    if (!references.has(feature.id)) references.set(feature.id, idsIn(feature.properties));
    return references.get(feature.id);
}

function idsIn(value) {
    if (typeof value === "string") return isUUID(value.toLowerCase()) ? [value.toLowerCase()] : [];
    if (typeof value !== "object" || value === null) return [];
    return Object.values(value).flatMap(idsIn);
}
