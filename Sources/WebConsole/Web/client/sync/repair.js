// Fetches whole levels, and verifies digests.

import { maximumCollection } from "./connection.js";
import { SyncError, malformed } from "./sync-error.js";
import { list } from "./wire.js";

/** Replaces the features of a level by the FeatureCollection at `path`. */
export async function fetchLevel(connection, path, level, transaction, signal, limit = maximumCollection) {
    const { policy } = connection;
    const bodies = await policy.attempting(policy.attempts, signal, async () => {
        const { document, lists } = await connection.document(path, { signal, cache: "default", limit });
        if (lists.length !== 1 || list(document, "features").length > 0) throw malformed("not a FeatureCollection");
        return lists[0];
    });
    transaction.clear(level);
    transaction.put(level, bodies);
}

/** Fetches all levels whose digest differs again, once, and returns them. Rejects if a digest still differs. */
export async function repair(connection, venue, revision, transaction, signal, limit) {
    const wrong = await transaction.mismatches();
    for (const level of wrong) {
        const path = `/venues/${venue}/revisions/${revision}/features?level=${level ?? "venue"}`;
        await fetchLevel(connection, path, level, transaction, signal, limit);
    }
    await verify(transaction);
    return wrong;
}

export async function verify(transaction) {
    for (const level of await transaction.mismatches()) {
        const name = level === null ? "the venue-wide part" : `level ${level}`;
        throw new SyncError("wrongDigest", `the digest of ${name} does not match`, { level });
    }
}
