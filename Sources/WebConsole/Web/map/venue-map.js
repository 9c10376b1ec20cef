// The map: draws a floor, highlights places, and reports taps.

import { floorPositions } from "./floors.js";
import { areWallsRemembered, rememberWalls, wallPitch } from "./wall-mode.js";
import { MapCamera } from "./map-camera.js";
import { labelAreas } from "./label-fit.js";
import { coloursOf } from "./place-groups.js";
import { LabelOverlay } from "./label-overlay.js";
import { FloorLayers } from "./floor-layers.js";
import { Highlights } from "./highlights.js";
import { emptyStyle, floorTypes, siteTypes } from "./style.js";
import { isDarkScheme, mapColours, onSchemeChange } from "./colours.js";
import { BasemapLayers } from "./basemap.js";
import { amenityKind } from "./categories.js";
import { omitSky } from "./no-sky.js";
import { localized } from "../localization/localization.js";

/** How many floors stay in the memory of the map, of those that were shown last. */
const maximumFloors = 4;
/** A short way is not shown larger, so that the places beside it can be recognized. */
const wayZoom = 19.3;
/** How long changes are highlighted, in milliseconds. */
const highlightDuration = 4_000;
/** How long `drawn` waits at most, in milliseconds. A tab in the background draws nothing. */
const maximumWait = 3_000;
/** The same for `painted`. */
const maximumPaint = 1_000;

export class VenueMap {
    #replica;
    #map;
    #overlay;
    #colours = mapColours();
    /** `FloorLayers` by ordinal; those of the ground around the buildings are in `#site`. */
    #floors = new Map();
    #site = null;
    #highlights = null;
    #floor = null;
    #places = [];
    /** The ids that are highlighted as changed until the timer fires. */
    #flashed = new Set();
    #flashTimer = null;
    #camera;
    /** Whether a search is going on, which dims what it has not found. */
    #isDimmed = false;
    #hasBasemap = false;
    #hasWalls = areWallsRemembered();
    #areas = new Map();
    #appearance;
    #signal;
    #scale;
    /** A mark that belongs to the view of a whole floor: `{ordinal, at, room}`, `at` and `room` as for `cameraFor`; null for none. */
    mark = null;

