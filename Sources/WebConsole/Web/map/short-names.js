// Short forms of names that are one of a series: of “Classroom 146” between other classrooms, the number says which one it is.

/** How many rooms have the same words before different numbers at least. */
const leastSeries = 3;
/** The least characters of a name that is cut, and their share of it. */
const [leastExcerpt, leastShare] = [5, 0.4];
/** What is known by its name, not by a number. */
const ownNames = new Set(["shop", "food"]);
const numbered = /^(.*\S)\s+([\p{L}]{0,2}[-.]?\d{1,4}(?:[-./]\d{1,3})?[-.]?\p{L}{0,2})$/u;

/** The numbers of places whose names are numbered, by their ids. */
export function shortNamesOf(places) {
    if (!cache.has(places)) cache.set(places, findShortNames(places));
    return cache.get(places);
}

const cache = new WeakMap();

function findShortNames(places) {
    const series = new Map();
    const uses = new Map();
    for (const { id, name, group } of places) {
        const [, words, number] = ownNames.has(group) ? [] : numbered.exec(name) ?? [];
        if (!number) continue;
        if (!series.has(words)) series.set(words, []);
        series.get(words).push([id, number]);
        uses.set(number, (uses.get(number) ?? 0) + 1);
    }
    // A number that two rooms have, such as a classroom and an auditorium, says which one of them it is no more.
    return new Map([...series.values()].filter((members) => members.length >= leastSeries).flat().filter(([, number]) => uses.get(number) === 1));
}

/** A name without its last words, the longest one first, while enough is left to recognize it. */
export function excerptsOf(name) {
    const words = name.split(/\s+/);
    const texts = words.slice(1).map((_, index) => words.slice(0, words.length - 1 - index).join(" ").replace(/[\s,;:&/–-]+$/u, ""));
    return texts.filter((text) => text.length >= leastExcerpt && text.length >= leastShare * name.length).map((text) => `${text}…`);
}
