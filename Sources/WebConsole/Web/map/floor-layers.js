// The layers of one floor, or of the ground around the buildings, over one GeoJSON source.

import { GeoJSONSource, applyUpdate } from "../client/map/geojson-source.js";
import { wallPaint, wallSlot, wallsOf } from "./walls.js";
import { isOfType, layersOf } from "./style.js";

/** Lines are dashed after the first view, which would otherwise wait for another shader. */
const dashes = "line-dasharray";
/** How long after the first view, in milliseconds. Without a GPU, the shader would wait until all that was drawn before is on the screen. */
const dashDelay = 500;

/** The style is made by this console. */
const unchecked = { validate: false };

export class FloorLayers {
    #map;
    #id;
    #types;
    #colours;
    #source;
    #propertiesOf = () => ({});
    #isAdded = false;
    #isVisible = true;
    #isDimmed = false;
    #isOverBasemap = false;
    #hasWalls = false;
    #features = [];
    /** Whether the walls were made of these features. */
    #areWallsCurrent = false;

    /** `id` is the id of the source, `types` are the feature types that are drawn, bottom first. */
    constructor(map, id, types, colours) {
        this.#map = map;
        this.#id = id;
        this.#types = types;
        this.#colours = colours;
        this.#source = new GeoJSONSource(id, { types, propertiesOf: (feature) => this.#propertiesOf(feature) });
    }

    /** Shows exactly these features. `propertiesOf(feature)` returns the properties that the style reads. */
    update(features, propertiesOf = () => ({})) {
        this.#propertiesOf = propertiesOf;
        applyUpdate(this.#map, this.#source.update(features), () => this.#addLayers());
        this.#features = features;
        this.#areWallsCurrent = false;
        this.#showWalls();
    }

    #addLayers() {
        this.#isAdded = true;
        const layout = { visibility: this.#isVisible ? "visible" : "none" };
        // Not with `addLayer` of the map, which checks the whole style for every layer. The last call marks the style as changed.
        const layers = this.#layers();
        for (const { slot, paint: { [dashes]: _, ...paint }, ...layer } of layers) {
            this.#map.style.addLayer({ source: this.#id, layout, paint, ...layer }, slot, unchecked);
        }
        this.#map.setLayoutProperty(layers[0].id, "visibility", layout.visibility, unchecked);
        this.#map.once("idle", () => {
            const timer = setTimeout(() => this.#repaint([dashes]), dashDelay);
            this.#map.once("remove", () => clearTimeout(timer));
        });
    }

    /** The drawn feature of an id, with the properties that the style reads; null if there is none. */
    feature(id) {
        return this.#source.feature(id);
    }

    /** Whether what was shown last is drawn by the next frame. */
    get isLoaded() {
        return this.#map.isSourceLoaded(this.#id);
    }

    /** Removes everything from the map: it can be added again by `update` of another one. */
    remove() {
        if (!this.#isAdded) return;
        const walls = `${this.#id}/walls`;
        for (const id of [...this.#layers().map((layer) => layer.id), walls]) if (this.#map.getLayer(id)) this.#map.removeLayer(id);
        for (const id of [this.#id, walls]) if (this.#map.getSource(id)) this.#map.removeSource(id);
    }

    set isVisible(isVisible) {
        if (isVisible === this.#isVisible) return;
        this.#isVisible = isVisible;
        for (const { id } of this.#layers()) this.#map.setLayoutProperty(id, "visibility", isVisible ? "visible" : "none", unchecked);
        this.#showWalls();
    }

    /** Whether the walls are three-dimensional. They are made when they are shown for the first time. */
    set hasWalls(hasWalls) {
        if (hasWalls === this.#hasWalls) return;
        this.#hasWalls = hasWalls;
        this.#showWalls();
    }

    #showWalls() {
        const isShown = this.#isVisible && this.#hasWalls && this.#types.includes("unit");
        const id = `${this.#id}/walls`;
        if (isShown && !this.#areWallsCurrent) {
            this.#areWallsCurrent = true;
            const data = wallsOf(this.#features, (unit) => this.#propertiesOf(unit).group);
            if (this.#map.getSource(id)) this.#map.getSource(id).setData(data);
            else {
                // Simplified, walls would vanish, because they are thinner than a pixel.
                this.#map.addSource(id, { type: "geojson", data, tolerance: 0 });
                this.#map.addLayer({ id, source: id, type: "fill-extrusion", paint: this.#wallPaint }, wallSlot);
            }
        }
        if (this.#map.getLayer(id)) this.#map.setLayoutProperty(id, "visibility", isShown ? "visible" : "none");
    }

    set colours(colours) {
        this.#colours = colours;
        this.#repaint();
        this.#repaintWalls();
    }

    /** Whether everything is drawn faintly, above which a search highlights what it has found. */
    set isDimmed(isDimmed) {
        if (isDimmed === this.#isDimmed) return;
        this.#isDimmed = isDimmed;
        this.#repaint(["fill-opacity"]);
        this.#repaintWalls();
    }

    /** Whether a basemap is drawn below, which the ground must not hide. */
    set isOverBasemap(isOverBasemap) {
        if (isOverBasemap === this.#isOverBasemap) return;
        this.#isOverBasemap = isOverBasemap;
        this.#repaint(["fill-opacity", "line-opacity"]);
    }

    get #wallPaint() {
        return wallPaint(this.#colours, { isDimmed: this.#isDimmed });
    }

    #repaintWalls() {
        const walls = `${this.#id}/walls`;
        for (const [name, value] of this.#map.getLayer(walls) ? Object.entries(this.#wallPaint) : []) {
            this.#map.setPaintProperty(walls, name, value);
        }
    }

    #repaint(names = null) {
        for (const { id, paint } of this.#isAdded ? this.#layers() : []) {
            for (const [name, value] of Object.entries(paint)) {
                if (!names || names.includes(name)) this.#map.setPaintProperty(id, name, value, unchecked);
            }
        }
    }

    /** The ids of the layers to query for taps on features of some types. */
    areaLayers(types) {
        return this.#isAdded ? types.map((type) => `${this.#id}/${type}/fill`) : [];
    }

    /** The layers, bottom first. */
    #layers() {
        const mode = { isDimmed: this.#isDimmed, isOverBasemap: this.#isOverBasemap };
        return this.#types.flatMap((type) => layersOf(type, this.#colours, mode).map(({ suffix, ...layer }) => (
            { id: `${this.#id}/${type}/${suffix ?? layer.type}`, filter: isOfType(type), ...layer })));
    }
}