    /** `onTap` is called with the tapped place, or with null, and with the position; `appearance` is an `Appearance`; `labelScale` enlarges labels and marks. */
    constructor(maplibregl, container, replica, { onTap, signal, padding, covers, appearance, labelScale = 1 }) {
        this.#replica = replica;
        this.#appearance = appearance;
        this.#signal = signal;
        this.#scale = labelScale;
        this.#map = new maplibregl.Map({
            validateStyle: false, container, style: emptyStyle(), attributionControl: false, maxZoom: 23, minZoom: 10,
            dragRotate: true, pitchWithRotate: false, fadeDuration: 0, renderWorldCopies: false,
            locale: { "Map.Title": localized("map.title") },
        });
        omitSky(this.#map);
        this.#map.on("webglcontextrestored", () => omitSky(this.#map));
        this.#showGround();
        this.#camera = new MapCamera(this.#map, padding);
        this.ready = new Promise((resolve) => this.#map.once("style.load", resolve));
        this.#overlay = new LabelOverlay(this.#map, this.#colours, { labelScale, padding: () => padding(0), covers });
        if (this.#hasWalls) this.#map.setPitch(wallPitch);
        this.#map.on("click", (event) => onTap(this.#placeAt(event.point), event.lngLat?.toArray() ?? null));
        this.#map.on("mousemove", (event) => {
            this.#map.getCanvas().style.cursor = this.#placeAt(event.point) ? "pointer" : "";
        });
        onSchemeChange(() => this.#recolour(), signal);
        signal.addEventListener("abort", () => this.#remove(), { once: true });
    }

    /** The position in the middle of the visible part. */
    get center() {
        return this.#camera.center.toArray();
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

    /** The visible labels, for tests. */
    get labels() {
        return this.#overlay.boxes;
    }

    /** Whether all labels of the view are shown, for tests. */
    get areLabelsComplete() {
        return this.#overlay.isComplete;
    }

    /** Draws the setting `basemap` of the venue under the floors, as soon as the floor is drawn. */
    showBasemap(basemap) {
        const onChange = (isShown) => {
            this.#hasBasemap = isShown;
            for (const layers of this.#layers) layers.isOverBasemap = isShown;
        };
        const layers = new BasemapLayers(this.#map, basemap, { signal: this.#signal, onChange });
        this.ready.then(() => this.#signal.aborted || layers.show());
    }

    /**
     * Shows the ground around the buildings, where the floor will be, and resolves when it is drawn. Without a GPU, a frame waits for each
     * shader that it is the first to need: so the frame with the floor waits for none.
     */
    showSite(floor) {
        if (this.#signal.aborted) return Promise.resolve();
        this.fit(floor);
        this.#updateSite();
        return this.#painted(() => this.#site);
    }

    /** Shows only the outline of a floor that is still loading. */
    showOutline(floor) {
        this.fit(floor);
        this.#updateSite();
        if (this.#floors.size > 0) return;
        const layers = this.#makeLayers(`floor:${floor.ordinal}`, floorTypes);
        this.#floors.set(floor.ordinal, layers);
        layers.update(floor.levels);
    }

    /** Finds the areas of places ahead of `show`, which takes a moment on a large floor. */
    prepare(places) {
        this.#areas = labelAreas(places, this.#replica, this.#areas);
    }

    #updateSite() {
        const venueWide = this.#replica.featuresOf(null).filter((each) =>
            each.type === "venue" || (each.type === "footprint" && each.properties.category === "ground"));
        this.#site ??= this.#makeLayers("venue", siteTypes);
        this.#site.update(venueWide);
    }

    /** Shows a floor and hides the others. Moves the camera only if it shows the whole of the previous floor. */
    show(floor, places) {
        if (this.#signal.aborted) return;
        const before = this.#floor;
        if (before === null || this.#camera.isFitted) this.fit(floor);
        if (before && before.ordinal !== floor.ordinal) this.#highlights?.clear();
        this.#floor = floor;
        this.update(floor, places);
        if (before && before.ordinal !== floor.ordinal) this.#animate(floor.ordinal > before.ordinal ? "up" : "down");
    }

    /** A short transition between floors. The style sheet leaves it out for users who prefer reduced motion. */
    #animate(direction) {
        const container = this.#map.getCanvasContainer();
        container.classList.remove("floor-up", "floor-down");
        // Reading the size restarts the animation of the class that was just removed.
        void container.offsetWidth;
        container.classList.add(`floor-${direction}`);
    }

    /** Draws the current features of the replica and hides levels of other floors. Only differences are passed to MapLibre. */
    update(floor, places) {
        if (this.#signal.aborted) return;
        this.#floor = floor;
        this.#places = places;
        const tenants = new Map(places.filter(({ unit, kind }) => unit && kind === "shop").map((place) => [place.unit, place]));
        const isDark = isDarkScheme();
        const propertiesOf = (feature) => {
            if (feature.type === "kiosk") return { colour: this.#appearance.placeColour(feature.category, isDark) };
            if (feature.type !== "unit") return {};
            const occupant = tenants.get(feature.id)?.category;
            return {
                group: coloursOf(feature.category, occupant),
                colour: this.#appearance.categoryColour(occupant ?? feature.category, isDark),
            };
        };
        const shown = (features) => features.filter((feature) => !this.#appearance.hides(feature));
        this.#updateSite();
        const own = this.#floors.get(floor.ordinal) ?? this.#makeLayers(`floor:${floor.ordinal}`, floorTypes);
        // The floors in the order in which they were shown.
        this.#floors.delete(floor.ordinal);
        this.#floors.set(floor.ordinal, own);
        for (const [ordinal, layers] of [...this.#floors].slice(0, -maximumFloors)) {
            layers.remove();
            this.#floors.delete(ordinal);
        }
        const features = floor.levels.flatMap((level) => [level, ...shown(this.#replica.featuresOf(level.id))]);
        this.#floors.get(floor.ordinal).update(features, propertiesOf);
        for (const [ordinal, layers] of this.#floors) layers.isVisible = ordinal === floor.ordinal;
        this.#highlights ??= this.#makeHighlights();
        this.#highlights.update();
        this.#showPlaces(places);
    }

    #showPlaces(places) {
        this.#areas = labelAreas(places, this.#replica, this.#areas);
        const hidden = places.filter(({ feature }) => this.#appearance.hides(feature)).map(({ id }) => id);
        this.#overlay.setPlaces(places, this.#areas, new Set(hidden));
    }

    #makeLayers(id, types) {
        const layers = new FloorLayers(this.#map, id, types, this.#colours);
        layers.isDimmed = this.#isDimmed;
        layers.isOverBasemap = this.#hasBasemap;
        layers.hasWalls = this.#hasWalls;
        return layers;
    }

    #makeHighlights() {
        const highlights = new Highlights(this.#map, this.#colours, (id) => this.#floors.get(this.#floor.ordinal).feature(id));
        highlights.isDimmed = this.#isDimmed;
        return highlights;
    }

    get #layers() {
        return [this.#site, ...this.#floors.values()].filter((layers) => layers !== null);
    }

    /** Resolves when the floor that was shown last was drawn for the first time, perhaps without what needs shaders of its own. */
    painted() {
        return this.#painted(() => this.#floors.get(this.#floor.ordinal));
    }

    #painted(layers) {
        return new Promise((resolve) => {
            const end = () => {
                clearTimeout(timer);
                this.#map.off("render", check);
                this.#signal.removeEventListener("abort", end);
                resolve();
            };
            const check = () => {
                if (layers().isLoaded) end();
            };
            const timer = setTimeout(end, maximumPaint);
            this.#map.on("render", check);
            this.#signal.addEventListener("abort", end);
        });
    }

    /** Resolves when what was shown last is on the screen. */
    drawn() {
        return Promise.race([
            new Promise((resolve) => this.#map.once("idle", resolve)), new Promise((resolve) => setTimeout(resolve, maximumWait)),
        ]);
    }

    /** Highlights the selected place; null for none. */
    select(place) {
        this.#overlay.selected = place;
        this.#highlights?.set("selected", place ? [place.id, this.#unitOf(place)].filter(Boolean) : []);
    }

    /** Highlights the results of a search and dims everything else; null ends this. */
    showResults(places) {
        this.#isDimmed = places !== null;
        for (const layers of this.#layers) layers.isDimmed = this.#isDimmed;
        this.#overlay.results = places;
        if (!this.#highlights) return;
        this.#highlights.isDimmed = this.#isDimmed;
        this.#highlights.set("found", (places ?? []).map((place) => this.#unitOf(place) ?? place.id));
    }

    /** The unit that is highlighted with a place, or alone if there is no feature: not a whole walkway because an amenity is in it. */
    #unitOf({ unit, feature, facility }) {
        if (!unit || feature?.type !== "amenity") return unit;
        return facility !== null && amenityKind(this.#replica.feature(unit)?.category)?.kind === facility ? unit : null;
    }

    /** See `keepClear` of `LabelOverlay`. */
    keepClear(name, obstacles) {
        this.#overlay.keepClear(name, obstacles);
    }

    /** Highlights changed features for some seconds. */
    flash(ids) {
        const places = this.#places.filter((place) => ids.has(place.id) || ids.has(place.feature.properties.anchor_id));
        this.#flashed = new Set([...this.#flashed, ...ids, ...places.map(({ unit }) => unit).filter(Boolean)]);
        this.#highlights?.set("changed", this.#flashed);
        this.#overlay.pulse(places.map(({ id }) => id), highlightDuration);
        clearTimeout(this.#flashTimer);
        this.#flashTimer = setTimeout(() => {
            this.#flashed.clear();
            this.#highlights?.set("changed", []);
        }, highlightDuration);
    }

    /** Shows all of these places, and the mark of the floor if there is one. */
    fitPlaces(places) {
        const mark = this.mark?.ordinal === this.#floor?.ordinal ? [this.mark.at] : [];
        this.#camera.fitPart([...places.map(({ point }) => point), ...mark]);
    }

    /** Shows all of these positions of a way, with what is around them. */
    fitPositions(positions) {
        this.#camera.fitPart(positions, { maximumZoom: wayZoom, scale: this.#scale });
    }

    goTo(place) {
        this.#camera.goTo(place.point);
    }

    /** With `keepsBearing`, the map is not turned. */
    fit(floor = this.#floor, { keepsBearing = false } = {}) {
        const mark = this.mark?.ordinal === floor?.ordinal ? this.mark : null;
        this.#camera.fit(floorPositions(floor, this.#replica), { mark, pitch: this.#pitch, isAnimated: this.#floor !== null, keepsBearing });
    }

    /** Turns the map so that north is up, and tilts it as much as it is tilted without the user. */
    faceNorth() {
        this.#camera.faceNorth(this.#pitch);
    }

    /** Whether the walls are three-dimensional, and the map is tilted. */
    get hasWalls() {
        return this.#hasWalls;
    }

    set hasWalls(hasWalls) {
        this.#hasWalls = hasWalls;
        for (const layers of this.#layers) layers.hasWalls = hasWalls;
        this.#camera.tilt(this.#pitch);
    }

    /** Switches the walls for the user. `isRemembered` is whether the browser stores the choice. */
    toggleWalls({ isRemembered = true } = {}) {
        this.hasWalls = !this.#hasWalls;
        if (isRemembered) rememberWalls(this.#hasWalls);
    }

    get #pitch() {
        return this.#hasWalls ? wallPitch : 0;
    }

    /** On phones, where the panel is a sheet over the map, fits the floor into the part that stays visible. */
    fitBesideSheet() {
        if (this.#floor && !matchMedia("(min-width: 720px)").matches) this.fit(this.#floor, { keepsBearing: true });
    }

    zoom(by) {
        this.#camera.zoom(by);
    }

    retranslate(places) {
        this.#map.getCanvas().setAttribute("aria-label", localized("map.title"));
        this.#places = places;
        this.#showPlaces(places);
        this.#overlay.refresh(this.#colours);
    }

    /** What is asked for afterwards, such as by an answer that was on its way, has nothing left to draw on. */
    #remove() {
        clearTimeout(this.#flashTimer);
        this.#floors.clear();
        this.#site = null;
        this.#highlights = null;
        this.#map.remove();
    }

    /** The ground is no layer, see `emptyStyle`. */
    #showGround() {
        this.#map.getContainer().style.backgroundColor = this.#colours.ground;
    }

    #recolour() {
        this.#colours = mapColours();
        this.#showGround();
        for (const layers of this.#layers) layers.colours = this.#colours;
        if (this.#highlights) this.#highlights.colours = this.#colours;
        if (this.#floor) this.update(this.#floor, this.#places);
        this.#overlay.refresh(this.#colours);
    }

    /** The place at a point: that of a label, else that of the unit or kiosk there; null for none. */
    #placeAt(point) {
        const place = this.#overlay.placeAt(point);
        if (place) return place;
        const layers = this.#floors.get(this.#floor?.ordinal)?.areaLayers(["kiosk", "unit"]) ?? [];
        if (layers.length === 0) return null;
        const [feature] = this.#map.queryRenderedFeatures(point, { layers });
        if (!feature) return null;
        const { id } = feature.properties;
        return this.#places.find((each) => each.id === id || (each.unit === id && each.kind === "shop"))
            ?? this.#places.find((each) => each.unit === id)
            ?? null;
    }
}
