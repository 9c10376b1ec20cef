// The layers of one level, over one GeoJSON source for each feature type.

import { GeoJSONSources, applyUpdates } from "../client/map/geojson-sources.js";
import { wallPaint, wallsOf } from "./walls.js";
import { drawnTypes, layersOf } from "./style.js";

/** The layers of style.js that show feature states. */
const highlightSuffixes = ["halo", "highlight"];

export class LevelSources {
    #map;
    #level;
    #colours;
    #sources;
    #propertiesOf = () => ({});
    /** The types that have a source. */
    #types = new Set();
    /** The features that have a feature state set, by the name of the state. */
    #stateful = new Map();
    #isVisible = true;
    #isDimmed = false;
    #isOverBasemap = false;
    #hasWalls = false;
    #features = [];
    /** Whether the walls were made of these features. */
    #areWallsCurrent = false;

    /** `level` is a level id, or null for the venue-wide part. */
    constructor(map, level, colours) {
        this.#map = map;
        this.#level = level;
        this.#colours = colours;
        this.#sources = new GeoJSONSources({ types: drawnTypes, propertiesOf: (feature) => this.#propertiesOf(feature) });
    }

    /** Shows exactly these features. `propertiesOf(feature)` returns the properties that the style reads. */
    update(features, propertiesOf) {
        this.#propertiesOf = propertiesOf;
        const updates = this.#sources.update(this.#level, features);
        applyUpdates(this.#map, updates, ({ id, type }) => this.#addLayers(id, type));
        this.#features = features;
        this.#areWallsCurrent = false;
        this.#showWalls();
    }

    #addLayers(source, type) {
        this.#types.add(type);
        for (const { suffix, slot, ...layer } of layersOf(type, this.#colours, this.#mode)) {
            const layout = { visibility: this.#visibility(type, suffix) };
            this.#map.addLayer({ id: `${source}/${suffix}`, source, layout, ...layer }, slot);
        }
    }

    set isVisible(isVisible) {
        if (isVisible === this.#isVisible) return;
        this.#isVisible = isVisible;
        for (const { id, type, suffix } of this.#layers()) this.#map.setLayoutProperty(id, "visibility", this.#visibility(type, suffix));
        this.#showWalls();
    }

    /** Whether the walls are three-dimensional. They are made when they are shown for the first time. */
    set hasWalls(hasWalls) {
        if (hasWalls === this.#hasWalls) return;
        this.#hasWalls = hasWalls;
        this.#showWalls();
    }

    #showWalls() {
        const isShown = this.#isVisible && this.#hasWalls && this.#level !== null;
        const id = this.#sourceID("walls");
        if (isShown && !this.#areWallsCurrent) {
            this.#areWallsCurrent = true;
            const data = wallsOf(this.#features, (unit) => this.#propertiesOf(unit).group);
            if (this.#map.getSource(id)) this.#map.getSource(id).setData(data);
            else {
                // Simplified, walls would vanish, because they are thinner than a pixel.
                this.#map.addSource(id, { type: "geojson", data, tolerance: 0 });
                this.#map.addLayer({ id, source: id, type: "fill-extrusion", paint: wallPaint(this.#colours) }, "above-all");
            }
        }
        if (this.#map.getLayer(id)) this.#map.setLayoutProperty(id, "visibility", isShown ? "visible" : "none");
    }

    /** Highlights are drawn only while a feature of the type has a state: they would take as long to draw as the map itself. */
    #visibility(type, suffix) {
        const isNeeded = !highlightSuffixes.includes(suffix) || this.#statefulTypes.has(type);
        return this.#isVisible && isNeeded ? "visible" : "none";
    }

    get #statefulTypes() {
        return new Set([...this.#stateful.values()].flat().map(({ source }) => source.slice(source.indexOf("/") + 1)));
    }

    #updateHighlights() {
        for (const { id, type, suffix } of this.#layers()) {
            if (highlightSuffixes.includes(suffix)) this.#map.setLayoutProperty(id, "visibility", this.#visibility(type, suffix));
        }
    }

    set colours(colours) {
        this.#colours = colours;
        this.#repaint();
        const walls = this.#sourceID("walls");
        for (const [name, value] of this.#map.getLayer(walls) ? Object.entries(wallPaint(colours)) : []) {
            this.#map.setPaintProperty(walls, name, value);
        }
    }

    /** Whether everything but search results is drawn faintly. */
    set isDimmed(isDimmed) {
        if (isDimmed === this.#isDimmed) return;
        this.#isDimmed = isDimmed;
        this.#repaint(["fill-opacity"]);
    }

    /** Whether a basemap is drawn below, which the ground must not hide. */
    set isOverBasemap(isOverBasemap) {
        if (isOverBasemap === this.#isOverBasemap) return;
        this.#isOverBasemap = isOverBasemap;
        this.#repaint(["fill-opacity"]);
    }

    get #mode() {
        return { isDimmed: this.#isDimmed, isOverBasemap: this.#isOverBasemap };
    }

    #repaint(names = null) {
        for (const { id, paint } of this.#layers()) {
            for (const [name, value] of Object.entries(paint)) {
                if (!names || names.includes(name)) this.#map.setPaintProperty(id, name, value);
            }
        }
    }

    /** The id of the layer to query for taps on features of a type; null if there is none. */
    layerId(type) {
        return this.#types.has(type) ? `${this.#sourceID(type)}/fill` : null;
    }

    /** Sets a feature state: `selected`, `found` or `changed`. Returns false if the feature is not in these sources. */
    setState(id, name) {
        const type = [...this.#types].find((type) => this.#sources.has(this.#level, type, id));
        if (!type) return false;
        const feature = { source: this.#sourceID(type), id };
        this.#map.setFeatureState(feature, { [name]: true });
        if (!this.#stateful.has(name)) this.#stateful.set(name, []);
        const isFirst = !this.#statefulTypes.has(type);
        this.#stateful.get(name).push(feature);
        if (isFirst) this.#updateHighlights();
        return true;
    }

    /** Clears a feature state of all features. */
    clearState(name) {
        if (!this.#stateful.has(name)) return;
        for (const feature of this.#stateful.get(name)) this.#map.setFeatureState(feature, { [name]: false });
        this.#stateful.delete(name);
        this.#updateHighlights();
    }

    #layers() {
        return [...this.#types].flatMap((type) =>
            layersOf(type, this.#colours, this.#mode).map(({ suffix, paint }) => (
                { id: `${this.#sourceID(type)}/${suffix}`, type, suffix, paint })));
    }

    #sourceID(type) {
        return GeoJSONSources.id(this.#level, type);
    }
}
