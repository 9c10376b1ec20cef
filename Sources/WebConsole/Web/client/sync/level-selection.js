// The levels that a replica holds.

import { isUUID } from "./wire.js";

/** The name of the venue-wide part alone. */
export const venueWide = "venue";

/** The selection of all levels of the venue. */
export const everything = "everything";

/**
 * A selection is `"everything"` or a sorted list of level names: ids, `ordinal:<n>`, `venue`. Throws a `TypeError` for other values.
 * The list is sorted, so that clients with the same selection use the same address.
 */
export function selectionOf(levels) {
    if (levels === everything) return everything;
    if (typeof levels === "string" || typeof levels?.[Symbol.iterator] !== "function") {
        throw new TypeError('levels is "everything" or a list of names, such as ["ordinal:0"]');
    }
    const names = [...new Set([...levels].map(levelName))].sort();
    return names.length > 0 ? names : [venueWide];
}

export function isSameSelection(one, other) {
    return JSON.stringify(one) === JSON.stringify(other);
}

/** The selection with more levels; null is a selection that was not chosen yet. */
export function adding(selection, levels) {
    const added = selectionOf(levels);
    if (selection === everything || added === everything) return everything;
    return selectionOf([...(selection ?? []), ...added]);
}

/**
 * The selection without some levels. `held` are levels and their ordinals, `[{level, ordinal}]`. A name that stands for several levels
 * is replaced by the remaining ones.
 */
export function dropping(selection, levels, held) {
    const dropped = new Set(selectionOf(levels));
    const isLeft = ({ level, ordinal }) => !dropped.has(level) && !dropped.has(`ordinal:${ordinal}`);
    const left = new Set(held.filter(isLeft).map(({ level }) => level));
    if (selection === everything) return selectionOf(left);
    const names = new Set((selection ?? []).filter((name) => !dropped.has(name)));
    for (const { level, ordinal } of held) {
        if (!left.has(level)) names.delete(level);
        const name = `ordinal:${ordinal}`;
        if (selection?.includes(name) && held.some((other) => other.ordinal === ordinal && !left.has(other.level))) {
            names.delete(name);
            if (left.has(level)) names.add(level);
        }
    }
    return selectionOf(names);
}

function levelName(name) {
    const level = String(name);
    if (level === venueWide || /^ordinal:-?[0-9]{1,10}$/.test(level)) return level;
    if (isUUID(level.toLowerCase())) return level.toLowerCase();
    throw new TypeError(`“${level}” is not a level name; expected an id, ordinal:<n> or venue`);
}
