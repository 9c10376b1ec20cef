// Values of settings: when two are the same, and the texts that stand for lists and numbers.

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

/**
 * The number of a text, also in full-width digits; null for an empty text. Any other text is the value itself, so that it is never taken for none.
 */
export function numberOf(text) {
    const digits = text.normalize("NFKC").trim();
    if (digits === "") return null;
    return /^-?[0-9]*\.?[0-9]+$/.test(digits) ? Number(digits) : text;
}
