// Maps that need more work than is done: routes and reports say so, instead of what was not compared.

import assert from "node:assert/strict";
import { test } from "node:test";

import { WayfindingMap, reachabilityReport } from "@venuesync/client";

import { workLimits } from "../src/wayfinding/work-limits.js";
import { uuid } from "./support/pages.js";

const levels = [0, 1].map((ordinal) => ({ id: uuid(`f${ordinal}`), type: "level", properties: { ordinal }, geometry: null }));
// A hundred-millionth of a degree is about a millimetre.
const at = (points) => points.map(([x, y]) => [x * 1e-8, y * 1e-8]);
const square = (left, bottom, right, top) => at([[left, bottom], [right, bottom], [right, top], [left, top], [left, bottom]]);
const unit = (id, ordinal, category, ...polygons) => ({
    id: uuid(id), type: "unit", properties: { category, level_id: levels[ordinal].id },
    geometry: { type: "MultiPolygon", coordinates: polygons.map((ring) => [ring]) },
});
const door = (id, ordinal, category, line) => ({
    id: uuid(id), type: "opening", properties: { category, level_id: levels[ordinal].id }, geometry: { type: "LineString", coordinates: at(line) },
});

/** Two floors that a lift joins. On the lower one are a hall of two parts with a column and an exit, on the upper one two rooms. */
const features = [
    ...levels,
    unit("a0", 0, "walkway", square(0, 0, 10_000, 10_000), square(10_000, 0, 20_000, 10_000)),
    unit("a1", 0, "column", square(4_000, 4_000, 5_000, 5_000)),
    unit("a2", 0, "elevator", square(0, 10_100, 3_000, 13_000)),
    door("d0", 0, "pedestrian.principal", [[0, 1_000], [0, 3_000]]),
    door("d1", 0, "pedestrian", [[1_000, 10_050], [2_000, 10_050]]),
    unit("a3", 1, "elevator", square(0, 10_100, 3_000, 13_000)),
    unit("a4", 1, "room", square(3_100, 10_100, 6_000, 13_000)),
    unit("a5", 1, "room", square(6_100, 10_100, 9_000, 13_000)),
    door("d2", 1, "pedestrian", [[3_050, 11_000], [3_050, 12_000]]),
    door("d3", 1, "emergencyexit", [[6_050, 11_000], [6_050, 12_000]]),
];

const mapOf = (limits, former = null) => new WayfindingMap(features, { limits: { ...workLimits, ...limits }, former });
const route = (map, from, to) => map.route({ from: { feature: uuid(from) }, to: { feature: uuid(to) } });
const summary = ({ status, reasons }) => [status, reasons.map(({ code }) => code)];

test("nothing is given up within the limits", () => {
    const map = mapOf({});
    assert.deepEqual([map.isTooComplex, map.mesh.tooComplexOrdinals], [false, []]);
    assert.deepEqual(summary(route(map, "a0", "a4")), ["route", []]);
    assert.deepEqual(summary(route(map, "a4", "a5")), ["none", ["emergency-exit"]]);
});

for (const limit of ["wallPairs", "blockerPositions", "blockerComparisons"]) {
    test(`a floor that needs more ${limit} has no routes, and an answer names the reason`, () => {
        const map = mapOf({ [limit]: 1 });
        assert.deepEqual([map.isTooComplex, map.mesh.tooComplexOrdinals], [true, [0]]);
        assert.ok([0, 1].every((space) => map.mesh.trianglesOfSpace[space].length === 0));
        assert.deepEqual(map.route({ from: { feature: uuid("a0") }, to: { feature: uuid("a4") } }).reasons, [{ code: "too-far" }]);
        const place = { longitude: 0.00001, latitude: 0.00001 };
        assert.deepEqual(summary(map.route({ from: { ...place, ordinal: 0 }, to: { feature: uuid("a4") } })), ["unknown", ["too-far"]]);
        // The other floor has its routes, and what it lacks may exist by way of the first one.
        assert.deepEqual(summary(route(map, "a3", "a4")), ["route", []]);
        assert.deepEqual(summary(route(map, "a4", "a5")), ["unknown", ["emergency-exit", "too-far"]]);
    });
}

test("a floor whose openings need more comparisons has no routes", () => {
    const map = mapOf({ openingComparisons: 1 });
    assert.deepEqual(map.mesh.tooComplexOrdinals, [0, 1]);
    assert.deepEqual([map.mesh.triangleCount, map.mesh.portals.length, map.mesh.points.length], [0, 0, 0]);
    assert.deepEqual(summary(route(map, "a4", "a5")), ["unknown", ["too-far"]]);
});

