// What happens at a set time: uploads that will be published, and edits that will end.

import { requestAll, requestJSON } from "../../api.js";

/** The number of venues that are asked at a time. */
const concurrency = 4;
/** Per venue. */
const limit = 1_000;
const refusalStatuses = [401, 403, 404, 410];

/**
 * `{entries, missing}` of venues. The entries are ordered by time: `{at, kind, venue, zone, upload}` of the kind `publish`, or with
 * `override` of the kind `end`. `zone` is the time zone of the venue. Venues to which the key may not publish have none. `missing` are the
 * venues whose entries could not be loaded; if that is all of them, the error of the first is thrown.
 */
export async function timedEntries(venues, signal) {
    const remaining = [...venues];
    const entries = [];
    const missing = [];
    let firstError = null;
    const work = async () => {
        for (let venue = remaining.shift(); venue; venue = remaining.shift()) {
            try {
                entries.push(...await entriesOf(venue, signal));
            } catch (error) {
                if (signal.aborted) throw error;
                missing.push(venue);
                firstError ??= error;
            }
        }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    if (missing.length > 0 && missing.length === venues.length) throw firstError;
    entries.sort((one, other) => new Date(one.at) - new Date(other.at) || (one.venue.venue < other.venue.venue ? -1 : 1));
    return { entries, missing };
}

async function entriesOf(venue, signal) {
    const path = `/venues/${encodeURIComponent(venue.venue)}`;
    const all = (url, member) => requestAll(url, member, { signal, limit }).catch((error) => {
        if (signal.aborted || !refusalStatuses.includes(error.status)) throw error;
        return [];
    });
    const [uploads, overrides] = await Promise.all([
        all(`${path}/uploads?state=staged&limit=100`, "uploads"), all(`${path}/overrides?limit=100`, "overrides")]);
    const found = [
        ...uploads.filter(({ publish_at: at }) => at).map((upload) => ({ at: upload.publish_at, kind: "publish", venue, upload })),
        ...overrides.filter(({ until }) => until).map((override) => ({ at: override.until, kind: "end", venue, override })),
    ];
    if (found.length === 0) return [];
    const zone = await requestJSON(path, { signal }).then(({ about }) => about.time_zone ?? null, () => null);
    return found.map((entry) => ({ ...entry, zone }));
}
