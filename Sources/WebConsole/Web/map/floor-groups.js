// Places of several floors in groups, so that a list leads from floor to floor.

/**
 * `[{floor, places}]`. `matches` are lists of places, the best first; a floor counts as much as its best place. Of equally good floors the
 * current one is the first, then those that are fewer floors away, then the higher ones.
 */
export function groupedByFloor(matches, { floor: current, floorOf }) {
    const groups = new Map();
    for (const [quality, places] of matches.entries()) {
        for (const place of places) {
            const floor = floorOf(place);
            if (!groups.has(floor)) groups.set(floor, { floor, quality, places: [] });
            groups.get(floor).places.push(place);
        }
    }
    const distance = ({ floor }) => Math.abs((floor?.ordinal ?? 0) - (current?.ordinal ?? 0));
    return [...groups.values()].sort((one, other) =>
        one.quality - other.quality || distance(one) - distance(other) || (other.floor?.ordinal ?? 0) - (one.floor?.ordinal ?? 0));
}

/** The groups with the first `limit` places of all. */
export function firstPlaces(groups, limit) {
    let rest = limit;
    return groups.map((group) => {
        const places = group.places.slice(0, rest);
        rest -= places.length;
        return { ...group, places };
    }).filter(({ places }) => places.length > 0);
}
