// Searches features by their names in all languages and by their categories.

import { foldedText } from "./folded-text.js";

/** How well a text matches, the best first: it is equal, begins with the search text, has words that begin with its words, contains it. */
export const searchMatches = ["exact", "prefix", "wordPrefix", "substring"];

const members = ["name", "alt_name", "short_name"];
/** The order of types; others come last. */
export const standardTypes = [
    "venue", "address", "building", "footprint", "level", "section", "geofence", "unit", "fixture", "kiosk", "opening", "detail", "anchor",
    "occupant", "amenity", "relationship",
];

export class SearchIndex {
    #terms;

    /** Reads the names of all features. */
    constructor(features) {
        this.#terms = [...features].flatMap(termsOf);
    }

    /**
     * The best matches `{feature, text, match}` of the features that `isWanted` accepts. The order is deterministic: by match; then by
     * member (`name`, `alt_name`, `short_name`, category), type, text and id. Each feature is found at most once. An empty text, or only
     * white space, finds every feature that has a name or a category. Takes time in proportion to the number of names.
     */
    search(text, { isWanted = () => true, limit = 50 } = {}) {
        const query = foldedText(text);
        if (limit <= 0 || (query === "" && text.trim() !== "")) return [];
        const words = query.split(" ");
        const found = new Map();
        for (const term of this.#terms) {
            const match = query === "" ? searchMatches.indexOf("prefix") : matchOf(term.folded, query, words);
            if (match < 0) continue;
            const candidate = { ...term, match };
            const best = found.get(term.feature.id);
            if (!best || orderOf(candidate, best) < 0) found.set(term.feature.id, candidate);
        }
        return [...found.values()].filter(({ feature }) => isWanted(feature)).sort(orderOf).slice(0, limit)
            .map((candidate) => ({ feature: candidate.feature, text: candidate.text, match: searchMatches[candidate.match] }));
    }
}

function termsOf(feature) {
    const termOf = (member, text) => ({ feature, member, text, folded: foldedText(text) });
    const names = members.flatMap((name, member) => feature.labels(name).map((text) => termOf(member, text)));
    return feature.category === null ? names : [...names, termOf(members.length, feature.category)];
}

/** The index of the match; -1 for none. */
function matchOf(folded, query, words) {
    if (folded.startsWith(query)) return folded === query ? 0 : 1;
    const own = folded.split(" ");
    if (words.every((word) => own.some((each) => each.startsWith(word)))) return 2;
    return folded.includes(query) ? 3 : -1;
}

function orderOf(one, other) {
    const [left, right] = [one.feature, other.feature];
    return one.match - other.match || one.member - other.member || rankOf(left.type) - rankOf(right.type)
        || compared(left.type, right.type) || compared(one.text, other.text) || compared(left.id, right.id);
}

export function rankOf(type) {
    const rank = standardTypes.indexOf(type);
    return rank < 0 ? standardTypes.length : rank;
}

/** Compares code units, because locale-dependent orders differ between devices. */
export function compared(one, other) {
    return one < other ? -1 : one > other ? 1 : 0;
}
