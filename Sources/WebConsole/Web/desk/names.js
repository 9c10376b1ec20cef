// Display names of features, levels and feature types.

import { labelText } from "../map/labels.js";
import { categoryName } from "../client/categories/category-name.js";
import { localization, localized } from "../localization/localization.js";

const types = new Set([
    "address", "amenity", "anchor", "building", "detail", "fixture", "footprint", "geofence", "kiosk", "level", "occupant",
    "opening", "relationship", "section", "unit", "venue",
]);

export const typeName = (type) => (types.has(type) ? localized(`desk.type.${type}`) : type);

/** Whether a text is a UUID, as the ids of features and uploads are. */
export const isId = (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

/** The name of a feature in the user's language, else its address or the name of its category, else the first digits of its id. */
export function featureName(feature, id = feature?.id) {
    const properties = feature?.properties ?? {};
    const name = labelText(properties.name) ?? labelText(properties.short_name) ?? labelText(properties.alt_name);
    if (name) return name;
    const [address, category] = [properties.address, properties.category].map((value) => (typeof value === "string" ? value : ""));
    return address || (category && categoryName(category, localization.language)) || category || String(id ?? "").slice(0, 8);
}

/** The short name of a level; the id of the venue-wide part is null. `levels` are those of `namedLevels`. */
export function levelName(id, levels = []) {
    if (id === null) return localized("desk.venueWide");
    const level = levels.find((level) => level.level_id === id);
    const name = labelText(level?.short_name) ?? labelText(level?.name)
        ?? (Number.isInteger(level?.ordinal) ? localized("desk.ordinal", { n: level.ordinal }) : id.slice(0, 8));
    return level?.building ? localized("desk.levelOfBuilding", { name, building: labelText(level.building) }) : name;
}
