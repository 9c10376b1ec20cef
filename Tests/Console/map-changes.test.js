// What the map page does when revisions of its venue are published.

import { isState, openLiveMap, openMap, placeNames, state } from "./support/map-page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { only, textOf } from "./support/page.js";
import { MapStandIn } from "./support/map-library.js";
import { type } from "./support/browser.js";
import { id, nameOfShop, shop } from "./support/sample-venue.js";
import { problem } from "./support/server.js";
import { pass, passUntil, settle, until } from "./support/time.js";
import { SyncServer } from "./support/sync-server.js";

const toasts = () => [...document.querySelectorAll(".toast")].map(textOf);
const isVerified = () => assert.match(textOf(state()), /· verified$/);
const place = (shopID) => only(`.place[data-id="${shopID}"]`);
/** The statuses that the page shows from now on. */
function recordStates() {
    const states = [];
    new MutationObserver(() => states.push(state().className)).observe(state(), { attributes: true });
    return states;
}

test("a published revision changes names in the open list, and a toast says how many", async () => {
    const server = new SyncServer();
    await openLiveMap();
    server.rename({ [shop(0)]: "Red Door", [shop(0, 7)]: "Blue Door" });
    await isState("live", 2);
    isVerified();
    assert.equal(textOf(only(".place-name", place(shop(0)))), "Red Door");
    assert.equal(textOf(only(".place-name", place(shop(0, 7)))), "Blue Door");
    assert.deepEqual(toasts(), ["Revision 2: 2 changes on Floor 1"]);
    assert.deepEqual(server.unexpected, []);
});

test("a published revision passes only the changed features to the map", async () => {
    const server = new SyncServer();
    await openLiveMap();
    const map = MapStandIn.current;
    const calls = [];
    for (const name of ["addSource", "removeSource"]) {
        const own = map[name];
        map[name] = (...values) => calls.push(name) && own.apply(map, values);
    }
    for (const [source, each] of map.sources) {
        // The few features that are highlighted are set as a whole.
        if (source === "highlights") continue;
        for (const name of ["setData", "updateData"]) {
            const own = each[name];
            each[name] = (data) => calls.push([name, data.add?.length, data.update?.length, data.remove?.length]) && own.call(each, data);
        }
    }
    const unit = id("unit 0 room 1");
    server.publish((levels) => {
        for (const features of levels.values()) for (const feature of features) if (feature.id === unit) feature.geometry.coordinates[0][1][0] += 1e-5;
    });
    await isState("live", 2);
    assert.deepEqual(calls, [["updateData", 0, 1, 0]]);
});

test("a rollback brings the names back", async () => {
    const server = new SyncServer();
    await openLiveMap();
    const names = placeNames();
    server.rename({ [shop(0)]: "Red Door" });
    await isState("live", 2);
    assert.notDeepEqual(placeNames(), names);
    server.rollback(1);
    await isState("live", 3);
    isVerified();
    assert.deepEqual(placeNames(), names);
});

test("a public venue is followed without a key, by long polls", async () => {
    const server = new SyncServer({ isPublic: true });
    await openLiveMap({ key: null });
    await until(() => server.requests.some(({ query }) => query.get("wait") === "25"));
    server.rename({ [shop(0)]: "Red Door" });
    await isState("live", 2);
    isVerified();
    assert.equal(server.requests.some(({ headers }) => headers.has("Authorization")), false);
    assert.equal(server.requests.some(({ pathname }) => pathname === "/events"), false);
});

test("a stopped server is reported, and when it is back, what was published meanwhile is shown", async () => {
    const server = new SyncServer();
    await openLiveMap();
    server.isReachable = false;
    await isState("disconnected");
    await pass(20_000);
    server.rename({ [shop(0)]: "Red Door" });
    await settle();
    assert.deepEqual([state().className, state().dataset.revision], ["live-state disconnected", "1"]);
    server.isReachable = true;
    await passUntil(() => state().matches(".live[data-revision='2']"), { minutes: 1 });
    isVerified();
});

test("an outdated revision is not shown as live while its synchronization is retried", async () => {
    const server = new SyncServer();
    await openLiveMap();
    const states = recordStates();
    let failures = 2;
    server.routes["GET /venues/mall/sync.*"] = () => {
        if (failures-- > 0) throw new TypeError("connection reset");
    };
    server.rename({ [shop(0)]: "Red Door" });
    await passUntil(() => state().matches(".live[data-revision='2']"), { minutes: 1 });
    assert.ok(states.includes("live-state disconnected"), String(states));
    assert.ok(failures < 0);
    isVerified();
});

