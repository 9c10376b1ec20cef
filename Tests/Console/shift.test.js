import "./support/page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
const { shiftOf } = await import("../../Sources/WebConsole/Web/desk/diff/shift.js");
const { scene } = await import("../../Sources/WebConsole/Web/desk/diff/scene.js");

/** Triangles on a grid, which `move` maps by a matrix [a, b, c, d] and a vector [e, f] in metres; the first `kept` stay. */
function changes({ longitude = 139.7, latitude = 35.6, move, count = 40, kept = 0, displayPoint = false }) {
    const scale = 111_320 * Math.cos(latitude * Math.PI / 180), wrap = (degrees) => degrees - 360 * Math.round(degrees / 360);
    const [a, b, c, d, e, f] = move;
    const position = ([x, y]) => [Number(wrap(longitude + x / scale).toFixed(7)), Number((latitude + y / 111_320).toFixed(7))];
    return Array.from({ length: count }, (_, i) => {
        const [x, y] = [(i % 10) * 10, (Math.floor(i / 10) * 10) % 200];
        const ring = [[x, y], [x + 8, y], [x + 8, y + 8], [x, y]];
        const body = (points) => ({
            feature_type: "unit", geometry: { type: "Polygon", coordinates: [points.map(position)] },
            properties: { level_id: "floor", display_point: displayPoint ? { type: "Point", coordinates: position(points[2]) } : null } });
        const moved = i < kept ? ring : ring.map(([x, y]) => [a * x + b * y + e, c * x + d * y + f]);
        return { id: String(i), feature_type: "unit", kind: "changed", classes: ["geometry"], before: body(ring), after: body(moved) };
    });
}

const by = (east, north) => [1, 0, 0, 1, east, north];
const find = (given) => shiftOf(changes(given), given.unmoved);

for (const [east, north, length, direction] of [
    [3, 0, 3, "east"], [0, -0.5, 0.5, "south"], [-900, 900, 1272.8, "northWest"], [2, 2, 2.83, "northEast"], [-1, -1, 1.41, "southWest"], [0, 8, 8, "north"],
]) {
    for (const longitude of [139.7, 179.9998, -179.9999]) {
        test(`shift by ${east} m east and ${north} m north is found at the longitude ${longitude}`, () => {
            const shift = find({ move: by(east, north), longitude });
            assert.deepEqual([shift.direction, shift.ids.size], [direction, 40]);
            assert.ok(Math.abs(shift.length - length) < 0.02 * Math.max(1, length / 100), shift.length);
        });
    }
}

for (const [what, given] of [
    ["a rotation", { move: [0.99995, -0.01, 0.01, 0.99995, 0, 0] }], ["another scale", { move: [1.01, 0, 0, 1.01, 0, 0] }],
    ["another scale far away", { move: [1.01, 0, 0, 1.01, 500, 0] }],
    ["rounding", { move: by(0.05, 0) }], ["the move of a half", { move: by(3, 0), kept: 20 }], ["the move of single features", { move: by(3, 0), count: 4 }],
    ["the move of a part of the floor", { move: by(3, 0), unmoved: 5 }],
]) {
    test(`shift is told from ${what}`, () => assert.equal(find(given), null));
}

test("shift is found although some features stay", () => {
    assert.equal(find({ move: by(3, 0), kept: 3 }).ids.size, 37);
    assert.equal(find({ move: by(3, 0), unmoved: 4 }).ids.size, 40);
});

test("shift includes display points", () => {
    assert.equal(find({ move: by(3, 0), displayPoint: true }).ids.size, 40);
    const apart = changes({ move: by(3, 0), displayPoint: true });
    for (const each of apart.slice(0, 3)) each.after.properties.display_point = each.before.properties.display_point;
    assert.equal(shiftOf(apart).ids.size, 37, "a display point that stayed makes another form");
});

test("shift of many features is found", () => {
    // In a time that does not grow with the square of their number.
    assert.equal(find({ move: by(3, 0), count: 30_000 }).ids.size, 30_000);
});

test("scene of a shifted floor folds what only moved, and shows what else changed", () => {
    const all = changes({ move: by(3, 0), count: 20 });
    all[7].classes = ["geometry", "name"];
    const { shift, items } = scene({ changes: all, around: [], outline: null }, "floor");
    assert.equal(shift.isVenueWide, false);
    assert.deepEqual(items.filter(({ isFolded }) => !isFolded).map(({ id, kind, change }) => [id, kind, change.classes]), [["7", "changed", ["name"]]]);
    assert.ok(items.every(({ isShifted }) => isShifted));
    assert.equal(scene({ changes: all, around: [] }, null).shift.isVenueWide, true);
    assert.equal(scene({ changes: all, around: [] }).shift, null, "not where a finding is shown");
});

test("scene counts the features of its own floor that did not move", () => {
    const around = Array.from({ length: 5 }, (_, i) => ({ ...changes({ move: by(0, 0), count: 1 })[0].before, id: `other ${i}` }));
    const all = changes({ move: by(3, 0), count: 20 });
    assert.equal(scene({ changes: all, around }, "floor").shift, null);
    const elsewhere = around.map((each) => ({ ...each, properties: { level_id: "another" } }));
    assert.equal(scene({ changes: all, around: elsewhere }, "floor").shift.ids.size, 20);
});
