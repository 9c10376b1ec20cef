// Sends requests to the server, bounds what is read, and turns failures into errors.

import { BodyLines, parseJSON } from "./body-lines.js";
import { joined, maximumDelta } from "./delta.js";
import { HistoryLost, SyncError, contradiction, malformed } from "./sync-error.js";

/** The longest time in milliseconds without a byte, and for a whole response. */
const maximumStall = 90_000;
const maximumTime = 900_000;
/** How much longer than the server may wait, in milliseconds, the first byte of a long poll may take. */
const longPollMargin = 10_000;
/** The same for a stream. The server sends something at least every 15 seconds. */
const maximumStreamStall = 40_000;
const maximumProblem = 16 * 2 ** 20;

/** The largest page: more than 8 MiB of bodies, or one body of 32 MiB, and the rest of the document need. */
const maximumPage = 96 * 2 ** 20;
/** The largest level that is fetched as a whole. */
export const maximumCollection = 1024 * 2 ** 20;

/** One server, and the key that is sent only to it. */
export class ServerConnection {
    #base;
    #key;
    #fetch;

    /**
     * `key` is a string, null for none, or a function that returns one of these for every request. `fetch` has the interface of the
     * Fetch standard. Throws a `TypeError` for an invalid address or key.
     */
    constructor(server, { key = null, fetch, policy }) {
        const url = addressOf(server);
        this.#base = url.href.replace(/\/+$/, "");
        this.#key = typeof key === "function" ? key : () => key;
        if (typeof key !== "function") checkKey(key);
        this.#fetch = fetch ?? ((address, options) => globalThis.fetch(address, options));
        this.policy = policy;
    }

    /** Fetches a document. Returns it without its bodies, and its lists of bodies. */
    async document(path, { limit = maximumPage, ...options } = {}) {
        const lines = new BodyLines();
        const lists = [];
        const onBody = (index, body) => (lists[index] ??= []).push(body);
        await this.#send(path, options, (response, timeout) => readText(response, limit, timeout, (part) => lines.feed(part, onBody)));
        const document = lines.finish();
        return { document, lists: Array.from({ length: lines.listCount }, (_, index) => lists[index] ?? []) };
    }

    /** Fetches a document as it is. */
    async text(path, { limit, ...options }) {
        const parts = [];
        await this.#send(path, options, (response, timeout) => readText(response, limit, timeout, (part) => parts.push(part)));
        return parts.join("");
    }

