// The differences between two bodies of a feature, member by member.

import { levelName } from "../names.js";
import { positions } from "./shapes.js";
import { localized } from "../../localization/localization.js";

/**
 * A list of `{path, old, current}` with texts; undefined for a missing member. If one body is missing, all members of the other. Level
 * ids are replaced by names.
 */
export function differences(before, after, levels) {
    const [old, current] = [flattened(before, levels), flattened(after, levels)];
    const paths = [...new Set([...old.keys(), ...current.keys()])];
    return paths.filter((path) => old.get(path) !== current.get(path))
        .map((path) => ({ path, old: old.get(path), current: current.get(path) }));
}

/** The texts of the members of a feature by path. */
function flattened(feature, levels) {
    const members = new Map();
    if (!feature) return members;
    if (feature.feature_type) members.set("feature_type", feature.feature_type);
    add(members, "", feature.properties ?? {});
    const level = members.get("level_id");
    if (level) members.set("level_id", levelName(level.toLowerCase(), levels));
    if (feature.geometry) members.set("geometry", describeGeometry(feature.geometry));
    return members;
}

function add(members, path, value) {
    if (value === null || value === undefined) return;
    if (path.endsWith("display_point") && value.coordinates) members.set(path, describeGeometry(value));
    else if (Array.isArray(value)) {
        members.set(path, value.map((entry) => (typeof entry === "object" ? JSON.stringify(entry) : String(entry))).join(", "));
    } else if (typeof value === "object") {
        for (const [name, member] of Object.entries(value)) add(members, path ? `${path}.${name}` : name, member);
    } else members.set(path, String(value));
}

/**
 * A short description of a geometry. It contains the mean of all positions with seven decimals, so that different geometries have
 * different descriptions in practice.
 */
function describeGeometry(geometry) {
    const all = [...positions(geometry)];
    if (geometry.type === "Point" && all.length === 1) return all[0].map((degrees) => degrees.toFixed(7)).join(", ");
    const mean = (axis) => all.reduce((sum, position) => sum + position[axis], 0) / Math.max(1, all.length);
    return localized("desk.field.geometry", { type: geometry.type, n: all.length, x: mean(0).toFixed(7), y: mean(1).toFixed(7) });
}
