import { control, enter, open, plain } from "./support/desk-page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { settle, until } from "./support/time.js";
import { DeskService } from "./support/desk-service.js";
import {
    change, edited, feature, firstFloor, id, level, levelState, mallFeatures, moved, position, secondFloor, shop, summary, unit, upload, venue,
} from "./support/desk-records.js";
import { only, textOf } from "./support/page.js";

const rows = () => [...document.querySelectorAll(".level-table tbody tr")];
const floors = () => rows().map((row) => textOf(row.querySelector("th")));
const floor = (name) => rows().find((row) => textOf(row.querySelector("th")) === name).querySelector("button");
const entries = () => [...document.querySelectorAll(".changes .change")];
const listed = () => entries().map((entry) => entry.dataset.id);
const isDrawn = () => document.querySelector(".comparison") && !document.querySelector(".comparison").hasAttribute("aria-busy");

const [, , coffee] = mallFeatures().get(firstFloor);
const [cafe] = mallFeatures().get(firstFloor);
const restroom = mallFeatures().get(firstFloor).at(-1);
const renamed = (original, en, ja) => edited(original, { name: { en, ja } });

/** Changes of all kinds on two floors, and of the venue. */
const allKinds = () => [
    change(coffee, renamed(coffee, "Anchor Tea", "アンカーティー"), firstFloor, ["name"]),
    change(null, unit(300, firstFloor, 0, 40), firstFloor), change(restroom, moved(restroom, 3, 0), firstFloor, ["geometry"]),
    ...shop(400, secondFloor, 40, 40, { en: "Gone Goods" }).map((each) => change(each, null, secondFloor)),
    change(mallFeatures().get(null)[0], renamed(mallFeatures().get(null)[0], "Bay City"), null, ["name"]),
];

async function openComparison(changes, { language = "en", routes = {}, venue: values = {}, prepare = () => {} } = {}) {
    const service = new DeskService({ venue: venue(values) });
    service.diff = changes;
    prepare(service);
    service.start(routes);
    await open("#/mall/desk/compare?from=1&to=2", { language, isLoaded: isDrawn });
    return service;
}

async function show(name) {
    floor(name).click();
    await until(() => isDrawn() && rows().some((row) => row.classList.contains("is-selected") && textOf(row.querySelector("th")) === name));
}

test("comparison table counts the changes of each floor, and the lists have every change", async () => {
    await openComparison(allKinds());
    assert.deepEqual(rows().map((row) => [...row.querySelectorAll("th, td")].map(textOf)), [
        ["Venue-wide", "0", "1", "0"], ["2F", "0", "0", "3"], ["1F", "1", "2", "0"]]);
    const seen = [];
    for (const name of floors()) {
        await show(name);
        seen.push(...listed());
    }
    assert.deepEqual(seen.sort(), allKinds().map((each) => each.id).sort());
});

test("comparison kinds differ by symbol and by pattern", async () => {
    await openComparison(allKinds());
    const symbols = {};
    for (const name of floors()) {
        await show(name);
        for (const symbol of document.querySelectorAll(".diff-symbol")) symbols[/diff-is-(\w+)/.exec(symbol.getAttribute("class"))[1]] = textOf(symbol);
    }
    assert.deepEqual(symbols, { added: "+", moved: "→", changed: "~", removed: "−" });
    const patterns = [...document.querySelectorAll("pattern path")].map((path) => path.getAttribute("d"));
    assert.equal(new Set(patterns).size, 4);
});

test("comparison begins with a floor also if more has changed outside of floors", async () => {
    const levels = mallFeatures().get(null).slice(1);
    const changes = [...levels.map((each) => change(each, renamed(each, "Level"), null, ["name"])), change(coffee, renamed(coffee, "Renamed"), firstFloor, ["name"])];
    await openComparison(changes);
    assert.deepEqual(rows().filter((row) => row.classList.contains("is-selected")).map((row) => textOf(row.querySelector("th"))), ["1F"]);
    assert.match(textOf(only(".change-pane")), /Renamed/);
});

test("comparison of nothing but the venue shows that", async () => {
    await openComparison(allKinds().slice(-1));
    assert.equal(floor("Venue-wide").getAttribute("aria-pressed"), "true");
});

test("comparison keeps the focus when the names of removed floors arrive", async () => {
    const removed = level(7, 4, { short_name: { en: "5F" } });
    let release;
    const held = new Promise((resolve) => { release = resolve; });
    const changes = [...allKinds(), change(removed, null, null), change(unit(300, id(7), 0, 0), null, id(7))];
    const service = new DeskService({ venue: venue() });
    service.diff = changes;
    service.start({ "GET /venues/mall/diff\\?from=1&to=2&level=venue&bodies=true.*": async () => {
        await held;
        return { venue: "mall", from: 1, to: 2, words: [], overrides: [], next: null, changes: changes.filter(({ level_id: own }) => own === null) };
    } });
    await open("#/mall/desk/compare?from=1&to=2", { isLoaded: () => rows().length > 0 });
    const button = floor("00000000");
    button.focus();
    release();
    await until(() => floors().includes("5F"));
    assert.deepEqual(floors(), ["Venue-wide", "5F", "2F", "1F"], "in its place among the others");
    assert.equal(document.activeElement, floor("5F"));
});

