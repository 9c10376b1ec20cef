// Asks the public API, the one that phones use. Everything that goes wrong is a `Problem`.

import { pause } from "./sync/pause.js";
import { session } from "./session.js";

/** Why a request was refused, as the server says it (RFC 9457), or that there was no answer (`status` 0). */
export class Problem extends Error {
    constructor(status, document = {}) {
        super(document.title ?? `HTTP ${status}`);
        this.name = "Problem";
        this.status = status;
        /** The stable name: `stale-base` of `/problems/stale-base`; empty when the server gave none. */
        this.kind = (document.type ?? "").replace("/problems/", "");
        this.title = document.title ?? "";
        this.detail = document.detail ?? "";
        /** All members, those of this kind of problem among them. */
        this.document = document;
    }
}

const patience = 4;

/**
 * The answer to a request, once it is a good one. `json` is sent as a JSON body, `body` as it is.
 * Who is told to come back later (429, 503 with `Retry-After`) does so, a few times; `retries: 0` for not at all. What is
 * more than a question is sent again only after a 429: who answers 503 may be a proxy before a server that has done it.
 */
export async function ask(path, { method = "GET", json, body, headers = {}, signal, cache, retries = patience } = {}) {
    const request = { method, signal, cache, headers: { Accept: "*/*", ...session.headers, ...headers }, body };
    if (json !== undefined) {
        request.body = JSON.stringify(json);
        request.headers["Content-Type"] = "application/json";
    }
    for (let attempt = 0; ; attempt += 1) {
        const answer = await send(path, request);
        if (answer.ok) return answer;
        const wait = waitAsked(answer, method);
        if (wait === null || attempt >= retries) throw await problem(answer);
        await pause(wait * 1000, signal);
    }
}

/** The answer as JSON. */
export async function askJSON(path, options) {
    const answer = await ask(path, options);
    return answer.status === 204 ? null : answer.json();
}

/** The pages of a list, joined, up to `most` items. `member` names the list in an answer. */
export async function askAll(path, member, { most = 1000, ...options } = {}) {
    const items = [];
    for (let next = path; next && items.length < most; ) {
        const answer = await askJSON(next, options);
        items.push(...answer[member]);
        next = answer.next;
    }
    return items;
}

/** Every venue that the key may read. */
export async function askAllVenues(options) {
    return askAll("/venues", "venues", { ...options, most: Infinity });
}

/** Whether the server knows a key, which is not kept. */
export async function checkKey(key) {
    const answer = await send("/venues?limit=1", { headers: { Authorization: `Bearer ${key}` } });
    if (answer.ok) return true;
    if (answer.status === 401) return false;
    throw await problem(answer);
}

async function send(path, request) {
    try {
        return await fetch(path, request);
    } catch (error) {
        if (error.name === "AbortError") throw error;
        throw new Problem(0, { title: error.message });
    }
}

/** Seconds after which to come back; null for never. */
function waitAsked({ status, headers }, method) {
    if (status !== 429 && !(status === 503 && method === "GET")) return null;
    // Where there is none, null is no number; `Number` would take it for 0.
    const seconds = Number.parseFloat(headers.get("Retry-After"));
    return Number.isFinite(seconds) && seconds >= 0 ? Math.min(Math.max(seconds, 0.5), 30) : null;
}

async function problem(answer) {
    try {
        return new Problem(answer.status, await answer.json());
    } catch {
        return new Problem(answer.status);
    }
}
