// Searches places with the search of the client.

import { SearchIndex, searchMatches } from "../client/map/search-index.js";

/**
 * The places that match a text, in groups of equally good matches: the best group first, and each in the order of the client. All places
 * are one group for an empty text. `isSimilar` of the list is whether only similar spellings were found. `found` are `{match, places}` that the server has found on other floors, by the same text and filters.
 * `around` returns the features whose names say where a feature is.
 */
export function search(places, text, found = [], around = undefined) {
    const byID = new Map(places.map((place) => [place.id, place]));
    if (text.trim() === "") return [[...places, ...found.flatMap((each) => each.places).filter(({ id }) => !byID.has(id))]];
    const own = new SearchIndex(places.map(({ feature }) => feature), { around }).search(text, { isRelated: true, limit: Infinity });
    const groups = new Map();
    const add = (match, place) => {
        if (!groups.has(match)) groups.set(match, []);
        groups.get(match).push(place);
    };
    for (const { match, feature } of own) add(match, byID.get(feature.id));
    for (const { match, places: others } of found) for (const place of others) if (!byID.has(place.id)) add(match, place);
    // Mistakes are forgiven only if nothing else is found, on whichever floor.
    if (groups.size > 1) groups.delete("misspelled");
    const sorted = searchMatches.filter((match) => groups.has(match)).map((match) => groups.get(match));
    return Object.assign(sorted, { isSimilar: groups.has("misspelled") });
}
