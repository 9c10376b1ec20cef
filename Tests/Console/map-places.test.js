// The places of the map page: which features are places, what they are called, how they are drawn, and which filters find them.

import { $, $$, asked, card, click, idsOf, listTitle, openFloor, openMap, openPlace, showWholeList, texts } from "./support/open-map.js";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { all, edits, isFacility, ofType, set, without } from "./support/edit-entries.js";
import { metres } from "./support/mercator.js";
import { at, id, shop } from "./support/sample-venue.js";
import { settle, until } from "./support/time.js";

const { categories } = JSON.parse(readFileSync(new URL("../../Sources/VenueMap/Cartography/cartography.json", import.meta.url), "utf8"));
const chip = (kind) => `[data-chip="${kind}"]`;
const names = () => texts(".place-name");
const room = (number, ordinal = 0) => id(`unit ${ordinal} room ${number}`);
const drawnGroups = (map) => new Map(map.queryRenderedFeatures().filter(({ properties }) => properties.feature_type === "unit")
    .map(({ properties }) => [properties.id, properties.group]));
const nearest = async () => {
    await click($$(".place-actions button").find((each) => each.textContent.includes("Nearest restroom")));
    await settle();
};
const placeOf = ({ venueMap }, feature) => venueMap.places.find(({ id: own, unit }) => own === feature || unit === feature);

test("facilities that are units have filters and pictograms", async () => {
    const page = await openMap("", { server: { edit: without(all(ofType("amenity"), isFacility("restroom", "elevator", "stairs"))) } });
    for (const kind of ["restroom", "elevator", "stairs"]) assert.ok($(chip(kind)), kind);
    await click(chip("restroom"));
    assert.equal(listTitle(), "2 found");
    assert.ok(page.venueMap.labels.some(({ place }) => place.facility === "restroom"));
});

test("stairs of several floors are listed once on each", async () => {
    // An amenity with units on several floors is on no level.
    await openMap("", { server: { ordinals: [0, 1], edit: set(id("amenity stairs 0"), { name: { en: "North Stairs" } }) } });
    for (const ordinal of [1, 0]) {
        await openFloor(ordinal);
        await click(chip("stairs"));
        // Not also the unit that the amenity names.
        assert.deepEqual(names(), ["North Stairs"]);
        assert.deepEqual(texts(".places-floor, .search-elsewhere"), []);
        await click(chip("stairs"));
    }
});

for (const [name, kiosk] of [["", ""], [" on a kiosk", "kiosk&at=139.6384,35.452&"]]) {
    test(`the nearest facilities are measured from the place of which they were asked, also after a card of one was closed${name}`, async () => {
        const page = await openMap(`?${kiosk}floor=0`);
        await openPlace(shop(0, 5));
        const from = placeOf(page, shop(0, 5)).point;
        await nearest();
        const listed = () => $$(".place").map((each) => [each.dataset.id, each.querySelector(".distance")?.textContent ?? null]);
        const expected = ["male", "female"].map((each) => id(`amenity 0 restroom ${each}`)).map((each) => [each, metres(from, placeOf(page, each).point)])
            .sort(([, one], [, other]) => one - other).map(([each, distance]) => [each, `${Math.round(distance)} m`]);
        assert.deepEqual(listed(), expected);
        assert.deepEqual(texts(".distance-origin"), [`Distances from ${placeOf(page, shop(0, 5)).name}`]);
        await openPlace(expected[1][0]);
        await click(".place-card .back");
        page.map.jumpTo({ center: at(90, 55), zoom: 21 });
        assert.deepEqual(listed(), expected);
        assert.deepEqual(texts(".distance-origin"), [`Distances from ${placeOf(page, shop(0, 5)).name}`]);
        // Whoever filters anew asks from where they are, or else for what they see.
        await click(chip("restroom"));
        await click(chip("restroom"));
        assert.deepEqual(texts(".distance-origin"), [kiosk ? "Distances from here" : "Distances from the middle of the map"]);
    });
}

