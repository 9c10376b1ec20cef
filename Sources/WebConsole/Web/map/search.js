// Searches places with the search of the client.

import { SearchIndex } from "../client/map/search-index.js";

/**
 * The places that match a text, in groups of equally good matches: the best group first, and each in the order of the client. All places are one
 * group for an empty text.
 */
export function search(places, text) {
    if (text.trim() === "") return [places];
    const byID = new Map(places.map((place) => [place.id, place]));
    const found = new SearchIndex(places.map(({ feature }) => feature)).search(text, { isRelated: true, limit: Infinity });
    return [...Map.groupBy(found, ({ match }) => match).values()].map((group) => group.map(({ feature }) => byID.get(feature.id)));
}
