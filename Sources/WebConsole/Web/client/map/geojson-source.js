// A GeoJSON source for MapLibre GL JS. It gets all its data once, and only differences afterwards.
//
// One source for everything on a floor is drawn several times faster than one for each level and type: MapLibre draws the borders of all
// tiles anew whenever two successive layers have different sources.

import { isDrawable } from "./geometry.js";

export class GeoJSONSource {
    #propertiesOf;
    #types;
    /** `{geometry, properties, text}` by feature id, where `text` is the serialized properties; null before the first update. */
    #features = null;

    /**
     * `propertiesOf(feature)` returns the properties that the style reads, by default those of the feature with its label in `label`. The
     * properties `id` and `feature_type` are added. `types` are the feature types that are drawn, by default all.
     */
    constructor(id, { propertiesOf = (feature) => ({ ...feature.properties, label: feature.name() }), types = null } = {}) {
        this.id = id;
        this.#propertiesOf = propertiesOf;
        this.#types = types && new Set(types);
    }

    /** The feature of an id as the source has it; null if it has none. */
    feature(id) {
        const known = this.#features?.get(id);
        return known ? { type: "Feature", geometry: known.geometry, properties: known.properties } : null;
    }

    /**
     * The update after which the source has exactly these features: `{id, data}` the first time, `{id, diff}` afterwards, where `diff` is a
     * `GeoJSONSourceDiff` of MapLibre, and null if nothing has changed. Features without a geometry that can be drawn are left out.
     */
    update(features) {
        const before = this.#features ?? new Map();
        const after = new Map();
        const diff = { remove: [], add: [], update: [] };
        for (const feature of features) {
            const { id, type, geometry } = feature;
            // A lift belongs to several levels of a floor.
            if (after.has(id) || !isDrawable(geometry) || (this.#types && !this.#types.has(type))) continue;
            const properties = { ...this.#propertiesOf(feature), id, feature_type: type };
            const text = JSON.stringify(properties);
            const old = before.get(id);
            const isSameGeometry = old !== undefined && isSame(old.geometry, geometry);
            after.set(id, { geometry, properties, text });
            if (!old) diff.add.push({ type: "Feature", geometry, properties });
            else if (!isSameGeometry || old.text !== text) {
                diff.update.push({
                    id, removeAllProperties: true, ...(isSameGeometry ? {} : { newGeometry: geometry }),
                    addOrUpdateProperties: Object.entries(properties).map(([key, value]) => ({ key, value })),
                });
            }
        }
        for (const old of before.keys()) if (!after.has(old)) diff.remove.push(old);
        const isNew = this.#features === null;
        this.#features = after;
        if (isNew) return { id: this.id, data: { type: "FeatureCollection", features: diff.add } };
        return diff.remove.length + diff.add.length + diff.update.length === 0 ? null : { id: this.id, diff };
    }
}

function isSame(one, other) {
    return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/**
 * Applies an update to a map of MapLibre GL JS; null changes nothing. `onNew(id)` is called for a new source, to add its layers. The id of a
 * feature is its property `id`, for `promoteId` and feature states.
 */
export function applyUpdate(map, update, onNew = () => {}) {
    if (update?.diff) map.getSource(update.id).updateData(update.diff);
    else if (update) {
        map.addSource(update.id, { type: "geojson", promoteId: "id", tolerance: 0.1, buffer: 32, data: update.data });
        onNew(update.id);
    }
}
