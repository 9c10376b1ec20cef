// Members of reports and of answers, which are in the order of canonical JSON.

import { namedLabel } from "./space-plan.js";

/** Names of more bytes are left out. */
const nameLimit = 1_000;

/** The name of a unit, or else of its occupant, in all languages; null if there is none, or a very long one. */
export function reportedName({ features, indexOfSpace, landmarks }, id) {
    const own = namedLabel(features.get(id)?.properties.name);
    const name = own ?? landmarks.occupant(indexOfSpace.get(id))?.label ?? null;
    if (name === null || typeof name !== "object") return null;
    const bytes = (text) => new TextEncoder().encode(text).length;
    const length = Object.entries(name).reduce((sum, [tag, text]) => sum + bytes(tag) + (typeof text === "string" ? bytes(text) : 1_000), 0);
    return length <= nameLimit ? sortedMembers(name) : null;
}

/** The members in the order of canonical JSON, except for names that look like integers: see `canonicalJSON`. */
export const sortedMembers = (object) => Object.fromEntries(Object.keys(object).sort().map((key) => [key, object[key]]));

/**
 * Canonical JSON (RFC 8785) of a value that consists of JSON. `JSON.stringify` writes members whose names look like integers first, such as
 * the language tag `123`, because that is their order in every object.
 */
export function canonicalJSON(value) {
    if (Array.isArray(value)) return `[${value.map(canonicalJSON).join(",")}]`;
    if (typeof value !== "object" || value === null) return JSON.stringify(value);
    return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonicalJSON(value[key])}`).join(",")}}`;
}
