// What the session's key may do. The API has no question for it; it is seen from what is answered.

import { askJSON } from "../api.js";
import { session } from "../session.js";

const refusals = [401, 403, 404, 410];
const ranks = ["none", "read", "publish", "admin"];

/** Whether a role reaches as far as another one. */
export const reaches = (role, needed) => ranks.indexOf(role) >= ranks.indexOf(needed);

/**
 * `{role, venue}`: the role of the key at a venue, and the venue's document; null when it has no revision yet.
 * Throws the problem when the venue is not there, or not for this key.
 */
export async function lookAt(key, signal) {
    const path = `/venues/${encodeURIComponent(key)}`;
    const [document, uploads] = await Promise.allSettled([
        askJSON(path, { signal }),
        session.isSignedIn ? askJSON(`${path}/uploads?limit=1`, { signal }) : Promise.reject({ status: 401 }),
    ]);
    if (signal?.aborted) throw signal.reason;
    // A server that is busy or out of reach says nothing of the key, and nothing of the venue.
    const trouble = [document, uploads].find(({ reason }) => reason && !refusals.includes(reason.status));
    if (trouble) throw trouble.reason;
    const venue = document.value ?? null;
    if (uploads.status === "fulfilled") return { role: venue?.settings ? "admin" : "publish", venue };
    if (!venue) throw document.reason;
    return { role: uploads.reason.status === 403 ? "read" : "none", venue };
}

/** Whether the key may publish: at one of these venues, or at any when there is none to see it from. */
export async function maySomewherePublish(venues, signal) {
    if (venues.length === 0) return true;
    const looks = await Promise.allSettled(venues.slice(0, 5).map(({ venue }) =>
        askJSON(`/venues/${encodeURIComponent(venue)}/uploads?limit=1`, { signal })));
    return looks.some(({ status }) => status === "fulfilled");
}

/** Whether the key is an admin's for every venue: such a one manages keys. */
export async function managesKeys(signal) {
    if (!session.isSignedIn) return false;
    try {
        await askJSON("/keys", { signal });
        return true;
    } catch (error) {
        if (error.status === 401 || error.status === 403) return false;
        throw error;
    }
}
