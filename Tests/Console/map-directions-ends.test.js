// The ends of directions: one that is closed, one that was found from the card of another place, and one that a search has found; and what
// steps name and show.

import { $, $$, click, openMap, openPlace, search, tap, texts } from "./support/open-map.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { edits, set } from "./support/edit-entries.js";
import { withDoors } from "./support/doors.js";
import { id, nameOfShop, shop } from "./support/sample-venue.js";
import { pass, settle, until } from "./support/time.js";

await import("../../Sources/WebConsole/Web/map/directions/directions.js");
const { landmarksOf } = await import("../../Sources/WebConsole/Web/map/directions/landmarks.js");
const { answerView } = await import("../../Sources/WebConsole/Web/map/directions/directions-view.js");

const [start, goal, upstairs] = [shop(0), shop(0, 5), shop(1, 5)];
const title = () => $("#directions-title")?.textContent ?? null;
const answered = () => until(() => $(".directions-answer") && !$(".directions-wait"), "there is an answer");
const parameters = () => Object.fromEntries(new URLSearchParams(location.hash.split("?")[1]));

async function openRoute(query, edit = withDoors(), options = {}) {
    const page = await openMap(query, { server: { edit }, ...options });
    await answered();
    await settle();
    return page;
}

for (const [name, options, hours, expected] of [
    ["in the night", {}, "Mo-Su 10:00-12:00", `${nameOfShop(1, 5)}: Closed · opens Thursday, 10:00`],
    ["today", {}, "Mo-Su 15:00-21:00", `${nameOfShop(1, 5)}: Closed · opens at 15:00`],
    ["in Japanese", { language: "ja" }, "Mo-Su 15:00-21:00", "：営業時間外・15:00から"],
    ["while it is open", {}, "Mo-Su 10:00-21:00", null],
    ["with hours that cannot be read", {}, "after lunch", null],
    ["without hours", {}, undefined, null],
]) {
    test(`directions say when the destination is closed now: ${name}`, async () => {
        const edit = edits((entries) => withDoors()(entries), set(upstairs, { hours }));
        for (const to of [upstairs, id("unit 1 room 5")]) {
            await openRoute(`?floor=0&from=${start}&to=${to}`, edit, options);
            assert.equal(texts(".directions-legs button").length, 3);
            const [text = null, ...more] = texts(".directions-closed");
            assert.deepEqual(more, []);
            if (expected === null) assert.equal(text, null);
            else assert.ok(text.endsWith(expected), text);
        }
    });
}

test("directions say with the time that the destination closes and until when, and keep the focus", async () => {
    const edit = edits((entries) => withDoors()(entries), set(upstairs, { hours: "Mo-Su 10:00-14:00" }));
    await openRoute(`?floor=0&from=${start}&to=${upstairs}`, edit);
    assert.deepEqual(texts(".directions-closed"), []);
    $("[data-leg='0']").focus();
    await pass(61 * 60_000);
    assert.deepEqual(texts(".directions-closed"), [`${nameOfShop(1, 5)}: Closed · opens Thursday, 10:00`]);
    await pass(11 * 60 * 60_000);
    assert.deepEqual(texts(".directions-closed"), [`${nameOfShop(1, 5)}: Closed · opens at 10:00`]);
    assert.equal(document.activeElement, $("[data-leg='0']"));
});

test("directions say with the time until when a door on the way is closed, and find the way when it opens", async () => {
    const edit = withDoors({ hours: { [id("unit 0 room 5")]: "Mo-Su 11:00-12:00" } });
    await openRoute(`?floor=0&from=${start}&to=${goal}`, edit);
    const reasons = () => texts(".directions-reasons li").join();
    assert.match(reasons(), /closed until Thursday, 11:00/);
    await pass(11.5 * 60 * 60_000);
    assert.match(reasons(), /closed until 11:00/);
    await pass(11 * 60 * 60_000);
    await until(() => $(".directions-sum") && !$(".directions-status"), "there is a way");
    assert.equal(reasons(), "");
});

