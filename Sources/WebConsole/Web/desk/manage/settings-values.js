// Values of settings: what was changed in one, and the texts that stand for lists and numbers.

import { isSame } from "../../map/editing/changes.js";

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

/**
 * `current` with the members in which `value` differs from `base`; null for none. All are objects or null. Colours are compared by category.
 */
export function rebased(value, base, current) {
    const result = { ...current };
    for (const name of new Set([...Object.keys(base ?? {}), ...Object.keys(value ?? {})])) {
        const [own, old, other] = [value, base, current].map((each) => each?.[name] ?? null);
        if (isSame(own, old)) continue;
        const isMap = name === "colours" && ![own, old, other].some(Array.isArray);
        const member = isMap ? rebased(own, old, other) : own;
        if (member === null) delete result[name];
        else result[name] = member;
    }
    return Object.keys(result).length === 0 ? null : result;
}
