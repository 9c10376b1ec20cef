import "./support/newer-built-ins.js";
import "./support/page.js";
import "./support/browser.js";
import "./support/drawing.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { change, edited, feature, firstFloor, mallFeatures, moved, position, shop } from "./support/desk-records.js";
import { textOf, window } from "./support/page.js";
const { DiffMap } = await import("../../Sources/WebConsole/Web/desk/diff/diff-map.js");
const { scene } = await import("../../Sources/WebConsole/Web/desk/diff/scene.js");
await import("../../Sources/WebConsole/Web/desk/messages.js");

const [, , coffee, , , bookShop, restroom] = mallFeatures().get(firstFloor);
const outline = mallFeatures().get(null)[1];
const all = mallFeatures().get(firstFloor);

/** The map of changes, of which the other features of the floor are the surroundings. */
function draw(changes, { outlines = { before: outline, after: outline }, around = all, onPick = () => {} } = {}) {
    const ids = new Set(changes.map(({ id }) => id));
    const map = new DiffMap({ sides: { before: "Revision 1", after: "Revision 2" }, onPick });
    map.draw(scene({ changes, around: around.filter(({ id }) => !ids.has(id)), outline: outlines }, firstFloor));
    return map.element;
}

const paths = (root, side, name = "") => [...root.querySelectorAll(`.diff-surface-${side} path${name}`)];
const classes = (root, side) => paths(root, side).map((path) => path.getAttribute("class"));
const button = (root, label) => [...root.querySelectorAll("button")].find((each) => (each.getAttribute("aria-label") ?? textOf(each)) === label);
const names = (root, side) => [...root.querySelectorAll(`.diff-labels-${side} text`)].map((text) => text.dataset.name);

test("facade of an unchanged floor is drawn once", () => {
    const map = draw([change(restroom, moved(restroom, 3, 0), firstFloor)]);
    const facades = (side) => paths(map, side, ".floor-facade");
    assert.deepEqual(["both", "before", "after"].map((side) => facades(side).length), [1, 0, 0]);
    assert.match(facades("both")[0].getAttribute("d"), /^M.*Z$/);
});

test("facade of a changed floor is drawn on both sides, above the areas and below the doors", () => {
    const door = feature(900, "opening", { type: "LineString", coordinates: [position(0, 0), position(2, 0)] }, { category: "pedestrian", level_id: firstFloor });
    const map = draw([change(restroom, moved(restroom, 3, 0), firstFloor)], {
        outlines: { before: outline, after: moved(outline, 5, 0) }, around: [...all, door] });
    assert.equal(paths(map, "both", ".floor-facade").length, 0);
    const [before, after] = ["before", "after"].map((side) => paths(map, side, ".floor-facade")[0]);
    assert.notEqual(before.getAttribute("d"), after.getAttribute("d"));
    // On top of each other, the new floor is drawn.
    assert.ok(before.classList.contains("is-replaced") && !after.classList.contains("is-replaced"));
    const order = [...map.querySelectorAll(".diff-surface path")].map((path) => path.getAttribute("class").split(" ")[0]);
    assert.ok(order.lastIndexOf("floor-level") < order.indexOf("floor-unit"), "the floor does not cover what is on it");
    assert.ok(order.indexOf("floor-unit") < order.indexOf("floor-facade") && order.lastIndexOf("floor-facade") < order.indexOf("floor-opening"));
});

test("map of a difference without an outline draws the floor without it", () => {
    const map = draw([change(restroom, moved(restroom, 3, 0), firstFloor)], { outlines: null });
    assert.equal(map.querySelectorAll(".floor-facade").length, 0);
    assert.ok(map.querySelectorAll(".floor-unit").length > 0);
});

test("shop that was removed has its colour only before", () => {
    const map = draw([change(coffee, null, firstFloor)]);
    assert.deepEqual(classes(map, "before"), ["floor-unit floor-food is-replaced"]);
    assert.deepEqual(classes(map, "after"), ["floor-unit floor-room"]);
    const units = paths(map, "both", ".floor-unit").map((path) => path.getAttribute("d")).join("");
    assert.equal(units.match(/M/g).length, 2, "the two others are drawn once");
});

test("map of a difference is split by clips that are those of each side", () => {
    const map = draw([change(restroom, moved(restroom, 3, 0), firstFloor)]);
    const layers = (side) => [map.querySelector(`g.diff-${side}`), map.querySelector(`.diff-labels-${side}`), ...map.querySelectorAll(`.diff-surface-${side}`)];
    const clips = (side) => new Set(layers(side).map((layer) => layer.getAttribute("clip-path")));
    assert.deepEqual([...clips("before")], [null]);
    button(map, "Before and after").click();
    for (const side of ["before", "after"]) {
        const [clip, ...others] = clips(side);
        assert.deepEqual(others, []);
        assert.match(clip, new RegExp(`^url\\(#diff-\\d+-${side}\\)$`));
    }
    assert.deepEqual([...map.querySelectorAll(".diff-label")].map(textOf), ["Revision 1", "Revision 2"]);
    const slider = map.querySelector("#diff-divider"), divider = map.querySelector(".diff-divider");
    // Only a map with a scale on the screen moves its divider; here it says what it was set to.
    assert.equal(slider.value, "50");
    slider.value = 25;
    slider.dispatchEvent(new window.Event("input"));
    assert.ok(divider);
    assert.equal(map.querySelector(".diff-slider").hidden, false);
    button(map, "Overlay").click();
    assert.deepEqual([...clips("before")], [null]);
    assert.equal(map.querySelector(".diff-slider").hidden, true);
});

