// GeoJSON sources for MapLibre GL JS: one for each level and type. A source gets all its data once, and only differences afterwards.

import { isDrawable } from "./geometry.js";

export class GeoJSONSources {
    #propertiesOf;
    #types;
    /** `{geometry, text}` by source id and feature id, where `text` is the serialized properties. */
    #sources = new Map();

    /**
     * `propertiesOf(feature)` returns the properties that the style reads, by default those of the feature with its label in `label`. The
     * property `id` is added. `types` are the feature types that are drawn, in the order of their updates; by default all.
     */
    constructor({ propertiesOf = (feature) => ({ ...feature.properties, label: feature.name() }), types = null } = {}) {
        this.#propertiesOf = propertiesOf;
        this.#types = types && [...types];
    }

    /** The id of the source of a level (null: the venue-wide part) and a type, such as `venue/unit`. */
    static id(level, type) {
        return `${level ?? "venue"}/${type}`;
    }

    /** Whether the source of a level and a type has this feature. */
    has(level, type, id) {
        return this.#sources.get(GeoJSONSources.id(level, type))?.has(id) ?? false;
    }

    /**
     * The updates after which the sources of a level have exactly these features. An update is `{id, level, type, data}` for a new
     * source, and `{id, level, type, diff}` otherwise, where `diff` is a `GeoJSONSourceDiff` of MapLibre. Features without a geometry
     * that can be drawn are left out.
     */
    update(level, features) {
        const types = new Map();
        // A source that has become empty is kept.
        const prefix = GeoJSONSources.id(level, "");
        for (const id of this.#sources.keys()) if (id.startsWith(prefix)) types.set(id.slice(prefix.length), []);
        for (const feature of features) {
            if (!isDrawable(feature.geometry) || (this.#types && !this.#types.includes(feature.type))) continue;
            if (!types.has(feature.type)) types.set(feature.type, []);
            types.get(feature.type).push(feature);
        }
        const order = this.#types?.filter((type) => types.has(type)) ?? [...types.keys()];
        return order.map((type) => this.#updateOf(level, type, types.get(type))).filter((update) => update !== null);
    }

    #updateOf(level, type, features) {
        const id = GeoJSONSources.id(level, type);
        const before = this.#sources.get(id) ?? new Map();
        const after = new Map();
        const diff = { remove: [], add: [], update: [] };
        for (const feature of features) {
            const properties = { ...this.#propertiesOf(feature), id: feature.id };
            const text = JSON.stringify(properties);
            const old = before.get(feature.id);
            const isSameGeometry = old !== undefined && isSame(old.geometry, feature.geometry);
            after.set(feature.id, { geometry: feature.geometry, text });
            if (!old) diff.add.push({ type: "Feature", geometry: feature.geometry, properties });
            else if (!isSameGeometry || old.text !== text) {
                diff.update.push({
                    id: feature.id, removeAllProperties: true, ...(isSameGeometry ? {} : { newGeometry: feature.geometry }),
                    addOrUpdateProperties: Object.entries(properties).map(([key, value]) => ({ key, value })),
                });
            }
        }
        for (const old of before.keys()) if (!after.has(old)) diff.remove.push(old);
        const isNew = !this.#sources.has(id);
        this.#sources.set(id, after);
        if (isNew) return { id, level, type, data: { type: "FeatureCollection", features: diff.add } };
        return diff.remove.length + diff.add.length + diff.update.length === 0 ? null : { id, level, type, diff };
    }
}

function isSame(one, other) {
    return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/**
 * Applies updates to a map of MapLibre GL JS. `onNew(update)` is called for every new source, to add its layers. The id of a feature is its
 * property `id`, for `promoteId` and feature states.
 */
export function applyUpdates(map, updates, onNew = () => {}) {
    for (const update of updates) {
        if (update.diff) {
            map.getSource(update.id).updateData(update.diff);
        } else {
            map.addSource(update.id, { type: "geojson", promoteId: "id", tolerance: 0.1, buffer: 32, data: update.data });
            onNew(update);
        }
    }
}