test("a way to the nearest facility begins at the place where it was looked for, until something else is", async () => {
    await openMap("?floor=0", { server: { edit: withDoors() } });
    await openPlace(goal);
    await click($$(".place-actions button").find((each) => each.textContent.includes("Nearest restroom")));
    const restroom = $(".place").dataset.id;
    await click(".place");
    await click(".place-card [data-action=directions]");
    await answered();
    assert.deepEqual([parameters().from, parameters().to], [goal, restroom]);
    assert.equal(texts(".directions-end bdi")[0], nameOfShop(0, 5));
    await click("[data-action=close]");
    assert.equal($(".place-card").dataset.id, restroom);
    // The filter is the same, but nobody asks for the nearest one any more.
    for (let presses = 0; presses < 2; presses += 1) await click("[data-chip=restroom]");
    await click(`.place[data-id="${restroom}"]`);
    await click(".place-card [data-action=directions]");
    assert.equal(title(), "Choose where you start");
});

test("a way to another place than the nearest facility asks for the start", async () => {
    const page = await openMap("?floor=0", { server: { edit: withDoors() } });
    await openPlace(goal);
    await click($$(".place-actions button").find((each) => each.textContent.includes("Nearest restroom")));
    await tap(page, start);
    await click(".place-card [data-action=directions]");
    assert.equal(title(), "Choose where you start");
});

for (const [name, choose] of [
    ["of its results", (page) => click(`.place[data-id="${shop(0, 2)}"]`)], ["on the map", (page) => tap(page, shop(0, 2))],
    ["and then not another one", () => click("[data-action=cancel]")],
]) {
    test(`words of a search end with the choice of an end ${name}`, async () => {
        const page = await openRoute(`?floor=0&from=${start}&to=${goal}`);
        await click("[data-end=from]");
        await search(nameOfShop(0, 2));
        assert.equal($(".floors [data-ordinal='0']").dataset.found, "1");
        await choose(page);
        await answered();
        assert.equal($("#search").value, "");
        await click("[data-action=close]");
        assert.match($(".list-title").textContent, /^Floor 1 · /);
        assert.deepEqual($$(".floors [data-found]"), []);
    });
}

test("the places that a step names have their names on the map before all but the ends", async () => {
    const page = await openRoute(`?floor=0&from=${start}&to=${upstairs}`);
    for (const [leg, end] of [[0, nameOfShop(0)], [2, nameOfShop(1, 5)]]) {
        await click(`[data-leg="${leg}"]`);
        const [, one, other] = / past (.*) and (.*) to /.exec($("[aria-current=step]").textContent);
        await until(() => page.venueMap.areLabelsComplete, "there are all labels");
        const named = page.venueMap.labels.map(({ image }) => image.text?.replaceAll("\n", " ")).filter((name) => name !== end);
        assert.deepEqual(named.slice(0, 2).sort(), [one, other].sort());
    }
});

test("each way to change floors has its own pictogram, that of the map", () => {
    const modes = ["walk", "elevator", "stairs", "escalator", "ramp"];
    const legs = modes.map((mode) => ({ mode, floorName: "Floor 1", distance: 9, confidence: "stated", instruction: mode }));
    const state = { request: { profile: "walk" }, names: {}, problems: [], reasons: [], missing: [], closed: null, index: 0, legs };
    const view = answerView({ ...state, answer: { status: "route", legs, distance: 9, duration: 9, reasons: [] } }, {});
    const marks = [...view.querySelectorAll(".directions-mode")];
    assert.deepEqual(marks.map((mark) => mark.querySelector("[data-pictogram]")?.dataset.pictogram ?? null), [null, ...modes.slice(1)]);
    const drawings = marks.map((mark) => [...mark.querySelectorAll("path")].map((path) => path.getAttribute("d")).join());
    assert.equal(new Set(drawings.filter((drawing) => drawing !== "")).size, modes.length);
});

test("a place is named by a step with its whole name, and not with a part of a word", () => {
    const line = { coordinates: [[0, 0], [0, 0.001]] };
    const place = (name) => ({ name, isNamed: true, point: [0, 0] });
    const named = (instruction, ...names) => landmarksOf({ instruction, geometry: line }, names.map(place)).map(({ name }) => name).sort();
    const sentence = "Walk about 60 m past Kinari and Tea to the lift.";
    assert.deepEqual(named(sentence, "Kinari", "Tea", "Kin", "Wa", "lif", "6", "Walker"), ["Kinari", "Tea"]);
    assert.deepEqual(named("黄鶴楼とKinariを過ぎて、", "黄鶴楼", "Kinari", "鶴", "Kin"), ["Kinari", "黄鶴楼"]);
});
