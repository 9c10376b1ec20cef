// The kinds of changes in the user interface. The API has added, changed and removed; the console shows a changed feature that is
// only at another position as moved.

import { displacement } from "./plane.js";
import { labelPosition, positions } from "./shapes.js";

/** In the order of legends and lists, each with the symbol that is shown beside its colour. */
export const kinds = [
    { kind: "added", symbol: "+" },
    { kind: "moved", symbol: "→" },
    { kind: "changed", symbol: "~" },
    { kind: "removed", symbol: "−" },
];

export const symbolOf = (kind) => kinds.find((entry) => entry.kind === kind).symbol;

/** Shorter movements are not shown as moved, in metres. */
const moveThreshold = 0.05;

/**
 * @param locate `(feature, side) => [longitude, latitude] | null`, the position of a feature, which may have no geometry of its own.
 */
export function kindOf(change, locate = labelPosition) {
    if (change.kind !== "changed") return change.kind;
    if (change.classes.includes("level")) return "moved";
    if (!change.before || !change.after) return change.classes.includes("position") ? "moved" : "changed";
    if (change.classes.includes("geometry") || change.classes.includes("position")) {
        return translationDistance(change.before.geometry, change.after.geometry) > moveThreshold ? "moved" : "changed";
    }
    if (!change.classes.includes("reference") || change.after.geometry) return "changed";
    return distance(locate(change.before, "before"), locate(change.after, "after")) > moveThreshold ? "moved" : "changed";
}

/** The distance in metres by which a geometry was translated; 0 if its form changed too, or if it did not move. */
function translationDistance(before, after) {
    const [old, current] = [[...positions(before)], [...positions(after)]];
    if (old.length === 0 || old.length !== current.length) return 0;
    const [east, north] = [current[0][0] - old[0][0], current[0][1] - old[0][1]];
    for (let i = 1; i < old.length; i += 1) {
        const translated = [old[i][0] + east, old[i][1] + north];
        if (distance(translated, current[i]) > moveThreshold) return 0;
    }
    return distance(old[0], current[0]);
}

/** The distance in metres between two positions of a venue; 0 if one is unknown. */
export function distance(a, b) {
    return a && b ? Math.hypot(...displacement(a, b)) : 0;
}
