// Short forms of names that are one of a series: of “Classroom 146” between other classrooms, the number says which one it is.

import { segments } from "./text-wrap.js";

/** How many rooms have the same words before different numbers at least. */
const leastSeries = 3;
/** The least width of a name that is cut, in narrow characters, and its share of that of the name. */
const [leastExcerpt, leastShare] = [5, 0.4];
/** What is known by its name, not by a number. */
const ownNames = new Set(["shop", "food"]);

/** Scripts without spaces between words, whose characters are wide. */
const ideographic = "\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}";
const wide = new RegExp(`[${ideographic}\\p{scx=Hangul}\u{ff01}-\u{ff60}]`, "gu");
/** A number such as 146, 148b, B1-23-4, 2F-12 or １０１, with letters of a class. */
const numberOf = (letter) => `${letter}{0,2}[-.]?\\p{Nd}{1,4}(?:${letter}?(?:[-./]\\p{Nd}{1,3})){0,2}[-.]?${letter}{0,2}`;
const numbered = new RegExp(`^(.*\\S)\\s+(${numberOf("\\p{L}")})$`, "u");
/** Without a space between, as in 教室101. The 3 of 第3教室 is no number after a name. */
const attached = new RegExp(`^(.*[${ideographic}])(?<!第)(${numberOf(`(?:(?![${ideographic}])\\p{L})`)}(?:号室?)?)$`, "u");

/** The numbers of places whose names are numbered, by their ids. */
export function shortNamesOf(places) {
    if (!cache.has(places)) cache.set(places, findShortNames(places));
    return cache.get(places);
}

const cache = new WeakMap();

function findShortNames(places) {
    const series = new Map();
    const uses = new Map();
    // “１０１” is the same number as “101”.
    const keyOf = (number) => number.normalize("NFKC");
    for (const { id, name, group } of places) {
        const [, words, number] = ownNames.has(group) ? [] : numbered.exec(name) ?? attached.exec(name) ?? [];
        if (!number) continue;
        if (!series.has(words)) series.set(words, []);
        series.get(words).push([id, number]);
        uses.set(keyOf(number), (uses.get(keyOf(number)) ?? 0) + 1);
    }
    // A number that two rooms have, such as a classroom and an auditorium, says which one of them it is no more.
    const numberedRooms = [...series.values()].filter((members) => members.length >= leastSeries).flat();
    return new Map(numberedRooms.filter(([, number]) => uses.get(keyOf(number)) === 1));
}

/**
 * A name without its last words, the longest one first, while enough is left to recognize it. Made one by one, because most often one of the
 * first is drawn; of a long name, from no more than the first words that `segments` divides.
 */
export function* excerptsOf(name) {
    const words = segments(name);
    const least = Math.max(leastExcerpt, leastShare * widthOf(name));
    let before = null;
    for (let count = words.length - 1; count > 0; count -= 1) {
        const text = words.slice(0, count).join("").replace(/[\s,;:&/–・、(（「-]+$/u, "");
        if (widthOf(text) < least) return;
        if (text !== before) yield `${text}…`;
        before = text;
    }
}

/** In narrow characters. */
const widthOf = (text) => text.length + (text.match(wide)?.length ?? 0);
