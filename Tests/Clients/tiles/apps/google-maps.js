function floorOverlay(tiles, floor) {
    return new google.maps.ImageMapType({
        tileSize: new google.maps.Size(256, 256),
        getTileUrl({ x, y }, z) {
            const columns = 2 ** z; // the map repeats itself to the east and to the west
            return z < 14 || z > 22 ? null : tiles.image(floor, { x: ((x % columns) + columns) % columns, y, z });
        },
    });
}

const tiles = new VenueTiles(venue, revision, { lang: "en", theme: "light", token });
const map = new google.maps.Map(document.getElementById("map"), { center: { lat: latitude, lng: longitude }, zoom: 18 });
let floor;

function showFloor(ordinal) {
    floor = ordinal;
    map.overlayMapTypes.setAt(0, floorOverlay(tiles, floor));
}
showFloor(0);

async function refresh() {
    const stale = await tiles.update();
    if (stale.floors.has(floor)) showFloor(floor); // all tiles; those that did not change come from the cache of the browser
}
setInterval(refresh, 60_000);
