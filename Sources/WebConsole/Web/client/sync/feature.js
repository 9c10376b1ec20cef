// A feature of a replica: its text, which is parsed on demand.

import { labelText, labelTexts } from "../map/labels.js";

/** One feature of an IMDF venue. It is never modified: a changed feature is another object. */
export class ReplicaFeature {
    #geojson;

    constructor(id, type, level, body) {
        this.id = id;
        /** `unit`, `occupant`, `level` and so on, as in the archive. */
        this.type = type;
        /** The level under which the feature is held; null is the venue-wide part. */
        this.level = level;
        /** Canonical JSON (RFC 8785), as on the server. */
        this.body = body;
    }

    /** The whole GeoJSON Feature. Do not modify it. */
    get geojson() {
        this.#geojson ??= JSON.parse(this.body);
        return this.#geojson;
    }

    get properties() {
        const { properties } = this.geojson;
        return isObject(properties) ? properties : {};
    }

    get geometry() {
        const { geometry } = this.geojson;
        return isObject(geometry) ? geometry : null;
    }

    get category() {
        const { category } = this.properties;
        return typeof category === "string" ? category : null;
    }

    /** The ordinal of a level feature. */
    get ordinal() {
        const { ordinal } = this.properties;
        return Number.isInteger(ordinal) && Math.abs(ordinal) < 2 ** 31 ? ordinal : null;
    }

    /** The label in the first available of these languages, otherwise in English, otherwise in any; null for none. */
    name(languages = [], member = "name") {
        return labelText(this.properties[member], [...languages, "en"]) ?? null;
    }

    /** The labels of `name`, `alt_name` or `short_name` in all languages. */
    labels(member = "name") {
        return labelTexts(this.properties[member]);
    }
}

function isObject(value) {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}
