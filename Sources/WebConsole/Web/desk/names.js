// What to call features, floors and types.

import { labelText } from "../map/labels.js";
import { word } from "../words/words.js";

const types = new Set([
    "address", "amenity", "anchor", "building", "detail", "fixture", "footprint", "geofence", "kiosk", "level", "occupant",
    "opening", "relationship", "section", "unit", "venue",
]);

export const typeName = (type) => (types.has(type) ? word(`desk.type.${type}`) : type);

/** Whether a text is an id, as features and uploads have. */
export const isId = (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

/** A feature's name in the reader's language, else its category, else the beginning of its id. */
export function featureName(feature, id = feature?.id) {
    const properties = feature?.properties ?? {};
    const name = labelText(properties.name) ?? labelText(properties.short_name) ?? labelText(properties.alt_name);
    if (name) return name;
    const text = [properties.address, properties.category].find((value) => typeof value === "string" && value !== "");
    return text ?? String(id ?? "").slice(0, 8);
}

/** A floor's short name; `null` is the venue-wide part. `levels` are those of floors.js. */
export function levelName(id, levels = []) {
    if (id === null) return word("desk.venueWide");
    const level = levels.find((level) => level.level_id === id);
    const name = labelText(level?.short_name) ?? labelText(level?.name)
        ?? (Number.isInteger(level?.ordinal) ? word("desk.ordinal", { n: level.ordinal }) : id.slice(0, 8));
    return level?.building ? word("desk.floorOf", { name, building: labelText(level.building) }) : name;
}
