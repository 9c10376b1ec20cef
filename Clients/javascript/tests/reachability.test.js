// What can be reached from the exits: the bytes of all clients, and work that is bounded and gives way.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { WayfindingMap, canonicalJSON, reachabilityReport } from "@venuesync/client";

import { ReplicaRoutes } from "../src/wayfinding/replica-routes.js";
import { page, snapshot, uuid } from "./support/pages.js";
import { scriptedReplica } from "./support/replicas.js";

const { venues } = JSON.parse(await readFile(new URL("../../../Tests/Conformance/reachability.json", import.meta.url), "utf8"));

const mapOf = ({ features, language }) => new WayfindingMap(features, { language });

test("reports have the bytes of all clients", async () => {
    assert.ok(venues.length > 20);
    const codes = new Set();
    for (const venue of venues) {
        const expected = JSON.stringify(venue.report);
        for (const features of [venue.features, [...venue.features].reverse()]) {
            const report = await reachabilityReport(mapOf({ ...venue, features }), { egress: true });
            assert.deepEqual([JSON.stringify(report), canonicalJSON(report)], [expected, expected], venue.name);
        }
        for (const { code } of venue.report.cut_off.flatMap(({ reasons }) => reasons)) codes.add(code);
    }
    assert.deepEqual([...codes].sort(), [
        "emergency-exit", "escalator", "joins-nothing", "leads-nowhere", "narrow-opening", "no-opening", "not-connected", "one-way", "outside-units",
        "restricted", "stairs", "unusable",
    ]);
});

test("the report of a replica has the members of the server's response, in their order", async () => {
    const [venue] = venues;
    const bodies = (level) => venue.features.filter(({ properties }) => (properties.level_id ?? null) === level)
        .map(({ id, type, properties, geometry }) => JSON.stringify({ feature_type: type, geometry, id, properties, type: "Feature" }));
    const level = venue.features.find(({ type }) => type === "level").id;
    const blocks = [null, level].map((each) => snapshot(each, ...bodies(each)));
    const { replica } = await scriptedReplica([page(null, 7, "a", blocks, { about: { language: venue.language } })]);
    await replica.sync();
    const { egress, ...report } = venue.report;
    const sorted = (object) => Object.fromEntries(Object.entries(object).sort(([one], [other]) => (one < other ? -1 : 1)));
    assert.equal(JSON.stringify(await replica.reachability()), JSON.stringify(sorted({ ...report, revision: 7, venue: "mall" })));
    const whole = await replica.reachability({ egress: true });
    assert.equal(JSON.stringify(whole), JSON.stringify(sorted({ ...report, egress, revision: 7, venue: "mall" })));
    await assert.rejects(replica.reachability({ signal: AbortSignal.abort(new Error("not wanted")) }), /not wanted/);
});

/** A reader that holds all features, of a venue with another level besides. */
function readerOf({ features, language }, { missing = [], pause = () => {} } = {}) {
    const held = features.filter(({ type }) => type === "level").map(({ id }) => ({ level: id, digest: id, isHeld: true }));
    return {
        venue: "mall", state: { revision: 7, about: { language } }, features: () => (pause(), features),
        levels: () => [{ level: null, digest: "", isHeld: true }, ...held, ...missing.map((level) => ({ level, digest: level, isHeld: false }))],
    };
}

test("as long as a level is not held, nothing is known", async () => {
    const venue = venues.find(({ report }) => report.status === "known" && report.mend.length > 0);
    const missing = Array.from({ length: 10 }, (_, index) => uuid(`f${index}`));
    const report = await new ReplicaRoutes(readerOf(venue, { missing })).reachability({ egress: true });
    assert.deepEqual([report.status, report.mend, "egress" in report], ["unknown", [], false]);
    assert.ok(report.cut_off.length > 0 && report.cut_off.every(({ status }) => status === "unknown"));
    assert.deepEqual(report.reasons, missing.slice(0, 8).map((feature) => ({ code: "level-not-held", feature })));
    for (const { units, occupants } of [report, ...report.levels]) {
        assert.deepEqual([units, occupants].flatMap(Object.values).map(({ reached }) => reached), [null, null, null, null]);
    }
    const whole = await new ReplicaRoutes(readerOf(venue)).reachability({ egress: true });
    assert.deepEqual([whole.status, whole.mend.length], ["known", venue.report.mend.length]);
});

test("a report ends with its signal, also while the map is prepared for it", async () => {
    const controller = new AbortController();
    const routes = new ReplicaRoutes(readerOf(venues[0], { pause: () => controller.abort(new Error("not wanted")) }));
    await assert.rejects(routes.reachability({ signal: controller.signal }), /not wanted/);
    // What was prepared serves the next question.
    assert.equal((await routes.reachability()).status, venues[0].report.status);
});

test("the README's report of a replica runs", async () => {
    const [, code] = /## Reachability\n\n```js\n([^]*?)```/.exec(await readFile(new URL("../README.md", import.meta.url), "utf8"));
    const venue = venues.find(({ name }) => name === "a narrow opening, and one that is not stated");
    const run = new (async () => {}).constructor("replica", `${code}; return { reached, total, lost, worst };`);
    const { reached, total, lost, worst } = await run({ reachability: () => reachabilityReport(mapOf(venue)) });
    assert.deepEqual([reached, total, lost, worst.code], [2, 4, [uuid("3")], "no-opening"]);
});

