function floorLayer(tiles, floor) {
    const layer = L.tileLayer("", { minZoom: 14, maxZoom: 22 });
    const shown = new Map(); // images, and the tile that each shows
    layer.getTileUrl = (tile) => tiles.image(floor, tile, L.Browser.retina ? "@2x" : "");
    layer.on("tileloadstart", ({ tile: image, coords }) => shown.set(image, coords));
    layer.on("tileunload", ({ tile: image }) => shown.delete(image));
    layer.refresh = (stale) => {
        for (const [image, tile] of shown) if (stale.has(floor, tile)) image.src = layer.getTileUrl(tile);
    };
    return layer;
}

const tiles = new VenueTiles(venue, revision, { lang: "en", theme: "light", token });
const floors = { "2F": floorLayer(tiles, 1), "1F": floorLayer(tiles, 0) };
const map = L.map("map", { center: [latitude, longitude], zoom: 18, layers: [floors["1F"]] });
L.control.layers(floors, null, { collapsed: false }).addTo(map);

async function refresh() {
    const stale = await tiles.update();
    for (const layer of Object.values(floors)) layer.refresh(stale);
}
setInterval(refresh, 60_000);
