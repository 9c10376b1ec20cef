// Venues that were created in this browser and may have no revision yet. The server lists venues only once they are published, so their keys
// are kept here until then; nothing else of them is.

import { requestJSON } from "../api.js";
import { browserStorage } from "../storage.js";

const storageKey = "venuesync.unpublished";

function read() {
    try {
        const keys = JSON.parse(browserStorage.get(storageKey) ?? "[]");
        return Array.isArray(keys) ? keys.filter((key) => typeof key === "string") : [];
    } catch {
        return [];
    }
}

function write(keys) {
    if (keys.length > 0) browserStorage.set(storageKey, JSON.stringify(keys.slice(-50)));
    else browserStorage.remove(storageKey);
}

export function rememberVenue(key) {
    write([...new Set([...read(), key])]);
}

/** `{venue, uploads}` of remembered venues without a revision. Forgets those that are `published` or that do not exist any more. */
export async function unpublishedVenues(published, signal) {
    const candidates = read().filter((key) => !published.has(key));
    const found = await Promise.all(candidates.map(async (key) => {
        try {
            const { uploads } = await requestJSON(`/venues/${encodeURIComponent(key)}/uploads?limit=20`, { signal });
            return { venue: key, uploads };
        } catch (error) {
            return [403, 404, 410].includes(error.status) ? null : { venue: key, uploads: [] };
        }
    }));
    if (signal?.aborted) return [];
    const known = found.filter((each) => each !== null);
    write(known.map(({ venue }) => venue));
    return known;
}
