// Facilities, such as restrooms and lifts, that an archive describes as units, or as amenities that touch several levels.

import { amenityKind, isUnitMarked } from "./categories.js";
import { containsPosition, shapeOf } from "../client/map/geometry.js";
import { labelPointOf } from "../client/map/label-point.js";
import { labelText } from "../client/map/labels.js";

/**
 * The facilities of a floor that are not among its `places`, in the form of these: units with a filter, and those that the cartography
 * marks. A unit is left out if a place of the same kind is in it, because that is the same facility with a better position.
 */
export function facilitiesOf(floor, replica, places) {
    const known = new Set(places.map(({ feature }) => feature.id));
    const spanning = replica.features({ level: null }).filter((feature) => feature.type === "amenity" && !known.has(feature.id))
        .flatMap((feature) => spanningAmenity(floor, replica, feature));
    const facilities = [...places, ...spanning].map((place) => ({ ...place, facility: facilityOf(place.feature.category) }))
        .filter(({ facility }) => facility);
    const units = [...floor.ids].flatMap((level) => replica.features({ level })).filter((feature) => {
        const kind = feature.type === "unit" && !known.has(feature.id) && facilityOf(feature.category);
        if (!kind || labelText(feature.properties.name)) return false;
        const { polygons } = shapeOf(feature.geometry);
        return !facilities.some((each) => each.facility === kind && each.level === feature.level
            && (each.unit === feature.id || containsPosition(polygons, each.point)));
    });
    return [...spanning, ...units.flatMap((feature) => {
        const point = labelPointOf(feature)?.position;
        return point ? [{ kind: "amenity", feature, level: feature.level, point, unit: feature.id }] : [];
    })];
}

/** What facilities of a category have in common: the kind, or else the category of units that are marked; undefined for others. */
function facilityOf(category) {
    return amenityKind(category)?.kind ?? (isUnitMarked(category) ? category : undefined);
}

/** An amenity of no level, such as a lift, as a place of the floor that one of its units is on; empty if there is none. */
function spanningAmenity(floor, replica, feature) {
    const ids = Array.isArray(feature.properties.unit_ids) ? feature.properties.unit_ids : [];
    const unit = ids.map((id) => replica.feature(String(id).toLowerCase())).find((each) => each && floor.ids.has(each.level));
    const point = unit && labelPointOf(feature)?.position;
    return point ? [{ kind: "amenity", feature, level: unit.level, point, unit: unit.id }] : [];
}
