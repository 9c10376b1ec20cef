// The ids under which the server stores the features of an archive. They differ from those of the archive, which findings have, where the
// server matched a feature with a stored one.

import { requestAll } from "../../api.js";

/** Further matches are not loaded. */
const maximumMatches = 100_000;

/** The stored ids by the ids of the archive, only where they differ. */
export async function storedIds({ id, identity }, signal) {
    const count = identity ? identity.aliased + identity.matched + identity.near : 0;
    if (count === 0) return new Map();
    const matches = await requestAll(`/uploads/${id}/matches?limit=10000`, "matches", { signal, limit: maximumMatches });
    return new Map(matches.map((match) => [match.archive_id, match.id]));
}
