// What the search panel lists: the places that match a text and filters, by floor.

import { browsedGroup } from "./place-groups.js";
import { browsedGroups } from "./categories.js";
import { groupedByFloor } from "./floor-groups.js";
import { nearestFirst } from "./nearest.js";
import { search } from "./search.js";

/**
 * `{groups, isFiltered, isEverywhere, isSimilar, distances, origin, server}`: places by floor. A search covers the whole venue. Without a text, facilities
 * are those of the floor; if it has none, or if the distances are measured from another floor, those of all floors, the nearest first. A
 * group is that of the whole venue. `server` is the state of the search of the floors that are not loaded. `places` is a `PlaceSearch`, `kind` a
 * kind of facilities or a group, or null; `onElsewhere` is called if that is looked for on all floors.
 */
export function searchResults(places, { text, kind: filter, isOpenNow, floor, onElsewhere }) {
    const [group, kind] = browsedGroups.includes(filter) ? [filter, null] : [null, filter];
    const now = new Date();
    const isBrowsed = (place) => ["shop", "kiosk"].includes(place.kind) && browsedGroup(place.category) === group;
    const isWanted = (place) => (!kind || place.facility === kind) && (!group || isBrowsed(place)) && (!isOpenNow || place.hours?.state(now).state === "open");
    const filtered = (isEverywhere, found) => {
        const groups = search(places.places(isEverywhere), text, found, places.around);
        return Object.assign(groups.map((each) => each.filter(isWanted)), { isSimilar: groups.isSimilar });
    };
    const isFiltered = text.trim() !== "" || isOpenNow || filter !== null;
    const origin = kind ? places.origin : null;
    const isEverywhere = isFiltered && (kind === null || text.trim() !== "" || origin.floor.ordinal !== floor.ordinal
        || filtered(false).flat().length === 0);
    if (filter && isEverywhere) onElsewhere();
    // The server does not know the groups.
    const server = places.onMissingFloors(isEverywhere && !group ? { text, kind, isOpenNow } : null);
    const matches = filtered(isEverywhere, server.matches);
    const { isSimilar } = matches;
    const floorOf = (place) => places.floorOf(place);
    if (!kind) return { isFiltered, isEverywhere, isSimilar, server, groups: groupedByFloor(matches, { floor, floorOf }) };
    const { places: nearest, distances } = nearestFirst(matches.flat(), { origin, floorOf });
    return { isFiltered, isEverywhere, isSimilar, server, distances, origin, groups: groupedByFloor([nearest], { floor: origin.floor, floorOf }) };
}