test("comparison does not replace the floors if their names are the same", async () => {
    const service = new DeskService({ venue: venue() });
    service.diff = allKinds().slice(0, 3);
    let release;
    const held = new Promise((resolve) => { release = resolve; });
    // Both buildings have a floor of the same name, which takes more than this response to tell apart.
    service.venue.levels = [levelState(null, null, 3), levelState(firstFloor, 0, 7), levelState(secondFloor, 0, 4)];
    service.start({ "GET /venues/mall/revisions/2/features\\?level=venue&type=level&type=building": async () => {
        await held;
        return { type: "FeatureCollection", features: mallFeatures().get(null) };
    } });
    await open("#/mall/desk/compare?from=1&to=2", { isLoaded: () => rows().length > 0 });
    const table = only(".level-table");
    release();
    await settle(60);
    assert.equal(only(".level-table"), table);
});

test("floors of the same name have the names of their buildings", async () => {
    const building = (number, en) => feature(number, "building", null, { name: { en }, category: "unspecified" });
    const levels = [building(31, "East"), building(32, "West"), level(1, 0, { building_ids: [id(31)] }), level(2, 0, { building_ids: [id(32)] })];
    await openComparison(allKinds(), {
        venue: { levels: [levelState(null, null, 3), levelState(firstFloor, 0, 7), levelState(secondFloor, 0, 4)] },
        routes: { "GET /venues/mall/revisions/2/features\\?level=venue&type=level&type=building": { type: "FeatureCollection", features: levels } },
    });
    await until(() => floors().includes("1F, West"));
    assert.deepEqual(floors(), ["Venue-wide", "1F, East", "1F, West"]);
});

test("comparison list and map select the same change", async () => {
    await openComparison(allKinds());
    const drawing = only(".diff-drawing");
    const view = () => drawing.getAttribute("viewBox");
    const whole = view();
    const entry = entries().find(({ dataset }) => dataset.id === id(2100));
    entry.querySelector("summary").click();
    await until(() => entry.querySelector(".fields tbody tr"));
    assert.notEqual(view(), whole);
    const added = document.querySelector(`.diff-after .diff-shape[data-id="${id(300)}"]`);
    added.dispatchEvent(new window.MouseEvent("click"));
    const picked = entries().find(({ dataset }) => dataset.id === id(300));
    assert.equal(picked.open, true);
    assert.ok(added.classList.contains("is-selected"));
    assert.equal(document.activeElement, picked.querySelector("summary"));
    control("Show the whole floor").click();
    assert.equal(view(), whole);
});

test("change shows what differs, member by member", async () => {
    const before = edited(coffee, { phone: "+81312345678" });
    const after = edited(coffee, { name: { en: "Anchor Tea", ja: "アンカーコーヒー" }, hours: null, correlation_id: "7" });
    await openComparison([change(before, after, firstFloor, ["name", "hours", "other"]), change(restroom, moved(restroom, 3, 0), firstFloor, ["geometry"])]);
    for (const entry of entries()) entry.querySelector("summary").click();
    await until(() => document.querySelectorAll(".fields").length === 2);
    const cells = (entry) => [...entry.querySelectorAll(".fields tbody tr")].map((row) => [...row.querySelectorAll("th, td")].map(textOf).join(" | ")).sort();
    const [first, second] = entries();
    assert.match(textOf(first.querySelector("summary")), /Anchor Coffee → Anchor Tea.*Shop · name, opening hours, details/);
    assert.deepEqual(cells(first), [
        "correlation_id | – | 7", "hours | Mo-Su 10:00-20:00 | ", "name.en | Anchor Coffee | Anchor Tea", "phone | +81312345678 | "]);
    assert.match(textOf(second.querySelector(".change-body")), /Moved by 3 m\./);
    assert.match(cells(second)[0], /^geometry \| Polygon, 5 positions around 35\.45\d+, 139\.638\d+ \| /);
});

