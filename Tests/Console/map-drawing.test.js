// What the map page gives the map library to draw: what is highlighted and dimmed, where labels are, and where the camera is. How it
// looks on the screen is tested in a browser.

import { $, click, openFloor, openMap, openPlace, search, texts } from "./support/open-map.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { setDark, setPhone } from "./support/media.js";
import { metres, toWorld } from "./support/mercator.js";
import { at, id, nameOfShop, shop } from "./support/sample-venue.js";
import { pass, settle } from "./support/time.js";

const { cameraFor } = await import("../../Sources/WebConsole/Web/map/camera.js");
const { fitTest, labelArea } = await import("../../Sources/WebConsole/Web/map/label-fit.js");
const { layOut } = await import("../../Sources/WebConsole/Web/map/label-layout.js");
const { LabelImages } = await import("../../Sources/WebConsole/Web/map/label-images.js");

// Highlights.

/** The ids that are highlighted in each state. */
function highlighted({ map }) {
    const drawn = map.queryRenderedFeatures().filter(({ source }) => source === "highlights");
    return Object.fromEntries([...Map.groupBy(drawn, ({ properties }) => properties.state)]
        .map(([state, features]) => [state, [...new Set(features.map(({ properties }) => properties.id))].sort()]));
}
const unit = (number, ordinal = 0) => id(`unit ${ordinal} room ${number}`);
const restrooms = (ordinal) => ["male", "female"].map((each) => id(`unit ${ordinal} restroom ${each}`)).sort();
const opacity = ({ map }) => map.getLayer("floor:0/unit/fill").paint["fill-opacity"];

test("the outline of what is selected is above all walls", async () => {
    const page = await openMap();
    await click("[data-tool=walls]");
    await openPlace(shop(0));
    assert.deepEqual(highlighted(page), { selected: [unit(0)] });
    const layers = page.map.layers.map(({ id: each }) => each);
    const indexes = (isMeant) => layers.flatMap((each, index) => (isMeant(each) ? [index] : []));
    assert.ok(Math.min(...indexes((each) => each.endsWith("/highlight")))
        > Math.max(...indexes((each) => each.includes("/") && !each.startsWith("highlights/"))), layers);
});

test("a search highlights what it has found instead of what was selected, and leaves no highlight when it is cleared", async () => {
    const page = await openMap();
    await openPlace(shop(0));
    assert.deepEqual(highlighted(page), { selected: [unit(0)] });
    await search(nameOfShop(0));
    assert.deepEqual(highlighted(page), { found: [unit(0)] });
    await search("");
    assert.deepEqual(highlighted(page), {});
    assert.equal(page.map.layers.some(({ id: each }) => each.startsWith("highlights/")), false, "layers that draw nothing are removed");
});

test("a search dims other places instead of hiding them, and draws what it has found above them", async () => {
    const page = await openMap();
    const faint = () => new Set(page.venueMap.labels.map(({ isFaint }) => isFaint));
    await click("[data-chip=restroom]");
    assert.deepEqual(faint(), new Set([true, false]));
    assert.equal(opacity(page), 0.35);
    assert.deepEqual(page.map.drawn.get("highlights/unit/area").map(({ properties }) => properties.id).sort(), restrooms(0));
    await click("[data-chip=restroom]");
    assert.deepEqual([faint(), opacity(page), page.map.drawn.get("highlights/unit/area")], [new Set([false]), 1, undefined]);
});

test("a search dims three-dimensional walls", async () => {
    const page = await openMap();
    await click("[data-tool=walls]");
    const wallOpacity = () => page.map.getLayer("floor:0/walls").paint["fill-extrusion-opacity"];
    assert.equal(wallOpacity(), 0.9);
    await click("[data-chip=restroom]");
    assert.ok(wallOpacity() < 0.5);
    await click("[data-chip=restroom]");
    assert.equal(wallOpacity(), 0.9);
});

