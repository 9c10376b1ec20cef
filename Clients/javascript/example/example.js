// The page of index.html. Parameters of its address: `server` (by default its own origin), `venue`, and `maplibre`, the folder of the map
// library.

import { GeoJSONSource, IndexedDBReplicaStore, VenueMap, VenueReplica, applyUpdate, listVenues } from "@venuesync/client";

const parameters = new URLSearchParams(location.search);
const server = parameters.get("server") ?? location.origin;
const element = (id) => document.getElementById(id);
const languages = navigator.languages;

/** The layers of each drawn type, from the bottom to the top. */
const layers = {
    level: { type: "fill", paint: { "fill-color": "#f4f1ea" } },
    unit: {
        type: "fill",
        paint: { "fill-color": ["case", ["==", ["get", "category"], "walkway"], "#ffffff", "#d9e6f2"], "fill-outline-color": "#8aa" },
    },
    kiosk: { type: "fill", paint: { "fill-color": "#f2dfc0" } },
    amenity: { type: "circle", paint: { "circle-radius": 4, "circle-color": "#205080" } },
};

const hint = "Enter a key, or name a public venue in the address";

/** What is shown now: `{replica, map, floor, stop}`. */
let shown = null;
const drawing = await startDrawing(parameters.get("maplibre") ?? "../../../.map-library");

element("key").value = sessionStorage.getItem("key") ?? "";
element("sign-in").addEventListener("submit", (event) => {
    event.preventDefault();
    sessionStorage.setItem("key", element("key").value);
    start();
});
element("venue").addEventListener("change", () => open(element("venue").value));
element("search").addEventListener("input", list);
setInterval(list, 60_000); // Opening hours change with time.
start();

async function start() {
    const key = sessionStorage.getItem("key") || null;
    // Without a network, the venue of the last visit is shown from the store.
    const last = parameters.get("venue") ?? localStorage.getItem("venue");
    let [venues, failure] = [[], null];
    try {
        venues = await listVenues({ server, key });
    } catch (error) {
        failure = error;
    }
    const names = venues.length > 0 ? venues.map(({ venue }) => venue) : [last].filter(Boolean);
    element("venue").replaceChildren(...names.map((name) => new Option(name, name, false, name === last)));
    const needsKey = failure === null || (failure.kind === "unauthorized" && key === null);
    if (names.length > 0) await open(element("venue").value);
    else element("connection").value = needsKey ? hint : failure.message;
}

async function open(venue) {
    shown?.stop.abort();
    await shown?.replica.close();
    localStorage.setItem("venue", venue);
    const store = new IndexedDBReplicaStore(`venuesync/${venue}`);
    const key = () => sessionStorage.getItem("key") || null;
    const replica = await VenueReplica.open({ server, venue, store, key });
    shown = { replica, floor: null, stop: new AbortController() };
    drawing?.clear();
    replica.addEventListener("change", show);
    replica.addEventListener("connection", showConnection);
    show();
    showConnection();
    replica.follow(showConnection, { signal: shown.stop.signal }).catch(showConnection);
}

/** Shows the replica after it was opened or has changed. */
function show() {
    const { replica } = shown;
    shown.map = VenueMap.of(replica);
    const { floors } = shown.map;
    const floorAt = (ordinal) => floors.find((floor) => floor.ordinal === ordinal);
    shown.floor = floorAt(shown.floor?.ordinal) ?? floorAt(0) ?? floors.at(-1);
    element("floors").replaceChildren(...floors.map((floor) => {
        const button = Object.assign(document.createElement("button"), { textContent: floor.levels[0].shortName ?? String(floor.ordinal) });
        button.ariaPressed = String(floor === shown.floor);
        button.addEventListener("click", () => {
            shown.floor = floor;
            show();
        });
        return button;
    }));
    drawing?.draw();
    list();
}

function showConnection() {
    const { state, lastSynced, error } = shown.replica.connection;
    const time = lastSynced?.toLocaleTimeString() ?? "never";
    const texts = { connecting: "Connecting …", current: `Up to date, ${time}` };
    element("connection").value = texts[state] ?? `${state}: ${error?.message}; last synced: ${time}`;
}

