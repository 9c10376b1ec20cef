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
 * Determines once for each feature and number of references that may be followed where its references lead. The time and the memory for all
 * features of a venue are at most in proportion to the number of references, times the maximum number of levels.
 */
export class TouchedLevels {
    #features;
    #references = new Map();
    /** By the number of references that may be followed, and feature: ids of levels, ascending, or null for too many. */
    #reached = Array.from({ length: maximumDepth + 1 }, () => new Map());
    /** Features that touch the same levels share one list, by the numbers of its levels. */
    #lists = new Map();
    #numbers = new Map();
    /** The number of references that were followed. */
    followed = 0;
    /** The length of all lists. */
    kept = 0;

    /** `features` is a map by id. */
    constructor(features) {
        this.#features = features;
    }

    /** The ids of the levels that a feature touches, ascending. */
    of(feature) {
        const isOnLevels = feature.level === null && !typesWithoutLevel.has(feature.type);
        return isOnLevels ? this.#reach(feature, maximumDepth) ?? [] : [];
    }

    #reach(feature, depth) {
        const known = this.#reached[depth].get(feature.id);
        if (known !== undefined) return known;
        const found = this.#union(feature, depth);
        this.#reached[depth].set(feature.id, found);
        return found;
    }

    /** Sets of levels only grow: more than the maximum, of one target already, are too many. */
    #union(feature, depth) {
        const levels = new Set();
        const lists = new Set();
        for (const id of this.#referencesOf(feature)) {
            this.followed += 1;
            const target = this.#features.get(id);
            if (target === undefined) continue;
            const level = target.type === "level" ? id : target.level;
            if (level !== null) {
                levels.add(level);
            } else if (depth > 1 && !typesWithoutLevel.has(target.type)) {
                const list = this.#reach(target, depth - 1);
                if (list === null) return null;
                if (!lists.has(list)) list.forEach((each) => levels.add(each));
                lists.add(list);
            }
            if (levels.size > maximumLevels) return null;
        }
        // A list with as many levels has the same ones, as that of the only reference.
        for (const list of lists) if (list.length === levels.size) return list;
        return this.#listOf(levels);
    }

    #referencesOf(feature) {
        if (!this.#references.has(feature.id)) this.#references.set(feature.id, idsIn(feature.properties));
        return this.#references.get(feature.id);
    }

    #listOf(levels) {
        const list = [...levels].sort();
        const key = list.map((level) => this.#numberOf(level)).join();
        if (!this.#lists.has(key)) {
            this.#lists.set(key, list);
            this.kept += list.length;
        }
        return this.#lists.get(key);
    }

    #numberOf(level) {
        if (!this.#numbers.has(level)) this.#numbers.set(level, this.#numbers.size);
        return this.#numbers.get(level);
    }
}

function idsIn(value) {
    if (typeof value === "string") return isUUID(value.toLowerCase()) ? [value.toLowerCase()] : [];
    if (typeof value !== "object" || value === null) return [];
    return Object.values(value).flatMap(idsIn);
}