test("changes stay highlighted when others follow, for four seconds after the last ones", async () => {
    const page = await openMap();
    const ids = [unit(1), unit(2)].sort();
    page.venueMap.flash(new Set([ids[0]]));
    await pass(2_000);
    page.venueMap.flash(new Set([ids[1]]));
    page.venueMap.flash(new Set());
    await pass(3_900);
    assert.deepEqual(highlighted(page), { changed: ids });
    await pass(200);
    assert.deepEqual(highlighted(page), {});
});

test("highlights follow the floor", async () => {
    const page = await openMap();
    await click("[data-chip=restroom]");
    assert.deepEqual(highlighted(page), { found: restrooms(0) });
    const removed = [];
    const { removeSource } = page.map;
    page.map.removeSource = (name) => {
        removed.push(name);
        removeSource.call(page.map, name);
    };
    await openFloor(1);
    // What was drawn on the other floor would remain until MapLibre has read the new data.
    assert.deepEqual(removed, ["highlights"]);
    assert.deepEqual(highlighted(page), { found: restrooms(1) });
});

test("the map is drawn in the colours of the system, and again when these change", async () => {
    const page = await openMap("", { isDark: true });
    const before = page.venueMap.labels;
    setDark(false);
    await settle();
    assert.notEqual(page.venueMap.labels, before);
});

test("labels are laid out again only when the view or the places have changed", async () => {
    const page = await openMap();
    const { map, venueMap } = page;
    for (const [what, change, isNew] of [
        ["nothing", () => {}, false], ["a movement", () => map.jumpTo({ center: at(70, 30) }), true],
        ["a turn", () => map.jumpTo({ bearing: 3 }), true], ["a zoom", () => map.jumpTo({ zoom: map.getZoom() + 0.01 }), true],
        ["a selection", () => venueMap.select(venueMap.places[0]), true], ["results", () => venueMap.showResults(venueMap.places.slice(0, 2)), true],
    ]) {
        const before = venueMap.labels;
        change();
        map.triggerRepaint();
        await settle();
        assert.equal(venueMap.labels !== before, isNew, what);
    }
});

// Labels.

for (const name of ["Tea", "Tea and Cakes from the Old Town Bakery", "Donaudampfschifffahrtsgesellschaft ".repeat(2), "古い町のパン屋から来たお茶とケーキの専門店本館"]) {
    test(`the name of the selected place is always shown: ${name.trim()}`, () => {
        const place = { id: "a", name, kind: "shop", group: "food", pictogram: "food", rank: 1, isNamed: true, point: [100, 100] };
        const small = { center: [100, 100], rings: [[[99, 99], [101, 99], [101, 101], [99, 101], [99, 99]]] };
        for (const areas of [new Map(), new Map([["a", small]])]) {
            const { boxes } = layOut({
                places: [place], areas, hidden: new Set(), selected: "a", results: null, visible: new Set(), images: new LabelImages(),
                colours: { halo: "#fff", label: "#000", selected: "#00f" }, project: ([x, y]) => ({ x, y }), width: 400, height: 400,
            });
            assert.equal(boxes.length, 1);
            const [{ image }] = boxes;
            assert.ok(image.canvas.width > 0 && image.width > 20 && image.width <= 200, `${image.width}: the name, within the widest label`);
        }
    });
}

/** A closed ring in metres around a position, whose radius varies at random. */
function ring(vertices, radius, roughness = 0, [dx, dy] = [0, 0]) {
    let state = 7;
    const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
    const points = Array.from({ length: vertices }, (_, index) => {
        const distance = radius * (1 + roughness * (2 * random() - 1));
        const angle = (2 * Math.PI * index) / vertices;
        return at(60 + dx + distance * Math.cos(angle), 30 + dy + distance * Math.sin(angle));
    });
    return [...points, points[0]];
}

/** Whether a box is inside of a polygon: its border is, and no vertex of the polygon is in it. */
function isInside([left, top, right, bottom], rings) {
    const edges = rings.flatMap((each) => each.slice(1).map((end, index) => [each[index], end]));
    const holds = ([x, y]) => edges.filter(([a, b]) => a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x).length % 2 === 1;
    const border = Array.from({ length: 61 }, (_, index) => index / 60).flatMap((t) => [
        [left + (right - left) * t, top], [left + (right - left) * t, bottom], [left, top + (bottom - top) * t], [right, top + (bottom - top) * t]]);
    return border.every(holds) && !rings.flat().some(({ x, y }) => left < x && x < right && top < y && y < bottom);
}

