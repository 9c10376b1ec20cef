/** Adds a value to the list of a key, in a map of lists. */
export function addTo(map, key, value) {
    if (!map.has(key)) map.set(key, []);
    map.get(key).push(value);
}
