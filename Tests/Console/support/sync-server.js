// A server with one venue, and the network between it and the map page, for tests of what the page does when revisions are published,
// connections are lost and histories end. It answers in the form of docs/protocol; what the real server answers is tested with it.

import { digest, lines, separated } from "../../../Clients/javascript/tests/support/pages.js";
import { problem } from "./server.js";
import { id, sampleFeatures } from "./sample-venue.js";
import { untilAborted } from "./abortable.js";

export { never } from "./abortable.js";

export const adminKey = "vsk_admin";
const about = { country: "JP", language: "en", time_zone: "Asia/Tokyo" };
const publishedAt = "2026-04-01T09:00:00.000Z";

export class SyncServer {
    /** Routes that come before the usual ones, as for `serve`; a function that returns undefined leaves a request to the usual ones. */
    routes = {};
    requests = [];
    unexpected = [];
    isPublic = false;
    /** The language, the country and the time zone of the venue. */
    about = about;
    /** Returns the text of the signed head of `(revision, digests of levels)`. */
    sign = null;
    /** The features by level, for every revision from 1 on. */
    #revisions = [];
    #epoch = 1;
    #waiting = new Set();
    #streams = new Set();
    #isReachable = true;

    constructor({ ordinals = [0, 1], edit = () => {}, ...members } = {}) {
        Object.assign(this, members);
        this.#revisions.push(levelsOf(ordinals, edit));
        globalThis.fetch = (address, options = {}) => this.#fetch(address, options);
    }

    get head() {
        return this.#revisions.length;
    }

    get levels() {
        return this.#revisions.at(-1);
    }

    feature(featureID) {
        return [...this.levels.values()].flat().find((feature) => feature.id === featureID);
    }

    /** Publishes a copy of the newest revision that `change` has changed. */
    publish(change = () => {}) {
        const next = structuredClone(this.levels);
        change(next);
        this.#revisions.push(next);
        this.#announce();
    }

    /** Publishes other English names of features, by their ids. */
    rename(names) {
        this.publish((levels) => {
            for (const { id: own, properties } of [...levels.values()].flat()) if (names[own]) properties.name.en = names[own];
        });
    }

    removeFloor(ordinal) {
        this.publish((levels) => {
            levels.delete(id(`level ${ordinal}`));
            levels.set(null, levels.get(null).filter((feature) => feature.id !== id(`level ${ordinal}`)));
        });
    }

    rollback(revision) {
        this.#revisions.push(this.#revisions[revision - 1]);
        this.#announce();
    }

    /** Deletes the venue and creates it again. */
    recreate({ ordinals = [0, 1], edit = () => {} } = {}) {
        this.#epoch += 1;
        this.#revisions = [levelsOf(ordinals, edit)];
        this.#announce();
    }

    /** Ends the history of all cursors, as after a restored backup. */
    renewEpoch() {
        this.#epoch += 1;
    }

