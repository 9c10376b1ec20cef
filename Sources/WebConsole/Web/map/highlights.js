// Outlines of selected, changed and found features of the shown floor, over a source of their own: a few features instead of a state of
// every feature, by which MapLibre would decide about each of them in every frame.

import { highlightedTypes, highlightLayers } from "./style.js";

const source = "highlights";

export class Highlights {
    #map;
    #colours;
    #featureOf;
    /** The ids of the features in a state: `changed`, `selected` or `found`. Of several states of a feature, the first in this order is drawn. */
    #ids = { changed: new Set(), selected: new Set(), found: new Set() };
    #isDimmed = false;
    #isEmpty = true;

    /** The style of the map is loaded. `featureOf(id)` returns the GeoJSON feature that is drawn; null if there is none. */
    constructor(map, colours, featureOf) {
        this.#map = map;
        this.#colours = colours;
        this.#featureOf = featureOf;
        this.#addSource();
    }

    #addSource() {
        this.#map.addSource(source, { type: "geojson", data: collection([]), tolerance: 0.1, buffer: 32 });
    }

    /** Removes what was drawn on another floor. Without this, it would remain until the new data has been read. */
    clear() {
        this.#isEmpty = true;
        this.#showLayers();
        this.#map.removeSource(source);
        this.#addSource();
    }

    /** Sets which features are in a state, and no others. */
    set(state, ids) {
        this.#ids[state] = new Set(ids);
        this.update();
    }

    /** Whether everything else is drawn faintly. Then the areas of what is highlighted are drawn again, above it. */
    set isDimmed(isDimmed) {
        this.#isDimmed = isDimmed;
        this.#showLayers();
    }

    set colours(colours) {
        this.#colours = colours;
        for (const { id, paint } of highlightLayers(colours)) {
            if (!this.#map.getLayer(id)) continue;
            for (const [name, value] of Object.entries(paint)) this.#map.setPaintProperty(id, name, value);
        }
    }

    /** Draws the features as they are now on the floor that is shown now. */
    update() {
        const states = new Map();
        for (const [state, ids] of Object.entries(this.#ids)) for (const id of ids) if (!states.has(id)) states.set(id, state);
        const features = [...states].flatMap(([id, state]) => {
            const feature = this.#featureOf(id);
            const isShown = feature && highlightedTypes.has(feature.properties.feature_type);
            return isShown ? [{ ...feature, properties: { ...feature.properties, state } }] : [];
        });
        if (this.#isEmpty && features.length === 0) return;
        this.#isEmpty = features.length === 0;
        this.#map.getSource(source).setData(collection(features));
        this.#showLayers();
    }

    /** Removes the layers that draw nothing: even if they were hidden, MapLibre would draw the borders of their tiles. */
    #showLayers() {
        for (const { slot, isForDimmed, ...layer } of highlightLayers(this.#colours)) {
            const isShown = !this.#isEmpty && (this.#isDimmed || !isForDimmed);
            const isThere = this.#map.getLayer(layer.id) !== undefined;
            if (isShown && !isThere) this.#map.addLayer({ source, ...layer }, slot);
            else if (isThere && !isShown) this.#map.removeLayer(layer.id);
        }
    }
}

const collection = (features) => ({ type: "FeatureCollection", features });
