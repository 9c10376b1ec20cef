// Requests to the public API, the same one that apps use. Every failure is thrown as a `Problem`.

import { noResponse, withinTimeLimit } from "./network.js";
import { pause } from "./retry.js";
import { session } from "./session.js";

/** An error response of the server (RFC 9457), or, with `status` 0, a request that got no response. */
export class Problem extends Error {
    constructor(status, document = {}) {
        super(document.title ?? `HTTP ${status}`);
        this.name = "Problem";
        this.status = status;
        /** The problem type without its prefix, such as `stale-base` for `/problems/stale-base`; empty if the server sent none. */
        this.type = (document.type ?? "").replace("/problems/", "");
        this.title = document.title ?? "";
        this.detail = document.detail ?? "";
        /** The whole problem document, including the members that only this problem type has. */
        this.document = document;
    }
}

const maxRetries = 4;
/** How long a response may take to begin, and how long nothing of its body may arrive, in milliseconds. Long polls take up to 30 seconds. */
const timeLimit = 60_000;
/** `{limit, signal}` of the responses: the controller that ends the request, and the signal of the caller, if there is one. */
const requests = new WeakMap();

/**
 * Sends a request and returns its successful response. `json` is sent as a JSON body, `body` unchanged. With `isAnonymous`, the key of the session
 * is not sent.
 *
 * Responses with `Retry-After` (429 and 503) are retried up to `retries` times. After a 503, only GET requests are retried: the 503
 * may come from a proxy whose server has already carried out the request.
 */
export async function request(path, { method = "GET", json, body, headers = {}, signal, cache, retries = maxRetries, isAnonymous = false } = {}) {
    const key = isAnonymous ? null : session.key;
    const init = { method, signal, cache, headers: { Accept: "*/*", ...(isAnonymous ? {} : session.headers), ...headers }, body };
    if (json !== undefined) {
        init.body = JSON.stringify(json);
        init.headers["Content-Type"] = "application/json";
    }
    for (let attempt = 0; ; attempt += 1) {
        const response = await send(path, init);
        if (response.ok) return response;
        const delay = retryDelay(response, method);
        if (delay === null || attempt >= retries) {
            const error = await problem(response);
            // Other types are those of proxies and the like.
            if (error.status === 401 && error.document.type?.startsWith("/problems/")) session.refuse(key);
            throw error;
        }
        await pause(delay * 1000, signal);
    }
}

/** Like `request`, but returns the parsed JSON body; null for 204. */
export async function requestJSON(path, options) {
    const response = await request(path, options);
    return response.status === 204 ? null : bodyJSON(response);
}

/** The parsed JSON body of a response of `request`. A body that stops in the middle is a failure like a response that does not begin. */
export async function bodyJSON(response) {
    return JSON.parse(await bodyText(response));
}

async function bodyText(response) {
    const { limit, signal } = requests.get(response);
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    let text = "";
    try {
        for (;;) {
            const { done, value } = await withinTimeLimit(limit, timeLimit, reader.read());
            if (done) return text + decoder.decode();
            text += decoder.decode(value, { stream: true });
        }
    } catch (error) {
        throw signal?.aborted ? error : withoutResponse();
    }
}

/** The items of all pages of a list, up to about `limit`. `member` is the name of the list in each response. */
export async function requestAll(path, member, { limit = 1000, ...options } = {}) {
    const items = [];
    for (let next = path; next && items.length < limit; ) {
        const page = await requestJSON(next, options);
        items.push(...page[member]);
        next = page.next;
    }
    return items;
}

/** All venues that the session's key may read; also those without a revision to which it may publish, if they are `unpublished`. */
export async function requestAllVenues({ unpublished = false, ...options } = {}) {
    return requestAll(unpublished ? "/venues?unpublished=true" : "/venues", "venues", { ...options, limit: Infinity });
}

/** Whether the server accepts a key. Does not sign in. */
export async function checkKey(key) {
    const response = await send("/venues?limit=1", { headers: { Authorization: `Bearer ${key}` } });
    if (response.ok) return true;
    if (response.status === 401) return false;
    throw await problem(response);
}

async function send(path, init) {
    const limit = new AbortController();
    try {
        const response = await withinTimeLimit(limit, timeLimit, fetch(path, { ...init, signal: AbortSignal.any([limit.signal, init.signal].filter(Boolean)) }));
        requests.set(response, { limit, signal: init.signal });
        return response;
    } catch (error) {
        throw init.signal?.aborted ? error : withoutResponse();
    }
}

/** In the language of the user: what browsers say is in English. */
const withoutResponse = () => new Problem(0, { title: noResponse().title });

/** The seconds to wait before a retry; null if the request must not be retried. */
function retryDelay({ status, headers }, method) {
    if (status !== 429 && !(status === 503 && method === "GET")) return null;
    // `parseFloat` gives NaN for a missing header; `Number` would give 0.
    const seconds = Number.parseFloat(headers.get("Retry-After"));
    return Number.isFinite(seconds) && seconds >= 0 ? Math.min(Math.max(seconds, 0.5), 30) : null;
}

async function problem(response) {
    try {
        return new Problem(response.status, await bodyJSON(response));
    } catch {
        return new Problem(response.status);
    }
}
