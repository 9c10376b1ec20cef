// Places: what people look for on a map and in a list.

import { labelPointOf } from "./label-point.js";
import { labelText } from "./labels.js";
import { isPresentAt } from "./validity.js";

const kinds = { amenity: "amenity", unit: "room", kiosk: "kiosk" };

/**
 * The places of some levels: occupants that are present at `instant` (kind `shop`), amenities, kiosks without an occupant, and named
 * units without an occupant (kind `room`). A place is `{kind, feature, level, point, unit}`: `point` is the position of its label, `unit`
 * the id of the unit or kiosk that is drawn as a part of it, which may be the feature itself, or null. Places without a position are left
 * out. `canBeOccupied(category)` says whether a unit of a category can belong to an occupant; a walkway, for example, cannot.
 */
export function placesOf(venue, levels, { instant = new Date(), canBeOccupied = () => true } = {}) {
    const features = levels.flatMap((level) => venue.features({ level }));
    const ofType = (type) => features.filter((feature) => feature.type === type);
    // An occupant with a kiosk occupies the kiosk, not the walkway that the kiosk is on.
    const kiosks = new Map(ofType("kiosk").map((kiosk) => [kiosk.properties.anchor_id, kiosk]));
    const shops = ofType("occupant").filter((occupant) => isPresentAt(occupant, instant)).flatMap((occupant) => {
        const anchor = venue.feature(occupant.properties.anchor_id);
        const point = anchor && labelPointOf(anchor)?.position;
        if (!point) return [];
        const unit = venue.feature(anchor.properties.unit_id);
        const occupied = kiosks.get(anchor.id) ?? (unit && canBeOccupied(unit.category) ? unit : null);
        return [{ kind: "shop", feature: occupant, level: occupant.level, point, unit: occupied?.id ?? null }];
    });
    const occupied = new Set(shops.map(({ unit }) => unit));
    const others = features.filter(({ id, type }) => Object.hasOwn(kinds, type) && !occupied.has(id)).flatMap((feature) => {
        const kind = kinds[feature.type];
        const point = labelPointOf(feature)?.position;
        if (!point || (kind !== "amenity" && !labelText(feature.properties.name))) return [];
        const units = { room: feature.id, kiosk: feature.id, amenity: feature.properties.unit_ids?.[0] };
        return [{ kind, feature, level: feature.level, point, unit: units[kind] ?? null }];
    });
    return [...shops, ...others];
}