/** Runs something while each look at the clock is a second later than the one before. */
async function slowly(act) {
    const { now } = performance;
    let seconds = 0;
    performance.now = () => { seconds += 1; return 1_000 * seconds; };
    try {
        return await act();
    } finally {
        performance.now = now;
    }
}

test("the work gives way after each part, and ends when nobody wants the result any more", async () => {
    const venue = venues.find(({ name }) => name === "a generated venue with losses");
    const map = mapOf(venue);
    let pauses = 0;
    const pause = async () => { pauses += 1; };
    const spaces = map.plan.spaces.length;
    assert.equal(JSON.stringify(await slowly(() => reachabilityReport(map, { egress: true, pause }))), JSON.stringify(venue.report));
    // Each unit for what there is, in each search, and for its ways to the exits.
    assert.ok(pauses > 4 * spaces, `${pauses} pauses for ${spaces} units`);
    const [controller, allowed] = [new AbortController(), Math.floor(pauses / 2)];
    let count = 0;
    const aborting = async () => {
        count += 1;
        if (count === allowed) controller.abort(new Error("not wanted"));
    };
    await assert.rejects(slowly(() => reachabilityReport(map, { egress: true, pause: aborting, signal: controller.signal })), /not wanted/);
    assert.equal(count, allowed);
    // A small part needs no pause.
    pauses = 0;
    await reachabilityReport(mapOf(venues[0]), { pause });
    assert.ok(pauses <= 1, `${pauses} pauses`);
});

const position = (x, y) => [139.7 + x * 1e-5, 35.6 + y * 1e-5];
const level = { id: uuid("f0"), type: "level", properties: { ordinal: 0 }, geometry: null };

function unit(number, left, bottom, right, top, category = "room") {
    const ring = [[left, bottom], [right, bottom], [right, top], [left, top], [left, bottom]].map(([x, y]) => position(x, y));
    return { id: uuid(`a${number}`), type: "unit", properties: { category, level_id: level.id }, geometry: { type: "Polygon", coordinates: [ring] } };
}

function exit(number, left) {
    const coordinates = [position(left, 0), position(left + 1, 0)];
    const properties = { category: "pedestrian.principal", level_id: level.id };
    return { id: uuid(`e${number}`), type: "opening", properties, geometry: { type: "LineString", coordinates } };
}

test("long lists are cut off, with lifts that lead nowhere", async () => {
    const upper = { ...level, id: uuid("f1"), properties: { ordinal: 1 } };
    const on = ({ properties, ...feature }) => ({ ...feature, properties: { ...properties, level_id: upper.id } });
    const room = (index) => {
        const [left, bottom] = [6 * (index % 50), 6 * Math.floor(index / 50)];
        return on(unit(1 + index, left, bottom, left + 5, bottom + 5, index % 2 === 0 ? "elevator" : "room"));
    };
    for (const [count, cutOff] of [[600, 600], [2_100, 2_000]]) {
        const rooms = Array.from({ length: count }, (_, index) => room(index));
        const map = mapOf({ features: [level, upper, unit(0, 0, 0, 300, 5, "walkway"), exit(0, 2), ...rooms], language: "en" });
        const report = await reachabilityReport(map);
        assert.deepEqual([report.cut_off.length, report.mend.length, report.more], [cutOff, 500, true]);
        assert.deepEqual(report.units.walk, { reached: 1, total: 1 + count });
    }
});

test("of many exits 200 are compared, and of the others nothing is claimed", async () => {
    const hall = unit(0, 0, 0, 1_000, 5, "walkway");
    for (const [count, statuses] of [[200, ["exit", "cut-off"]], [201, ["exit", "too-far"]]]) {
        const exits = Array.from({ length: count }, (_, index) => exit(index, 4 * index + 1));
        let pauses = 0;
        const map = mapOf({ features: [level, hall, unit(1, 0, 10, 5, 15), ...exits] });
        const work = () => reachabilityReport(map, { egress: true, pause: async () => { pauses += 1; } });
        const { egress, exits: listed } = await slowly(work);
        assert.deepEqual([listed.length, egress.units.map(({ status }) => status)], [count, statuses]);
        assert.deepEqual(egress.units.map(({ second }) => second), [true, count === 200 ? false : null]);
        // Also within a search.
        assert.ok(pauses > 200, `${pauses} pauses`);
    }
});

test("names have the order of canonical JSON", async () => {
    const hall = unit(0, 0, 0, 1_000, 5, "walkway");
    hall.properties.name = { ja: "広間", en: "Hall" };
    const { cut_off: [room], egress } = await reachabilityReport(mapOf({ features: [level, hall, unit(1, 0, 10, 5, 15), exit(0, 2)] }), { egress: true });
    assert.deepEqual([room.name, JSON.stringify(egress.units[0].name)], [null, '{"en":"Hall","ja":"広間"}']);
    hall.properties.name = { 9: "Nine", 10: "Ten", "-1": "Minus", en: "Hall" };
    const report = await reachabilityReport(mapOf({ features: [level, hall, unit(1, 0, 10, 5, 15), exit(0, 2)] }), { egress: true });
    assert.equal(canonicalJSON(report.egress.units[0].name), '{"-1":"Minus","10":"Ten","9":"Nine","en":"Hall"}');
    assert.deepEqual(JSON.parse(canonicalJSON(report)), report);
});
