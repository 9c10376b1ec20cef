// Words for the same thing in English and Japanese, for searches. Each is one group: what visitors type finds places that
// use another word of the group. One that begins with “>” has words for a whole group of categories, and one with “?” has words that stand
// for the group if nothing else is found. All words are folded when they are read.

import { foldedText } from "./folded-text.js";
import { synonyms } from "./search-tables.js";

/** The folded words of each group, and those for whole groups of categories; made for the first search. */
let groups;
let wholeGroups;

const isLatin = (word) => /^[\x20-\x7e]+$/.test(word);

/** The folded text, and variants of it in which a word or phrase is replaced by others of its group. `maximum` bounds their number. */
export function variants(text, maximum = 24) {
    const found = new Set([text]);
    for (const group of allGroups()) {
        for (const word of group) {
            if (!occurs(text, word)) continue;
            for (const other of group) if (found.size < maximum && other !== word) found.add(text.replace(word, other));
        }
    }
    return [...found];
}

/** All words of the groups that have a word which meets a condition. */
export function groupsWith(isWanted) {
    return allGroups().filter((group) => group.some(isWanted)).flat();
}

function allGroups() {
    groups ??= synonyms.filter((line) => !/^[>?]/.test(line)).map((line) => [...new Set(line.split("|").map(foldedText))]);
    return groups;
}

/** Whether a folded text stands for all categories of food: always, or, with `isLast`, if nothing else is found. */
export function meansFood(text, { isLast = false } = {}) {
    wholeGroups ??= new Map(synonyms.filter((line) => /^[>?]/.test(line)).map((line) => {
        const [group, ...words] = line.split("|");
        return [group, new Set(words.map(foldedText))];
    }));
    return wholeGroups.get(isLast ? "?food" : ">food").has(text);
}

/** Whether a word occurs in a text: as whole words in scripts with spaces, and anywhere in others if it is the text or has two characters. */
function occurs(text, word) {
    if (isLatin(word)) return ` ${text} `.includes(` ${word} `);
    return text === word || (word.length > 1 && text.includes(word));
}