test("the list says that distances are measured from the pin, and follows the middle of the map without one", async () => {
    const page = await openMap(`?at=${at(22, 5)}&floor=0`);
    await click(chip("restroom"));
    assert.deepEqual(texts(".distance-origin"), ["Distances from the pin"]);
    await click(".map-pin");
    assert.deepEqual(texts(".distance-origin"), ["Distances from the middle of the map"]);
    page.map.jumpTo({ center: at(25, 55), zoom: 21 });
    assert.equal(idsOf()[0], id("amenity 0 restroom female"));
    page.map.jumpTo({ center: at(25, 5), zoom: 21 });
    assert.equal(idsOf()[0], id("amenity 0 restroom male"));
});

test("walls with a name are no places, other rooms with a name are", async () => {
    const page = await openMap("", { server: { edit: edits(
        without((feature) => [shop(0, 1), shop(0, 2)].includes(feature.id)),
        set(room(1), { category: "wall", name: { en: "Partition" } }), set(room(2), { category: "office", name: { en: "Back office" } })) } });
    await showWholeList();
    assert.ok(names().includes("Back office") && !names().includes("Partition"));
    assert.ok(!page.venueMap.labels.some(({ place }) => place.name === "Partition"));
});

test("the nearest facility is searched on other floors if the floor has none", async () => {
    const isDown = (feature, level) => level === id("level 0") && isFacility("restroom")(feature);
    const edit = edits(without((feature, level) => isDown(feature, level) && feature.feature_type === "amenity"), set(isDown, { category: "room" }));
    await openMap("", { server: { ordinals: [0, 1], edit } });
    await openPlace(shop(0));
    await nearest();
    await until(() => listTitle() === "2 found");
    assert.equal($$(".places-floor").length, 1);
    assert.match($(".search-elsewhere").textContent, /On other floors/);
});

for (const [language, elsewhere] of [["en", /On other floors/], ["ja", /ほかの/]]) {
    test(`facilities of other floors can be asked for on a floor without any, in ${language}`, async () => {
        const isBelow = (feature, level) => level !== id("level 1") && isFacility("restroom")(feature);
        const isAmenityBelow = (feature, level) => feature.feature_type === "amenity" && isBelow(feature, level);
        const server = { edit: edits(without(isAmenityBelow), set(isBelow, { category: "room" })) };
        await openMap("", { server, language });
        assert.ok($(chip("shower")), "while floors are missing, all kinds are offered");
        await click(chip("restroom"));
        await until(() => $(".places-floor"));
        assert.deepEqual([$$(".places-floor").length, $$(".place").length], [1, 2]);
        assert.match($(".search-elsewhere").textContent, elsewhere);
        assert.equal($(".floors [data-ordinal='1']").dataset.found, "2");
        assert.equal($(chip("shower")), null, "no floor has one, and all are known now");
        await click(chip("restroom"));
        await openFloor(-1);
        await click(chip("restroom"));
        assert.equal($$(".places-floor").length, 1);
    });
}

test("categories are never shown as they are written", async () => {
    const written = ["boardinggate.aircraft", "zzunknown.thing"];
    const page = await openMap("", { server: { edit: set("occupant", (_, index) => ({ category: written[index % 2] })) } });
    await showWholeList();
    const text = $(".panel-body").textContent;
    assert.match(text, /Boarding gate/);
    assert.match(text, /Place/);
    assert.doesNotMatch(text, /boardinggate|zzunknown|group\./i);
    assert.ok($(".place .swatch.other"), "not a shop");
    const groups = new Set(drawnGroups(page.map).values());
    assert.ok(groups.has("other") && !groups.has("shop"), [...groups]);
});

test("names in other writing directions are isolated, without control characters, in the list and on the card", async () => {
    await openMap("", { server: { edit: set("occupant", { name: { en: "\u202eמקס 12", ar: "مقهى 5", he: "קפה 7" } }) } });
    const [row] = $$(".place").filter(({ textContent }) => textContent.includes("מקס"));
    assert.equal(row.querySelector(".place-name").localName, "bdi");
    await click(row);
    assert.deepEqual($$(".place-card .other-names bdi").map(({ textContent }) => textContent), ["مقهى 5", "קפה 7"]);
    assert.equal($("#place-name").dir, "auto");
});

test("every place of a known group has a pictogram, and facilities have those of the cartography", async () => {
    const { venueMap: { places } } = await openMap();
    assert.deepEqual(places.filter(({ group, pictogram }) => group !== "other" && pictogram === "other"), []);
    const groups = new Set(places.map(({ group }) => group));
    for (const group of ["food", "shop", "service", "restroom", "vertical"]) assert.ok(groups.has(group), group);
    const facilities = places.filter(({ facility, category }) => facility && categories[category]?.icon);
    assert.ok(facilities.length >= 3);
    for (const { category, pictogram } of facilities) assert.equal(pictogram, categories[category].icon);
});

