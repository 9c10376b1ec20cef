// Searches places by their names, categories and synonyms; forgives one spelling mistake if nothing else is found.

import { categoryText } from "./category-text.js";
import { foldedText } from "../client/map/folded-text.js";
import { variants } from "./synonyms.js";

const languages = ["en", "ja"];
/** Shorter words have too many neighbours. */
const shortestFuzzyWord = 4;

/**
 * The places that match a text, best first: the name starts with it, the name contains it, all of its words begin words of the name or the
 * category, the category contains it. Categories are searched in every language of the console, and words with their synonyms.
 */
export function search(places, text) {
    const query = foldedText(text);
    if (query === "") return text.trim() === "" ? places : [];
    const queries = variants(query).map((each, i) => ({
        joined: each.replaceAll(" ", ""), words: each.split(" "),
        // Short synonyms, such as “loo”, would be found inside of other words.
        isWholeWord: i > 0 && /^[\x20-\x7e]+$/.test(each),
    }));
    const exact = ranked(places, (place) => Math.max(...queries.map((each, i) => score(place, each) - (i > 0 ? 0.5 : 0))));
    return exact.length > 0 ? exact : ranked(places, (place) => similarity(place, queries[0].words));
}

function ranked(places, scoreOf) {
    return places.map((place) => ({ place, score: scoreOf(place) })).filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score).map(({ place }) => place);
}

function score(place, { joined, words, isWholeWord }) {
    const scores = place.folded.map((name) => (name.startsWith(joined) ? 4 : name.includes(joined) ? 3 : 0));
    const best = isWholeWord ? 0 : Math.max(0, ...scores);
    if (best > 0) return best;
    const kind = kindWords(place.category);
    const all = [...place.words, ...kind.words];
    if (words.every((word) => all.some((each) => (isWholeWord ? each === word : each.startsWith(word))))) return 2;
    return !isWholeWord && kind.joined.some((each) => each.includes(joined)) ? 1 : 0;
}

/** 1 if every word of the query is in a name or category with at most one mistake; else 0. */
function similarity(place, words) {
    if (!words.some((word) => word.length >= shortestFuzzyWord)) return 0;
    const all = [...place.words, ...kindWords(place.category).words];
    const isNear = (word) => all.some((each) => each.startsWith(word)
        || (word.length >= shortestFuzzyWord && [0, -1, 1].some((more) => hasOneMistake(word, each.slice(0, word.length + more)))));
    return words.every(isNear) ? 1 : 0;
}

/** Whether two words differ in one letter that is missing, added, another one, or exchanged with its neighbour. */
export function hasOneMistake(one, other) {
    if (Math.abs(one.length - other.length) > 1) return false;
    let start = 0;
    while (start < one.length && one[start] === other[start]) start += 1;
    const [a, b] = [one.slice(start), other.slice(start)];
    return a === b || a.slice(1) === b.slice(1) || a === b.slice(1) || a.slice(1) === b
        || (a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2));
}

const kinds = new Map();

/** The names of a category in every language, folded: `words`, and `joined` without spaces. */
function kindWords(category) {
    if (!kinds.has(category)) {
        const texts = [category ?? "", ...languages.map((language) => categoryText(category, language) ?? "")].map(foldedText);
        kinds.set(category, {
            words: [...new Set(texts.flatMap((text) => text.split(" ")))].filter(Boolean),
            joined: texts.map((text) => text.replaceAll(" ", "")),
        });
    }
    return kinds.get(category);
}