    /** Fetches a page of a change set: `{delta}` with its bytes in the delta form, or in the plain form the same as `document`. */
    async changeSet(path, options) {
        const parts = [];
        const lines = new BodyLines();
        const lists = [];
        const onBody = (index, body) => (lists[index] ??= []).push(body);
        let feed = null;
        await this.#send(path, options, (response, timeout) => readBytes(response, maximumPage, timeout, (bytes, isEnd) => {
            // The first bytes tell the forms apart; a plain document does not begin with the first byte of the other form.
            if (feed === null && bytes.length > 0) feed = bytes[0] === 0x56 ? "delta" : textFeed((part) => lines.feed(part, onBody));
            if (feed === "delta") parts.push(bytes);
            else feed?.(bytes, isEnd);
        }));
        if (feed === "delta") return { delta: joinedUpTo(maximumDelta, parts) };
        const document = lines.finish();
        return { document, lists: Array.from({ length: lines.listCount }, (_, index) => lists[index] ?? []) };
    }

    /** Receives a stream without an end. `onStart` is called when it has begun, `onText` for every part of its text. */
    async stream(path, { onStart, onText, ...options }) {
        await this.#send(path, { ...options, isEndless: true, cache: "no-store" }, async (response, timeout) => {
            await onStart?.();
            await readText(response, Infinity, timeout, onText);
        });
    }

    /** `wait` is the number of seconds for which the server may delay the response of a long poll. */
    async #send(path, { signal, headers = {}, cache = "no-cache", isEndless = false, wait }, read) {
        if (!isPath(path)) throw contradiction(`“${path.slice(0, 100)}” is not a path on the server`);
        const key = this.#key();
        checkKey(key);
        const timeout = new Timeout(signal, { isEndless, wait });
        try {
            const response = await this.#response(this.#base + path, {
                headers: { ...headers, ...(key ? { Authorization: `Bearer ${key}` } : {}) }, cache, signal: timeout.signal,
                // The key and cookies are for one server only.
                redirect: "manual", credentials: "omit", referrerPolicy: "no-referrer",
            });
            timeout.progress();
            if (response.status !== 200) throw await this.#refusal(response, timeout);
            await read(response, timeout);
        } catch (error) {
            // Closes the connection in every case: browsers allow six connections per server, and further requests would wait.
            timeout.end(error);
            if (signal?.aborted) throw signal.reason;
            if (error instanceof SyncError || error instanceof HistoryLost) throw error;
            throw new SyncError("unreachable", `the server does not respond: ${messageOf(error)}`, { cause: error });
        } finally {
            timeout.stop();
        }
    }

    async #response(url, options) {
        const response = await this.#fetch(url, options);
        // Browsers do not tell the status and the target.
        if (response.type === "opaqueredirect") throw new SyncError("refused", "the server redirects to another address", { status: 0 });
        return response;
    }

    async #refusal(response, timeout) {
        const { status } = response;
        if (status === 429 || status >= 500) {
            const retryAfter = this.policy.retryAfter(response.headers.get("Retry-After"));
            return new SyncError("unavailable", `the server is unavailable (${status})`, { status, retryAfter });
        }
        const problem = await readProblem(response, timeout);
        // Proxies, captive portals and the like respond with these statuses too, usually for a short time.
        if (isFromServer(problem)) {
            switch (status) {
                case 401: case 403:
                    return new SyncError("unauthorized", "the key is missing, wrong or revoked, or may not read this", { status });
                case 404:
                    if (problem.type === "/problems/not-signed") {
                        return new SyncError("untrusted", "the server has no signature of the revision", { status });
                    }
                    return new SyncError("unknownVenue", "there is no such venue, or the key may not see it", { status });
                case 400:
                    // Only what the client holds decides on these, and nothing that it holds may keep it from the next revision.
                    if (["/problems/invalid-cursor", "/problems/target-before-cursor"].includes(problem.type)) return new HistoryLost(null);
                    break;
                case 410:
                    return problem?.type === "/problems/venue-gone"
                        ? new SyncError("venueGone", "the venue was deleted", { status }) : new HistoryLost(problem);
            }
        }
        return new SyncError("refused", refusalMessage(response, problem), { status });
    }
}

/** Whether a problem is one of VenueSync. */
function isFromServer(problem) {
    return typeof problem?.type === "string" && problem.type.startsWith("/problems/");
}

function refusalMessage(response, problem) {
    const { status } = response;
    const target = response.headers.get("Location");
    if (status >= 300 && status < 400 && target) return `the server redirects to ${target.slice(0, 200)} (${status})`;
    if (isFromServer(problem)) {
        const title = typeof problem?.title === "string" ? `: ${problem.title.slice(0, 200)}` : "";
        return `the server refused the request (${status})${title}`;
    }
    return `the response is not from VenueSync (${status})`;
}

/** What the codes of Node mean. Its messages are those of libraries, with paths; those of browsers have no codes. */
const reasons = [
    [/^ECONNREFUSED$/, "nothing listens at this address and port"],
    [/^(ENOTFOUND|EAI_AGAIN)$/, "there is no host of this name"],
    [/^(ENETUNREACH|EHOSTUNREACH)$/, "no network leads to this address"],
    [/^(ETIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT)$/, "it did not respond in time"],
    [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, "the connection ended before the response"],
    [/CERT|^UNABLE_TO_(GET|VERIFY)/, "its certificate is not trusted here, or has expired"],
    [/SSL|^EPROTO$/, "it does not speak https"],
    [/^HPE_/, "it does not speak HTTP"],
];

/** The meaning of the innermost code that is known, or else the messages of an error and of its causes. */
function messageOf(error) {
    const texts = [];
    let reason;
    for (let [each, depth] = [error, 0]; each && depth < 5; each = each.cause ?? each.errors?.[0], depth += 1) {
        reason = reasons.find(([pattern]) => pattern.test(each.code ?? ""))?.[1] ?? reason;
        const text = String(each.message || each.code || each).trim();
        if (!texts.includes(text)) texts.push(text);
    }
    return reason ?? texts.join(": ");
}

