// Maps that the browser has stored: what is shown of them without a response, and when they are deleted.

import "./support/map-page.js";
import { databases, storedMaps } from "./support/browser-storage.js";
import { isState, leave, openLiveMap, openMap, placeNames, session, state } from "./support/map-page.js";
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { textOf } from "./support/page.js";
import { id, nameOfShop, shop } from "./support/sample-venue.js";
import { problem } from "./support/server.js";
import { adminKey, never, SyncServer } from "./support/sync-server.js";
import { pass, passUntil, settle, until } from "./support/time.js";

const { deleteUnusedReplicas } = await import("../../Sources/WebConsole/Web/map/replica-stores.js");
const { StoredFloors } = await import("../../Sources/WebConsole/Web/map/stored-floors.js");
const publicName = "venuesync/map/public/mall";
const isPrivate = (name) => name.startsWith("venuesync/map/private/");

/** Lets the server answer nothing but what `response` returns. */
function replaceResponses(server, response) {
    for (const method of ["GET", "HEAD"]) server.routes[`${method} .*`] = response;
}

/** A server whose map the browser has stored, with both floors; then the page is left. */
async function stored({ isPublic = false, ...options } = {}) {
    const server = new SyncServer({ isPublic, ...options });
    await openLiveMap({ key: isPublic ? null : adminKey, query: "?floor=1" });
    await until(() => databases.size > 0);
    await settle();
    leave();
    return server;
}

afterEach(async () => {
    leave();
    databases.clear();
    await deleteUnusedReplicas();
});

test("map that was loaded with a key is stored apart from public ones, under a part of the hash of the key", async () => {
    await stored();
    assert.equal(storedMaps().length, 1);
    assert.match(storedMaps()[0], /^venuesync\/map\/private\/[0-9a-f]{16}\/mall$/);
    assert.equal(storedMaps()[0].includes(adminKey), false);
    databases.clear();
    await stored({ isPublic: true });
    assert.deepEqual(storedMaps(), [publicName]);
});

test("all floors are stored by a touch, and are opened without a network", async () => {
    const server = new SyncServer({ isPublic: true, ordinals: [-1, 0, 1] });
    await openLiveMap({ key: null });
    const button = () => document.querySelector(".live-facts button");
    await until(button, "the button");
    assert.equal(textOf(button()), "Save 2 more floors for offline use");
    button().click();
    await until(() => /All floors are saved in this browser/.test(textOf(state())), "all floors are stored");
    assert.equal(button(), null);
    await settle();
    leave();
    replaceResponses(server, () => { throw new TypeError("Failed to fetch"); });
    await openMap({ key: null });
    await passUntil(() => document.querySelector(".live-state.offline"), { minutes: 2 });
    const floors = () => [...document.querySelectorAll(".floors [data-ordinal]")];
    assert.deepEqual(floors().map(({ dataset }) => dataset.ordinal), ["1", "0", "-1"]);
    floors()[0].click();
    await until(() => floors()[0].getAttribute("aria-current"), "the floor");
    await settle();
    assert.ok(placeNames().includes(nameOfShop(1)));
});

test("the button that stores floors keeps the focus while they load, and the end is announced and focuses the status", async () => {
    const server = new SyncServer({ isPublic: true, ordinals: [-1, 0, 1] });
    await openLiveMap({ key: null });
    const button = await until(() => document.querySelector(".live-facts button"), "the button");
    state().open = true;
    button.focus();
    server.rename({ [shop(0)]: "Other" });
    await isState("live", server.head);
    assert.equal(document.activeElement, button);
    button.click();
    assert.equal(document.activeElement, button);
    await until(() => /All floors are saved in this browser/.test(textOf(state())), "all floors are stored");
    assert.equal(document.activeElement, state().querySelector("summary"));
    await pass(50);
    assert.match(textOf(document.getElementById("live-region")), /All floors are saved/);
});

test("a browser without space for all floors says that nothing is stored", async () => {
    const live = { isStored: true, state: "live" };
    const stored = new StoredFloors(live, { all: [1, 2], missing: [2], loadMissing: async () => { live.isStored = false; } }, { onLeave() {} });
    stored.update();
    stored.element.querySelector("button").click();
    await until(() => /Nothing is saved/.test(document.querySelector(".toast")?.textContent), "the message");
    await settle();
    assert.equal(textOf(stored.element), "");
});

