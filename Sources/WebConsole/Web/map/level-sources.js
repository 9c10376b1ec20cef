// One GeoJSON source for every type of one level. Sources are filled once; after that only differences reach them.

import { isDrawable } from "./geometry.js";
import { drawnTypes, layersOf } from "./style.js";

export class LevelSources {
    #map;
    #level;
    #colours;
    /** What each source was given: by type, by id, `{feature, text}`, the text being its properties. */
    #given = new Map();
    /** What was marked, by the mark. */
    #marked = new Map();
    #isVisible = true;

    /** `level` is an id, or `venue`. */
    constructor(map, level, colours) {
        this.#map = map;
        this.#level = level;
        this.#colours = colours;
    }

    /** Shows these features and no others. `shown(feature)` makes the properties that the style looks at. */
    update(features, shown) {
        const types = Map.groupBy(features.filter(({ geometry }) => isDrawable(geometry)), (each) => each.feature_type);
        for (const type of drawnTypes) {
            const wanted = types.get(type) ?? [];
            if (wanted.length > 0 || this.#given.has(type)) this.#updateType(type, wanted, shown);
        }
    }

    #updateType(type, features, shown) {
        const before = this.#given.get(type) ?? new Map();
        const after = new Map();
        const diff = { remove: [], add: [], update: [] };
        for (const feature of features) {
            const properties = { ...shown(feature), id: feature.id };
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
        this.#given.set(type, after);
        const source = this.#map.getSource(this.#source(type));
        if (!source) this.#add(type, diff.add);
        else if (diff.add.length + diff.update.length + diff.remove.length > 0) source.updateData(diff);
    }

    #add(type, features) {
        const source = this.#source(type);
        this.#map.addSource(source, {
            type: "geojson", promoteId: "id", tolerance: 0.1, buffer: 32, data: { type: "FeatureCollection", features },
        });
        for (const { suffix, below, ...layer } of layersOf(type, this.#colours)) {
            const layout = { visibility: this.#isVisible ? "visible" : "none" };
            this.#map.addLayer({ id: `${source}/${suffix}`, source, layout, ...layer }, below);
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

    /** The layer that tells what was tapped, if there is one. */
    layerId(type) {
        return this.#given.has(type) ? `${this.#source(type)}/fill` : null;
    }

    /** Marks a feature: `selected`, `found` or `changed`. False when it is not drawn here. */
    mark(id, name) {
        const type = [...this.#given.keys()].find((type) => this.#given.get(type).has(id));
        if (!type) return false;
        const feature = { source: this.#source(type), id };
        this.#map.setFeatureState(feature, { [name]: true });
        if (!this.#marked.has(name)) this.#marked.set(name, []);
        this.#marked.get(name).push(feature);
        return true;
    }

    /** Takes a mark from all features. */
    unmark(name) {
        for (const feature of this.#marked.get(name) ?? []) this.#map.setFeatureState(feature, { [name]: false });
        this.#marked.delete(name);
    }

    #layers() {
        return [...this.#given.keys()].flatMap((type) =>
            layersOf(type, this.#colours).map(({ suffix, paint }) => ({ id: `${this.#source(type)}/${suffix}`, paint })));
    }

    #source(type) {
        return `${this.#level}/${type}`;
    }
}
