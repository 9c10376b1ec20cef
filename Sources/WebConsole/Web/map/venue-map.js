// The map: draws a floor, highlights places, and reports taps.

import { floorBounds } from "./floors.js";
import { LabelOverlay } from "./label-overlay.js";
import { LevelSources } from "./level-sources.js";
import { emptyStyle } from "./style.js";
import { mapColours, onSchemeChange } from "./colours.js";
import { unitGroup } from "./categories.js";
import { localized } from "../localization/localization.js";

/** How long changes are highlighted, in milliseconds. */
const highlightDuration = 4_000;

export class VenueMap {
    #replica;
    #map;
    #overlay;
    #colours = mapColours();
    /** `LevelSources` by level id; `venue` is the venue-wide part. */
    #levels = new Map();
    #floor = null;
    #places = [];
    #flashTimer = null;

    /** `onTap` is called with the tapped place, or with null. */
    constructor(maplibregl, container, replica, { onTap, signal, padding }) {
        this.#replica = replica;
        this.#map = new maplibregl.Map({
            container, style: emptyStyle(this.#colours), attributionControl: false, maxZoom: 23, minZoom: 10,
            dragRotate: true, pitchWithRotate: false, fadeDuration: 0, renderWorldCopies: false,
            locale: { "Map.Title": localized("map.title") },
        });
        this.padding = padding;
        this.ready = new Promise((resolve) => this.#map.once("style.load", resolve));
        this.#overlay = new LabelOverlay(this.#map, this.#colours);
        this.#map.on("click", (event) => onTap(this.#placeAt(event.point)));
        this.#map.on("mousemove", (event) => {
            this.#map.getCanvas().style.cursor = this.#placeAt(event.point) ? "pointer" : "";
        });
        onSchemeChange(() => this.#recolour(), signal);
        signal.addEventListener("abort", () => this.#remove(), { once: true });
    }

    get center() {
        return this.#map.getCenter().toArray();
    }

    /** The MapLibre map. */
    get mapLibre() {
        return this.#map;
    }

    /** The places of the current floor, for tests and measurements. */
    get places() {
        return this.#places;
    }

    /** The number of visible labels, for tests and measurements. */
    get labelCount() {
        return this.#overlay.count;
    }

    /** Shows a floor and hides the others. Only the first floor moves the camera. */
    show(floor, places) {
        const isFirst = this.#floor === null;
        if (isFirst) this.fit(floor);
        this.#floor = floor;
        this.update(floor, places);
    }

    /** Draws the current features of the replica and hides levels of other floors. Only differences are passed to MapLibre. */
    update(floor, places) {
        this.#floor = floor;
        this.#places = places;
        const tenants = new Map(places.filter(({ unit, kind }) => unit && kind === "shop").map((place) => [place.unit, place]));
        const propertiesOf = (feature) => ({
            group: feature.type === "unit"
                ? unitGroup(feature.properties.category, tenants.get(feature.id)?.category) : undefined,
        });
        const venueWide = this.#replica.featuresOf(null).filter((each) =>
            each.type === "venue" || (each.type === "footprint" && each.properties.category === "ground"));
        this.#sources("venue").update(venueWide, () => ({}));
        for (const level of floor.levels) this.#sources(level.id).update([level, ...this.#replica.featuresOf(level.id)], propertiesOf);
        for (const [level, sources] of this.#levels) sources.isVisible = level === "venue" || floor.ids.has(level);
        this.#overlay.places = places;
    }

    #sources(level) {
        if (!this.#levels.has(level)) this.#levels.set(level, new LevelSources(this.#map, level === "venue" ? null : level, this.#colours));
        return this.#levels.get(level);
    }

    /** Highlights the selected place; null for none. */
    select(place) {
        for (const sources of this.#levels.values()) sources.clearState("selected");
        this.#overlay.selected = place;
        if (!place) return;
        for (const id of [place.id, place.unit]) if (id) this.#setState(id, "selected");
    }

    /** Highlights the results of a search and hides all other labels; null ends this. */
    showResults(places) {
        for (const sources of this.#levels.values()) sources.clearState("found");
        this.#overlay.results = places;
        for (const place of places ?? []) this.#setState(place.unit ?? place.id, "found");
    }

    /** Highlights changed features for some seconds. */
    flash(ids) {
        const places = this.#places.filter((place) => ids.has(place.id) || ids.has(place.feature.properties.anchor_id));
        const all = new Set([...ids, ...places.map(({ unit }) => unit).filter(Boolean)]);
        for (const id of all) this.#setState(id, "changed");
        this.#overlay.pulse(places.map(({ id }) => id), highlightDuration);
        clearTimeout(this.#flashTimer);
        this.#flashTimer = setTimeout(() => {
            for (const sources of this.#levels.values()) sources.clearState("changed");
        }, highlightDuration);
    }

    #setState(id, name) {
        for (const sources of this.#levels.values()) if (sources.setState(id, name)) return;
    }

    goTo(place) {
        const { left, right, top, bottom } = this.padding();
        this.#map.easeTo({
            center: place.point, zoom: Math.max(this.#map.getZoom(), 19), offset: [(left - right) / 2, (top - bottom) / 2],
            duration: this.#duration,
        });
    }

    fit(floor = this.#floor) {
        const bounds = floorBounds(floor, this.#replica);
        if (!bounds) return;
        const duration = this.#floor ? this.#duration : 0;
        this.#map.fitBounds(bounds, { padding: this.padding(24), maxZoom: 21, duration, bearing: 0 });
    }

    /** On phones, where the panel is a sheet over the map, fits the floor into the part that stays visible. */
    fitBesideSheet() {
        if (this.#floor && !matchMedia("(min-width: 720px)").matches) this.fit();
    }

    zoom(by) {
        this.#map.easeTo({ zoom: this.#map.getZoom() + by, duration: this.#duration / 2 });
    }

    retranslate(places) {
        this.#map.getCanvas().setAttribute("aria-label", localized("map.title"));
        this.#places = places;
        this.#overlay.places = places;
        this.#overlay.refresh(this.#colours);
    }

    #remove() {
        clearTimeout(this.#flashTimer);
        this.#map.remove();
    }

    get #duration() {
        return matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 500;
    }

    #recolour() {
        this.#colours = mapColours();
        this.#map.setPaintProperty("ground", "background-color", this.#colours.ground);
        for (const sources of this.#levels.values()) sources.colours = this.#colours;
        this.#overlay.refresh(this.#colours);
    }

    /** The place at a point: that of a label, else that of the unit or kiosk there; null for none. */
    #placeAt(point) {
        const place = this.#overlay.placeAt(point);
        if (place) return place;
        const layers = (this.#floor?.levels ?? []).flatMap(({ id }) =>
            ["kiosk", "unit"].map((type) => this.#levels.get(id)?.layerId(type)).filter(Boolean));
        if (layers.length === 0) return null;
        const [feature] = this.#map.queryRenderedFeatures(point, { layers });
        if (!feature) return null;
        const { id } = feature.properties;
        return this.#places.find((each) => each.id === id || (each.unit === id && each.kind === "shop"))
            ?? this.#places.find((each) => each.unit === id)
            ?? null;
    }
}