test("comparison filters by kind and by type", async () => {
    await openComparison([
        ...allKinds().slice(0, 3), change(null, unit(301, firstFloor, 9, 40), firstFloor),
        change(null, shop(302, firstFloor, 18, 40, { en: "New" })[2], firstFloor)]);
    const chip = (kind) => only(`.diff-chip.diff-is-${kind}`);
    assert.deepEqual(["added", "moved", "changed", "removed"].map((kind) => textOf(chip(kind).querySelector(".count"))), ["3", "1", "1", "0"]);
    assert.equal(chip("removed").disabled, true);
    chip("added").click();
    assert.equal(chip("added").getAttribute("aria-pressed"), "false");
    assert.equal(entries().length, 2);
    assert.ok(only(".diff-drawing").classList.contains("diff-hides-added"));
    chip("added").click();
    enter("#change-type", "occupant");
    assert.deepEqual(entries().map((entry) => textOf(entry.querySelector(".change-facts")).split(" ·")[0]), ["Shop", "Shop"]);
    chip("added").click();
    chip("changed").click();
    assert.match(textOf(only(".changes")), /No changes of this kind on this floor/);
});

test("comparison lists shops first, and then the other types that visitors know", async () => {
    await openComparison([
        change(null, unit(300, firstFloor, 0, 40), firstFloor), change(null, shop(302, firstFloor, 18, 40, { en: "Zebra" })[2], firstFloor),
        change(null, shop(303, firstFloor, 27, 40, { en: "Ant" })[2], firstFloor), change(null, shop(303, firstFloor, 27, 40, { en: "Ant" })[1], firstFloor)]);
    assert.deepEqual(entries().map((entry) => textOf(entry.querySelector(".change-facts"))), ["Shop", "Shop", "Unit", "Anchor"]);
    assert.deepEqual(listed().slice(0, 2), [id(2303), id(2302)]);
});

test("comparison of many changes shows them part by part", async () => {
    await openComparison(Array.from({ length: 1_030 }, (_, i) => change(null, unit(10_000 + i, firstFloor, i * 9, 0), firstFloor)));
    assert.equal(entries().length, 60);
    control("Show more (940 left)").click();
    assert.equal(entries().length, 120);
    assert.match(textOf(only(".comparison > .help")), /Only the first 1,000 changes are shown/);
    control("Show more", only(".comparison > .help")).click();
    await until(() => textOf(only(".comparison > .help")) === "");
    assert.equal(textOf(only(".diff-chip.diff-is-added .count")), "1,030");
});

test("staged upload shows its changes, with the floors that it adds", async () => {
    const changes = [change(null, level(7, 2, { short_name: { en: "3F", ja: "3階" } }), null), change(null, unit(300, id(7), 0, 0), id(7))];
    const service = new DeskService({ uploads: [upload(100, { changes: summary(changes, ["3F is new"]) })] });
    service.changes.set(id(100), changes);
    service.start();
    await open(`#/mall/desk/uploads/${id(100)}`, { isLoaded: isDrawn });
    await until(() => floors().includes("3F"));
    assert.deepEqual(floors(), ["Venue-wide", "3F"]);
    assert.match(textOf(only(".change-descriptions")), /3F is new/);
    assert.ok(document.querySelector(".diff-after .diff-shape"));
});

test("comparison never interprets markup in names", async () => {
    const markup = "<img src=x onerror='window.injected = 1'><script>window.injected = 1</script>";
    await openComparison([change(coffee, renamed(coffee, markup), firstFloor, ["name"])], {
        prepare: (service) => service.revisions.forEach((each) => { each.message = markup; }), venue: { name: { en: markup } } });
    entries()[0].querySelector("summary").click();
    await until(() => entries()[0].querySelector(".fields"));
    assert.ok(textOf(entries()[0]).includes("<img src=x"));
    const hasElements = () => document.querySelectorAll("#main img, #main script").length > 0;
    assert.equal(hasElements(), false);
    await open("#/mall/desk/history");
    assert.ok(plain(textOf(document.getElementById("revision-2"))).includes("<script>"));
    assert.equal(hasElements(), false);
});

test("comparison is drawn where there are no random ids, as on plain HTTP", async () => {
    const { randomUUID } = globalThis.crypto;
    Object.defineProperty(Object.getPrototypeOf(globalThis.crypto), "randomUUID", { configurable: true, value: undefined });
    await openComparison(allKinds());
    assert.ok(entries().length > 0 && document.querySelector(".diff-drawing path"));
    Object.defineProperty(Object.getPrototypeOf(globalThis.crypto), "randomUUID", { configurable: true, value: randomUUID });
});

/** A floor of which all units were moved, and one renamed too. */
function shiftedFloor() {
    const units = Array.from({ length: 24 }, (_, i) => unit(500 + i, firstFloor, (i % 8) * 9, 20 + Math.floor(i / 8) * 9));
    return units.map((each, i) => {
        const after = moved(each, 2.263, 2.263);
        return i === 5 ? change(each, renamed(after, "Renamed room", "改名した部屋"), firstFloor, ["geometry", "name"])
            : change(each, after, firstFloor, ["geometry"]);
    });
}

