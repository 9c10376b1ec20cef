// The venues that a key may read.

import { ServerConnection } from "./connection.js";
import { RetryPolicy } from "./retry-policy.js";
import { HistoryLost, SyncError, contradiction } from "./sync-error.js";
import { digest, integer, levelID, list, member, object, optional, text, wayfindingOf } from "./wire.js";

/** The longest list that is read. */
const maximumPages = 1_000;

/**
 * The venues that the key may read, and the public ones, sorted by key (`GET /venues`). A venue is `{venue, name, isPublic, head, digest,
 * about, levels}`, a level `{level, ordinal, name, shortName, features, bytes, digest}`. Names are labels by language, or null. Rejects
 * with a `SyncError`.
 */
export async function listVenues({ server, key, fetch, policy = new RetryPolicy(), signal }) {
    const connection = new ServerConnection(server, { key, fetch, policy });
    const venues = [];
    let path = "/venues";
    for (let pages = 0; path !== null; pages += 1) {
        if (pages === maximumPages) throw contradiction("a list without an end");
        const { document } = await connection.document(path, { signal }).catch((error) => {
            throw error instanceof HistoryLost ? new SyncError("refused", "the list is not available", { status: 410 }) : error;
        });
        venues.push(...list(document, "venues").map(venueOf));
        path = optional(text, document, "next");
    }
    return venues;
}

function venueOf(document) {
    const about = object(document, "about");
    return {
        venue: text(document, "venue"), name: labelOf(document, "name"), isPublic: member(document, "public") === true,
        head: integer(document, "head"), digest: digest(document, "digest"),
        about: {
            language: optional(text, about, "language"), timeZone: optional(text, about, "time_zone"),
            country: optional(text, about, "country"), ...wayfindingOf(about.wayfinding),
        },
        levels: list(document, "levels").map((level) => ({
            level: levelID(level, "level_id"), ordinal: Number.isSafeInteger(member(level, "ordinal")) ? level.ordinal : null,
            name: labelOf(level, "name"), shortName: labelOf(level, "short_name"),
            features: integer(level, "features"), bytes: integer(level, "bytes"), digest: digest(level, "digest"),
        })),
    };
}

function labelOf(document, name) {
    return optional(object, document, name);
}
