// The map itself: what is drawn of a floor, what is marked, what was tapped.

import { boxOfFloor } from "./floors.js";
import { LabelOverlay } from "./label-overlay.js";
import { LevelSources } from "./level-sources.js";
import { emptyStyle } from "./style.js";
import { mapColours, onSchemeChange } from "./paint.js";
import { unitGroup } from "./categories.js";
import { word } from "../words/words.js";

const highlight = 4_000;

export class VenueMap {
    #replica;
    #map;
    #overlay;
    #colours = mapColours();
    /** Sources by level; `venue` is the venue-wide part. */
    #levels = new Map();
    #floor = null;
    #places = [];
    /** Ends what `flash` began. */
    #flashing = null;

    /** `onTap` is called with a place, or null for where nothing is. */
    constructor(maplibregl, container, replica, { onTap, signal, padding }) {
        this.#replica = replica;
        this.#map = new maplibregl.Map({
            container, style: emptyStyle(this.#colours), attributionControl: false, maxZoom: 23, minZoom: 10,
            dragRotate: true, pitchWithRotate: false, fadeDuration: 0, renderWorldCopies: false,
            locale: { "Map.Title": word("map.title") },
        });
        this.padding = padding;
        this.ready = new Promise((resolve) => this.#map.once("style.load", resolve));
        this.#overlay = new LabelOverlay(this.#map, this.#colours);
        this.#map.on("click", (event) => onTap(this.#tapped(event.point)));
        this.#map.on("mousemove", (event) => {
            this.#map.getCanvas().style.cursor = this.#tapped(event.point) ? "pointer" : "";
        });
        onSchemeChange(() => this.#recolour(), signal);
        signal.addEventListener("abort", () => this.#remove(), { once: true });
    }

    get center() {
        return this.#map.getCenter().toArray();
    }

    /** For tests and measurements: MapLibre's own map, the places that are shown, and how many labels stand. */
    get library() {
        return this.#map;
    }

    get shown() {
        return this.#places;
    }

    get labelCount() {
        return this.#overlay.count;
    }

    /** Shows a floor and hides the others. The view stays where it is, unless nothing was shown before. */
    show(floor, places) {
        const isFirst = this.#floor === null;
        if (isFirst) this.fit(floor);
        this.#floor = floor;
        this.update(floor, places);
    }

    /** Draws what the replica says now; a level that left the floor is hidden. Only what differs reaches the sources. */
    update(floor, places) {
        this.#floor = floor;
        this.#places = places;
        const tenants = new Map(places.filter(({ unit, kind }) => unit && kind === "shop").map((place) => [place.unit, place]));
        const shown = (feature) => ({
            group: feature.feature_type === "unit"
                ? unitGroup(feature.properties.category, tenants.get(feature.id)?.category) : undefined,
        });
        const venueWide = this.#replica.featuresOf(null).filter((each) =>
            each.feature_type === "venue" || (each.feature_type === "footprint" && each.properties.category === "ground"));
        this.#sources("venue").update(venueWide, () => ({}));
        for (const level of floor.levels) this.#sources(level.id).update([level, ...this.#replica.featuresOf(level.id)], shown);
        for (const [level, sources] of this.#levels) sources.isVisible = level === "venue" || floor.ids.has(level);
        this.#overlay.places = places;
    }

    #sources(level) {
        if (!this.#levels.has(level)) this.#levels.set(level, new LevelSources(this.#map, level, this.#colours));
        return this.#levels.get(level);
    }

    /** Marks the one place that is looked at; null for none. */
    select(place) {
        for (const sources of this.#levels.values()) sources.unmark("selected");
        this.#overlay.selected = place;
        if (!place) return;
        for (const id of [place.id, place.unit]) if (id) this.#mark(id, "selected");
    }

    /** Marks what was found, and hides the labels of the rest; null for all. */
    found(places) {
        for (const sources of this.#levels.values()) sources.unmark("found");
        this.#overlay.found = places;
        for (const place of places ?? []) this.#mark(place.unit ?? place.id, "found");
    }

    /** Shows for a moment what changed. */
    flash(ids) {
        const places = this.#places.filter((place) => ids.has(place.id) || ids.has(place.feature.properties.anchor_id));
        const all = new Set([...ids, ...places.map(({ unit }) => unit).filter(Boolean)]);
        for (const id of all) this.#mark(id, "changed");
        this.#overlay.pulse(places.map(({ id }) => id), highlight);
        clearTimeout(this.#flashing);
        this.#flashing = setTimeout(() => {
            for (const sources of this.#levels.values()) sources.unmark("changed");
        }, highlight);
    }

    #mark(id, name) {
        for (const sources of this.#levels.values()) if (sources.mark(id, name)) return;
    }

    goTo(place) {
        const { left, right, top, bottom } = this.padding();
        this.#map.easeTo({
            center: place.point, zoom: Math.max(this.#map.getZoom(), 19), offset: [(left - right) / 2, (top - bottom) / 2],
            duration: this.#duration,
        });
    }

    fit(floor = this.#floor) {
        const box = boxOfFloor(floor, this.#replica);
        if (box) this.#map.fitBounds(box, { padding: this.padding(24), maxZoom: 21, duration: this.#floor ? this.#duration : 0, bearing: 0 });
    }

    /** Where the panel is a sheet over the map, what is behind it moves into sight. */
    makeRoom() {
        if (this.#floor && !matchMedia("(min-width: 720px)").matches) this.fit();
    }

    zoom(by) {
        this.#map.easeTo({ zoom: this.#map.getZoom() + by, duration: this.#duration / 2 });
    }

    /** New words for the same things. */
    retranslate(places) {
        this.#map.getCanvas().setAttribute("aria-label", word("map.title"));
        this.#places = places;
        this.#overlay.places = places;
        this.#overlay.refresh(this.#colours);
    }

    #remove() {
        clearTimeout(this.#flashing);
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

    /** What stands at a point: a label's place, else that of the unit or kiosk there. */
    #tapped(point) {
        const place = this.#overlay.at(point);
        if (place) return place;
        const layers = (this.#floor?.levels ?? []).flatMap(({ id }) =>
            ["kiosk", "unit"].map((type) => this.#levels.get(id)?.layerId(type)).filter(Boolean));
        if (layers.length === 0) return null;
        const [found] = this.#map.queryRenderedFeatures(point, { layers });
        if (!found) return null;
        const { id } = found.properties;
        return this.#places.find((each) => each.id === id || (each.unit === id && each.kind === "shop"))
            ?? this.#places.find((each) => each.unit === id)
            ?? null;
    }
}
