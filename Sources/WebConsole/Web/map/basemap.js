// The map of the surroundings, from another service, under the floors: the setting `basemap` of the venue. The floors never depend on it:
// what cannot be loaded or drawn is left out.

import { basemapSlot } from "./style.js";
import { isDarkScheme, onSchemeChange } from "./colours.js";

const prefix = "basemap";
/** How long a style may take, in milliseconds. */
const timeout = 20_000;

export class BasemapLayers {
    #map;
    #basemap;
    #signal;
    #onChange;
    /** The address that is shown or being loaded; null for none. */
    #address = null;
    #layers = [];
    #sources = [];

    /**
     * `map` is a MapLibre map whose style is loaded, `basemap` the setting. `onChange` is called with whether something of a basemap has been
     * loaded.
     */
    constructor(map, basemap, { signal, onChange }) {
        this.#map = map;
        this.#basemap = basemap;
        this.#signal = signal;
        this.#onChange = onChange;
        map.on("sourcedata", (event) => this.#loaded(event));
        onSchemeChange(() => this.show(), signal);
        // What could not be loaded is not requested again by itself.
        window.addEventListener("online", () => { this.#address = null; this.show(); }, { signal });
    }

    /** Shows the basemap of the light or the dark mode. */
    async show() {
        const address = absolute(valueOf(this.#basemap.tiles ?? this.#basemap.style));
        if (address === this.#address) return;
        this.#address = address;
        try {
            const style = this.#basemap.tiles ? this.#rasterStyle(address) : await this.#load(address);
            if (this.#signal.aborted || address !== this.#address) return;
            this.#remove();
            this.#add(style, address);
        } catch {
            // Unreachable, or not a style.
        }
    }

    /** Tiles, or the data of a source, have arrived. */
    #loaded({ sourceId, tile }) {
        if (tile?.state === "loaded" && this.#sources.includes(sourceId)) this.#onChange(true);
    }

    #rasterStyle(address) {
        const { tile_size: tileSize = 256, max_zoom: maxzoom = 19 } = this.#basemap;
        return {
            sources: { tiles: { type: "raster", tiles: [address], tileSize, maxzoom } },
            layers: [{ id: "tiles", type: "raster", source: "tiles", paint: { "raster-fade-duration": 0 } }],
        };
    }

    async #load(address) {
        const signal = AbortSignal.any([this.#signal, AbortSignal.timeout(timeout)]);
        const response = await fetch(address, { signal, credentials: "omit" });
        if (!response.ok) throw new Error(`${response.status}`);
        return response.json();
    }

    /** Adds the layers of a style below those of the floors. Addresses in it may be relative to its own. */
    #add(style, address) {
        const map = this.#map;
        if (style.glyphs) map.setGlyphs(resolved(style.glyphs, address));
        const sprites = typeof style.sprite === "string" ? [{ id: "default", url: style.sprite }] : style.sprite ?? [];
        const known = new Set(map.getSprite().map(({ id }) => id));
        for (const { id, url } of sprites) if (!known.has(id)) map.addSprite(id, resolved(url, address));
        for (const [name, source] of Object.entries(style.sources)) {
            const id = `${prefix}/${name}`;
            this.#sources.push(id);
            map.addSource(id, withAddresses(source, address));
        }
        for (const { id, source, ...layer } of style.layers) {
            const own = `${prefix}/${id}`;
            this.#layers.push(own);
            map.addLayer({ id: own, ...(source ? { source: `${prefix}/${source}` } : {}), ...layer }, basemapSlot);
        }
    }

    #remove() {
        for (const id of this.#layers) if (this.#map.getLayer(id)) this.#map.removeLayer(id);
        for (const id of this.#sources) if (this.#map.getSource(id)) this.#map.removeSource(id);
        // Glyphs and sprites are replaced by those of the next style.
        for (const { id } of this.#map.getSprite()) this.#map.removeSprite(id);
        this.#layers = [];
        this.#sources = [];
        this.#onChange(false);
    }
}

/** The value of a setting in the current mode. */
const valueOf = (value) => (typeof value === "string" ? value : value[isDarkScheme() ? "dark" : "light"]);

/** A path on this server as an address. Not `new URL`, which would escape the braces of a template. */
const absolute = (address) => (address.startsWith("/") ? location.origin + address : address);

/** An address in a style. */
const resolved = (address, base) => (/^[a-z]+:/i.test(address) ? address : new URL(address, base).href.replace(/%7B/gi, "{").replace(/%7D/gi, "}"));

function withAddresses(source, base) {
    const addresses = {};
    if (typeof source.url === "string") addresses.url = resolved(source.url, base);
    if (typeof source.data === "string") addresses.data = resolved(source.data, base);
    if (Array.isArray(source.tiles)) addresses.tiles = source.tiles.map((tile) => resolved(tile, base));
    return { ...source, ...addresses };
}
