// Changes of a feature as `{pointer, before, value}`: RFC 6901 pointers into the feature, undefined for a missing value. The pointers
// are those that overrides can have: a property, one language of a label, or the geometry.

/** The tokens of a pointer: `/properties/name/ja` is `["properties", "name", "ja"]`. */
export function tokensOf(pointer) {
    return pointer.split("/").slice(1).map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

export function pointerOf(...tokens) {
    return tokens.map((token) => `/${token.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

export function valueAt(feature, pointer) {
    return tokensOf(pointer).reduce((value, token) => (isObject(value) && Object.hasOwn(value, token) ? value[token] : undefined), feature);
}

/** The JSON merge patch (RFC 7396) of some changes. A missing value removes the member. */
export function mergePatch(changes) {
    const patch = {};
    for (const { pointer, value } of changes) {
        const tokens = tokensOf(pointer);
        const last = tokens.pop();
        let target = patch;
        for (const token of tokens) target = target[token] ??= {};
        target[last] = value ?? null;
    }
    return patch;
}

/** Whether two values are equal; null and a missing value are. */
export function isSame(one, other) {
    return JSON.stringify(sorted(one ?? null)) === JSON.stringify(sorted(other ?? null));
}

/** Whether a pointer leads to another one, or into it. */
export const contains = (outer, inner) => inner === outer || inner.startsWith(`${outer}/`);

function sorted(value) {
    if (Array.isArray(value)) return value.map(sorted);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]));
}

function isObject(value) {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}
