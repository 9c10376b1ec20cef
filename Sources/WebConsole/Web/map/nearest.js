// Orders places by their distance.

import { metresBetween } from "../client/map/geometry.js";

/**
 * `{places, distances}`: the places of the same floor first, then by number of floors, then by distance. `distances` are metres by place; a
 * place of another floor has none, because the way to it is longer than the horizontal distance. `origin` is that of a `PlaceSearch`.
 */
export function nearestFirst(places, { origin: { position, floor }, floorOf }) {
    const metres = new Map(places.map((place) => [place, metresBetween(position, place.point)]));
    const floors = new Map(places.map((place) => [place, Math.abs((floorOf(place)?.ordinal ?? 0) - (floor?.ordinal ?? 0))]));
    return {
        places: [...places].sort((a, b) => floors.get(a) - floors.get(b) || metres.get(a) - metres.get(b)),
        distances: new Map([...metres].filter(([place]) => floors.get(place) === 0)),
    };
}