for (const [name, rings] of [
    ["round", [ring(400, 8)]], ["traced", [ring(3_000, 8, 0.01)]], ["few vertices", [ring(7, 8)]], ["rough", [ring(40, 8, 0.3)]],
    ["with a courtyard", [ring(300, 12), ring(200, 3)]],
    ["with columns", [ring(300, 12), ...[-3, -2, -1, 0, 1, 2, 3].map((column) => ring(60, 0.4, 0, [1.8 * column, 3.3]))]],
]) {
    test(`labels fit only where no wall crosses them: ${name}`, () => {
        const { rings: simple, center } = labelArea({ type: "unit", geometry: { type: "Polygon", coordinates: rings }, properties: {} });
        assert.ok(simple.flat().length <= 121, "the work for every frame is bounded");
        const [origin] = rings[0];
        const project = ([x, y]) => ({ x: (x - origin[0]) * 1e6 * Math.cos((origin[1] * Math.PI) / 180), y: (origin[1] - y) * 1e6 });
        const polygon = rings.map((each) => each.map(project));
        const { x, y } = project(center);
        const fits = fitTest(simple, { x, y }, project);
        const box = (width, height) => [x - width / 2, y - height / 2, x + width / 2, y + height / 2];
        const answers = new Set();
        for (const width of [4, 20, 40, 60, 80, 110, 140, 160]) {
            for (const height of [4, 15, 30, 60, 110]) {
                // Labels may reach over the wall by 3 pixels on each side.
                const isFitting = fits(width + 6, height + 6);
                answers.add(isFitting);
                // Simplified rings differ from the real ones by one hundredth of the size.
                if (isFitting) assert.ok(isInside(box(Math.max(1, width - 5), Math.max(1, height - 5)), polygon), `${width} × ${height}`);
                else assert.ok(!isInside(box(width + 5, height + 5), polygon), `${width} × ${height}`);
            }
        }
        assert.equal(answers.size, 2);
        assert.equal(fitTest(simple, project(at(120, 30)), project)(8, 8), false, "a point outside");
    });
}

// The camera.

/** The corners of a building of a size in metres, whose long side is turned from east to north. */
function building(length, width, degrees) {
    const angle = (degrees * Math.PI) / 180;
    return [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([x, y]) => [(x * length) / 2, (y * width) / 2])
        .map(([x, y]) => at(x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle)));
}

for (const degrees of [30, -30, 75]) {
    test(`a long building is turned so that it fits: ${degrees}°`, () => {
        const box = { width: 900, height: 250 };
        const [straight, diagonal] = [0, degrees].map((each) => cameraFor(building(400, 60, each), box));
        assert.equal(straight.bearing, 0);
        // It is as large as if its long side were horizontal.
        assert.ok(Math.abs(Math.abs(diagonal.bearing) - Math.abs(degrees)) < 0.5, String(diagonal.bearing));
        assert.ok(Math.abs(diagonal.zoom - straight.zoom) < 0.02);
    });
}

test("a building that fits stays with north above, and no positions have no camera", () => {
    assert.equal(cameraFor(building(100, 95, 4), { width: 900, height: 600 }).bearing, 0);
    assert.equal(cameraFor([], { width: 900, height: 250 }), null);
});

