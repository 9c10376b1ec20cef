// Asks `sync` until a change set is complete, and applies it.

import { ask, Problem } from "../api.js";
import { DigestMismatch } from "./replica.js";
import { readReply } from "./line-document.js";

/**
 * Brings a replica to the newest revision, or to `to`. `levels` are what is wanted: ids, `ordinal:1`, `venue`; empty is everything.
 * Returns the changes of `Replica.apply`.
 */
export async function pull(venue, replica, { levels = [], to, signal, onProgress } = {}) {
    const since = replica.cursor;
    try {
        const pages = await askPages(venue, since, { levels, to, signal, onProgress });
        return await replica.apply(pages, { isAnew: since === null });
    } catch (error) {
        // The history that the cursor is of is lost, or what is held is not what the server says: begin anew.
        const isLost = error instanceof Problem && error.status === 410 && error.kind === "history-lost";
        if (since === null || !(isLost || error instanceof DigestMismatch)) throw error;
        const pages = await askPages(venue, null, { levels, signal, onProgress });
        return replica.apply(pages, { isAnew: true });
    }
}

/** Waits until there is news of these levels, half a minute at most. Returns the newest revision; nothing is applied. */
export async function waitForNews(venue, cursor, levels, signal) {
    const query = new URLSearchParams({ since: cursor, wait: 25, limit: 1 });
    for (const level of levels) query.append("level", level);
    const reply = readReply(await (await ask(address(venue, query), { signal, cache: "no-store" })).text());
    return reply.to;
}

async function askPages(venue, since, { levels, to, signal, onProgress }) {
    const pages = [];
    let cursor = since;
    for (;;) {
        const query = new URLSearchParams();
        if (cursor) query.set("since", cursor);
        // Pages are pinned to their revision by the cursor. What names its end never changes; anything else is asked for anew, as
        // a browser would hand out an answer without news for a minute.
        const isPinned = Boolean(cursor && to) || pages.length > 0;
        if (cursor && to && pages.length === 0) query.set("to", to);
        for (const level of levels) query.append("level", level);
        const answer = await ask(address(venue, query), { signal, cache: isPinned ? "default" : "no-cache" });
        const page = readReply(await answer.text());
        pages.push(page);
        onProgress?.(pages.reduce((sum, { levels }) => sum + levels.reduce((n, block) => n + block.bodies.length, 0), 0));
        if (page.complete) return pages;
        cursor = page.cursor;
    }
}

function address(venue, query) {
    return `/venues/${encodeURIComponent(venue)}/sync?${query}`;
}
