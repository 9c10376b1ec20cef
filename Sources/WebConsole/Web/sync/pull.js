// Fetches all pages of a change set with `sync`, and applies them to a replica.

import { request, Problem } from "../api.js";
import { DigestMismatch } from "./replica.js";
import { parseSyncResponse } from "./sync-response.js";

/**
 * Brings a replica to the newest revision, or to `to`. `levels` are values of the `level` parameter: ids, `ordinal:1`, `venue`; an
 * empty list means all levels. Returns the result of `Replica.apply`.
 */
export async function pull(venue, replica, { levels = [], to, signal, onProgress } = {}) {
    const since = replica.cursor;
    try {
        const pages = await fetchPages(venue, since, { levels, to, signal, onProgress });
        return await replica.apply(pages, { isFull: since === null });
    } catch (error) {
        // The epoch of the cursor has ended, or the replica does not match the digests: start again without a cursor.
        const isEpochLost = error instanceof Problem && error.status === 410 && error.type === "history-lost";
        if (since === null || !(isEpochLost || error instanceof DigestMismatch)) throw error;
        const pages = await fetchPages(venue, null, { levels, signal, onProgress });
        return replica.apply(pages, { isFull: true });
    }
}

/** Long poll: waits up to 25 seconds for a change of these levels. Returns the newest revision; applies nothing. */
export async function waitForChange(venue, cursor, levels, signal) {
    const query = new URLSearchParams({ since: cursor, wait: 25, limit: 1 });
    for (const level of levels) query.append("level", level);
    const response = await request(syncPath(venue, query), { signal, cache: "no-store" });
    return parseSyncResponse(await response.text()).to;
}

async function fetchPages(venue, since, { levels, to, signal, onProgress }) {
    const pages = [];
    let cursor = since;
    for (;;) {
        const query = new URLSearchParams();
        if (cursor) query.set("since", cursor);
        // A response with a fixed end revision never changes and may come from the cache: one for `to`, and pages after the first, whose
        // revision is in the cursor. Others are revalidated, because browsers may cache a response without changes for a minute.
        const isPinned = Boolean(cursor && to) || pages.length > 0;
        if (cursor && to && pages.length === 0) query.set("to", to);
        for (const level of levels) query.append("level", level);
        const response = await request(syncPath(venue, query), { signal, cache: isPinned ? "default" : "no-cache" });
        const page = parseSyncResponse(await response.text());
        pages.push(page);
        onProgress?.(pages.reduce((sum, { levels }) => sum + levels.reduce((n, block) => n + block.bodies.length, 0), 0));
        if (page.complete) return pages;
        cursor = page.cursor;
    }
}

function syncPath(venue, query) {
    return `/venues/${encodeURIComponent(venue)}/sync?${query}`;
}
