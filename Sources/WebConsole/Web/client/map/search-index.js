// Searches features by their names in all languages and by their categories.

import { foldedText } from "./folded-text.js";
import { correctedMatcher, groupMatcher, misspelledMatcher, relatedMatcher, surroundedMatcher } from "./related-match.js";
import { categoryTermsOf, namesOf, termsOf } from "./search-terms.js";
import { isFood } from "../categories/food.js";
import { meansFood } from "./synonyms.js";

/**
 * How well a text matches, the best first: it is equal, begins with the search text, has words that begin with its words, contains it; then
 * those of a `related` search: it is found without spaces, by a name of the category or by a synonym, or with one spelling mistake.
 */
export const searchMatches = ["exact", "prefix", "wordPrefix", "substring", "related", "misspelled"];
const [prefix, substring, related, misspelled] = ["prefix", "substring", "related", "misspelled"].map((match) => searchMatches.indexOf(match));

/** The order of types; others come last. */
const standardTypes = [
    "venue", "address", "building", "footprint", "level", "section", "geofence", "unit", "fixture", "kiosk", "opening", "detail", "anchor",
    "occupant", "amenity", "relationship",
];

/** White space by Unicode, which is not what `trim` removes; a text of it is empty. */
const isBlank = /^\p{White_Space}*$/u;

export class SearchIndex {
    #features;
    #around;

    /**
     * The names of the features are read by the first search. `around` returns the features whose names say where a feature is: its levels
     * and their buildings.
     */
    constructor(features, { around = () => [] } = {}) {
        this.#features = [...features];
        this.#around = around;
    }

    /**
     * The best matches `{feature, text, match}` of the features that `isWanted` accepts. The order is deterministic: by match; then by
     * member (`name`, `alt_name`, `short_name`, category), type, text and id. Each feature is found at most once. An empty text, or only
     * white space, finds every feature that has a name or a category. Takes time in proportion to the number of names.
     *
     * With `isRelated`, these are followed by features that match without spaces, by the names of their category in all languages, or by
     * synonyms, in English and Japanese, also by words for all places where one eats and drinks; if nothing is found then, by those that
     * match together with the names of their floor and building, such as “room 102 L1”; and if nothing is found then, by those that match
     * with one spelling mistake, but never with another digit.
     */
    search(text, { isWanted = () => true, limit = 50, isRelated = false } = {}) {
        const query = foldedText(text);
        if (limit <= 0 || (query === "" && !isBlank.test(text))) return [];
        const found = new Map();
        const add = (match, matcher) => {
            for (const feature of this.#features) {
                if (found.has(feature.id)) continue;
                const best = matcher(feature);
                if (best && isWanted(feature)) found.set(feature.id, { feature, match, ...best });
            }
        };
        const own = bestTermMatcher(query);
        // “eat” is in “leather goods” too.
        const isForeign = (best, { category }) => best?.match === substring && (category === null || !isFood(category));
        add(null, isRelated && meansFood(query) ? (feature) => { const best = own(feature); return isForeign(best, feature) ? null : best; } : own);
        if (isRelated && query !== "") {
            const withCategory = (matcher) => (feature) => matcher(termsOf(feature), categoryTermsOf(feature.category), feature);
            add(related, withCategory(relatedMatcher(query)));
            if (found.size === 0) add(related, withCategory(groupMatcher(query)));
            if (found.size === 0) {
                const matcher = surroundedMatcher(query);
                const names = (feature) => this.#around(feature).flatMap(namesOf);
                add(related, (feature) => matcher(termsOf(feature), categoryTermsOf(feature.category), names(feature)));
            }
            if (found.size === 0) add(misspelled, withCategory(misspelledMatcher(query)));
            if (found.size === 0) add(misspelled, withCategory(correctedMatcher(query)));
        }
        return [...found.values()].sort(orderOf).slice(0, limit)
            .map(({ feature, term, match }) => ({ feature, text: term.text, match: searchMatches[match] }));
    }
}

/** Matches a feature by its best text: `{match, rank, term}`, or null. */
function bestTermMatcher(query) {
    const words = query.split(" ");
    return (feature) => {
        let best = null;
        for (const term of termsOf(feature)) {
            const match = query === "" ? prefix : matchOf(term, query, words);
            if (match < 0) continue;
            const candidate = { feature, match, rank: 0, term };
            if (!best || orderOf(candidate, best) < 0) best = candidate;
        }
        return best;
    };
}

/** The index of the match; -1 for none. */
function matchOf({ folded, words: own }, query, words) {
    if (folded.startsWith(query)) return folded === query ? 0 : 1;
    if (words.every((word) => own.some((each) => each.startsWith(word)))) return 2;
    return folded.includes(query) ? 3 : -1;
}

function orderOf(one, other) {
    const [left, right] = [one.feature, other.feature];
    return one.match - other.match || one.rank - other.rank || one.term.member - other.term.member || rankOf(left.type) - rankOf(right.type)
        || compared(left.type, right.type) || compared(one.term.text, other.term.text) || compared(left.id, right.id);
}

export function rankOf(type) {
    const rank = standardTypes.indexOf(type);
    return rank < 0 ? standardTypes.length : rank;
}

/** Compares code units, because locale-dependent orders differ between devices. */
export function compared(one, other) {
    return one < other ? -1 : one > other ? 1 : 0;
}
