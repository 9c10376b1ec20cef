// The role of the session's key. The API does not report it, so it is inferred from the responses to other requests.

import { requestJSON } from "../api.js";
import { session } from "../session.js";

const refusalStatuses = [401, 403, 404, 410];
const ranks = ["none", "read", "publish", "admin"];

/** Whether a role includes another one. */
export const includesRole = (role, needed) => ranks.indexOf(role) >= ranks.indexOf(needed);

/**
 * `{role, venue, settings}`: the role of the key for a venue, the response of `GET /venues/{venue}`, which is null if the venue has no revision, and
 * for administrators the settings.
 * Of a public venue, the role of a key that may not publish is `none`: the server answers a key of other venues as one with the role
 * `read`. Throws the problem if the venue does not exist, the key may not read it, or the server does not know the key.
 */
export async function loadVenueAccess(venueKey, signal) {
    const path = `/venues/${encodeURIComponent(venueKey)}`;
    const [document, uploads] = await Promise.allSettled([
        requestJSON(path, { signal }), requestJSON(`${path}/uploads?limit=1`, { signal }),
    ]);
    if (signal?.aborted) throw signal.reason;
    // If the server is busy or unreachable, nothing can be inferred.
    const failure = [document, uploads].find(({ reason }) => reason && !refusalStatuses.includes(reason.status));
    if (failure) throw failure.reason;
    const venue = document.value ?? null;
    if (uploads.status === "fulfilled") {
        // Of a venue without a revision, only a request that changes nothing says what the settings are, and whether the key may change them.
        const settings = venue ? venue.settings : await requestJSON(path, { method: "PATCH", json: {}, signal }).catch(() => null);
        return { role: settings ? "admin" : "publish", venue, settings: settings ?? null };
    }
    if (!venue) throw document.reason;
    // Reading a public venue takes no key, so that only this response shows that a key was revoked.
    if (uploads.reason.status === 401) throw uploads.reason;
    return { role: uploads.reason.status === 403 && !venue.public ? "read" : "none", venue };
}

/** Whether the key may publish to one of the first venues of a list. True for an empty list, where it cannot be inferred. */
export async function canPublish(venues, signal) {
    if (venues.length === 0) return true;
    const probes = await Promise.allSettled(venues.slice(0, 5).map(({ venue }) =>
        requestJSON(`/venues/${encodeURIComponent(venue)}/uploads?limit=1`, { signal })));
    return probes.some(({ status }) => status === "fulfilled");
}

/** Whether the key may manage keys, which needs the role `admin` for all venues. */
export async function canManageKeys(signal) {
    if (!session.isSignedIn) return false;
    try {
        await requestJSON("/keys", { signal });
        return true;
    } catch (error) {
        if (error.status === 401 || error.status === 403) return false;
        throw error;
    }
}
