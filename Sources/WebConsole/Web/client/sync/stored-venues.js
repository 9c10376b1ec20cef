// The venues of a store in memory, and commits to both.

import { VenueContents } from "./contents.js";
import { levelText } from "./digest.js";
import { format } from "../store/replica-store.js";

export class StoredVenues {
    #store;
    #commits = 0;
    /** Whether the store was deleted while the venues were in memory. Then the next commit writes everything. */
    #isStoreEmpty = true;
    /** `VenueContents` by venue key. */
    venues = new Map();
    /** `{position, cursor}` of a catalogue replica; otherwise null. */
    catalogue = null;
    /** The damaged levels that were left out: `[{venue, level}]`. */
    damaged = [];

    constructor(store) {
        this.#store = store;
    }

    /** Reads what the store has. Levels that are in memory already are not read again. */
    async refresh() {
        const known = new Map();
        for (const contents of this.venues.values()) {
            for (const [level, digest] of contents.digests) known.set(digest, { level, features: contents.levels.get(level) });
        }
        const stored = await this.#store.read(new Set(known.keys()));
        this.#isStoreEmpty = stored === null;
        if (stored === null) {
            this.#commits = 0;
            return;
        }
        const { state, levels } = stored;
        const venues = new Map();
        const damaged = [];
        for (const [venue, own] of Object.entries(state.venues)) {
            const restored = await VenueContents.restored(venue, own, levels, known);
            venues.set(venue, restored.contents);
            damaged.push(...restored.damaged.map((level) => ({ venue, level })));
        }
        this.venues = venues;
        this.catalogue = state.catalogue;
        this.damaged = damaged;
        this.#commits = state.commits;
    }

    /**
     * Stores new states of venues. `changes` is a list of `{venue, state, digests, texts}`, `removed` are venues to delete. Rejects with
     * `StateChanged` if another writer has changed the store.
     */
    async commit(changes, { catalogue = this.catalogue, removed = [] } = {}) {
        const venues = new Map([...this.venues].map(([venue, contents]) => [venue, contents.stored]));
        for (const venue of removed) venues.delete(venue);
        const texts = this.#isStoreEmpty ? this.#texts() : new Map();
        for (const { venue, state, digests, texts: own } of changes) {
            venues.set(venue, VenueContents.stored(state, digests));
            for (const [digest, text] of own) texts.set(digest, text);
        }
        await this.#store.commit({ format, commits: this.#commits + 1, venues: Object.fromEntries(venues), catalogue }, texts);
        this.#commits += 1;
        this.#isStoreEmpty = false;
        this.catalogue = catalogue;
        this.damaged = [];
        for (const venue of removed) this.venues.delete(venue);
    }

    /** The texts of all levels in memory. */
    #texts() {
        const all = [...this.venues.values()].flatMap(({ levels, digests }) =>
            [...digests].map(([level, digest]) => [digest, levelText(levels.get(level))]));
        return new Map(all);
    }

    async close() {
        await this.#store.close();
    }
}
