// What differs between two bodies of a feature, member by member.

import { levelName } from "../names.js";
import { positions } from "./shapes.js";
import { word } from "../../words/words.js";

/** `{path, old, now}` as texts; `undefined` where a member is not there. Of one body alone, all that it says. Floors have names. */
export function differences(before, after, levels) {
    const [old, now] = [flat(before, levels), flat(after, levels)];
    const paths = [...new Set([...old.keys(), ...now.keys()])];
    return paths.filter((path) => old.get(path) !== now.get(path))
        .map((path) => ({ path, old: old.get(path), now: now.get(path) }));
}

function flat(feature, levels) {
    const found = new Map();
    if (!feature) return found;
    if (feature.feature_type) found.set("feature_type", feature.feature_type);
    add(found, "", feature.properties ?? {});
    const level = found.get("level_id");
    if (level) found.set("level_id", levelName(level.toLowerCase(), levels));
    if (feature.geometry) found.set("geometry", outline(feature.geometry));
    return found;
}

function add(found, path, value) {
    if (value === null || value === undefined) return;
    if (path.endsWith("display_point") && value.coordinates) found.set(path, outline(value));
    else if (Array.isArray(value)) {
        found.set(path, value.map((entry) => (typeof entry === "object" ? JSON.stringify(entry) : String(entry))).join(", "));
    } else if (typeof value === "object") {
        for (const [name, member] of Object.entries(value)) add(found, path ? `${path}.${name}` : name, member);
    } else found.set(path, String(value));
}

/** A geometry in a few words. Two that differ say different things: the rest of what is said is a sum over all positions. */
function outline(geometry) {
    const all = [...positions(geometry)];
    if (geometry.type === "Point" && all.length === 1) return all[0].map((degrees) => degrees.toFixed(7)).join(", ");
    const mean = (axis) => all.reduce((sum, position) => sum + position[axis], 0) / Math.max(1, all.length);
    return word("desk.field.outline", { type: geometry.type, n: all.length, x: mean(0).toFixed(7), y: mean(1).toFixed(7) });
}
