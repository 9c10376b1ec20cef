// Which categories are about eating and drinking: those of the group “food” in the cartography of VenueSync.

import { foodPrefixes, otherPrefixes } from "../map/search-tables.js";

/** Whether a category is one of food: its longest known prefix is. */
export function isFood(category) {
    const longest = (list) => Math.max(0, ...list.filter((each) => category.startsWith(each)).map(({ length }) => length));
    return longest(foodPrefixes) > longest(otherPrefixes);
}