test("a mark beside a building is visible with the whole building, whatever side it is on", () => {
    const room = 52;
    for (const box of [{ width: 900, height: 600 }, { width: 330, height: 500 }]) {
        for (const mark of [[-60, 30], [-75, 0], [75, 0], [0, -45], [0, 45]]) {
            const corners = building(120, 60, 0);
            const { center, zoom, bearing } = cameraFor(corners, box, { at: at(...mark), room });
            const angle = (bearing * Math.PI) / 180;
            const place = (where) => {
                const [x, y] = toWorld(where, zoom).map((each, axis) => each - toWorld(center, zoom)[axis]);
                return [box.width / 2 + x * Math.cos(angle) + y * Math.sin(angle), box.height / 2 - x * Math.sin(angle) + y * Math.cos(angle)];
            };
            const isInside = ([x, y], margin) => x > margin - 1 && y > margin - 1 && x < box.width - margin + 1 && y < box.height - margin + 1;
            assert.ok(isInside(place(at(...mark)), room), `${mark} in ${box.width} × ${box.height}: ${place(at(...mark))}`);
            for (const corner of corners) assert.ok(isInside(place(corner), 0), `${corner} with ${mark}`);
        }
    }
});

test("the floor is fitted into the visible part until the user moves the map, and again on request", async () => {
    const small = (entries) => {
        const { feature } = entries.find((each) => each.feature.id === id("level 1"));
        feature.geometry.coordinates = [[at(90, 20), at(120, 20), at(120, 40), at(90, 40), at(90, 20)]];
    };
    const page = await openMap("", { server: { edit: small } });
    const below = { ...page.map.camera };
    await openFloor(1);
    const above = { ...page.map.camera };
    assert.ok(above.zoom > below.zoom + 0.8, "the smaller floor is shown larger");
    await openFloor(0);
    assert.deepEqual(page.map.camera, below);
    /** A movement by the mouse, of which MapLibre reports the event. */
    const drag = () => {
        page.map.fire("movestart", { originalEvent: {} });
        page.map.jumpTo({ center: at(70, 30) });
    };
    for (const change of [() => click("[data-tool=zoomIn]"), drag]) {
        await change();
        const chosen = { ...page.map.camera };
        await openFloor(1);
        await openFloor(0);
        assert.deepEqual(page.map.camera, chosen, "what the user has chosen stays");
        await click("[data-tool=fit]");
        assert.deepEqual(page.map.camera, below);
    }
});

test("opening the list on a phone does not turn the map", async () => {
    const page = await openMap("", { isPhone: true });
    for (const bearing of [0, 80]) {
        page.map.jumpTo({ bearing });
        await click("[data-chip=list]");
        assert.equal(page.map.getBearing(), bearing);
        await click("[data-chip=list]");
        assert.equal(page.map.getBearing(), bearing);
    }
});

test("zoom buttons and keys, the compass and walls keep the middle of the visible part", async () => {
    for (const isPhone of [false, true]) {
        const page = await openMap("", { isPhone });
        const before = page.venueMap.center;
        const canvas = page.map.getCanvasContainer();
        const key = (name) => canvas.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
        for (const [act, by] of [
            [() => click("[data-tool=zoomIn]"), 1], [() => click("[data-tool=zoomOut]"), -1], [() => key("+"), 1], [() => key("="), 1],
            [() => key("-"), -1], [() => click("[data-tool=walls]"), 0],
        ]) {
            const zoom = page.map.getZoom();
            await act();
            assert.equal(page.map.getZoom() - zoom, by);
            assert.ok(metres(page.venueMap.center, before) < 0.01, String(act));
        }
        page.map.jumpTo({ bearing: 120 });
        const turned = page.venueMap.center;
        await click("[data-tool=north]");
        assert.ok(metres(page.venueMap.center, turned) < 0.01);
        setPhone(false);
    }
});

test("the scale says a round length, and its bar is as long", async () => {
    const page = await openMap();
    for (let step = 0; step < 3; step += 1) {
        const said = Number.parseInt(texts(".map-scale")[0].replaceAll(",", ""), 10);
        assert.match(String(said), /^[125]0*$/);
        const width = Number.parseFloat($(".map-scale").style.width);
        const [from, to] = [-0.5, 0.5].map((half) => page.map.unproject([640 + half * width, 372]).toArray());
        assert.ok(Math.abs(metres(from, to) / said - 1) < 0.02, `${metres(from, to)} m, not ${said} m`);
        await click("[data-tool=zoomIn]");
    }
});
