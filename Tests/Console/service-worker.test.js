// The service worker: what it stores, deletes and answers. That browsers install it is tested in a browser.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { pass } from "./support/time.js";

const source = readFileSync(new URL("../../Sources/WebConsole/Web/service-worker.js", import.meta.url), "utf8");
const build = { version: "0123456789abcdef0123", files: ["app.js", "library/maplibre-gl.js"] };
const own = `venuesync-console-${build.version}`;
const address = "http://venue.test";

/** Caches by name, each a map from paths to responses. */
class Caches {
    stored = new Map();

    async open(name) {
        if (!this.stored.has(name)) this.stored.set(name, new Map());
        const entries = this.stored.get(name);
        const pathOf = (request) => new URL(request.url ?? request, address).pathname;
        return {
            match: async (request) => entries.get(pathOf(request))?.clone(),
            addAll: async (requests) => {
                const responses = await Promise.all(requests.map((request) => this.fetch(pathOf(request), request)));
                if (responses.some(({ ok }) => !ok)) throw new TypeError("a response is no success");
                requests.forEach((request, index) => entries.set(pathOf(request), responses[index]));
            },
        };
    }

    keys = async () => [...this.stored.keys()];
    delete = async (name) => this.stored.delete(name);
}

/** A worker whose requests `fetch(path)` answers. */
function openWorker(fetch) {
    const listeners = {};
    const caches = new Caches();
    caches.fetch = fetch;
    const calls = [];
    const self = {
        addEventListener: (name, listener) => { listeners[name] = listener; }, skipWaiting: async () => calls.push("skipWaiting"),
        clients: { claim: async () => calls.push("claim") },
    };
    const pathOf = (request) => new URL(request.url ?? request, address).pathname;
    class WorkerRequest {
        constructor(url, options) {
            Object.assign(this, { url, ...options });
        }
    }
    runInNewContext(`const build = ${JSON.stringify(build)};\n${source}`, {
        self, caches, location: { origin: address }, URL, Promise, setTimeout, Request: WorkerRequest, fetch: (request) => fetch(pathOf(request), request),
    });
    const dispatch = async (name, event = {}) => {
        let result;
        listeners[name]({ ...event, waitUntil: (promise) => { result = promise; }, respondWith: (promise) => { result = promise; } });
        return result;
    };
    /** The response of the worker to a request of the page; undefined if it leaves it to the browser. */
    const respond = (path, { method = "GET", mode = "no-cors", origin = address } = {}) =>
        dispatch("fetch", { request: { url: origin + path, method, mode } });
    return { caches, calls, dispatch, respond };
}

const success = async (path) => new Response(`new ${path}`);
const text = async (response) => (await response).text();
const isThere = { mode: "navigate" };

/** A worker that has stored everything, and whose requests `fetch` answers from now on. */
async function installed(fetch) {
    let current = success;
    const worker = openWorker((...values) => current(...values));
    await worker.dispatch("install");
    await worker.dispatch("activate");
    current = fetch;
    return worker;
}

test("service worker stores the page and all files of its version", async () => {
    const requests = [];
    const { caches, calls, dispatch } = openWorker(async (path, request) => {
        requests.push([path, request.cache]);
        return success(path);
    });
    await dispatch("install");
    const paths = ["/", `/console/${build.version}/app.js`, `/console/${build.version}/library/maplibre-gl.js`];
    assert.deepEqual([...caches.stored.get(own).keys()], paths);
    // The page must be that of this version.
    assert.deepEqual(requests[0], ["/", "no-cache"]);
    assert.deepEqual(calls, ["skipWaiting"]);
});

test("service worker stores nothing if one of the files cannot be loaded, so that the installation is repeated", async () => {
    const { caches, calls, dispatch } = openWorker(async (path) => new Response(null, { status: path.includes("maplibre") ? 404 : 200 }));
    await assert.rejects(dispatch("install"));
    assert.equal(caches.stored.get(own).size, 0);
    assert.deepEqual(calls, []);
});

test("service worker deletes what other versions have stored, and nothing else", async () => {
    const { caches, calls, dispatch } = openWorker(success);
    for (const name of ["venuesync-console-0", "another-application"]) await caches.open(name);
    await dispatch("install");
    await dispatch("activate");
    assert.deepEqual(await caches.keys(), ["another-application", own]);
    assert.ok(calls.includes("claim"));
});

test("service worker shows the page of the server, if there is one", async () => {
    const { respond } = await installed(async () => new Response("newest"));
    assert.equal(await text(respond("/", isThere)), "newest");
});

for (const [what, fetch] of [
    ["a proxy responds without a server", async () => new Response("Bad Gateway", { status: 502 })],
    ["there is no network", async () => { throw new TypeError("Failed to fetch"); }],
]) {
    test(`service worker shows the stored page if ${what}`, async () => {
        const { respond } = await installed(fetch);
        assert.equal(await text(respond("/", isThere)), "new /");
    });
}

test("service worker shows the stored page if the server does not respond within one and a half seconds", async () => {
    const { respond } = await installed(() => new Promise(() => {}));
    let shown = null;
    const response = respond("/", isThere);
    text(response).then((page) => { shown = page; });
    await pass(1_499);
    assert.equal(shown, null);
    await pass(1);
    assert.equal(shown, "new /");
});

test("service worker answers requests for stored files without a network", async () => {
    const { respond } = await installed(async () => { throw new TypeError("Failed to fetch"); });
    assert.equal(await text(respond(`/console/${build.version}/app.js`)), `new /console/${build.version}/app.js`);
    await assert.rejects(respond(`/console/${build.version}/other.js`));
});

for (const [what, path, options] of [
    ["the API", "/venues/mall/sync?level=venue"], ["files of another version", "/console/00000000000000000000/app.js"],
    ["pages for frames", "/embed/mall", { mode: "navigate" }], ["other methods", "/", { mode: "navigate", method: "POST" }],
    ["other hosts", "/", { mode: "navigate", origin: "https://tiles.example" }],
]) {
    test(`service worker leaves requests for ${what} to the browser`, async () => {
        const { respond } = await installed(success);
        assert.equal(await respond(path, options), undefined);
    });
}
