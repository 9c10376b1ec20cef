// Directions on the map page: from and to, the four answers, the steps, the floors, the address and the kiosk.

import {
    $, $$, asked, card, click, floor, localization, openFloor, openMap, openPlace, search, tap, texts, travel,
} from "./support/open-map.js";
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { setOnline } from "./support/browser.js";
import { withDoors } from "./support/doors.js";
import { at, id, nameOfShop, shop } from "./support/sample-venue.js";
import { pass, settle, until } from "./support/time.js";

const web = new URL("../../Sources/WebConsole/Web/", import.meta.url);
const { accentColours, contrast, parse } = await import(new URL("map/accent.js", web));
const { endOfPlace, endText, parseEnd, parseRequest, requestParameters } = await import(new URL("map/directions/request.js", web));
const { distanceText, totalText } = await import(new URL("map/directions/sentences.js", web));
const { routeColours } = await import(new URL("map/directions/route-colours.js", web));
await import(new URL("map/directions/directions.js", web));

const [start, goal, upstairs] = [shop(0), shop(0, 5), shop(1, 5)];
const open = (query, options = {}, doors = {}) => openMap(query, { server: { edit: withDoors(doors) }, ...options });
const title = () => $("#directions-title")?.textContent ?? null;
const sum = () => $(".directions-sum")?.textContent ?? null;
const status = () => $(".directions-status")?.textContent ?? null;
const steps = () => texts(".directions-legs button");
const ends = () => texts(".directions-end bdi");
const answered = () => until(() => $(".directions-answer") && !$(".directions-wait"), "there is an answer");
const parameters = () => Object.fromEntries(new URLSearchParams(location.hash.split("?")[1]));

async function openRoute(query, ...more) {
    const page = await open(query, ...more);
    await answered();
    await settle();
    return page;
}

// What the address asks for

test("ends are ids or positions, and everything else is a fault of the address", () => {
    assert.deepEqual(parseEnd(start.toUpperCase()), { feature: start });
    assert.deepEqual(parseEnd("139.638,35.4515,-1"), { longitude: 139.638, latitude: 35.4515, ordinal: -1 });
    for (const text of ["x", "1,2", "1,2,3,4", "181,0,0", "0,91,0", "1e3,2,0", "NaN,0,0", "0,0,0.5", "<img src=x>", "constructor"]) {
        assert.deepEqual(parseEnd(text), { fault: text }, text);
    }
    assert.equal(parseEnd("x".repeat(5_000)).fault.length, 61);
    assert.equal(parseEnd(""), null);
    assert.equal(parseRequest(new URLSearchParams("floor=1&place=x")), null);
});

test("a request is the same after it was written to an address and read again", () => {
    const position = { longitude: 139.6381234, latitude: 35.4516789, ordinal: 2 };
    for (const request of [{ from: { feature: start }, to: position, profile: "step-free" }, { from: null, to: { feature: goal }, profile: "walk" },
        { from: position, to: null, profile: "walk" }, { from: null, to: null, profile: "walk" }]) {
        const { faults, ordinal, ...read } = parseRequest(new URLSearchParams(requestParameters(request)));
        assert.deepEqual([read, faults.size, ordinal], [request, 0, null]);
    }
    assert.equal(endText(null), "");
});

test("an amenity of several floors is meant on the floor where it was chosen", () => {
    const feature = { type: "amenity", properties: { unit_ids: ["a", "b"] } };
    assert.deepEqual(endOfPlace({ id: "lift", unit: "b", feature }), { feature: "b" });
    assert.deepEqual(endOfPlace({ id: "atm", unit: "b", feature: { type: "amenity", properties: { unit_ids: ["b"] } } }), { feature: "atm" });
    assert.deepEqual(endOfPlace({ id: "shop", unit: "b", feature: { type: "occupant", properties: {} } }), { feature: "shop" });
});

// From a card