for (const [language, sentence] of [
    ["en", "This floor was moved 3.2 m to the north-east (24 features)."], ["ja", "このフロアは北東へ 3.2 m 移動しました（24件）。"],
]) {
    test(`floor that was moved as a whole is one sentence (${language})`, async () => {
        const around = { type: "FeatureCollection", features: [] };
        await openComparison(shiftedFloor(), { language, routes: { "GET /venues/mall/revisions/2/features\\?level=0.*": around } });
        const shift = only(".floor-shift");
        assert.ok(textOf(shift.querySelector("summary")).includes(sentence), textOf(shift));
        // What changed besides the position has an entry of its own, without the move.
        const own = [...document.querySelectorAll(".change-pane > .changes > li > .change")];
        assert.deepEqual(own.map(({ dataset }) => dataset.id), [id(505)]);
        own[0].querySelector("summary").click();
        const paths = await until(() => own[0].querySelector(".fields") && [...own[0].querySelectorAll(".fields tbody th")].map(textOf));
        assert.ok(paths.length > 0 && paths.every((path) => path.startsWith("name")), paths.join());
        assert.equal(document.querySelectorAll(".diff-arrow").length, 1);
        assert.equal(document.querySelectorAll(".diff-symbol").length, 2);
        // It opens to the features that only moved, also for one that is selected on the map.
        assert.equal(shift.querySelector(".change"), null);
        document.querySelector(`.diff-after .diff-shape[data-id="${id(510)}"]`).dispatchEvent(new window.MouseEvent("click"));
        assert.equal(shift.open, true);
        assert.equal(shift.querySelector(`.change[data-id="${id(510)}"]`).open, true);
        only(".diff-chip.diff-is-moved").click();
        assert.equal(document.querySelector(".floor-shift"), null);
    });
}

test("large floor is loaded as a whole if its first changes look like a shift, unless it is too large", async () => {
    // So many that those of the first page alone are not the whole floor.
    const changes = Array.from({ length: 1_200 }, (_, i) => {
        const each = unit(10_000 + i, firstFloor, (i % 50) * 9, Math.floor(i / 50) * 9);
        return change(each, moved(each, 2, 0), firstFloor, ["geometry"]);
    });
    for (const [changed, sentence, pages] of [[1_200, "This floor was moved 2 m to the east (1,200 features).", 2], [30_000, null, 1]]) {
        const service = new DeskService({ uploads: [upload(100, { changes: { ...summary(changes), levels: [{ ...summary(changes).levels[0], changed }] } })] });
        service.changes.set(id(100), changes);
        service.features.set(firstFloor, changes.map(({ before }) => before));
        service.start();
        await open(`#/mall/desk/uploads/${id(100)}`, { isLoaded: isDrawn });
        const requests = service.requests.filter(({ path }) => path.includes("/changes?") && path.includes(`level=${firstFloor}`));
        assert.equal(requests.length, pages);
        assert.equal(document.querySelector(".floor-shift") !== null, sentence !== null);
        if (sentence) assert.ok(textOf(only(".floor-shift summary")).includes(sentence));
        else assert.match(textOf(only(".comparison > .help")), /Only the first 1,000 changes/);
    }
});

test("comparison of bodies with malformed geometries shows what is valid", async () => {
    const geometries = [null, { type: "Polygon", coordinates: "x" }, { type: "Polygon", coordinates: [] }, { type: "Point", coordinates: [1e9, null] },
        { type: "GeometryCollection", geometries: [] }, { type: "Polygon", coordinates: [null, [position(0, 0)]] }, { type: "Polygon", coordinates: null },
        { type: "MultiPolygon", coordinates: [5] }, { type: "GeometryCollection", geometries: null }];
    const changes = geometries.map((geometry, i) =>
        change({ ...unit(600 + i, firstFloor, 0, 0), geometry }, unit(600 + i, firstFloor, i * 9, 0), firstFloor, ["geometry"]));
    const properties = [{ name: 7 }, { category: 5 }, { hours: ["Mo"] }, { anchor_id: 5 }, { display_point: "here" }];
    changes.push(...properties.map((each, i) => change(edited({ ...coffee, id: id(700 + i) }, each), { ...coffee, id: id(700 + i) }, firstFloor, ["other"])));
    changes.push(change({ ...cafe, id: id(800), properties: null }, { ...cafe, id: id(800) }, firstFloor, ["other"]));
    await openComparison(changes);
    assert.match(only(".diff-drawing").getAttribute("viewBox"), /^(-?[\d.e-]+ ?){4}$/);
    assert.equal(entries().length, changes.length);
    for (const entry of entries()) entry.querySelector("summary").click();
    await until(() => document.querySelectorAll(".fields").length === changes.length);
    for (const name of ["Before and after", "Overlay"]) control(name).click();
});