test("map of a difference names a renamed shop on each side, and others once", () => {
    const map = draw([change(coffee, edited(coffee, { name: { en: "Anchor Tea" } }), firstFloor, ["name"])]);
    assert.deepEqual(["before", "after", "both"].map((side) => names(map, side)), [["Anchor Coffee"], ["Anchor Tea"], ["Book Bay"]]);
    const [old] = map.querySelectorAll(".diff-labels-before text");
    assert.ok(old.classList.contains("is-replaced"), "on top of each other, there is one name for each place");
});

test("map of a difference keeps the name of a removed shop where both states are on top of each other", () => {
    const map = draw([change(coffee, null, firstFloor), change(bookShop, edited(bookShop, { name: { en: "Books" } }), firstFloor, ["name"])]);
    const labels = [...map.querySelectorAll(".diff-labels-before text")].map((text) => [text.dataset.feature, text.classList.contains("is-replaced")]);
    assert.deepEqual(labels.sort(), [[coffee.id, false], [bookShop.id, true]].sort());
});

test("pictograms of facilities are on both sides, once for a unit with an amenity of its kind in it", () => {
    const toilets = feature(950, "amenity", { type: "Point", coordinates: position(44, 4) }, { category: "restroom.male", name: null, unit_ids: [], hours: null });
    const same = draw([change(coffee, null, firstFloor)], { around: [...all, toilets] });
    const pictograms = (map, side) => [...map.querySelectorAll(`.diff-labels-${side} .diff-pictogram[data-pictogram^=restroom]`)];
    assert.deepEqual(["before", "after", "both"].map((side) => pictograms(same, side).length), [0, 0, 1]);
    const elsewhere = draw([change(coffee, null, firstFloor)], { around: [...all, moved(toilets, 15, 0)] });
    assert.equal(pictograms(elsewhere, "both").length, 2);
    const map = draw([change(toilets, moved(toilets, 2, 0), firstFloor, ["geometry"])]);
    assert.deepEqual(["before", "after"].map((side) => pictograms(map, side).length), [1, 1]);
    assert.ok(pictograms(map, "after")[0].querySelector("path").getAttribute("d"));
});

test("buttons of the map of a difference have icons, and names", () => {
    const map = draw([change(coffee, null, firstFloor)]);
    const buttons = [...map.querySelectorAll(".diff-buttons button")];
    assert.deepEqual(buttons.map((each) => each.getAttribute("aria-label")), ["Zoom in", "Zoom out", "Show the whole floor", "Show the changes"]);
    for (const each of [...buttons, map.querySelector(".diff-handle")]) {
        assert.equal(textOf(each), "");
        assert.ok(each.querySelector("svg.icon path"));
    }
});

test("map of a difference zooms, moves and returns by keyboard", () => {
    const drawing = draw([change(coffee, null, firstFloor)]).querySelector(".diff-drawing");
    const view = () => drawing.getAttribute("viewBox").split(" ").map(Number);
    const press = (key) => drawing.dispatchEvent(new window.KeyboardEvent("keydown", { key, cancelable: true }));
    const [x, y, width] = view();
    press("+");
    assert.ok(Math.abs(view()[2] - width / 1.35) < 1e-6);
    press("-");
    press("ArrowRight");
    assert.ok(Math.abs(view()[0] - x - width / 8) < 1e-6);
    press("ArrowUp");
    assert.ok(view()[1] < y);
    assert.equal(press("a"), true, "other keys are those of the browser");
    press("0");
    assert.deepEqual(view().map((each) => each.toFixed(6)), [x, y, width, view()[3]].map((each) => each.toFixed(6)));
});

test("map of a difference says that nothing has a position", () => {
    const lost = edited(coffee, { anchor_id: null });
    const map = draw([change(lost, null, firstFloor)], { around: [] });
    assert.equal(map.querySelector(".diff-empty").hidden, false);
    assert.equal(draw([change(coffee, null, firstFloor)]).querySelector(".diff-empty").hidden, true);
});

test("map of a difference reports what is clicked", () => {
    const picked = [];
    const map = draw([change(restroom, moved(restroom, 3, 0), firstFloor), ...shop(500, firstFloor, 0, 40, { en: "New" }).map((each) => change(null, each, firstFloor))], {
        onPick: (id) => picked.push(id) });
    map.querySelector(`.diff-symbol[data-id="${restroom.id}"]`).dispatchEvent(new window.MouseEvent("click"));
    assert.deepEqual(picked, [restroom.id]);
    assert.equal(map.querySelectorAll(`.is-selected[data-id="${restroom.id}"]`).length, 3, "its symbol and its shape on both sides");
});