test("directions from the card ask for the start, which is searched, and show the way without a request", async () => {
    const { server } = await open("?floor=0");
    await openPlace(goal);
    await click(".place-card [data-action=directions]");
    await until(() => title() === "Choose where you start");
    assert.equal(document.activeElement.id, "directions-title");
    assert.equal(parameters().to, goal);
    await search("Entrance");
    server.requests.length = 0;
    await click(`.place[data-id="${start}"]`);
    await answered();
    assert.deepEqual(asked({ requests: server.requests.filter(({ path }) => !path.includes("/sync")) }, "/"), []);
    assert.deepEqual(ends(), [nameOfShop(0), nameOfShop(0, 5)]);
    assert.match(sum(), /^\d+ m, about \d+ min$/);
    assert.match(steps()[0], /^Walk about \d+ m/);
    assert.deepEqual(parameters(), { floor: "0", from: start, to: goal, profile: "walk" });
    assert.equal(document.activeElement.id, "directions-title");
});

test("the ends are swapped, and chosen again on the map, on a label or beside all of them", async () => {
    const page = await openRoute(`?floor=0&from=${start}&to=${goal}`);
    await click("[data-action=swap]");
    await answered();
    assert.deepEqual(ends(), [nameOfShop(0, 5), nameOfShop(0)]);
    assert.deepEqual([parameters().from, parameters().to], [goal, start]);
    await click("[data-end=from]");
    assert.equal(title(), "Choose where you start");
    await tap(page, shop(0, 2));
    await answered();
    assert.deepEqual(ends(), [nameOfShop(0, 2), nameOfShop(0)]);
    await click("[data-end=to]");
    const corridor = at(60, 30);
    page.map.fire("click", { point: { x: -500, y: -500 }, lngLat: { toArray: () => corridor } });
    await settle();
    await answered();
    assert.deepEqual(ends(), [nameOfShop(0, 2), "Point on the map, Floor 1"]);
    assert.ok(steps()[0].includes("to your destination."), steps()[0]);
});

test("a tap beside the choice of an end opens no card, and leaves the way", async () => {
    const page = await openRoute(`?floor=0&from=${start}&to=${goal}`);
    await tap(page, shop(0, 2));
    assert.deepEqual([card(), ends()[0]], [null, nameOfShop(0)]);
});

