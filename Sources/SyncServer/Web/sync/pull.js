// Asks `sync` until a change set is complete, and applies it.

import { ask, Problem } from "../api.js";
import { DigestMismatch } from "./replica.js";
import { readReply } from "./line-document.js";

/**
 * Brings a replica to the newest revision, or to `to`. `levels` are what is wanted: ids, `ordinal:1`, `venue`; empty is everything.
 * `wait` holds the answer back for so many seconds while there is no news. Returns the changes of `Replica.apply`.
 */
export async function pull(venue, replica, { levels = [], to, wait, signal, onProgress } = {}) {
    const since = replica.cursor;
    try {
        const pages = await askPages(venue, since, { levels, to, wait, signal, onProgress });
        return await replica.apply(pages, { isAnew: since === null });
    } catch (error) {
        // The history that the cursor is of is lost, or what is held is not what the server says: begin anew.
        const isLost = error instanceof Problem && error.status === 410 && error.kind === "history-lost";
        if (since === null || !(isLost || error instanceof DigestMismatch)) throw error;
        const pages = await askPages(venue, null, { levels, signal, onProgress });
        return replica.apply(pages, { isAnew: true });
    }
}

async function askPages(venue, since, { levels, to, wait, signal, onProgress }) {
    const pages = [];
    let cursor = since;
    for (;;) {
        const query = new URLSearchParams();
        if (cursor) query.set("since", cursor);
        // What is wanted may be of another revision than `to`; pages are pinned by their cursor.
        if (to && pages.length === 0 && cursor) query.set("to", to);
        if (wait && pages.length === 0) query.set("wait", wait);
        for (const level of levels) query.append("level", level);
        const answer = await ask(`/venues/${encodeURIComponent(venue)}/sync?${query}`, { signal });
        const page = readReply(await answer.text());
        pages.push(page);
        onProgress?.(pages.reduce((sum, { levels }) => sum + levels.reduce((n, block) => n + block.bodies.length, 0), 0));
        if (page.complete) return pages;
        cursor = page.cursor;
    }
}
