// Routes, which are equal in all clients byte for byte, and bounded work on hostile shapes.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { WayfindingMap } from "@venuesync/client";

import { uuid } from "./support/pages.js";

const shared = JSON.parse(await readFile(new URL("../../../Tests/Conformance/wayfinding.json", import.meta.url), "utf8"));

test("routes have the bytes of all clients", () => {
    assert.ok(shared.venues.length > 3);
    for (const { language, features, queries } of shared.venues) {
        const [map, reversed] = [new WayfindingMap(features, { language }), new WayfindingMap([...features].reverse(), { language })];
        for (const { from, to, profile, closed, languages, answer } of queries) {
            const query = { from, to, profile, closed: new Map(closed), languages };
            assert.equal(JSON.stringify(map.route(query)), JSON.stringify(answer));
            assert.equal(JSON.stringify(reversed.route(query)), JSON.stringify(answer), "in another order");
        }
    }
});

test("a map that is made floor by floor is the same, and pauses after each", async () => {
    for (const { language, features, queries } of shared.venues) {
        let pauses = 0;
        const map = await WayfindingMap.build(features, { language, pause: async () => { pauses += 1; } });
        assert.ok(pauses > new Set(features.filter(({ type }) => type === "level").map(({ properties }) => properties.ordinal)).size / 2);
        for (const { from, to, profile, closed, languages, answer } of queries.slice(0, 40)) {
            assert.equal(JSON.stringify(map.route({ from, to, profile, closed: new Map(closed), languages })), JSON.stringify(answer));
        }
    }
});

test("the nearest features are those of all clients", () => {
    for (const { language, features, queries } of shared.venues) {
        const map = new WayfindingMap(features, { language });
        for (const { from, among, profile, closed, near } of queries) {
            assert.deepEqual(map.nearest({ from, features: among, profile, closed: new Map(closed), limit: 3 }), near);
        }
    }
});

test("every path of a route is within its profile", () => {
    const { features } = shared.venues[0];
    const map = new WayfindingMap(features);
    const units = features.filter(({ type }) => type === "unit").map(({ id }) => id);
    for (const from of units) {
        for (const to of units) {
            const { legs } = map.route({ from: { feature: from }, to: { feature: to }, profile: "step-free" });
            assert.ok(legs.every(({ mode }) => mode !== "stairs" && mode !== "escalator"), `${from} to ${to}`);
        }
    }
});

test("features that cannot be read are left out, and places that are not on the map are named", () => {
    const level = { id: uuid("f0"), type: "level", properties: { ordinal: 0 }, geometry: null };
    const unit = (id, geometry) => ({ id: uuid(id), type: "unit", properties: { category: "room", level_id: uuid("f0") }, geometry });
    const far = [[[0, 0], [1, 0], [1, 1], [0, 0]]];
    const broken = [null, {}, { type: "Polygon" }, { type: "Polygon", coordinates: "x" }, { type: "Polygon", coordinates: [[[1]], null, [["a", 2]]] },
        { type: "MultiPolygon", coordinates: [[[[0, 0], [0, 0], [0, 0]]]] }, { type: "Polygon", coordinates: far }];
    const map = new WayfindingMap([level, ...broken.map((geometry, index) => unit(`b${index}`, geometry))]);
    const route = map.route({ from: { feature: uuid("b1") }, to: { longitude: 200, latitude: 100, ordinal: 0 } });
    assert.deepEqual([route.status, route.legs, route.reasons.map(({ code }) => code)], ["unknown", [], ["outside-units", "outside-units"]]);
    assert.equal(new WayfindingMap([]).route({ from: { feature: "x" }, to: { feature: uuid("b1") } }).status, "unknown");
});

test("lifts of which too many overlap are not joined", () => {
    const levels = [0, 1].map((ordinal) => ({ id: uuid(`f${ordinal}`), type: "level", properties: { ordinal }, geometry: null }));
    const circle = Array.from({ length: 64 }, (_, index) => [0.0001 * Math.cos((index * Math.PI) / 32), 0.0001 * Math.sin((index * Math.PI) / 32)]);
    const lifts = Array.from({ length: 100 }, (_, index) => ({
        id: uuid(`a${index}`), type: "unit", properties: { category: "elevator", level_id: levels[index % 2].id },
        geometry: { type: "Polygon", coordinates: [[...circle, circle[0]].map(([x, y]) => [x + index * 1e-8, y])] },
    }));
    const { shafts, isTooComplex } = new WayfindingMap([...levels, ...lifts]);
    assert.deepEqual([shafts.shafts.length, isTooComplex], [0, true]);
});

