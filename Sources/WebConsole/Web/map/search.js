// Searches places with the search of the client.

import { SearchIndex } from "../client/map/search-index.js";

/** The places that match a text, best first; all in their order for an empty text. */
export function search(places, text) {
    if (text.trim() === "") return places;
    const found = new SearchIndex(places.map(({ feature }) => feature)).search(text, { isRelated: true, limit: Infinity });
    const rank = new Map(found.map(({ feature }, index) => [feature.id, index]));
    return places.filter(({ id }) => rank.has(id)).sort((one, other) => rank.get(one.id) - rank.get(other.id));
}
