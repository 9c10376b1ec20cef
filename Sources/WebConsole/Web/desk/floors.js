// The floors of a venue, told apart: where two buildings have a floor of one name, its building is added.

import { askJSON } from "../api.js";
import { labelText } from "../map/labels.js";
import { levelName } from "./names.js";

/** Floors as `GET /venues/{venue}` tells them, without the venue-wide part; with `building`, a label, where it is needed. */
export function floorsOf(desk) {
    desk.floors ??= load(desk);
    return desk.floors;
}

async function load({ venue, key, signal }) {
    const levels = (venue?.levels ?? []).filter((level) => level.level_id !== null);
    const names = levels.map((level) => levelName(level.level_id, levels));
    const isShared = (name) => names.indexOf(name) !== names.lastIndexOf(name);
    if (!names.some(isShared)) return levels;
    const path = `/venues/${encodeURIComponent(key)}/revisions/${venue.head}/features?level=venue&type=level&type=building`;
    // A venue that was deleted and made again has other features under the same address.
    const { features } = await askJSON(path, { signal, cache: "no-cache" });
    const byId = new Map(features.map((feature) => [feature.id, feature]));
    return levels.map((level, i) => {
        if (!isShared(names[i])) return level;
        const [id] = [byId.get(level.level_id)?.properties?.building_ids].flat();
        const building = byId.get(id)?.properties?.name;
        return labelText(building) ? { ...level, building } : level;
    });
}
