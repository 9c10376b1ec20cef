// A service for the operator's pages: its state is in memory, and its responses are those of `desk-records.js`. A test adds routes for what
// it is about; they come first.

import { readFileSync } from "node:fs";
import * as records from "./desk-records.js";
import { problem, serve } from "./server.js";

/** What the server sends, without the pictograms. */
const cartography = JSON.parse(readFileSync(new URL("../../../Sources/VenueMap/Cartography/cartography.json", import.meta.url), "utf8"));

/** Each includes those before it. */
const roles = ["none", "read", "publish", "admin"];

const forbidden = () => problem(403, "forbidden", {
    title: "The API key does not permit this", detail: "The role or the venues of the key do not include this operation." });
export const unauthorized = () => problem(401, "unauthorized", {
    title: "A valid API key is required", detail: "Send a key of this server as Authorization: Bearer <key>." });
const notFound = (type, title) => problem(404, type, { title });
export const wrongState = () => problem(409, "wrong-state", { title: "The state of the upload does not allow this" });
export const headMoved = () => problem(409, "head-moved", {
    title: "A newer revision was published", detail: "Check the newest revision and try again." });

/** A request that gets no response, as on a network that is down. */
export const noResponse = () => { throw new TypeError("Failed to fetch"); };

/** A response, unless its request is aborted before. */
const untilAborted = (response, signal) => new Promise((resolve, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
    response.then(resolve, reject);
});

export class DeskService {
    /** The uploads of the venue, newest first; the changes and findings of uploads by their ids. */
    uploads = [];
    changes = new Map();
    findings = new Map();
    keys = [];
    /** The entries of the audit log, the newest first. */
    audit = [];
    overrides = [];
    features = records.mallFeatures();
    /** The changes between any two revisions. */
    diff = [];
    /** Further venues of the list. */
    others = [];
    #streams = new Set();

    /** `role` is that of the key of the page: none, read, publish or admin. */
    constructor({ role = "admin", venue = records.venue(), uploads = [] } = {}) {
        Object.assign(this, { role, venue, uploads });
        this.revisions = venue ? Array.from({ length: venue.head }, (_, i) => records.revision(venue.head - i)) : [];
    }