test("Escape ends the choice of an end, then directions, and the focus returns to the card", async () => {
    await open("?floor=0");
    await openPlace(goal);
    await click(".place-card [data-action=directions]");
    await until(() => title());
    await click(`.place[data-id="${start}"]`);
    await answered();
    const escape = () => {
        document.activeElement.dispatchEvent(new window.KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
        return settle();
    };
    await click("[data-end=from]");
    await escape();
    assert.equal(title(), "Directions");
    await escape();
    assert.deepEqual([title(), card()], [null, nameOfShop(0, 5)]);
    assert.equal(document.activeElement.dataset.action, "directions");
    assert.deepEqual(parameters(), { floor: "0", place: goal });
});

test("Back closes directions and shows what was there before, Forward opens them again", async () => {
    await open("?floor=0");
    await openPlace(goal);
    await click(".place-card [data-action=directions]");
    await until(() => title());
    await click(`.place[data-id="${start}"]`);
    await answered();
    await travel(-1, () => card() === nameOfShop(0, 5));
    assert.deepEqual([title(), $$(".route-mark").length, $$("[data-way]").length], [null, 0, 0]);
    await travel(1, () => $(".directions-sum"));
    assert.deepEqual(ends(), [nameOfShop(0), nameOfShop(0, 5)]);
});

// Steps and floors

test("a way over floors has a step for each, marks their buttons, and draws the leg of the floor that is shown", async () => {
    const page = await openRoute(`?from=${start}&to=${upstairs}`);
    assert.equal(floor(), 0);
    assert.deepEqual(steps().length, 3);
    assert.deepEqual($$("[data-way]").map(({ dataset }) => dataset.ordinal).sort(), ["0", "1"]);
    assert.match($("[data-way][data-ordinal='1']").getAttribute("aria-label"), /on the way/);
    const drawn = () => page.map.getSource("route").data.features.map(({ properties }) => properties.isCurrent);
    assert.deepEqual(drawn(), [true]);
    assert.deepEqual($$(".route-mark").map((each) => each.className.split("-").at(-1)).sort(), ["change", "start"]);
    await click("[data-action=next]");
    assert.equal($("[aria-current=step]").dataset.leg, "1");
    await click("[data-action=next]");
    assert.deepEqual([floor(), $("[aria-current=step]").dataset.leg], [1, "2"]);
    assert.ok($("[data-action=next]").disabled);
    // The button that was pressed cannot be pressed any more.
    assert.equal(document.activeElement.id, "directions-title");
    assert.deepEqual($$(".route-mark").map((each) => each.getAttribute("aria-label")), ["Arrival from Floor 1", `Destination: ${nameOfShop(1, 5)}`]);
    await openFloor(-1);
    assert.equal(page.map.getSource("route"), undefined);
    assert.equal(title(), "Directions");
    await click("[data-leg='0']");
    await click(".route-mark.is-change");
    assert.deepEqual([floor(), $("[aria-current=step]").dataset.leg], [1, "2"]);
});

test("the layers of the way are below the highlights, and end with directions", async () => {
    const page = await openRoute(`?floor=0&from=${start}&to=${goal}`);
    const names = page.map.layers.map((layer) => layer.id);
    assert.ok(names.indexOf("route/current/line") < names.indexOf("above-all"));
    assert.ok(names.indexOf("route/current/casing") > names.findLastIndex((name) => name.startsWith("floor:0/")));
    await click("[data-action=close]");
    assert.deepEqual([page.map.layers.filter((layer) => layer.id.startsWith("route")), page.map.getSource("route")], [[], undefined]);
});

test("the length of a way is the sum of those that its steps show", async () => {
    await openRoute(`?floor=0&from=${start}&to=${upstairs}`);
    const total = (...meters) => totalText({ legs: meters.map((distance) => ({ mode: "walk", distance })), duration: 120 }).split(",")[0];
    for (const [meters, texts, sum] of [
        [[151.4, 20.2], ["150 m", "20 m"], "170 m"], [[178, 18], ["200 m", "20 m"], "220 m"], [[17.6, 2, 2], ["20 m", "5 m", "5 m"], "30 m"],
        [[912, 97], ["900 m", "100 m"], "1.0 km"], [[1_240, 94], ["1.2 km", "90 m"], "1.3 km"], [[176], ["200 m"], "200 m"],
    ]) {
        assert.deepEqual([meters.map(distanceText), total(...meters)], [texts, sum]);
    }
    const walked = texts(".directions-sub").map((text) => / · (\d+) m/.exec(text)?.[1]).filter(Boolean).map(Number);
    assert.equal(walked.length, 2);
    assert.equal(sum().split(",")[0], `${walked[0] + walked[1]} m`);
});

test("a step-free way takes the lift, and says so", async () => {
    await openRoute(`?from=${start}&to=${upstairs}`);
    await click("[data-profile=step-free]");
    await answered();
    assert.ok(steps().some((text) => text.startsWith("Take the lift")), steps());
    assert.ok(!steps().some((text) => text.includes("stairs")), steps());
    assert.match($(".directions-answer").textContent, /Without stairs/);
    assert.equal(parameters().profile, "step-free");
});

test("a reload shows the step of the floor that the address names, and a shared link the first one", async () => {
    await openRoute(`?floor=1&from=${start}&to=${upstairs}`);
    assert.deepEqual([floor(), $("[aria-current=step]").dataset.leg], [1, "2"]);
    await openRoute(`?from=${start}&to=${upstairs}`);
    assert.deepEqual([floor(), $("[aria-current=step]").dataset.leg], [0, "0"]);
    await click(".directions [data-action=share]");
    await until(() => $("dialog[open] #share-link"));
    const link = new URL($("#share-link").value);
    assert.deepEqual(Object.fromEntries(new URLSearchParams(link.hash.split("?")[1])), { from: start, to: upstairs, profile: "walk" });
});

test("the way is translated with the page, and a new revision finds it anew", async () => {
    const { server } = await openRoute(`?floor=0&from=${start}&to=${goal}`, { language: "ja" });
    assert.match(sum(), /^\d+ m・約\d+分$/);
    assert.match(steps()[0], /進みます。/);
    localization.setLanguage("en");
    await settle();
    await answered();
    assert.match(steps()[0], /^Walk about/);
    server.publish((levels) => {
        const features = levels.get(id("level 0"));
        features.splice(features.findIndex((each) => each.id === id(`door ${id("unit 0 room 5")}`)), 1);
    });
    await until(() => status());
    assert.match(status(), /^It is unknown/);
});

// Answers without a way

const lifts = ["-1", "0", "1"].map((ordinal) => id(`unit ${ordinal} elevator`));
const withoutLift = (entries) => withDoors()(entries.filter(({ feature }) => !lifts.includes(feature.id)));

test("without a step-free way, the one over stairs is shown and named as such", async () => {
    const page = await openRoute(`?from=${start}&to=${upstairs}&profile=step-free`, { server: { edit: withoutLift } });
    assert.equal(status(), "There is no step-free way between these places.");
    assert.match(texts(".directions-reasons li").join(), /The way uses/);
    assert.equal($(".directions-alternative").textContent, "A way on foot, not step-free");
    assert.ok(steps().some((text) => text.includes("stairs")));
    assert.doesNotMatch($(".directions-answer").textContent, /Without stairs/);
    assert.ok(page.map.getLayer("route/current/line").paint["line-dasharray"]);
});

test("whether a lift without doors is the step-free way is not known", async () => {
    await openRoute(`?from=${start}&to=${upstairs}&profile=step-free`, {}, { without: lifts });
    assert.equal(status(), "It is unknown whether there is a way, because the map lacks data.");
});

test("missing data is not known, names what to mend, and shows where it is", async () => {
    const page = await openRoute(`?from=${start}&to=${upstairs}`, {}, { without: [id("unit 1 room 5")] });
    assert.equal(status(), "It is unknown whether there is a way, because the map lacks data.");
    assert.deepEqual(texts(".directions-reasons li"), [`The map has no door for ${nameOfShop(1, 5)} (2F).`]);
    assert.deepEqual($$(".route-mark").map((each) => each.getAttribute("aria-label")), [`Start: ${nameOfShop(0)}`]);
    await click(".directions-reasons button");
    assert.equal(floor(), 1);
    assert.ok(page.map.camera.zoom >= 19.5);
    assert.deepEqual($$(".route-mark").map((each) => each.getAttribute("aria-label")), [`Destination: ${nameOfShop(1, 5)}`]);
});

for (const [name, query, message] of [
    ["a start that is no place", `?from=<b>&to=${goal}`, /The start in the address of this page is not a place: “<b>”/],
    ["a destination that is no place", `?from=${start}&to=javascript:1`, /destination in the address of this page is not a place/],
    ["a feature that does not exist", `?from=00000000-0000-4000-8000-000000000000&to=${goal}`, /start in the address of this page is not on the map/],
    ["a position in no room", `?from=10,20,0&to=${goal}`, /start is in no room and no corridor/],
    ["a floor that does not exist", `?from=139.6385,35.4516,77&to=${goal}`, /start is in no room and no corridor/],
    ["an unknown profile", `?from=${start}&to=${goal}&profile=fly`, /unknown profile “fly”/],
]) {
    test(`an address with ${name} gets a clear message`, async () => {
        await open(query);
        await until(() => message.test($(".panel").textContent), "the message");
        assert.equal($(".panel b"), null);
    });
}

test("offline, the answer names the floors that it could not consider", async () => {
    const { server } = await open("?floor=0");
    server.isReachable = false;
    setOnline(false);
    await openPlace(goal);
    await click(".place-card [data-action=directions]");
    await until(() => title());
    await click(`.place[data-id="${start}"]`);
    await answered();
    assert.match(sum(), /^\d+ m/);
    assert.match($(".directions-problem").textContent, /did not cover these floors, because they are not loaded: .*Floor 2/);
    setOnline(true);
});

// Where the user is

test("a kiosk starts where it is, and its reset ends directions", async () => {
    await open(`?kiosk&at=${at(60, 30)}&floor=0&idle=300`);
    await openPlace(goal);
    await click(".place-card [data-action=directions]");
    await answered();
    assert.deepEqual(ends(), ["You are here", nameOfShop(0, 5)]);
    assert.equal($(".route-mark.is-start"), null);
    assert.equal(parameters().from, undefined);
    dispatchEvent(new Event("pointerdown"));
    await pass(301_000);
    await settle();
    assert.deepEqual([title(), $$(".route-mark").length, card()], [null, 0, null]);
});

test("a kiosk outside of the building starts at the nearest door", async () => {
    await open(`?kiosk&at=${at(10, -20)}&floor=0`);
    await openPlace(goal);
    await click(".place-card [data-action=directions]");
    await answered();
    assert.match($(".directions-answer").textContent, /begins at the nearest door/);
    assert.ok(steps().length > 0);
});

test("the position of a link is offered as the start", async () => {
    await open(`?at=${at(60, 30)}&level=${id("level 0")}`);
    await openPlace(goal);
    await click(".place-card [data-action=directions]");
    await answered();
    assert.equal(ends()[0], "You are here");
    await click("[data-end=from]");
    await click("[data-action=here]");
    await answered();
    assert.equal(ends()[0], "You are here");
});

// Colours and texts

const { palette } = JSON.parse(readFileSync(new URL("../../VenueMap/Cartography/cartography.json", web), "utf8"));
const fills = ["ground", "venue", "footprint", "level", "shop", "food", "service", "restroom", "vertical", "walkway", "outdoor", "parking", "private", "room", "kiosk", "fixture"];

for (const mode of ["light", "dark"]) {
    test(`a way has a contrast of 3 : 1 on every fill, whatever the accent is: ${mode}`, () => {
        const isDark = mode === "dark";
        const colours = Object.fromEntries(Object.entries(palette).map(([name, shades]) => [name, shades[mode]]));
        colours["other-place"] = isDark ? "#51483c" : "#e6d9c4";
        for (const accent of [colours.selected, "#ffff00", "#101010", "#ff0000", "#808080", "#ffffff"]) {
            const { line, casing } = routeColours({ ...colours, selected: accentColours(accent, isDark).text }, isDark);
            for (const name of [...fills, "other-place"]) {
                assert.ok(colours[name], name);
                assert.ok(contrast(parse(line), parse(colours[name])) >= 3, `${accent} ${name}: ${line} on ${colours[name]}`);
            }
            assert.ok(contrast(parse(line), parse(casing)) >= 3);
        }
    });

    test(`a way is seen on fills that a venue has chosen: ${mode}`, () => {
        const isDark = mode === "dark";
        for (const fill of ["#000000", "#333333", "#777777", "#aaaaaa", "#ffffff", "#00ff00"]) {
            const { line, casing } = routeColours({ selected: "#0f6b62", shop: fill, level: "#ffffff" }, isDark);
            assert.ok(Math.max(...[line, casing].map((each) => contrast(parse(each), parse(fill)))) >= 3, `${fill}: ${line} ${casing}`);
        }
    });
}

test("messages of directions are the same in both languages, with the same placeholders, and those that are used exist", async () => {
    const [en, ja] = await Promise.all(["en", "ja"].map(async (language) => (await import(new URL(`localization/directions/${language}.js`, web))).default));
    assert.deepEqual(Object.keys(ja).sort(), Object.keys(en).sort());
    const placeholders = (text) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
    for (const name of Object.keys(en)) if (typeof en[name] === "string") assert.deepEqual(placeholders(ja[name]), placeholders(en[name]), name);
    const folder = new URL("map/directions/", web);
    const sources = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), "utf8")).join("");
    const used = [...sources.matchAll(/"(directions\.[A-Za-z_.-]+)"/g)].map(([, name]) => name).filter((name) => !name.endsWith(".js"));
    assert.ok(used.length > 30);
    assert.deepEqual(used.filter((name) => !(name in en)), []);
    const codes = ["closed", "stairs", "escalator", "narrow-opening", "restricted", "emergency-exit", "one-way", "no-opening", "leads-nowhere", "not-connected",
        "unusable"];
    const built = [...codes, "closed.until", ...["outside-units", "unknown-feature"].flatMap((code) => [`${code}.from`, `${code}.to`])];
    assert.deepEqual(built.filter((code) => !(`directions.${code}` in en)), []);
});
