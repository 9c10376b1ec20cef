// Matches beyond a feature's own texts as they are written: without the spaces, by the names of its category, by synonyms, by the group of
// its category, and with one spelling mistake.

import { isFood } from "../categories/food.js";
import { groupsWith, meansFood, variants } from "./synonyms.js";

/** Shorter words have too many neighbours. */
const shortestMisspelledWord = 4;
const digit = /[0-9]/;
const isASCII = /^[\x20-\x7e]+$/;

/**
 * A function that matches the texts of a feature, its own `terms` and those of its `category`, with a folded query. It returns
 * `{rank, term}` with the text that matches, or null. Ranks, best first: a text of its own begins with the query if spaces are ignored;
 * contains it so; all words of the query begin words of its texts or of the names of its category; a name of the category contains the
 * query; the query means the whole group of its category. The rank of a synonym is by a half lower.
 */
export function relatedMatcher(query) {
    const isFoodWord = meansFood(query);
    // “eat” is inside of “leather goods”.
    const own = { ...synonym(query), penalty: 0, isWholeWord: isFoodWord && isASCII.test(query) };
    const match = matcherOf(variants(query).map((each, index) => (index > 0 ? synonym(each) : own)));
    if (!isFoodWord) return match;
    return (terms, category, feature) => match(terms, category) ?? foodMatch(terms, category, feature);
}

/** Matches all places for eating and drinking if the query means them when nothing else is found, such as coffee. */
export function groupMatcher(query) {
    return meansFood(query, { isLast: true }) ? foodMatch : () => null;
}

function foodMatch(terms, category, feature) {
    return feature.category !== null && isFood(feature.category) ? { rank: 4, term: category[0] ?? terms.at(-1) } : null;
}

/**
 * A function that matches a feature if every word of the query is one of its texts or of the names of its floor and building, and one of its
 * texts: “room 102 L1”. A number is a whole word: room 10 is not room 102.
 */
export function surroundedMatcher(query) {
    if (new Set(query.split(" ")).size < 2) return () => null;
    const [own, ...others] = variants(query);
    const queries = [{ ...synonym(own), penalty: 0, isWholeWord: meansFood(query) && isASCII.test(query) }, ...others.map(synonym)];
    return (terms, category, around) => {
        const mine = [...terms, ...category];
        for (const { words, penalty, isWholeWord } of queries) {
            const hasWord = (term, word) =>
                term.words.some((each) => (isWholeWord || digit.test(word) ? each === word : each.startsWith(word)));
            const term = mine.find((each) => words.some((word) => hasWord(each, word)));
            if (!term || !words.every((word) => [...mine, ...around].some((each) => hasWord(each, word)))) continue;
            return { rank: 5 + penalty, term };
        }
        return null;
    };
}

/** As `relatedMatcher`, with the words of the groups of synonyms that have a word which differs from the query by one mistake. */
export function correctedMatcher(query) {
    if (query.length < shortestMisspelledWord || digit.test(query)) return () => null;
    return matcherOf(groupsWith((word) => hasOneMistake(query, word)).map(synonym));
}

const synonym = (text) => ({
    joined: text.replaceAll(" ", ""), words: text.split(" "), penalty: 0.5,
    // Short synonyms, such as “loo”, would be found inside of other words.
    isWholeWord: isASCII.test(text),
});

function matcherOf(queries) {
    return (terms, category) => queries.map((each) => matchOf(terms, category, each)).filter((match) => match !== null)
        .reduce((best, match) => (best === null || match.rank < best.rank ? match : best), null);
}

function matchOf(terms, category, { joined, words, penalty, isWholeWord }) {
    const match = (rank, term) => (term === undefined ? null : { rank: rank + penalty, term });
    const all = [...terms, ...category];
    const hasWord = (term, word) => term.words.some((own) => (isWholeWord ? own === word : own.startsWith(word)));
    const byWords = () => (words.every((word) => all.some((term) => hasWord(term, word)))
        ? match(2, all.find((term) => words.every((word) => hasWord(term, word))) ?? all[0]) : null);
    if (isWholeWord) return byWords();
    return match(0, terms.find((term) => term.joined.startsWith(joined))) ?? match(1, terms.find((term) => term.joined.includes(joined)))
        ?? byWords() ?? match(3, category.find((term) => term.joined.includes(joined)));
}

/** As `relatedMatcher`, if every word of the query begins a word of the texts with at most one mistake. The first letter may be the one. */
export function misspelledMatcher(query) {
    const words = query.split(" ");
    if (!words.some((word) => word.length >= shortestMisspelledWord)) return () => null;
    return (terms, category) => {
        const all = [...terms, ...category];
        const nearest = words.map((word) => all.find((term) => [...term.words, term.joined].some((own) => isNear(word, own))));
        return nearest.includes(undefined) ? null : { rank: 0, term: nearest[0] };
    };
}

/** Whether a word begins another one with at most one mistake; short words without a mistake. */
function isNear(word, other) {
    // Room 1234 and room 1235 are different rooms.
    if (digit.test(word)) return word === other;
    if (other.startsWith(word)) return true;
    // The shortest words are near the beginning of too many longer ones: “exit” near that of “extinguisher”.
    if (word.length <= shortestMisspelledWord) return word.length === shortestMisspelledWord && hasOneMistake(word, other);
    return [0, -1, 1].some((more) => hasOneMistake(word, other.slice(0, word.length + more)));
}

/** Whether two words differ in one letter that is missing, added, another one, or exchanged with its neighbour. */
function hasOneMistake(one, other) {
    if (Math.abs(one.length - other.length) > 1) return false;
    let start = 0;
    while (start < one.length && one[start] === other[start]) start += 1;
    const [a, b] = [one.slice(start), other.slice(start)];
    return a === b || a.slice(1) === b.slice(1) || a === b.slice(1) || a.slice(1) === b
        || (a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2));
}
