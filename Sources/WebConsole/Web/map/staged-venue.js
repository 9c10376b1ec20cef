// The features of a staged first upload in memory, for the map: what `LiveVenue` is for a published venue. They are loaded completely, and
// neither verified nor stored.

import { requestJSON } from "../api.js";
import { emptyState, VenueContents } from "../client/sync/contents.js";
import { ReplicaFeature } from "../client/sync/feature.js";
import { VenueReader } from "../client/sync/venue-reader.js";

/** Features of a page; the server ends it earlier at 8 MiB. */
const pageSize = 10_000;

/** A feature that was received as a part of a page. It has no text of its own. */
class StagedFeature extends ReplicaFeature {
    #geojson;

    constructor(geojson, level) {
        super(geojson.id, geojson.feature_type, level, null);
        this.#geojson = geojson;
    }

    get geojson() {
        return this.#geojson;
    }
}

export class StagedVenue extends EventTarget {
    #contents;
    #path;
    #options;
    /** When the token ends; null without one. */
    expiresAt = null;
    state = "live";
    /** Not a revision: those begin at 1. */
    revision = 0;
    isSigned = false;
    isTrusting = false;

    /**
     * Loads the features of an upload, by its id: with the token of a link, and without the key of the session then, or else with this key.
     */
    static async load(upload, { token = null, signal }) {
        const staged = new StagedVenue(upload, token);
        for (let next = staged.#path(pageSize); next; ) next = staged.#add(await requestJSON(next, { ...staged.#options, signal }));
        return staged;
    }

    /** Use `StagedVenue.load`. */
    constructor(upload, token) {
        super();
        this.#path = (limit) => `/uploads/${upload}/preview?${new URLSearchParams({ limit, ...(token === null ? {} : { token }) })}`;
        this.#options = { isAnonymous: token !== null };
        this.#contents = new VenueContents(null, { ...emptyState, revision: 0 });
        this.#hold(null);
        this.reader = new VenueReader(() => this.#contents);
    }

    /** Rejects with the error of the server if the preview has ended. */
    async check(signal) {
        await requestJSON(this.#path(1), { ...this.#options, signal, retries: 0 });
    }

    get venue() {
        return this.#contents.venue;
    }

    get about() {
        return this.#contents.state.about;
    }

    get levels() {
        return this.reader.levels();
    }

    get featureCount() {
        return this.#contents.features.size;
    }

    get asOf() {
        return new Date();
    }

    feature(id) {
        return this.reader.feature(id);
    }

    featuresOf(level) {
        return this.reader.features({ level });
    }

    /** Everything is loaded, and nothing changes. */
    holds() {
        return true;
    }

    async load() {}

    async follow() {}

    async forget() {}

    /** Adds a page, and returns the address of the next one. */
    #add({ venue, expires_at, time_zone, features, next }) {
        this.#contents.venue = venue;
        // The first publication proposes a time zone for a venue that has none.
        this.#contents.state.about = { language: null, timeZone: time_zone ?? undefined, country: null };
        if (expires_at) this.expiresAt = new Date(expires_at);
        for (const { level_id: level, feature } of features) {
            const staged = new StagedFeature(feature, level);
            this.#hold(level).set(staged.id, staged);
            if (staged.type === "level") this.#hold(staged.id);
            this.#contents.features.set(staged.id, staged);
        }
        return next;
    }

    /** The features of a level by id. */
    #hold(level) {
        const { levels, digests } = this.#contents;
        if (!levels.has(level)) {
            levels.set(level, new Map());
            digests.set(level, null);
        }
        return levels.get(level);
    }
}
