// Rooms that are drawn over a hall: what says that they have walls, and what is not cut out.

import assert from "node:assert/strict";
import { test } from "node:test";

import { WayfindingMap } from "@venuesync/client";

import { uuid } from "./support/pages.js";

/** In millimetres at the equator. */
const position = ([x, y]) => [x / 111_319_458, y / 110_574_307];
const level = { id: uuid("f0"), type: "level", properties: { ordinal: 0 }, geometry: null };

function room(id, left, bottom, right, top, category = "room") {
    const ring = [[left, bottom], [right, bottom], [right, top], [left, top], [left, bottom]];
    return { id: uuid(id), type: "unit", properties: { category, level_id: level.id }, geometry: { type: "Polygon", coordinates: [ring.map(position)] } };
}

const door = (id, ...points) => ({
    id: uuid(id), type: "opening", properties: { category: "pedestrian", level_id: level.id },
    geometry: { type: "LineString", coordinates: points.map(position) },
});

const hall = room("a0", 0, 0, 40_000, 10_000, "walkway");

/** The status and the metres from one position to another. */
function way(features, from, to, former = null) {
    const place = (point) => { const [longitude, latitude] = position(point); return { longitude, latitude, ordinal: 0 }; };
    const { status, distance } = new WayfindingMap([level, ...features], { former }).route({ from: place(from), to: place(to) });
    return status === "route" ? distance : status;
}

const across = (features) => way(features, [5_000, 5_000], [35_000, 5_000]);

test("a way leads around a room on a hall that has a door to it, and enters it by this door", () => {
    const features = [hall, room("a1", 15_000, 1_000, 25_000, 9_000), door("d0", [15_000, 4_000], [15_000, 6_000])];
    assert.equal(across(features), 31.5);
    assert.equal(way(features, [5_000, 5_000], [20_000, 5_000]), 15);
    assert.ok(way(features, [35_000, 5_000], [20_000, 5_000]) > 25);
});

test("what is in a room on a hall is reached there, although it names the hall", () => {
    const amenity = {
        id: uuid("e0"), type: "amenity", properties: { category: "restroom", unit_ids: [hall.id] },
        geometry: { type: "Point", coordinates: position([24_000, 5_000]) },
    };
    const features = [level, hall, room("a1", 15_000, 1_000, 25_000, 9_000), door("d0", [15_000, 4_000], [15_000, 6_000]), amenity];
    const [longitude, latitude] = position([5_000, 5_000]);
    const { status, distance } = new WayfindingMap(features, {}).route({ from: { longitude, latitude, ordinal: 0 }, to: { feature: amenity.id } });
    assert.deepEqual([status, distance], ["route", 19]);
});

test("a room on a hall without a door to it, and what needs no walls, can be crossed", () => {
    assert.equal(across([hall, room("a1", 15_000, 1_000, 25_000, 9_000)]), 30);
    for (const category of ["footbridge", "movingwalkway", "platform", "road", "unenclosedarea", "walkway", "walkway.island"]) {
        assert.equal(across([hall, room("a1", 15_000, 1_000, 25_000, 9_000, category), door("d0", [15_000, 4_000], [15_000, 6_000])]), 30, category);
    }
});

test("a room that would part what openings of a hall lead into is not cut out", () => {
    const exits = [door("d1", [0, 4_000], [0, 6_000]), door("d2", [40_000, 4_000], [40_000, 6_000])];
    const wide = [hall, ...exits, room("a1", 10_000, 0, 20_000, 10_000), door("d0", [10_000, 4_000], [10_000, 6_000])];
    assert.equal(across(wide), 30);
    // Another room in the larger part of the hall is.
    const both = [...wide, room("a2", 27_000, 2_000, 32_000, 9_000), door("d3", [27_000, 4_000], [27_000, 6_000])];
    assert.ok(across(both) > 30);
});

test("a room that would close an opening of a hall is not cut out", () => {
    const exit = door("d1", [18_000, 10_000], [20_000, 10_000]);
    const features = [hall, exit, room("a1", 15_000, 1_000, 25_000, 11_000), door("d0", [15_000, 4_000], [15_000, 6_000])];
    assert.equal(across(features), 30);
});

test("what rooms enclose is not walked on if no opening leads there", () => {
    const rooms = [
        hall, door("d1", [0, 4_000], [0, 6_000]),
        room("a1", 15_000, 0, 20_000, 6_000), door("d2", [15_000, 2_000], [15_000, 4_000]),
        room("a2", 20_800, 0, 25_000, 6_000), door("d3", [25_000, 2_000], [25_000, 4_000]),
        room("a3", 15_000, 6_000, 25_000, 8_000), door("d4", [15_000, 6_500], [15_000, 7_500]),
    ];
    const { plan, mesh } = new WayfindingMap([level, ...rooms]);
    const isIn = (number, point) => mesh.trianglesAt(number, plan.frame.point(position(point))).length > 0;
    const index = plan.spaces.findIndex(({ id }) => id === hall.id);
    assert.deepEqual([[20_400, 3_000], [17_000, 3_000], [17_000, 9_000]].map((point) => isIn(index, point)), [false, false, true]);
    assert.equal(typeof way(rooms, [5_000, 5_000], [20_400, 3_000]), "number");
});

test("a map that reuses another one cuts out a unit that has become a room", () => {
    const of = (category) => [hall, room("a1", 15_000, 1_000, 25_000, 9_000, category), door("d0", [15_000, 4_000], [15_000, 6_000])];
    const former = new WayfindingMap([level, ...of("walkway")]);
    assert.equal(way(of("room"), [5_000, 5_000], [35_000, 5_000], former), 31.5);
});
