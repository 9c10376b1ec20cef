// The layer of what visitors cannot reach, on the map: units that are tinted, marks for what is to be mended, and the legend with the list.

import { $, $$, asked, click, floor, go, localization, openFloor, openMap, openPlace, texts } from "./support/open-map.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { textOf } from "./support/page.js";
import { problem } from "./support/server.js";
import { withDoors } from "./support/doors.js";
import { id, shop } from "./support/sample-venue.js";
import { settle, until } from "./support/time.js";

const unit = (number, ordinal = 0) => id(`unit ${ordinal} room ${number}`);
const cutOff = (feature, ordinal, values = {}) => ({
    feature, feature_type: "unit", level_id: id(`level ${ordinal}`), name: null, profile: "walk", status: "unknown", occupants: [],
    reasons: [{ code: "no-opening", feature }], ...values,
});
const mend = (feature, ordinal, values = {}) => ({
    feature, feature_type: "opening", code: "joins-nothing", level_id: id(`level ${ordinal}`), name: null, units: 3, occupants: 2, ...values,
});
const door = (number, ordinal = 0) => id(`door ${unit(number, ordinal)}`);
const report = (values = {}) => ({
    venue: "mall", revision: 1, status: "known", reasons: [], more: false,
    cut_off: [
        cutOff(unit(1), 0), cutOff(unit(2), 0, { profile: "step-free", status: "none" }), cutOff(unit(6, 1), 1),
        cutOff(shop(0, 7), null, { feature_type: "occupant" }),
    ],
    mend: [mend(door(1), 0), mend(door(1), 0, { code: "narrow-opening", units: 1, occupants: 1 }), mend(door(6, 1), 1)], ...values,
});

/** The map of a venue whose report is that of the last call of `respond`. */
async function open(query, { respond = () => report(), ...options } = {}) {
    const page = await openMap(query, { server: { edit: withDoors(), routes: { "GET /venues/mall/reachability": () => respond() } }, ...options });
    await settle();
    return page;
}
const shown = () => until(() => $(".cut-off-note h2"), "the layer is shown");
const tinted = ({ map }) => [...new Set((map.drawn.get("cut-off/area") ?? []).map(({ properties }) => properties.id))].sort();
const marks = () => $$(".mend-marks .finding-mark");
const entries = () => texts(".cut-off-note li");
const parameters = () => Object.fromEntries(new URLSearchParams(location.hash.split("?")[1]));

test("the layer tints the units of the floor that are cut off, and marks what is to be mended", async () => {
    const page = await open("?cut_off=1&floor=0");
    await shown();
    assert.deepEqual(tinted(page), [unit(1), unit(2)].sort());
    assert.deepEqual(marks().map(({ title }) => title), [
        "The opening does not join two units: it is not on the walls of both.\nCut off by it: 3 units, 2 occupants\n"
            + "The opening is narrower than 80 cm.\nCut off by it: 1 unit, 1 occupant",
    ]);
    assert.equal(marks()[0].getAttribute("href"), `#/mall?feature=${door(1)}&cut_off=1`);
    assert.deepEqual(entries(), ["Cut off, or without a step-free way; on this floor: 2", "!Missing doors and obstacles; on this floor: 1"]);
    assert.equal($(".cut-off-note a").getAttribute("href"), "#/mall/desk/reachability");
    assert.equal($(".mend-marks").getAttribute("aria-label"), "Missing doors and obstacles; on this floor: 1");
    const layers = page.map.layers.map(({ id: each }) => each);
    assert.ok(layers.indexOf("cut-off/area") > layers.indexOf("floor:0/unit/fill"), layers);
    assert.ok(layers.indexOf("cut-off/area") < layers.indexOf("cut-off/line"), layers);
});

test("the layer follows the floor, and stays in the address while a place is chosen", async () => {
    const page = await open("?cut_off=1&floor=0");
    await shown();
    await openFloor(1);
    assert.deepEqual([tinted(page), marks().length, entries()[0]], [[unit(6, 1)], 1, "Cut off, or without a step-free way; on this floor: 1"]);
    await openFloor(-1);
    assert.deepEqual([tinted(page), marks().length], [[], 0]);
    await openFloor(0);
    await openPlace(shop(0, 5));
    assert.deepEqual([parameters().cut_off, parameters().place, tinted(page).length], ["1", shop(0, 5), 2]);
});

test("the layer ends with its button, and with an address without it", async () => {
    const page = await open("?cut_off=1&floor=0");
    await shown();
    await click(".cut-off-note button");
    assert.deepEqual([tinted(page), marks().length, $(".cut-off-note"), parameters().cut_off], [[], 0, null, undefined]);
    await go("#/mall?floor=0&cut_off=1");
    await shown();
    assert.equal(tinted(page).length, 2);
    await go("#/mall?floor=1");
    assert.deepEqual([floor(), tinted(page), $(".cut-off-note")], [1, [], null]);
});

test("a map without the parameter, a kiosk, and a frame of another page ask for nothing", async () => {
    for (const query of ["?floor=0", "?kiosk&cut_off=1&floor=0", "?embed&cut_off=1&floor=0"]) {
        const { server } = await open(query);
        assert.deepEqual([asked(server, "/venues/mall/reachability"), $(".cut-off-note")], [[], null], query);
    }
});

test("the layer says what is unknown, and is in Japanese", async () => {
    await open("?cut_off=1&floor=0", {
        language: "ja", respond: () => report({ status: "unknown", reasons: [{ code: "no-exit-stated" }], mend: [] }),
    });
    await shown();
    assert.match(textOf($(".cut-off-note")), /^到達できない場所外への出口が地図にないため、来館者が到達できる場所は不明です。/);
    assert.match(entries()[1], /（このフロア：0件）$/);
    localization.setLanguage("en");
    await settle();
    assert.match(textOf($(".cut-off-note")), /^What is cut offIt is unknown what visitors can reach: the map has no exit\./);
});

test("the layer shows the report of a new revision", async () => {
    let latest = report();
    const page = await open("?cut_off=1&floor=0", { respond: () => latest });
    await shown();
    latest = report({ revision: 2, cut_off: [cutOff(unit(3), 0)], mend: [] });
    page.server.publish(() => {});
    await until(() => tinted(page).includes(unit(3)), "the new report");
    assert.deepEqual([tinted(page), marks().length], [[unit(3)], 0]);
});

test("a report that cannot be loaded is a message, and the map stays", async () => {
    const page = await open("?cut_off=1&floor=0", { respond: () => problem(400, "too-expensive", { title: "The search took too long" }) });
    await until(() => texts(".toast").join().includes("The search took too long"), "the message");
    assert.deepEqual([$(".cut-off-note"), tinted(page), floor()], [null, [], 0]);
});