/** Gives the rooms of the ground floor categories, without shops and amenities; returns the ids of the rooms by category. */
function rooms(wanted) {
    const ids = Object.fromEntries(wanted.map((category, index) => [category, room(index)]));
    const edit = edits(
        without((feature, level) => ["occupant", "amenity"].includes(feature.feature_type) && (level === id("level 0") || level === null)),
        set((feature, level) => level === id("level 0") && isFacility("restroom", "elevator", "stairs")(feature), { category: "room" }),
        set((feature) => Object.values(ids).includes(feature.id), ({ id: own }) => ({ category: wanted.find((each) => ids[each] === own) })));
    return { ids, edit };
}

test("units have the pictograms that tiles draw for them, and others have none", async () => {
    const marked = Object.keys(categories).filter((category) => categories[category].marks_units).sort();
    for (const each of ["shower", "smokingarea", "lift", "staircase", "escalator", "wc", "nursingroom"]) assert.ok(marked.includes(each), each);
    for (let first = 0; first < marked.length; first += 24) {
        const some = marked.slice(first, first + 24);
        const { ids, edit } = rooms([...some, "office", "library"]);
        const page = await openMap("", { server: { ordinals: [0], edit } });
        for (const category of some) {
            const place = placeOf(page, ids[category]);
            assert.deepEqual([category, place?.isMarked, place?.pictogram], [category, true, categories[category].icon]);
            assert.ok(place.facility, category);
        }
        for (const category of some.slice(0, 6)) {
            page.map.jumpTo({ center: placeOf(page, ids[category]).point, zoom: 21 });
            await settle();
            const [label] = page.venueMap.labels.filter(({ place: { unit } }) => unit === ids[category]);
            const { image: { width, height }, left, right, top, bottom, place } = label;
            const { x, y } = page.map.project(place.point);
            assert.ok(width === height && Math.hypot((left + right) / 2 - x, (top + bottom) / 2 - y) < 1, `a pictogram in the unit: ${category}`);
        }
        // Tiles do not mark these, although their categories have icons elsewhere.
        for (const each of ["office", "library"]) assert.equal(placeOf(page, ids[each]), undefined, each);
    }
});

test("units with any category of a facility are found by its filter", async () => {
    const kinds = {
        restroom: ["wc", "toilet", "toilets", "restroom.family"], elevator: ["lift"], stairs: ["staircase"], escalator: ["escalator"],
        shower: ["shower"], smoking: ["smokingroom"],
    };
    const { ids, edit } = rooms(Object.values(kinds).flat());
    await openMap("", { server: { ordinals: [0], edit } });
    for (const [kind, expected] of Object.entries(kinds)) {
        await click(chip(kind));
        assert.deepEqual(idsOf().sort(), expected.map((category) => ids[category]).sort(), kind);
        await click(chip(kind));
    }
});

test("occupants that are facilities are found once by the filter, the nearest first, and their card leads to no restroom", async () => {
    const kinds = { elevator: ["elevator", "lift"], stairs: ["stairs", "staircase"], escalator: ["escalator"], restroom: ["restroom.unisex", "wc"] };
    const wanted = Object.fromEntries(Object.keys(kinds).map((kind, index) => [kind, [0, 1, 2, 3].map((each) => 4 * index + each)]));
    const entriesOf = Object.entries(wanted).flatMap(([kind, numbers]) => numbers.map((number, index) => [number, kind, index]));
    // Some are in a room, others in a unit of the same kind, which is the same facility.
    const edit = edits(
        without(ofType("amenity")), set(all(ofType("unit"), isFacility("restroom", "elevator", "stairs")), { category: "room" }),
        ...entriesOf.flatMap(([number, kind, index]) => [
            set(shop(0, number), { category: kinds[kind][index % kinds[kind].length] }),
            set(room(number), { category: index % 2 === 0 ? "room" : kinds[kind][0] }),
        ]));
    await openMap("", { server: { ordinals: [0], edit } });
    for (const [kind, numbers] of Object.entries(wanted)) {
        await click(chip(kind));
        assert.deepEqual(idsOf().sort(), numbers.map((number) => shop(0, number)).sort(), kind);
        const distances = texts(".distance").map((text) => Number(text.replace(/\D/g, "")));
        assert.deepEqual(distances, distances.toSorted((a, b) => a - b));
        await click(chip(kind));
    }
    await openPlace(shop(0, 20));
    await nearest();
    assert.equal(listTitle(), "4 found");
    await click(".place");
    assert.ok(card() && !$(".place-actions").textContent.includes("Nearest restroom"));
});