test("a request that is refused with Retry-After is repeated after that time", async () => {
    const server = new SyncServer();
    const refusals = [429, 503];
    server.routes["GET /venues/mall"] = () => {
        const status = refusals.pop();
        return status && Response.json({ type: "/problems/x", title: "x" }, { status, headers: { "Retry-After": "1" } });
    };
    const opening = openMap();
    const count = () => server.requests.filter(({ path }) => path === "/venues/mall").length;
    await settle();
    assert.equal(count(), 1);
    await pass(999);
    assert.equal(count(), 1);
    await pass(1);
    assert.equal(count(), 2);
    await pass(1_000);
    assert.equal(count(), 3);
    await opening;
    await isState("live");
});

test("a venue that was deleted and created again replaces what is shown", async () => {
    const server = new SyncServer();
    await openLiveMap();
    server.recreate({ edit: (entries) => {
        for (const { feature } of entries) if (feature.feature_type === "occupant") feature.properties.name.en = `New ${feature.properties.name.en}`;
        return entries.filter(({ feature }) => feature.id !== shop(0, 7));
    } });
    await until(() => placeNames()[0]?.startsWith("New"));
    await isState("live", 1);
    isVerified();
    assert.equal(document.querySelector(`.place[data-id="${shop(0, 7)}"]`), null);
});

test("a lost history does not end following without a key", async () => {
    const server = new SyncServer({ isPublic: true });
    await openLiveMap({ key: null });
    await until(() => server.requests.some(({ query }) => query.has("wait")));
    server.renewEpoch();
    server.rename({ [shop(0)]: "Red Door" });
    await isState("live", 2);
    isVerified();
    assert.ok(server.requests.some(({ path }) => path.includes("/revisions/2/features?level=")), "the changed level is loaded by its address");
    server.rename({ [shop(0)]: "Green Door" });
    await isState("live", 3);
});

test("a removed floor is replaced by one that is loaded then", async () => {
    const server = new SyncServer();
    await openLiveMap({ query: "?floor=1" });
    const isLoaded = () => server.requests.some(({ query }) => query.getAll("level").includes("ordinal:0"));
    assert.equal(isLoaded(), false);
    server.removeFloor(1);
    await until(() => document.querySelector(".floors [aria-current]")?.dataset.ordinal === "0");
    assert.ok(isLoaded());
    assert.ok(placeNames().includes(nameOfShop(0)));
});

test("a published revision leaves a search and a closed card as they are", async () => {
    const server = new SyncServer();
    await openLiveMap();
    place(shop(0)).click();
    await until(() => document.querySelector(".place-card"));
    type(only("#search"), nameOfShop(0, 7));
    assert.equal(document.querySelector(".place-card"), null);
    const names = placeNames();
    server.publish((levels) => {
        for (const { id: own, properties } of [...levels.values()].flat()) if (own === shop(0)) properties.hours = "off";
    });
    await isState("live", 2);
    assert.equal(document.querySelector(".place-card"), null);
    assert.equal(only("#search").value, nameOfShop(0, 7));
    assert.deepEqual(placeNames(), names);
});

test("a published revision leaves a list of the nearest facilities as it is, without the card from which they were asked for", async () => {
    const server = new SyncServer();
    await openLiveMap();
    place(shop(0)).click();
    const card = await until(() => document.querySelector(".place-card"));
    [...card.querySelectorAll(".place-actions button")].at(-1).click();
    await until(() => !document.querySelector(".place-card"));
    const names = placeNames();
    server.rename({ [shop(0, 7)]: "Red Door" });
    await isState("live", 2);
    assert.equal(document.querySelector(".place-card"), null);
    assert.deepEqual(placeNames(), names);
});

test("a list does not change between press and release of the mouse, so that the press is a click", async () => {
    const server = new SyncServer();
    await openLiveMap();
    const pressed = place(shop(0, 7));
    pressed.dispatchEvent(new PointerEvent("pointerdown", { button: 0 }));
    server.rename({ [shop(0)]: "Red Door" });
    await isState("live", 2);
    assert.ok(pressed.isConnected && !placeNames().includes("Red Door"));
    dispatchEvent(new PointerEvent("pointerup"));
    pressed.click();
    await until(() => document.querySelector(`.place-card[data-id="${shop(0, 7)}"]`));
});

for (const [button, isDelayed] of [[0, true], [2, false]]) {
    test(`a list changes ${isDelayed ? "when the mouse button" : "although another button"} is ${isDelayed ? "released" : "pressed"}`, async () => {
        const server = new SyncServer();
        await openLiveMap();
        place(shop(0, 7)).dispatchEvent(new PointerEvent("pointerdown", { button }));
        server.rename({ [shop(0)]: "Red Door" });
        await isState("live", 2);
        assert.equal(placeNames().includes("Red Door"), !isDelayed);
        // Beside the list.
        dispatchEvent(new PointerEvent("pointerup"));
        await until(() => placeNames().includes("Red Door"));
    });
}

test("a revoked key ends following, and says that one has to sign in again", async () => {
    const server = new SyncServer();
    server.routes["GET /events"] = () => problem(401, "unauthorized");
    await openMap();
    await isState("refused");
    assert.match(textOf(state()), /Sign in again/);
});
