// What the cards of the venues show besides the list of venues: the last publication, waiting uploads, and the last failure.

import { requestJSON } from "../api.js";

/** The number of venues whose details are loaded at a time. */
const concurrency = 4;
const uploadLimit = 50;

/**
 * Loads the details of venues, in their order, and calls `onDetails(venue, details)` for each: `{publishedAt, author, waiting, hasMoreWaiting,
 * failure}`. `waiting` is null if the key may not see uploads; `failure` is the newest upload if it was rejected or failed, else null.
 */
export async function loadDetails(venues, onDetails, signal) {
    const remaining = [...venues];
    const work = async () => {
        for (let venue = remaining.shift(); venue && !signal.aborted; venue = remaining.shift()) {
            onDetails(venue, await details(venue, signal));
        }
    };
    await Promise.all(Array.from({ length: concurrency }, work)).catch((error) => {
        if (!signal.aborted) throw error;
    });
}

async function details({ venue, head }, signal) {
    const path = `/venues/${encodeURIComponent(venue)}`;
    const optional = (url) => requestJSON(url, { signal }).catch((error) => {
        if (signal.aborted) throw error;
        return null; // The card is shown without it.
    });
    const [revision, uploads] = await Promise.all([
        head > 0 ? optional(`${path}/revisions/${head}`) : null, optional(`${path}/uploads?limit=${uploadLimit}`)]);
    const newest = uploads?.uploads[0];
    const waiting = uploads?.uploads.filter(({ state }) => state === "staged").length ?? null;
    return {
        publishedAt: revision?.published_at ?? null, author: revision?.author ?? null, waiting,
        hasMoreWaiting: waiting !== null && uploads.next !== null && waiting > 0,
        failure: ["rejected", "failed"].includes(newest?.state) ? newest : null,
    };
}