test("the nearest restroom is listed first, with its distance from the place of the card, and its filter is chosen", async () => {
    const page = await openMap();
    await openPlace(shop(0));
    const from = placeOf(page, shop(0)).point;
    await nearest();
    const distances = texts(".distance").map((text) => Number(text.replace(/[^\d]/g, "")));
    assert.deepEqual(distances, idsOf().map((each) => Math.round(metres(from, placeOf(page, each).point))));
    assert.deepEqual(distances, distances.toSorted((a, b) => a - b));
    assert.equal($(chip("restroom")).getAttribute("aria-pressed"), "true");
    assert.equal(asked(page.server, "/venues/mall/search").length, 0);
});

test("the nearest restroom is selected on the map, which shows it and the place of the card", async () => {
    const page = await openMap();
    await openPlace(shop(0));
    page.map.jumpTo({ center: placeOf(page, shop(0)).point, zoom: 22 });
    await nearest();
    const [first] = idsOf();
    for (const each of [shop(0), first]) {
        const { x, y } = page.map.project(placeOf(page, each).point);
        assert.ok(x > 380 && x < 1280 - 60 && y > 0 && y < 744, `${each} is at ${x}, ${y}`);
    }
    const selected = page.map.queryRenderedFeatures().filter(({ source, properties }) => source === "highlights" && properties.state === "selected");
    assert.deepEqual([...new Set(selected.map(({ properties }) => properties.id))], [placeOf(page, first).unit]);
});

test("a restroom that is a named unit and an amenity is listed once", async () => {
    const isUnit = (feature) => feature.feature_type === "unit" && isFacility("restroom")(feature);
    await openMap("", { server: { edit: set(isUnit, { name: { en: "Restroom by the gates" } }) } });
    await click(chip("restroom"));
    assert.equal(listTitle(), "2 found");
});

test("an occupant without a category is of the kind of its room", async () => {
    await openMap("", { server: { edit: edits(
        set(shop(0), { category: null }), set(shop(0, 1), { category: null }), set(room(0), { category: "classroom" })) } });
    await showWholeList();
    const kinds = texts(".place-sub");
    assert.ok(kinds.some((text) => text.startsWith("Classroom")), kinds.join());
    assert.ok(kinds.some((text) => text.startsWith("Shop")), kinds.join());
});

test("the label of an amenity is where it is, not in the middle of the unit that it names", async () => {
    // The unit may be a long walkway.
    const walkway = id("unit 0 walkway");
    const page = await openMap("", { server: { edit: edits(
        set((feature) => feature.feature_type === "amenity" && feature.properties.category !== "stairs", { unit_ids: [walkway] }),
        set(id("amenity 0 elevator"), { category: "seating", name: { en: "Bench" } }),
        (entries) => { entries.find(({ feature }) => feature.id === id("amenity 0 elevator")).feature.geometry.coordinates = at(20, 30); }) } });
    page.map.jumpTo({ center: placeOf(page, id("amenity 0 elevator")).point, zoom: 19 });
    await settle();
    const boxes = page.venueMap.labels.filter(({ place }) => place.kind === "amenity" && place.unit === walkway);
    for (const { place, left, right, top, bottom } of boxes) {
        const { x, y } = page.map.project(place.point);
        assert.ok(Math.hypot((left + right) / 2 - x, (top + bottom) / 2 - y) < 1, place.name);
    }
    assert.deepEqual(new Set(boxes.map(({ place }) => place.isMarked)), new Set([true, false]), "pictograms and names");
});

test("counts of one are singular", async () => {
    const { localized } = await import("../../Sources/WebConsole/Web/localization/localization.js");
    assert.equal(localized("venues.facts", { levels: 1, features: "1" }), "1 floor · 1 feature");
});
