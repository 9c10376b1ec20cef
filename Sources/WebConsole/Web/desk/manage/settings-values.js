// Values of settings: when two are the same, and the texts that stand for lists.

/** Whether two values of a setting are the same JSON. The server sorts the members of objects. */
export function isEqual(one, other) {
    const sorted = (_, value) => (value === null || typeof value !== "object" || Array.isArray(value)
        ? value : Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))));
    return JSON.stringify(one ?? null, sorted) === JSON.stringify(other ?? null, sorted);
}

/** The lines of a text as a list; null for none. */
export function lines(text) {
    const values = text.split(/\s+/).filter((line) => line !== "");
    return values.length === 0 ? null : values;
}