    /** Responds to the requests of the page; returns the list of them, as `serve`. */
    start(routes = {}) {
        // The routes of the test come first, also in the order in which they are looked at.
        this.requests = serve({ ...routes, ...this.#routes(), ...routes });
        const respond = globalThis.fetch;
        globalThis.fetch = (address, options = {}) => untilAborted(respond(address, options), options.signal);
        return this.requests;
    }

    /** The requests that change something. */
    get sent() {
        return this.requests.filter(({ method }) => !["GET", "HEAD"].includes(method));
    }

    /** Publishes a revision, and sends its event. */
    publish(values = {}) {
        const number = this.venue.head + 1;
        this.venue = { ...this.venue, head: number };
        this.revisions.unshift(records.revision(number, { published_at: "2026-06-10T04:00:00.000Z", ...values }));
        const event = { kind: "upload", levels: [], position: number, revision: number, venue: this.venue.venue };
        for (const stream of this.#streams) stream.enqueue(new TextEncoder().encode(`event: revision\nid: ${number}\ndata: ${JSON.stringify(event)}\n\n`));
        return number;
    }

    #routes() {
        const mall = "/venues/mall";
        const query = (request) => new URLSearchParams(request.path.split("?")[1]);
        const may = (role, respond) => (request, match) =>
            (roles.indexOf(this.role) >= roles.indexOf(role) ? respond(request, match) : forbidden());
        const ofUpload = (respond) => may("publish", (request, { id }) => {
            const upload = this.uploads.find((each) => each.id === id);
            return upload ? respond(upload, request) : notFound("upload-not-found", "Upload not found");
        });
        const bodyOf = (request) => JSON.parse(request.body);
        return {
            "HEAD /": () => new Response(null, { status: 200 }),
            "GET /cartography.json": () => cartography,
            "GET /venues(\\?.*)?": () => ({ venues: [...(this.venue ? [this.#document()] : []), ...this.others], next: null }),
            [`GET ${mall}`]: () => (this.venue ? this.#document() : notFound("venue-not-found", "Venue not found")),
            "GET /venues/(?!mall(/|$))[^/]+": () => notFound("venue-not-found", "Venue not found"),
            [`PATCH ${mall}`]: may("admin", (request) => {
                const changes = bodyOf(request);
                // Of a venue without a revision, there are only settings.
                if (!this.venue) return (this.settings = { ...this.settings ?? records.settings(), ...changes });
                this.venue = { ...this.venue, settings: { ...this.venue.settings, ...changes }, public: changes.public ?? this.venue.public };
                if ("time_zone" in changes) {
                    const about = { ...this.venue.about, time_zone: changes.time_zone };
                    Object.assign(this.venue, { about, time_zone_source: "operator" });
                }
                return this.venue;
            }),
            [`DELETE ${mall}`]: may("admin", () => new Response(null, { status: 204 })),
            [`GET ${mall}/uploads\\?.*`]: may("publish", (request) => this.#uploadPage(query(request))),
            "GET /venues/(?!mall/)[^/]+/uploads\\?.*": () => ({ uploads: [], next: null }),
            "GET /venues/[^/]+/overrides\\?.*": (request) => {
                const state = query(request).get("state");
                return { overrides: this.overrides.filter((each) => !state || each.state === state), next: null };
            },
            [`GET ${mall}/revisions\\?.*`]: (request) => ({ revisions: this.revisions.slice(0, Number(query(request).get("limit"))), next: null }),
            [`GET ${mall}/revisions/(?<number>\\d+)`]: (_, { number }) =>
                this.revisions.find((each) => each.number === Number(number)) ?? notFound("revision-not-found", `Revision ${number} not found`),
            [`GET ${mall}/revisions/\\d+/features\\?.*`]: (request) => this.#features(query(request)),
            [`GET ${mall}/diff\\?.*`]: (request) => ({
                venue: "mall", from: Number(query(request).get("from")), to: Number(query(request).get("to")),
                ...this.#changePage(this.diff, query(request)) }),
            "GET /uploads/(?<id>[^/?]+)(\\?.*)?": ofUpload((upload) => upload),
            "DELETE /uploads/(?<id>[^/?]+)": ofUpload((upload) => {
                if (upload.state !== "staged") return wrongState();
                this.#replace(upload, { state: "discarded" });
                return new Response(null, { status: 204 });
            }),
            "POST /uploads/(?<id>[^/?]+)/publish\\?wait=30": ofUpload((upload, request) => {
                if (upload.state !== "staged") return wrongState();
                const { base } = bodyOf(request);
                if (base !== this.venue?.head) return this.#stagedAgain(upload, ["head_moved"]);
                return this.#replace(upload, { state: "published", revision: this.publish({ message: upload.message }), published_by: "admin", reasons: [] });
            }),
            "GET /uploads/(?<id>[^/?]+)/changes(\\?.*)?": ofUpload((upload, request) => ({
                venue: "mall", from: upload.base, to: upload.revision, ...this.#changePage(this.changes.get(upload.id) ?? [], query(request)) })),
            "GET /uploads/(?<id>[^/?]+)/preview\\?.*": ofUpload((upload) => (upload.state === "staged" && upload.base === 0 ? {
                venue: "mall", time_zone: null, expires_at: null, next: null,
                features: [...this.features].flatMap(([level_id, each]) => each.map((feature) => ({ level_id, feature }))) } : wrongState())),
            "POST /uploads/(?<id>[^/?]+)/preview-tokens": ofUpload((upload, request) => (upload.state === "staged" && upload.base === 0 ? {
                token: `vsp_${"A".repeat(75)}`, expires_at: new Date(Date.now() + bodyOf(request).expires_in * 1_000).toISOString() } : wrongState())),
            "GET /uploads/(?<id>[^/?]+)/findings\\?.*": ofUpload((upload, request) => this.#report(upload, query(request))),
            "GET /uploads/(?<id>[^/?]+)/matches\\?.*": ofUpload(() => ({ matches: [], next: null })),
            "GET /audit\\?.*": may("admin", (request) => {
                const { venue, before = Infinity, limit } = Object.fromEntries(query(request));
                const entries = this.audit.filter((each) => each.id < Number(before) && (!venue || each.venue === venue));
                const last = entries[limit - 1];
                return { entries: entries.slice(0, limit), next: entries.length > Number(limit) ? `/audit?limit=${limit}&before=${last.id}` : null };
            }),
            "GET /keys": may("admin", () => ({ keys: this.keys })),
            "DELETE /keys/(?<id>[^/?]+)": may("admin", (_, { id }) => {
                this.keys = this.keys.filter((each) => each.id !== id);
                return new Response(null, { status: 204 });
            }),
            "GET /events": () => new Response(new ReadableStream({
                start: (controller) => {
                    controller.enqueue(new TextEncoder().encode(":\n\n"));
                    this.#streams.add(controller);
                },
            }), { headers: { "Content-Type": "text/event-stream" } }),
        };
    }

    #document() {
        const { settings, ...venue } = this.venue;
        return this.role === "admin" ? { ...venue, settings } : venue;
    }

    #replace(upload, values) {
        const index = this.uploads.findIndex(({ id }) => id === upload.id);
        return this.uploads[index] = { ...this.uploads[index], ...values };
    }

    /** The upload waits for another decision, because the difference is not the one that was shown. */
    #stagedAgain(upload, reasons) {
        const { base, changes } = this.#replace(upload, { reasons, base: this.venue.head });
        return problem(409, "head-moved", { title: "A newer revision was published", reasons, base, changes, href: `/uploads/${upload.id}/changes` });
    }

    #uploadPage(query) {
        const [limit, state, before] = [Number(query.get("limit")), query.get("state"), query.get("before")];
        const all = this.uploads.filter((each) => !state || each.state === state);
        const start = before ? all.findIndex(({ id }) => id === before) + 1 : 0;
        const uploads = all.slice(start, start + limit);
        const hasMore = start + limit < all.length;
        return { uploads, next: hasMore ? `/venues/mall/uploads?before=${uploads.at(-1).id}&limit=${limit}${state ? `&state=${state}` : ""}` : null };
    }

    #features(query) {
        const levelOf = (name) => (name === "venue" ? null : name);
        const levels = query.getAll("level").map(levelOf), types = query.getAll("type");
        const selected = [...this.features].filter(([level]) => level === null || levels.length === 0 || levels.includes(level)
            || levels.includes(`ordinal:${this.venue.levels.find(({ level_id }) => level_id === level)?.ordinal}`));
        const features = selected.flatMap(([, features]) => features).filter(({ feature_type: type }) => types.length === 0 || types.includes(type));
        return { type: "FeatureCollection", features };
    }

    #changePage(changes, query) {
        const levels = query.getAll("level").map((name) => (name === "venue" ? null : name));
        const [limit, after, hasBodies] = [Number(query.get("limit") ?? 1000), query.get("after"), query.get("bodies") !== "false"];
        const all = changes.filter(({ level_id: floor }) => levels.length === 0 || levels.includes(floor));
        const start = after ? all.findIndex(({ id }) => id === after) + 1 : 0;
        const page = all.slice(start, start + limit);
        const rest = new URLSearchParams(query);
        if (page.length > 0) rest.set("after", page.at(-1).id);
        return {
            words: [], overrides: [], next: start + limit < all.length ? `${this.requests.at(-1).path.split("?")[0]}?${rest}` : null,
            changes: hasBodies ? page : page.map((each) => ({ ...each, before: null, after: null })) };
    }

    #report({ id }, query) {
        const all = this.findings.get(id) ?? [];
        const findings = all.filter(({ rule }) => !query.has("rule") || rule === query.get("rule"));
        const counts = Object.fromEntries([...Map.groupBy(all, ({ rule }) => rule)].map(([rule, own]) => [rule, own.length]));
        return { findings, counts, truncated: false, complete: true, rule_set: "2026-06", skipped: [], next: null };
    }
}
