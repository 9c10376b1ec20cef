// Shows the floor with an ordinal on a map with the style of a venue. The documentation quotes it.
function showFloor(map, ordinal) {
    for (const layer of map.getStyle().layers.filter((layer) => layer.source === "venue")) {
        map.setFilter(layer.id, ["all", ["==", ["get", "ordinal"], ordinal], ...layer.filter.slice(2)]);
    }
}