for (const [what, response, text] of [
    ["there is no network", () => { throw new TypeError("Failed to fetch"); }, /^Offline, as of /],
    ["a proxy responds without a server", () => new Response("Bad Gateway", { status: 502 }), /^Offline, as of /],
    ["nothing responds", never, /^Connecting/],
]) {
    test(`stored map is shown if ${what}`, async () => {
        const server = await stored({ isPublic: true });
        replaceResponses(server, response);
        const opening = openMap({ key: null, query: "?floor=1" });
        await passUntil(() => document.querySelector(".live-state .dot"), { minutes: 2 });
        await opening;
        await settle();
        assert.ok(placeNames().includes(nameOfShop(1)));
        assert.match(textOf(state()), text);
        // When the server is back.
        server.routes = {};
        await passUntil(() => state().className === "live-state live", { minutes: 5 });
    });
}

for (const [what, query] of [
    ["a floor", "?floor=1"], ["a feature", `?feature=${id("unit 1 room 0")}`], ["a place", `?place=${shop(1)}`],
]) {
    test(`link to ${what} in a stored map needs no response`, async () => {
        const server = await stored();
        replaceResponses(server, never);
        const opening = openMap({ query });
        await pass(1_000);
        await opening;
        await until(() => document.querySelector(".floors [aria-current]")?.dataset.ordinal === "1");
        await until(() => document.querySelectorAll(".map-pin").length === (what === "a feature" ? 1 : 0));
        assert.equal(document.querySelectorAll(".place-card").length, what === "a place" ? 1 : 0);
    });
}

test("stored map is deleted when the server says late that it may not be read", async () => {
    const server = await stored({ isPublic: true });
    let respond;
    const late = new Promise((resolve) => { respond = resolve; });
    // Only the description of the venue gets a response.
    replaceResponses(server, ({ pathname }) => (pathname === "/venues/mall" ? late : never()));
    const opening = openMap({ key: null });
    await pass(1_000);
    await opening;
    assert.ok(placeNames().length > 0);
    assert.deepEqual(storedMaps(), [publicName]);
    respond(problem(401, "unauthorized"));
    await until(() => storedMaps().length === 0);
});

test("venue that is not public any more is not kept", async () => {
    const server = await stored({ isPublic: true });
    server.isPublic = false;
    const error = await openMap({ key: null }).then(() => null, (failure) => failure);
    assert.equal(error.status, 401);
    await until(() => storedMaps().length === 0);
    assert.deepEqual(placeNames(), []);
});

test("sign-out deletes what was loaded with the key", async () => {
    await stored();
    sessionStorage.setItem("venuesync.key", adminKey);
    await deleteUnusedReplicas();
    assert.equal(storedMaps().length, 1, "the key is in use");
    session.signOut();
    await deleteUnusedReplicas();
    assert.deepEqual(storedMaps(), []);
});

test("maps of a key that another tab uses are kept, and deleted when no tab uses it any more", async () => {
    await stored();
    const [name] = storedMaps();
    // The lock of the other tab.
    let close;
    const lock = `venuesync.key.${name.split("/")[3]}`;
    const other = navigator.locks.request(lock, { mode: "shared" }, () => new Promise((resolve) => { close = resolve; }));
    await deleteUnusedReplicas();
    assert.deepEqual(storedMaps(), [name], "a visitor in this tab does not disturb the other one");
    close();
    await other;
    await deleteUnusedReplicas();
    assert.deepEqual(storedMaps(), []);
});

test("key that is revoked while the map is open leaves nothing in the browser", async () => {
    const server = new SyncServer();
    await openLiveMap();
    await until(() => storedMaps().some(isPrivate));
    replaceResponses(server, () => problem(401, "unauthorized"));
    // The server ends the stream of a revoked key.
    server.breakStreams();
    await isState("refused");
    await until(() => storedMaps().length === 0);
});

test("stored map that was changed is not shown, and is loaded again", async () => {
    const server = await stored();
    const [levels] = [...databases.values()].map((stores) => stores.get("levels"));
    let forged = 0;
    for (const [key, bytes] of levels) {
        const text = new TextDecoder().decode(bytes);
        if (!text.includes(nameOfShop(1))) continue;
        levels.set(key, new TextEncoder().encode(text.replaceAll(nameOfShop(1), "Forged")));
        forged += 1;
    }
    assert.equal(forged, 1);
    replaceResponses(server, () => { throw new TypeError("Failed to fetch"); });
    await openMap({ query: "?floor=1" }).catch(() => {});
    await settle();
    assert.equal(document.body.textContent.includes("Forged"), false);
    server.routes = {};
    await openLiveMap({ query: "?floor=1" });
    assert.ok(placeNames().includes(nameOfShop(1)));
    assert.equal(document.body.textContent.includes("Forged"), false);
});
