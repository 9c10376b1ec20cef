// What the cards of the venues show besides the list of venues: the last publication, waiting and scheduled uploads, and the last failure.

import { requestJSON } from "../api.js";

/** The number of venues whose details are loaded at a time. */
const concurrency = 4;
/** The staged uploads that are counted. */
const stagedLimit = 100;

/** Loads the details of venues, each venue once: those that were requested last come first, because they are in view. */
export class VenueDetails {
    #onDetails;
    #signal;
    #requested = new Set();
    #queue = [];
    #running = 0;

    /**
     * `onDetails(venue, details)` is called for each venue: `{publishedAt, author, waiting, hasMoreWaiting, scheduledAt, zone, failure}`. `waiting`
     * is the number of uploads that wait for a decision, null if the key may not see uploads; `scheduledAt` is the time of the next scheduled
     * upload or null, with the time `zone` of the venue; `failure` is the newest upload if it was rejected or failed, else null.
     */
    constructor(onDetails, signal) {
        this.#onDetails = onDetails;
        this.#signal = signal;
    }

    /** Loads the details of a venue soon, before those of `requestAll`. */
    request(venue) {
        this.#queue.push(venue);
        this.#work();
    }

    /** Loads the details of all these venues, after those that were requested one by one. */
    requestAll(venues) {
        this.#queue.unshift(...venues.toReversed());
        this.#work();
    }

    /** Loads the details of these venues again. */
    refresh(venues) {
        for (const { venue } of venues) this.#requested.delete(venue);
        this.requestAll(venues);
    }

    #work() {
        while (this.#running < concurrency && this.#queue.length > 0 && !this.#signal.aborted) {
            const venue = this.#queue.pop();
            if (this.#requested.has(venue.venue)) continue;
            this.#requested.add(venue.venue);
            this.#running += 1;
            details(venue, this.#signal)
                .then((loaded) => this.#signal.aborted || this.#onDetails(venue, loaded), () => {})
                .finally(() => {
                    this.#running -= 1;
                    this.#work();
                });
        }
    }
}

async function details({ venue, head }, signal) {
    const path = `/venues/${encodeURIComponent(venue)}`;
    const optional = (url) => requestJSON(url, { signal }).catch((error) => {
        if (signal.aborted) throw error;
        return null; // The card is shown without it.
    });
    const [revision, newest, staged] = await Promise.all([
        head > 0 ? optional(`${path}/revisions/${head}`) : null, optional(`${path}/uploads?limit=1`),
        optional(`${path}/uploads?state=staged&limit=${stagedLimit}`)]);
    const [upload] = newest?.uploads ?? [];
    const isScheduled = ({ publish_at: at }) => at !== null;
    const zone = staged?.uploads.some(isScheduled) ? (await optional(path))?.about.time_zone ?? null : null;
    const times = (staged?.uploads ?? []).filter(isScheduled).map(({ publish_at: at }) => at);
    return {
        publishedAt: revision?.published_at ?? null, author: revision?.author ?? null,
        waiting: staged ? staged.uploads.length - times.length : null,
        hasMoreWaiting: Boolean(staged?.next),
        scheduledAt: times.sort((one, other) => new Date(one) - new Date(other))[0] ?? null,
        zone,
        failure: ["rejected", "failed"].includes(upload?.state) ? upload : null,
    };
}