    #announce() {
        const data = { kind: "upload", levels: [], position: this.head, revision: this.head, venue: "mall" };
        for (const stream of this.#streams) stream.send(`event: revision\nid: ${this.head}\ndata: ${JSON.stringify(data)}\n\n`);
        for (const wake of [...this.#waiting]) wake();
    }

    /** Whether requests reach the server. When they do not any more, connections break. */
    set isReachable(isReachable) {
        this.#isReachable = isReachable;
        if (isReachable) return;
        this.breakStreams();
        for (const wake of [...this.#waiting]) wake();
    }

    breakStreams() {
        for (const stream of this.#streams) stream.fail(new TypeError("network error"));
        this.#streams.clear();
    }

    async #fetch(address, { method = "GET", headers, body, signal }) {
        signal?.throwIfAborted();
        const { pathname, search, searchParams: query } = new URL(address, "http://venue.test/");
        const request = { method, path: pathname + search, pathname, query, headers: new Headers(headers), body, signal };
        this.requests.push(request);
        if (!this.#isReachable) throw new TypeError("Failed to fetch");
        return untilAborted(signal, this.#answer(request));
    }

    async #answer(request) {
        for (const [route, response] of Object.entries(this.routes)) {
            const [method, path] = route.split(/ (.*)/s);
            if (method !== request.method || !new RegExp(`^${path}$`).test(request.path)) continue;
            const answer = typeof response === "function" ? await response(request) : response;
            if (answer !== undefined) return answer instanceof Response ? answer : Response.json(answer);
        }
        const isReader = this.isPublic || request.headers.get("Authorization") === `Bearer ${adminKey}`;
        if (request.pathname.startsWith("/venues/mall") && !isReader) return problem(401, "unauthorized");
        switch (request.pathname) {
            case "/": return new Response(null);
            case "/events": return this.#events(request);
            case "/venues": return Response.json({ venues: [], next: null });
            case "/venues/mall": return Response.json(this.document);
            case "/venues/mall/head": return new Response(this.sign(this.head, this.document.levels.map((level) => [level.level_id, level.digest])));
            case "/venues/mall/sync": return this.#sync(request);
            case "/venues/mall/overrides": return problem(403, "forbidden");
        }
        const [, featureID] = /^\/venues\/mall\/features\/([0-9a-f-]{36})\/history$/.exec(request.pathname) ?? [];
        if (featureID) return this.#history(featureID);
        this.unexpected.push(`${request.method} ${request.path}`);
        return problem(404, "no-route");
    }

    /** The response to `GET /venues/mall`. */
    get document() {
        const levels = this.#levelStates().map((each) => ({ ...each }));
        return {
            venue: "mall", id: id("venue"), head: this.head, first: 1, digest: digest(levels.map((level) => level.digest)),
            name: this.feature(id("venue")).properties.name, about: this.about, time_zone_source: "operator", public: this.isPublic, levels,
            level_count: levels.length - 1,
        };
    }

    /** The levels of the newest revision. They are described once: a revision does not change. */
    #levelStates() {
        const { levels } = this;
        if (!levelStates.has(levels)) {
            levelStates.set(levels, [...levels].map(([level_id, features]) => {
                const { ordinal = null, name = null, short_name = null } = this.feature(level_id)?.properties ?? {};
                const bodies = bodiesOf(features);
                return { level_id, ordinal, short_name, name, digest: digest(bodies), features: features.length, bytes: bodies.join("").length };
            }));
        }
        return levelStates.get(levels);
    }

    #history(featureID) {
        const [level_id, features] = [...this.levels].find(([, each]) => each.some((feature) => feature.id === featureID)) ?? [];
        if (!features) return problem(404, "feature-not-found");
        const body = features.find((feature) => feature.id === featureID);
        const version = { from: 1, to: null, level_id, author: "admin", message: null, published_at: publishedAt, classes: [], overrides: [], body };
        return Response.json({ versions: [version], next: null });
    }

    #events({ signal }) {
        const stream = new HeldResponse();
        this.#streams.add(stream);
        signal?.addEventListener("abort", () => this.#streams.delete(stream));
        stream.send(":\n\n");
        return stream.response;
    }

    /** A cursor has the epoch, the revision and the levels that the client holds of it. */
    async #sync({ query, signal }) {
        const [epoch, since, ...held] = (query.get("since") || `${this.#epoch}.`).split(".");
        const names = query.getAll("level");
        const from = since === "" ? null : Number(since);
        if (query.get("wait") && from === this.head && Number(epoch) === this.#epoch) await this.#change(signal, Number(query.get("wait")));
        if (!this.#isReachable) throw new TypeError("network error");
        if (Number(epoch) !== this.#epoch) return this.#historyLost(names);
        const selected = this.#selected(names);
        const before = from === null ? new Map() : this.#revisions[from - 1];
        const blocks = selected.flatMap((level) =>
            blockOf(level, held.includes(level ?? "-") ? before.get(level) : undefined, this.levels.get(level), this.feature(level)?.properties.ordinal ?? null));
        const gone = held.filter((level) => !selected.includes(level === "-" ? null : level)).map(goneBlock);
        const more = { digest: this.document.digest, about: this.about, published_at: publishedAt };
        return new Response(lines(from, this.head, this.#cursor(selected), [...blocks, ...gone], more).join("\n"));
    }

    #cursor(levels) {
        return [this.#epoch, this.head, ...levels.map((level) => level ?? "-")].join(".");
    }

    #selected(names) {
        return this.document.levels.map(({ level_id, ordinal }) => ({ level_id, name: `ordinal:${ordinal}` }))
            .filter(({ level_id, name }) => level_id === null || names.length === 0 || names.includes(name) || names.includes(level_id))
            .map(({ level_id }) => level_id);
    }

    /** The response to a cursor of another epoch, and the levels to which it refers. */
    #historyLost(names) {
        const levels = this.#selected(names).map((level_id) => {
            const bodies = bodiesOf(this.levels.get(level_id));
            const href = `/venues/mall/revisions/${this.head}/features?level=${level_id ?? "venue"}&epoch=${this.#epoch}`;
            const text = ['{"type":"FeatureCollection","features":[', ...separated(bodies), "]}"].join("\n");
            this.routes[`GET ${href.replace("?", "\\?")}`] = () => new Response(text);
            return { level_id, digest: digest(bodies), href };
        });
        return problem(410, "history-lost", { to: this.head, cursor: this.#cursor(levels.map(({ level_id }) => level_id)), levels });
    }

    /** Resolves when something is published, the network is lost, or some seconds have passed. */
    #change(signal, seconds) {
        return new Promise((resolve) => {
            const timer = setTimeout(() => wake(), seconds * 1_000);
            const wake = () => {
                clearTimeout(timer);
                this.#waiting.delete(wake);
                resolve();
            };
            this.#waiting.add(wake);
            signal?.addEventListener("abort", wake);
        });
    }
}

const levelStates = new WeakMap();

function levelsOf(ordinals, edit) {
    const entries = sampleFeatures({ ordinals });
    const all = edit(entries) ?? entries;
    return new Map([...Map.groupBy(all, ({ level }) => level)].map(([level, each]) => [level, each.map(({ feature }) => feature)]));
}

/** The bodies of the features of a level of a revision, in the order of their ids. What is published does not change any more. */
function bodiesOf(features) {
    if (!bodies.has(features)) {
        const ordered = features.toSorted((one, other) => (one.id < other.id ? -1 : 1));
        bodies.set(features, ordered.map((feature) => JSON.stringify(feature)));
    }
    return bodies.get(features);
}

const bodies = new WeakMap();
const digests = new WeakMap();

function digestOf(features) {
    if (!digests.has(features)) digests.set(features, digest(bodiesOf(features)));
    return digests.get(features);
}

/** The block of a level in a change set; none if it has not changed. `before` is undefined if the client does not hold the level. */
function blockOf(level, before, features, ordinal) {
    const known = new Set(before ? bodiesOf(before) : []);
    const all = bodiesOf(features);
    const changed = all.filter((body) => !known.has(body));
    const ids = new Set(features.map((feature) => feature.id));
    const removed = (before ?? []).filter((feature) => !ids.has(feature.id))
        .map((feature) => ({ id: feature.id, feature_type: feature.feature_type, reason: "deleted" }));
    if (before && changed.length + removed.length === 0) return [];
    const head = { digest: digestOf(features), kind: before ? "changes" : "snapshot", level_id: level, ordinal };
    return [[`${JSON.stringify(head).slice(0, -1)},"features":[`, ...separated(changed), `],"removed":${JSON.stringify(removed)}}`]];
}

const goneBlock = (level) => [`{"digest":null,"kind":"gone","level_id":${JSON.stringify(level)},"ordinal":null,"features":[`, '],"removed":[]}'];

/** A response whose body the test sends. */
export class HeldResponse {
    #controller;

    constructor() {
        this.response = new Response(new ReadableStream({ start: (controller) => { this.#controller = controller; } }));
    }

    send(text) {
        this.#controller.enqueue(new TextEncoder().encode(text));
    }

    fail(error) {
        this.#controller.error(error);
    }
}
