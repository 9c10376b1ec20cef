// The features of one venue in memory, and its state.

import { digestOf, levelText } from "./digest.js";
import { ReplicaFeature } from "./feature.js";
import { identify } from "./wire.js";

/** The state of a venue without its features. */
export const emptyState = Object.freeze({
    revision: null, digest: null, cursor: null, selection: null, syncedAt: null,
    /** The statement that the content was verified with, as received; null if no keys were trusted. */
    head: null,
    about: Object.freeze({ language: null, timeZone: null, country: null }),
});

export class VenueContents {
    constructor(venue, state = emptyState) {
        this.venue = venue;
        this.state = state;
        /** The features by level and id. The level of the venue-wide part is null. A held level may have no features. */
        this.levels = new Map();
        /** The verified digests of the held levels. */
        this.digests = new Map();
        /** The same features by id. */
        this.features = new Map();
    }

    /** What is stored of the venue besides the texts of its levels. */
    get stored() {
        return VenueContents.stored(this.state, this.digests);
    }

    static stored(state, digests) {
        return { ...state, levels: Object.fromEntries([...digests].map(([level, digest]) => [level ?? "-", digest])) };
    }

    /**
     * Restores a venue. `texts` are the texts of levels by digest; levels with a digest in `known` (`{level, features}`) are in memory
     * already. A level whose text is missing or damaged is left out; then the revision and the cursor are left out too, so that the next
     * synchronization replaces everything.
     */
    static async restored(venue, { levels, ...state }, texts, known = new Map()) {
        const contents = new VenueContents(venue, state);
        const damaged = [];
        for (const [name, digest] of Object.entries(levels)) {
            const level = name === "-" ? null : name;
            const held = known.get(digest);
            const features = held?.level === level
                ? held.features
                : await featuresOf(level, digest, held ? levelText(held.features) : texts.get(digest));
            if (features) contents.#add(level, digest, features);
            else damaged.push(level);
        }
        if (damaged.length > 0) contents.state = { ...state, revision: null, cursor: null, digest: null };
        return { contents, damaged };
    }

    #add(level, digest, features) {
        this.digests.set(level, digest);
        this.levels.set(level, features);
        for (const [id, feature] of features) this.features.set(id, feature);
    }
}

/** The features of a level text; null if it is damaged. */
async function featuresOf(level, digest, bytes) {
    if (!bytes || (await digestOf(bytes)) !== digest) return null;
    const features = new Map();
    const lines = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes).split("\n");
    lines.pop();
    for (const body of lines) {
        const { id, type } = identify(body);
        features.set(id, new ReplicaFeature(id, type, level, body));
    }
    return features;
}
