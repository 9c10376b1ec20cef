// The floors of the map page: which are listed and loaded, and what happens when loading takes long or fails.

import { $, $$, asked, card, click, floor, listTitle, openFloor, openMap, openPlace, texts, toasts } from "./support/open-map.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { id, shop } from "./support/sample-venue.js";
import { pass, settle, until } from "./support/time.js";

const { showFirstOutline } = await import("../../Sources/WebConsole/Web/map/first-outline.js");

const choose = (ordinal) => click(`.floors [data-ordinal="${ordinal}"]`);
const note = () => $(".map-note").textContent;
const isOfFloor = ({ query }, ordinal) => query.getAll("level").includes(`ordinal:${ordinal}`);
/** A server whose answer with a floor the test holds; `held.release()` sends it. */
function holding(ordinal) {
    const held = {};
    const wait = new Promise((resolve) => { held.release = resolve; });
    held.routes = { "GET /venues/mall/sync.*": async (request) => { if (isOfFloor(request, ordinal)) await wait; } };
    return held;
}

test("floors are listed from top to bottom, and a choice changes the list and the address", async () => {
    await openMap();
    assert.deepEqual($$(".floors button").map(({ dataset }) => Number(dataset.ordinal)), [1, 0, -1]);
    assert.deepEqual(texts(".floors button"), ["2F", "1F", "B1"]);
    assert.equal(floor(), 0);
    const before = listTitle();
    await openFloor(1);
    assert.notEqual(listTitle(), before);
    assert.match(location.hash, /^#\/mall\?floor=1$/);
});

test("floors are loaded when they are opened, in addition to what is held", async () => {
    const { server } = await openMap();
    const loads = () => asked(server, "/venues/mall/sync?").filter((path) => !path.includes("wait="));
    assert.ok(loads().length > 0 && loads().every((path) => path.includes("level=ordinal%3A0") && !path.includes("ordinal%3A1")));
    await openFloor(1);
    const later = loads().filter((path) => path.includes("ordinal%3A1"));
    assert.equal(later.length, 1);
    assert.match(later[0], /since=/);
});

test("a floor that failed to load is reported, and loaded when it is chosen again", async () => {
    const page = await openMap();
    let failures = 1;
    page.server.routes["GET /venues/mall/sync.*"] = (request) => {
        if (isOfFloor(request, 1) && failures-- > 0) throw new TypeError("connection reset");
    };
    await choose(1);
    await until(() => toasts().length > 0);
    assert.ok($(".toast.problem"));
    assert.deepEqual([floor(), note()], [0, ""]);
    await openFloor(1);
    assert.ok($(".place") && failures < 0);
});

test("a floor that loads late does not replace the one that was chosen meanwhile, and is not loaded again", async () => {
    const held = holding(1);
    const { server } = await openMap("", { server: { routes: held.routes } });
    await choose(1);
    assert.match(note(), /Floor 2/);
    assert.equal(floor(), 0);
    await choose(0);
    assert.equal(note(), "");
    held.release();
    await settle();
    assert.equal(floor(), 0);
    const requests = server.requests.length;
    await openFloor(1);
    assert.equal(server.requests.length, requests);
});

test("a map keeps only the floors that were shown last", async () => {
    const ordinals = [0, 1, 2, 3, 4, 5, 6];
    const page = await openMap("", { server: { ordinals } });
    const held = () => [...page.map.sources.keys()].filter((name) => name.startsWith("floor:")).sort();
    for (const ordinal of ordinals.slice(1)) await openFloor(ordinal);
    assert.deepEqual(held(), ["floor:3", "floor:4", "floor:5", "floor:6"]);
    await openFloor(0);
    assert.ok(held().includes("floor:0") && held().length === 4);
    assert.ok(page.map.queryRenderedFeatures().some(({ source }) => source === "floor:0"));
    assert.ok(page.map.layers.every(({ source }) => !source || page.map.sources.has(source)));
});

test("a floor that takes long to load says so, and the one that is shown stays", async () => {
    const held = holding(1);
    await openMap("", { server: { routes: held.routes } });
    await choose(1);
    assert.match(note(), /^Loading/);
    await pass(8_500);
    assert.match(note(), /takes long to load.*stays usable/);
    assert.equal(floor(), 0);
    held.release();
    await until(() => floor() === 1);
    assert.equal(note(), "");
});

test("on a slow network, the outline of the first floor is shown and said to be loading before its shops are there", async (context) => {
    context.after(() => { delete window.navigator.connection; });
    window.navigator.connection = { effectiveType: "3g" };
    const held = holding(0);
    const page = await openMap("", { isLive: false, server: { routes: held.routes } });
    await until(() => page.map?.sources.has("floor:0"), "the outline");
    assert.deepEqual(page.map.sources.get("floor:0").data.features.map(({ properties }) => properties.feature_type), ["level"]);
    assert.ok(page.map.sources.has("venue"), "the ground around it");
    assert.match(note(), /^Loading.*Floor 1/);
    assert.deepEqual(page.venueMap.labels, []);
    held.release();
    await until(() => $(".live-state.live"));
    assert.equal(note(), "");
    assert.ok(page.venueMap.labels.length > 0 && $(".place"));
});

test("on a slow network, a map whose outlines could not be loaded opens with its floor", async (context) => {
    context.after(() => { delete window.navigator.connection; });
    window.navigator.connection = { effectiveType: "3g" };
    let refusals = 0;
    const page = await openMap("", { server: { routes: { "GET /venues/mall/sync.*": (request) => {
        if (isOfFloor(request, 0) || refusals > 0) return undefined;
        refusals += 1;
        return new Response("", { status: 418 });
    } } } });
    assert.equal(refusals, 1);
    assert.ok(page.map.sources.has("floor:0") && $(".place"));
    assert.equal(note(), "");
});

test("a floor that fails to load leaves no note that it is loading, also if its outline comes later", async () => {
    const notes = [];
    const frame = { setLoading: (title) => notes.push(title ?? "map"), setNote: (text) => notes.push(text) };
    let showOutlines;
    const outlines = new Promise((resolve) => { showOutlines = resolve; });
    const shown = { floors: { find: () => ({ ordinal: 0, title: "1F" }), isLoaded: () => false }, map: { ready: Promise.resolve(), showOutline() {} }, title: { update() {} } };
    const options = { outlines, ordinal: 0, frame, signal: new AbortController().signal, ...shown };
    await assert.rejects(showFirstOutline(Promise.reject(new Error("refused")), options), /refused/);
    assert.deepEqual(notes, ["map", null]);
    showOutlines();
    await settle();
    assert.deepEqual(notes, ["map", null]);
});

test("on other networks, the first floor is one request, and a map that is not there after half a second says so", async () => {
    const held = holding(0);
    const { server } = await openMap("", { isLive: false, server: { routes: held.routes } });
    await until(() => $(".map-note"), "the frame of the map");
    assert.equal(note(), "");
    await pass(600);
    assert.equal(note(), "Loading the map …");
    held.release();
    await until(() => $(".live-state.live"));
    assert.equal(note(), "");
    assert.ok(asked(server, "/venues/mall/sync?").every((path) => path.includes("ordinal%3A0")), "no request for the outlines alone");
});

test("floors with equal names are distinguished by all of their names, then by the ordinal", async () => {
    const rename = (names) => ({ ordinals: [0, 1, 2], edit: (entries) => {
        for (const { feature } of entries) {
            const { ordinal } = feature.properties;
            if (feature.feature_type === "level" && names[ordinal]) feature.properties.short_name = { en: names[ordinal] };
        }
    } });
    await openMap("", { server: rename({ 1: "3", 2: "3" }) });
    assert.deepEqual(texts(".floors button"), ["3 (2)", "3 (1)", "1F"]);
});

test("a floor of buildings that number it differently has all their names, and both titles", async () => {
    // Most buildings call two floors the third one.
    const level = (entries, ordinal) => entries.find(({ feature }) => feature.id === id(`level ${ordinal}`)).feature;
    await openMap("", { server: { ordinals: [0, 1], edit: (entries) => {
        for (const [ordinal, names, more] of [[0, ["3", "3", "2"], "Harbour Plaza"], [1, ["3", "3", "4"], "Harbour Deck"]]) {
            for (const [index, name] of names.entries()) {
                const feature = structuredClone(level(entries, ordinal));
                Object.assign(feature.properties, { short_name: { en: name } });
                if (index > 0) Object.assign(feature, { id: id(`level ${ordinal} ${index}`) });
                if (index === 2) feature.properties.name = { en: more };
                if (index === 0) Object.assign(level(entries, ordinal), feature);
                else entries.push({ level: null, feature }, { level: feature.id, feature: structuredClone(unitOf(entries, ordinal, index)) });
            }
        }
    } } });
    assert.deepEqual(texts(".floors button"), ["3 · 4", "2 · 3"]);
    assert.equal($(".floors [data-ordinal='0']").title, "Floor 1 / Harbour Plaza");
});

/** A unit of its own for one more level. */
function unitOf(entries, ordinal, index) {
    const unit = structuredClone(entries.find(({ feature }) => feature.id === id(`unit ${ordinal} room 1`)).feature);
    unit.id = id(`unit ${ordinal} more ${index}`);
    return unit;
}

test("a venue without floors says so, and has no tools for floors", async () => {
    await openMap("", { server: { edit: (entries) => entries.filter(({ feature }) => ["venue", "footprint"].includes(feature.feature_type)) } });
    assert.match($(".panel-body").textContent, /no floors/);
    assert.match(note(), /no floors/);
    assert.ok($(".map-page").classList.contains("has-no-floors"));
});

test("a floor has one source", async () => {
    const { map } = await openMap();
    await openFloor(1);
    assert.deepEqual([...map.sources.keys()].sort(), ["floor:0", "floor:1", "highlights", "venue"]);
    // Before each change, MapLibre draws the borders of all tiles anew: the ground and the floor, and what is selected.
    const changes = () => map.layers.filter(({ source, layout }) => source && layout.visibility !== "none")
        .map(({ source }) => source).filter((source, index, all) => source !== all[index - 1]).length;
    assert.equal(changes(), 2);
    await openPlace(shop(1));
    assert.equal(changes(), 3);
});

test("a floor shows its own features, and hides those of others", async () => {
    const { map } = await openMap();
    const levels = () => [...new Set(map.queryRenderedFeatures().map(({ source }) => source))].sort();
    assert.deepEqual(levels(), ["floor:0", "venue"]);
    await openFloor(1);
    assert.deepEqual(levels(), ["floor:1", "venue"]);
    await openPlace(shop(1));
    assert.ok(card());
    await openFloor(0);
    assert.deepEqual(levels(), ["floor:0", "venue"]);
    assert.equal(card(), null, "the card of a place on another floor is closed");
});
