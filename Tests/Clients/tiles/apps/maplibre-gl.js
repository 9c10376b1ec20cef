const tiles = new VenueTiles(venue, revision, { lang: "en", token }, "mvt");
const map = new maplibregl.Map({
    container: "map",
    style: `${venue}/style.json?${new URLSearchParams({ lang: "en", theme: "light", token })}`,
    center: [longitude, latitude],
    zoom: 17.5,
    refreshExpiredTiles: false, // otherwise every visible tile is requested again once a minute
    transformRequest(address, type) {
        const [, z, x, y] = address.match(/\/tiles\/all\/(\d+)\/(\d+)\/(\d+)\.mvt/) ?? [];
        return type === "Tile" && z ? { url: tiles.current(address, "all", { x, y, z }) } : undefined;
    },
});

async function refresh() {
    const stale = (await tiles.update()).floors.get("all");
    const source = map.getSource("venue");
    if (!stale || !source) return;
    const ids = stale === "all" ? undefined : stale.map((name) => name.split("/").map(Number)).map(([z, x, y]) => ({ x, y, z }));
    if (map.refreshTiles) map.refreshTiles("venue", ids); // draws the old tiles until it has the new ones
    else source.setTiles(source.tiles); // all tiles; those that did not change come from the cache of the browser
}
setInterval(refresh, 60_000);