test("units above each other that were not all compared are not joined, and an answer names the reason", () => {
    const map = mapOf({ trianglePairs: 1 });
    assert.deepEqual([map.isTooComplex, map.mesh.tooComplexOrdinals, map.shafts.shafts], [true, [], []]);
    assert.deepEqual(summary(route(map, "a0", "a2")), ["route", []]);
    assert.deepEqual(summary(route(map, "a0", "a4")), ["unknown", ["leads-nowhere", "leads-nowhere", "too-far"]]);
});

test("a floor that is taken over stays given up", () => {
    const former = mapOf({ blockerPositions: 1 });
    const map = mapOf({ blockerPositions: 1 }, former);
    assert.deepEqual([map.mesh.computedOrdinals, map.mesh.tooComplexOrdinals], [[], [0]]);
    assert.deepEqual(summary(route(map, "a0", "a4")), ["unknown", ["too-far"]]);
});

test("of a map that is too complex nothing is known to be reached", async () => {
    const known = await reachabilityReport(mapOf({}), { egress: true });
    assert.deepEqual([known.status, known.more, known.mend.length > 0], ["known", false, true]);
    for (const limits of [{ blockerPositions: 1 }, { trianglePairs: 1 }]) {
        const report = await reachabilityReport(mapOf(limits), { egress: true });
        assert.deepEqual([report.status, report.reasons, report.more, report.mend], ["unknown", [{ code: "too-far" }], true, []]);
        assert.deepEqual(report.units.walk, { reached: null, total: known.units.walk.total });
        assert.ok(report.cut_off.length > 0 && report.cut_off.every(({ status }) => status === "unknown"));
        // Also the units of a floor that is too complex.
        assert.deepEqual(report.egress.units.map(({ feature }) => feature), known.egress.units.map(({ feature }) => feature));
        assert.ok(report.egress.units.every(({ status, second }) => ["exit", "too-far"].includes(status) && second === null));
    }
    const { cut_off: cutOff } = await reachabilityReport(mapOf({ blockerPositions: 1 }));
    const ofHall = cutOff.find(({ feature }) => feature === uuid("a0"));
    assert.deepEqual(ofHall.reasons, [{ code: "too-far", feature: uuid("a0") }]);
});

test("a report says that more may be cut off if an opening is near to more units than are looked at", async () => {
    for (const [count, hasMore] of [[999, false], [1_000, true]]) {
        const rooms = Array.from({ length: count }, (_, index) => {
            const [left, bottom] = [30 * (index % 32), 30 * Math.floor(index / 32)];
            return unit(`b${index}`, 0, "nonpublic", square(left, bottom, left + 25, bottom + 25));
        });
        const hall = unit("a0", 0, "walkway", square(100_000, 0, 110_000, 10_000));
        const exit = door("d0", 0, "pedestrian.principal", [[100_000, 1_000], [100_000, 3_000]]);
        const loose = door("d1", 0, "pedestrian", [[400, 1_300], [500, 1_300]]);
        const report = await reachabilityReport(new WayfindingMap([levels[0], hall, ...rooms, exit, loose]));
        assert.deepEqual([report.status, report.cut_off, report.more], ["known", [], hasMore], `${count} rooms`);
    }
});

test("what is closed is an answer without the way for those who can use steps, if that needs more work", () => {
    // A closed door joins two rooms, and a detour over steps and through a row of rooms.
    const count = 12;
    const row = Array.from({ length: count }, (_, index) => 3_000 * index);
    const rooms = [
        ...levels, unit("a0", 0, "room", square(0, 0, 3_000, 3_000)), unit("a1", 0, "room", square(3_000, 0, 3_000 * count, 3_000)),
        door("d0", 0, "pedestrian", [[3_000, 1_000], [3_000, 2_000]]),
        ...row.map((left, index) => unit(`b${index.toString(16)}`, 0, index === 1 ? "stairs" : "room", square(left, 3_000, left + 3_000, 6_000))),
        ...row.slice(1).map((left, index) => door(`e${index.toString(16)}`, 0, "pedestrian", [[left, 4_000], [left, 5_000]])),
        door("d1", 0, "pedestrian", [[1_000, 3_000], [2_000, 3_000]]),
        door("d2", 0, "pedestrian", [[3_000 * count - 2_000, 3_000], [3_000 * count - 1_000, 3_000]]),
    ];
    const answers = [];
    for (let searchNodes = 1; searchNodes <= 400; searchNodes += 1) {
        const map = new WayfindingMap(rooms, { limits: { ...workLimits, searchNodes } });
        const query = { from: { feature: uuid("a0") }, to: { feature: uuid("a1") }, profile: "step-free", closed: new Map([[uuid("d0"), null]]) };
        const found = map.route(query);
        const answer = JSON.stringify([...summary(found), "alternative" in found]);
        if (answers.at(-1) !== answer) answers.push(answer);
    }
    assert.deepEqual(answers.map((each) => JSON.parse(each)), [
        ["unknown", ["too-far"], false], ["infeasible", ["closed"], false], ["infeasible", ["closed"], true],
    ]);
});
