// Facilities, such as restrooms and lifts, that an archive describes as units, or as amenities that touch several levels.

import { amenityKind, isUnitMarked } from "./categories.js";
import { boundsOf, containsPosition, shapeOf } from "../client/map/geometry.js";
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
    const facilities = facilitiesAmong([...places, ...spanning]);
    const units = [...floor.ids].flatMap((level) => replica.features({ level })).filter((feature) => {
        const kind = feature.type === "unit" && !known.has(feature.id) && facilityOf(feature.category);
        return kind && !labelText(feature.properties.name) && !isRepresented(feature, kind, facilities);
    });
    return [...spanning, ...units.flatMap((feature) => {
        const point = labelPointOf(feature)?.position;
        return point ? [{ kind: "amenity", feature, level: feature.level, point, unit: feature.id }] : [];
    })];
}

/** The places that are facilities, with what they have in common as `facility`. */
export function facilitiesAmong(places) {
    return places.map((place) => ({ ...place, facility: facilityOf(place.feature.category) })).filter(({ facility }) => facility);
}

/** Whether a unit of a kind has one of some facilities of its kind in it, which is the same facility with a better position. */
export function isRepresented({ id, level, geometry }, kind, facilities) {
    if (!kind) return false;
    const { polygons } = shapeOf(geometry);
    const [west, south, east, north] = boundsOf(polygons) ?? [];
    const isInside = ({ point: [x, y] }) => x >= west && y >= south && x <= east && y <= north && containsPosition(polygons, [x, y]);
    return facilities.some((each) => each.facility === kind && each.level === level && (each.unit === id || isInside(each)));
}

/** What facilities of a category have in common: the kind, or else the category of units that are marked; undefined for others. */
export function facilityOf(category) {
    return amenityKind(category)?.kind ?? (isUnitMarked(category) ? category : undefined);
}

/** An amenity of no level, such as a lift, as a place of the floor that one of its units is on; empty if there is none. */
function spanningAmenity(floor, replica, feature) {
    const ids = Array.isArray(feature.properties.unit_ids) ? feature.properties.unit_ids : [];
    const unit = ids.map((id) => replica.feature(String(id).toLowerCase())).find((each) => each && floor.ids.has(each.level));
    const point = unit && labelPointOf(feature)?.position;
    return point ? [{ kind: "amenity", feature, level: unit.level, point, unit: unit.id }] : [];
}
