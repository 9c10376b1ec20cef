// The levels that venue-wide features touch, such as a lift on three floors: the levels of the features that they refer to, if those are
// held.

import { isUUID } from "../sync/wire.js";

/** The longest path of references that is followed, such as occupant, anchor, unit. */
const maximumDepth = 3;
/** A feature that leads to more levels belongs to the whole venue, and touches none of them. This bounds the results for hostile data. */
const maximumLevels = 1_000;
/** Types that are on no level, and whose references are not followed. */
const typesWithoutLevel = new Set(["level", "venue", "address", "building", "footprint"]);

/**
 * Determines once for each feature where its references lead, so that the time for all features of a venue is in proportion to the number
 * of references, however many features refer to one that has many. Sets of levels are integers, with a bit for each level.
 */
export class TouchedLevels {
    #features;
    #references = new Map();
    #bits = new Map();
    /** By the number of references that may be followed, and feature. */
    #reached = Array.from({ length: maximumDepth + 1 }, () => new Map());
    /** Features that touch the same levels share one list. */
    #lists = new Map();
    /** The number of references that were followed. */
    followed = 0;

    /** `features` is a map by id. */
    constructor(features) {
        this.#features = features;
    }

    /** The ids of the levels that a feature touches, ascending. */
    of(feature) {
        const isOnLevels = feature.level === null && !typesWithoutLevel.has(feature.type);
        return isOnLevels ? this.#listOf(this.#reach(feature, maximumDepth)) : [];
    }

    #reach(feature, depth) {
        const known = this.#reached[depth].get(feature.id);
        if (known !== undefined) return known;
        let found = 0n;
        for (const id of this.#referencesOf(feature)) {
            this.followed += 1;
            const target = this.#features.get(id);
            if (target === undefined) continue;
            const level = target.type === "level" ? id : target.level;
            if (level !== null) found |= this.#bitOf(level);
            else if (depth > 1 && !typesWithoutLevel.has(target.type)) found |= this.#reach(target, depth - 1);
        }
        this.#reached[depth].set(feature.id, found);
        return found;
    }

    #referencesOf(feature) {
        if (!this.#references.has(feature.id)) this.#references.set(feature.id, idsIn(feature.properties));
        return this.#references.get(feature.id);
    }

    #bitOf(level) {
        if (!this.#bits.has(level)) this.#bits.set(level, 1n << BigInt(this.#bits.size));
        return this.#bits.get(level);
    }

    #listOf(found) {
        // Maps compute the hash of an integer only from its lowest bits.
        const key = found.toString(32);
        if (!this.#lists.has(key)) {
            const levels = [...this.#bits.keys()];
            const digits = found.toString(2);
            const list = [];
            for (let index = digits.indexOf("1"); index >= 0 && list.length <= maximumLevels; index = digits.indexOf("1", index + 1)) {
                list.push(levels[digits.length - 1 - index]);
            }
            this.#lists.set(key, list.length > maximumLevels ? [] : list.sort());
        }
        return this.#lists.get(key);
    }
}

function idsIn(value) {
    if (typeof value === "string") return isUUID(value.toLowerCase()) ? [value.toLowerCase()] : [];
    if (typeof value !== "object" || value === null) return [];
    return Object.values(value).flatMap(idsIn);
}