/** Lists the places of the floor, or what the search finds on all floors. */
function list() {
    if (!shown?.floor) return;
    const text = element("search").value.trim();
    const { map, floor } = shown;
    const now = new Date();
    const types = ["occupant", "amenity", "unit"];
    const places = text === ""
        ? floor.levels.flatMap(({ level }) => map.features("occupant", level)).map(({ id }) => ({ id, ordinal: floor.ordinal }))
        : map.search(text, { types, instant: now });
    element("places").replaceChildren(...places.map(({ id, ordinal, text: found }) => {
        const { state, nextChange } = map.openness(id, now);
        const until = nextChange?.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", timeZone: map.timeZone });
        const hours = state === "unknown" ? "" : `${state}${until ? ` until ${until}` : ""}`;
        const item = document.createElement("li");
        const floorName = ordinal === floor.ordinal || ordinal === null ? "" : ` (${ordinal})`;
        const note = Object.assign(document.createElement("small"), { textContent: hours });
        item.append((map.name(id, languages) ?? found ?? id) + floorName, note);
        return item;
    }));
}

// Drawing with MapLibre GL JS.

function propertiesOf(feature) {
    return { category: feature.category };
}

/** The box of several boxes; a floor has a level for each building. Null for none. */
function boxOf(boxes) {
    if (boxes.length === 0) return null;
    const [west, south, east, north] = [0, 1, 2, 3].map((side) => boxes.map((box) => box[side]));
    return [Math.min(...west), Math.min(...south), Math.max(...east), Math.max(...north)];
}

/** Null if the map library is not there. */
async function startDrawing(folder) {
    const script = Object.assign(document.createElement("script"), { src: `${folder}/maplibre-gl.js` });
    const isLoaded = await new Promise((resolve) => {
        script.onload = () => resolve(true);
        script.onerror = () => resolve(false);
        document.head.append(script);
    });
    if (!isLoaded) return null;
    document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: `${folder}/maplibre-gl.css` }));
    const style = { version: 8, sources: {}, layers: [{ id: "background", type: "background", paint: { "background-color": "#e6e6e0" } }] };
    const map = new maplibregl.Map({ container: "map", style, attributionControl: false });
    await new Promise((resolve) => map.once("load", resolve));
    /** A source for each floor that was shown, by its ordinal. */
    const sources = new Map();
    const layerOf = (source, type) => `${source.id}/${type}`;

    /** Draws the shown floor; other floors are hidden. Only differences are sent to the map. */
    function draw() {
        if (!shown?.floor) return;
        const { ordinal } = shown.floor;
        const levels = shown.floor.levels.map(({ level }) => level);
        if (!sources.has(ordinal)) sources.set(ordinal, new GeoJSONSource(`floor:${ordinal}`, { types: Object.keys(layers), propertiesOf }));
        const floor = sources.get(ordinal);
        applyUpdate(map, floor.update(levels.flatMap((level) => shown.map.featuresOn(level))), (source) => {
            for (const [type, layer] of Object.entries(layers)) {
                map.addLayer({ id: layerOf(floor, type), source, filter: ["==", ["get", "feature_type"], type], ...layer });
            }
        });
        for (const source of sources.values()) {
            const visibility = source === floor ? "visible" : "none";
            for (const type of Object.keys(layers)) map.setLayoutProperty(layerOf(source, type), "visibility", visibility);
        }
        const box = boxOf(levels.map((level) => shown.map.box(level)).filter(Boolean));
        if (shown.seen !== shown.floor.ordinal && box) map.fitBounds(box, { padding: 30, animate: false });
        shown.seen = shown.floor.ordinal;
    }

    function clear() {
        for (const source of sources.values()) {
            for (const type of Object.keys(layers)) map.removeLayer(layerOf(source, type));
            map.removeSource(source.id);
        }
        sources.clear();
    }

    return { map, draw, clear };
}
