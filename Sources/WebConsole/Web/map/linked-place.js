// The place that a link names.

import { levelOfFeature } from "./link-target.js";
import { localized } from "../localization/localization.js";
import { toast } from "../ui/toast.js";

/**
 * The place of a link. It may be on another floor than the link says, or the link may not say one: then its floor is shown. Null, with a
 * message, if there is no such place any more; undefined if the user has opened something else in the meantime. `floors` are the
 * `VenueFloors`.
 */
export async function placeOfLink(id, { venueKey, floors, signal, goToFloor, onError }) {
    const find = (places) => places.find((place) => place.id === id) ?? null;
    const known = find(floors.places) ?? find(floors.placesEverywhere);
    if (known) return known;
    const [address, ordinal] = [location.hash, floors.targetOrdinal];
    const level = await levelOfFeature(venueKey, id, signal).catch((error) => error);
    if (signal.aborted || location.hash !== address || floors.targetOrdinal !== ordinal) return undefined;
    if (level instanceof Error) onError(level);
    const floor = floors.all.find(({ ids }) => ids.has(level));
    if (floor && floor.ordinal !== floors.current.ordinal && !(await goToFloor(floor))) return undefined;
    const place = find(floors.places);
    if (!place && !(level instanceof Error)) toast(localized("map.placeMissing"));
    return place;
}
