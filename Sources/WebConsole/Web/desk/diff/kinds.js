// What a change is drawn and listed as. The server tells added, changed and removed; a thing that is the same in another place
// is told to people as moved.

import { markPosition, positions } from "./shapes.js";

/** In the order of legends and lists, with the sign that stands for each beside its colour. */
export const kinds = [
    { kind: "added", sign: "+" },
    { kind: "moved", sign: "→" },
    { kind: "changed", sign: "~" },
    { kind: "removed", sign: "−" },
];

export const signOf = (kind) => kinds.find((entry) => entry.kind === kind).sign;

/** Metres below which nobody calls it a move. */
const least = 0.05;

/**
 * @param locate `(feature, side) => [longitude, latitude] | null`, for features without a geometry of their own.
 */
export function kindOf(change, locate = markPosition) {
    if (change.kind !== "changed") return change.kind;
    if (change.classes.includes("level")) return "moved";
    if (!change.before || !change.after) return change.classes.includes("position") ? "moved" : "changed";
    if (change.classes.includes("geometry") || change.classes.includes("position")) {
        return shift(change.before.geometry, change.after.geometry) > least ? "moved" : "changed";
    }
    if (!change.classes.includes("reference") || change.after.geometry) return "changed";
    return distance(locate(change.before, "before"), locate(change.after, "after")) > least ? "moved" : "changed";
}

/** Metres by which a geometry was carried without changing its form; 0 when it was redrawn, or stayed. */
function shift(before, after) {
    const [old, now] = [[...positions(before)], [...positions(after)]];
    if (old.length === 0 || old.length !== now.length) return 0;
    const [east, north] = [now[0][0] - old[0][0], now[0][1] - old[0][1]];
    for (let i = 1; i < old.length; i += 1) {
        const carried = [old[i][0] + east, old[i][1] + north];
        if (distance(carried, now[i]) > least) return 0;
    }
    return distance(old[0], now[0]);
}

/** Metres between two places near each other; 0 when one is unknown. */
export function distance(a, b) {
    if (!a || !b) return 0;
    const eastward = (b[0] - a[0]) * Math.cos((a[1] * Math.PI) / 180);
    return Math.hypot(eastward, b[1] - a[1]) * 111_320;
}