test("a zigzag that crosses itself at small angles is given up, one that does not is not", () => {
    const level = { id: uuid("f0"), type: "level", properties: { ordinal: 0 }, geometry: null };
    const count = 500;
    const ring = (corner) => Array.from({ length: count }, (_, index) => corner(index));
    const crossing = ring((index) => [index % 2 === 0 ? 20 * index : 100_000 - 20 * index, 13 * index]);
    const plain = [...ring((index) => [40 * index, 50_000 * (index % 2)]), [40 * count, 100_000], [0, 100_000]];
    // A hundred-millionth of a degree is about a millimetre.
    const units = [crossing, plain].map((points, index) => ({
        id: uuid(`a${index}`), type: "unit", properties: { category: "room", level_id: level.id },
        geometry: { type: "Polygon", coordinates: [[...points, points[0]].map(([x, y]) => [x * 1e-8, y * 1e-8])] },
    }));
    const { mesh } = new WayfindingMap([level, ...units]);
    assert.equal(mesh.trianglesOfSpace[0].length, 0);
    assert.ok(mesh.trianglesOfSpace[1].length > count / 2);
});

test("an opening on a wall is kept beside another one that is near the wall and not parallel to it", () => {
    const level = { id: uuid("f0"), type: "level", properties: { ordinal: 0 }, geometry: null };
    // A hundred-millionth of a degree is about a millimetre.
    const at = (points) => points.map(([x, y]) => [x * 1e-8, y * 1e-8]);
    const feature = (id, type, category, geometry) => ({ id: uuid(id), type, properties: { category, level_id: level.id }, geometry });
    const doors = [[[7_638, -154], [9_138, -184]], [[6_663, 0], [8_163, 0]]].map((line, index) =>
        feature(`d${index}`, "opening", "pedestrian", { type: "LineString", coordinates: at(line) }));
    const coordinates = [at([[0, 0], [30_000, 0], [30_000, 3_000], [0, 3_000], [0, 0]])];
    const { mesh } = new WayfindingMap([level, feature("a0", "unit", "room", { type: "Polygon", coordinates }), ...doors]);
    assert.deepEqual(mesh.portals.map(({ doorway }) => doorway), [0, 1]);
});

test("an opening whose middle is rounded off an oblique wall is reached along that wall", () => {
    // In millimetres. The middle of the opening can be on the other side of the wall from the hall.
    const at = (points) => points.map(([x, y]) => [x / 111_319_458, y / 110_574_307]);
    const level = { id: uuid("f0"), type: "level", properties: { ordinal: 0 }, geometry: null };
    const unit = (id, category, ring) => ({
        id: uuid(id), type: "unit", properties: { category, level_id: uuid("f0") },
        geometry: { type: "Polygon", coordinates: [at([...ring, ring[0]])] },
    });
    const results = [];
    for (let shift = 0; shift < 24; shift += 1) {
        const [one, other] = [[406 + 37 * shift, 1_185 + 107 * shift], [731 + 37 * shift, 2_133 + 107 * shift]];
        const door = {
            id: uuid("d0"), type: "opening", properties: { category: "pedestrian", level_id: uuid("f0") },
            geometry: { type: "LineString", coordinates: at([one, other]) },
        };
        const map = new WayfindingMap([
            level, unit("a0", "walkway", [[0, 0], [9_000, -3_000], [13_000, 9_000], [2_600, 7_584]]),
            unit("a1", "nonpublic", [[0, 0], [2_600, 7_584], [-1_000, 8_700], [-3_500, 1_100]]), door,
        ]);
        const { status, distance } = map.route({ from: { longitude: 0, latitude: 0, ordinal: 0 }, to: { feature: uuid("d0") } });
        const straight = Math.hypot((one[0] + other[0]) / 2, (one[1] + other[1]) / 2) / 1_000;
        results.push(status === "route" && Math.abs(distance - straight) < 0.1 ? "straight" : `${status} ${distance} instead of ${straight}`);
    }
    assert.deepEqual(results, results.map(() => "straight"));
});