/** Aborts a request whose response stalls or takes too long, or when the caller aborts it. */
class Timeout {
    #controller = new AbortController();
    #stall;
    #maximumStall;
    #end;
    #outer;
    #onAbort = () => this.end(this.#outer.reason);

    constructor(outer, { isEndless, wait }) {
        this.#outer = outer;
        if (outer?.aborted) this.end(outer.reason);
        outer?.addEventListener("abort", this.#onAbort, { once: true });
        if (!isEndless) this.#end = setTimeout(() => this.end(new Error("the response takes too long")), maximumTime);
        this.#maximumStall = isEndless ? maximumStreamStall : maximumStall;
        this.#expect(wait === undefined ? this.#maximumStall : wait * 1000 + longPollMargin);
    }

    get signal() {
        return this.#controller.signal;
    }

    /** Called when bytes have arrived. */
    progress() {
        this.#expect(this.#maximumStall);
    }

    /** Aborts the request unless bytes arrive within a number of milliseconds. */
    #expect(milliseconds) {
        clearTimeout(this.#stall);
        this.#stall = setTimeout(() => this.end(new Error("nothing arrives")), milliseconds);
    }

    end(reason) {
        this.#controller.abort(reason);
    }

    stop() {
        clearTimeout(this.#stall);
        clearTimeout(this.#end);
        this.#outer?.removeEventListener("abort", this.#onAbort);
    }
}

/** Decodes a body while it arrives. `limit` counts decompressed bytes. */
async function readText(response, limit, timeout, onPart) {
    await readBytes(response, limit, timeout, textFeed(onPart));
}

/** A function that decodes UTF-8 part by part. */
function textFeed(onPart) {
    // A byte order mark is kept, because bodies are hashed.
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return (bytes, isEnd) => {
        let text;
        try {
            text = decoder.decode(bytes, { stream: !isEnd });
        } catch {
            throw malformed("text that is not UTF-8");
        }
        onPart(text);
    };
}

/** Reads a body while it arrives. `onPart` is called with the bytes, and at the end with none and true. */
async function readBytes(response, limit, timeout, onPart) {
    if (!response.body) return;
    const reader = response.body.getReader();
    for (let total = 0; ; ) {
        const { value, done } = await reader.read();
        if (done) break;
        timeout.progress();
        total += value.byteLength;
        if (total > limit) throw malformed(`more than ${limit} bytes`);
        onPart(value, false);
    }
    onPart(new Uint8Array(), true);
}

function joinedUpTo(limit, parts) {
    if (parts.reduce((sum, part) => sum + part.length, 0) > limit) throw malformed(`more than ${limit} bytes`);
    return joined(parts);
}

async function readProblem(response, timeout) {
    const parts = [];
    try {
        await readText(response, maximumProblem, timeout, (part) => parts.push(part));
        const problem = parseJSON(parts.join(""));
        return typeof problem === "object" ? problem : {};
    } catch {
        return null;
    }
}

function addressOf(server) {
    const url = urlOf(server);
    const isAddress = ["http:", "https:"].includes(url?.protocol) && url.username === "" && url.password === ""
        && url.search === "" && url.hash === "";
    if (!isAddress) throw new TypeError(`“${server}” is not the address of a server, such as https://maps.example.com`);
    return url;
}

function urlOf(text) {
    try {
        return new URL(text);
    } catch {
        return null;
    }
}

function checkKey(key) {
    const isKey = key === null || key === undefined || (typeof key === "string" && /^[\x21-\x7e]*$/.test(key));
    if (!isKey) throw new TypeError("the key has characters that are not allowed in a header");
}

/** `//host`, and variants that lenient parsers accept, name another server. Only visible ASCII is allowed in a path. */
function isPath(path) {
    return /^\/(?!\/)[!-~]*$/.test(path) && !/[\\#]/.test(path);
}

/** A query from pairs of names and values; null and undefined values are left out. */
export function queryOf(parameters) {
    return parameters.filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
}
