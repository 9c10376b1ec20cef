// The GeoJSON sources of one level, one for each feature type. A source gets all its data once, and only differences afterwards.

import { isDrawable } from "./geometry.js";
import { drawnTypes, layersOf } from "./style.js";

export class LevelSources {
    #map;
    #level;
    #colours;
    /** The data of the sources: `{geometry, text}` by type and id, where `text` is the serialized properties. */
    #data = new Map();
    /** The features that have a feature state set, by the name of the state. */
    #stateful = new Map();
    #isVisible = true;

    /** `level` is a level id, or `venue` for the venue-wide part. */
    constructor(map, level, colours) {
        this.#map = map;
        this.#level = level;
        this.#colours = colours;
    }

    /** Shows exactly these features. `propertiesOf(feature)` returns the properties that the style reads. */
    update(features, propertiesOf) {
        const types = Map.groupBy(features.filter(({ geometry }) => isDrawable(geometry)), (each) => each.feature_type);
        for (const type of drawnTypes) {
            const ofType = types.get(type) ?? [];
            if (ofType.length > 0 || this.#data.has(type)) this.#updateType(type, ofType, propertiesOf);
        }
    }

    #updateType(type, features, propertiesOf) {
        const before = this.#data.get(type) ?? new Map();
        const after = new Map();
        const diff = { remove: [], add: [], update: [] };
        for (const feature of features) {
            const properties = { ...propertiesOf(feature), id: feature.id };
            const text = JSON.stringify(properties);
            const old = before.get(feature.id);
            after.set(feature.id, { geometry: feature.geometry, text });
            if (!old) diff.add.push({ type: "Feature", geometry: feature.geometry, properties });
            else if (old.geometry !== feature.geometry || old.text !== text) {
                diff.update.push({
                    id: feature.id, removeAllProperties: true,
                    newGeometry: old.geometry === feature.geometry ? undefined : feature.geometry,
                    addOrUpdateProperties: Object.entries(properties).map(([key, value]) => ({ key, value })),
                });
            }
        }
        for (const id of before.keys()) if (!after.has(id)) diff.remove.push(id);
        this.#data.set(type, after);
        const source = this.#map.getSource(this.#sourceId(type));
        if (!source) this.#add(type, diff.add);
        else if (diff.add.length + diff.update.length + diff.remove.length > 0) source.updateData(diff);
    }

    #add(type, features) {
        const source = this.#sourceId(type);
        this.#map.addSource(source, {
            type: "geojson", promoteId: "id", tolerance: 0.1, buffer: 32, data: { type: "FeatureCollection", features },
        });
        for (const { suffix, slot, ...layer } of layersOf(type, this.#colours)) {
            const layout = { visibility: this.#isVisible ? "visible" : "none" };
            this.#map.addLayer({ id: `${source}/${suffix}`, source, layout, ...layer }, slot);
        }
    }

    set isVisible(isVisible) {
        if (isVisible === this.#isVisible) return;
        this.#isVisible = isVisible;
        for (const { id } of this.#layers()) {
            this.#map.setLayoutProperty(id, "visibility", isVisible ? "visible" : "none");
        }
    }

    set colours(colours) {
        this.#colours = colours;
        for (const { id, paint } of this.#layers()) {
            for (const [name, value] of Object.entries(paint)) this.#map.setPaintProperty(id, name, value);
        }
    }

    /** The id of the layer to query for taps on features of a type; null if there is none. */
    layerId(type) {
        return this.#data.has(type) ? `${this.#sourceId(type)}/fill` : null;
    }

    /** Sets a feature state: `selected`, `found` or `changed`. Returns false if the feature is not in these sources. */
    setState(id, name) {
        const type = [...this.#data.keys()].find((type) => this.#data.get(type).has(id));
        if (!type) return false;
        const feature = { source: this.#sourceId(type), id };
        this.#map.setFeatureState(feature, { [name]: true });
        if (!this.#stateful.has(name)) this.#stateful.set(name, []);
        this.#stateful.get(name).push(feature);
        return true;
    }

    /** Clears a feature state of all features. */
    clearState(name) {
        for (const feature of this.#stateful.get(name) ?? []) this.#map.setFeatureState(feature, { [name]: false });
        this.#stateful.delete(name);
    }

    #layers() {
        return [...this.#data.keys()].flatMap((type) =>
            layersOf(type, this.#colours).map(({ suffix, paint }) => ({ id: `${this.#sourceId(type)}/${suffix}`, paint })));
    }

    #sourceId(type) {
        return `${this.#level}/${type}`;
    }
}
