// The levels of a venue with unambiguous names: if levels of two buildings have the same name, the building is added.

import { requestJSON } from "../api.js";
import { labelText } from "../map/labels.js";
import { levelName } from "./names.js";

/**
 * The levels of `GET /venues/{venue}`, without the venue-wide part. Levels with an ambiguous name have the member `building`, a label.
 * Loaded once for each view.
 */
export function namedLevels(desk) {
    desk.levels ??= load(desk);
    return desk.levels;
}

async function load({ venue, venueKey, signal }) {
    const levels = (venue?.levels ?? []).filter((level) => level.level_id !== null);
    const names = levels.map((level) => levelName(level.level_id, levels));
    const isAmbiguous = (name) => names.indexOf(name) !== names.lastIndexOf(name);
    if (!names.some(isAmbiguous)) return levels;
    const path = `/venues/${encodeURIComponent(venueKey)}/revisions/${venue.head}/features?level=venue&type=level&type=building`;
    // Not from the cache: a venue that was deleted and created again has other features at the same URL.
    const { features } = await requestJSON(path, { signal, cache: "no-cache" });
    const byId = new Map(features.map((feature) => [feature.id, feature]));
    return levels.map((level, i) => {
        if (!isAmbiguous(names[i])) return level;
        const [id] = [byId.get(level.level_id)?.properties?.building_ids].flat();
        const building = byId.get(id)?.properties?.name;
        return labelText(building) ? { ...level, building } : level;
    });
}
