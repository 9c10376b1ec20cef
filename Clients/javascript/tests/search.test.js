// The search that all clients have in common, and what that of this client finds besides.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { VenueMap, categoryName, labelText } from "@venuesync/client";

import { ReplicaFeature } from "../src/sync/feature.js";
import { foldedText } from "../src/map/folded-text.js";
import { uuid } from "./support/pages.js";

const read = async (path) => JSON.parse(await readFile(new URL(`../../../${path}`, import.meta.url), "utf8"));
const shared = await read("Tests/Conformance/search.json");
const id = (number) => uuid(String(number));

function entry(number, type, properties, level = null) {
    const body = { feature_type: type, geometry: null, id: id(number), properties, type: "Feature" };
    return new ReplicaFeature(id(number), type, level === null ? null : id(level), JSON.stringify(body));
}

const mapOf = (features) => new VenueMap(features.map((each) => entry(each.number, each.feature_type, each.properties, each.level)));
const found = (map, text, options) => map.search(text, { limit: 1_000, ...options })
    .map((result) => [Number(result.id.slice(-4)), result.match, result.text]);

test("search has the results of all clients, followed by related ones if they are wanted", () => {
    const [map, reversed] = [mapOf(shared.features), mapOf([...shared.features].reverse())];
    assert.ok(shared.cases.length > 50);
    for (const { text, types, results, related } of shared.cases) {
        assert.deepEqual(found(map, text, { types }), results, text);
        assert.deepEqual(found(map, text, { types, isRelated: true }), [...results, ...related], text);
        assert.deepEqual(found(reversed, text, { types, isRelated: true }), [...results, ...related], `${text}, reversed`);
    }
});

test("search finds rooms and floors by number and name, and never another number", () => {
    const map = mapOf(shared.rooms.features.map((each) => (
        { ...each, properties: { ...each.properties, ...(each.buildings && { building_ids: each.buildings.map((number) => id(number)) }) } })));
    assert.ok(shared.rooms.cases.length > 20);
    for (const { text, related } of shared.rooms.cases) assert.deepEqual(found(map, text, { isRelated: true }), related, text);
});

test("search on a level finds what is on it or touches it, without the level itself", () => {
    const map = mapOf(shared.levels.features);
    for (const { text, level, results } of shared.levels.cases) {
        for (const isRelated of [false, true]) assert.deepEqual(found(map, text, { level: id(level), isRelated }), results, `${text} on ${level}`);
    }
});

test("search folds texts as all clients do", () => {
    assert.ok(shared.folded.length > 20);
    for (const [text, folded] of shared.folded) assert.equal(foldedText(text), folded, text);
});

test("a label has the text of all clients", () => {
    for (const [label, languages, text] of shared.labels) {
        assert.equal(entry(1, "unit", { name: label }).name(languages), text, JSON.stringify(label));
        assert.equal(labelText(label, [...languages, "en"]) ?? null, text);
    }
});

test("search forgives one spelling mistake in a word of four letters or more, and no more", () => {
    const map = mapOf([{ number: 1, feature_type: "occupant", level: null, properties: { name: { en: "Starbucks Reserve" }, category: "coffee" } }]);
    const matches = (text) => map.search(text, { isRelated: true }).map(({ match }) => match);
    for (const text of ["starbuks", "strabucks", "starrbucks", "starbocks", "sdarbucks", "strabuc", "reserve starbuks"]) {
        assert.deepEqual(matches(text), ["misspelled"], text);
    }
    for (const text of ["starbks", "strabukcs", "sat", "starbuks xyz"]) assert.deepEqual(matches(text), [], text);
    assert.deepEqual([map.search("starbuks"), matches("star")], [[], ["prefix"]]);
});

test("search with a spelling mistake is not made if there is a related result", () => {
    const features = [{ properties: { category: "elevator" } }, { properties: { name: { en: "Left" } } }];
    const map = mapOf(features.map((each, number) => ({ number, feature_type: "amenity", level: null, ...each })));
    assert.deepEqual(found(map, "lift", { isRelated: true }), [[0, "related", "Lift"]]);
});

test("words for eating and drinking find all places for it, and similar spellings only what is as long", () => {
    const restaurants = ["italian", "japanese.ramen", "restaurant"].map((category) => ({ feature_type: "occupant", properties: { category } }));
    const others = [{ properties: { category: "leathergoods" } }, { properties: { category: "fireextinguisher" } }, { properties: { category: "coffeeteasupplies" } }];
    const map = mapOf([...restaurants, ...others].map((each, number) => ({ number, feature_type: "amenity", level: null, ...each })));
    const numbers = (text) => found(map, text, { isRelated: true }).map(([number]) => number).sort();
    for (const text of ["food", "eat", "Restaurants", "レストラン", "breakfast", "お茶"]) assert.deepEqual(numbers(text), [0, 1, 2], text);
    assert.deepEqual(numbers("coffee"), [5], "the group only if nothing else is found");
    assert.deepEqual([numbers("exit"), numbers("extinguisher")], [[], [4]]);
});

test("money and luggage find what visitors mean by them", () => {
    const categories = ["atm", "bank", "baggageclaim", "baggagestorage", "coinlocker", "shoes"];
    const map = mapOf(categories.map((category, number) => ({ number, feature_type: "amenity", level: null, properties: { category } })));
    const numbers = (text) => found(map, text, { isRelated: true }).map(([number]) => number).sort();
    assert.deepEqual([numbers("money"), numbers("luggage"), numbers("荷物")], [[0, 1], [2, 3, 4], [2, 3]]);
});

test("a category without a name has that of its parent, in English that of its words, or none", () => {
    assert.deepEqual([categoryName("restroom.robots", "ja"), categoryName("carpetstore"), categoryName("carpetstore", "ja")], ["トイレ", "Carpet store", null]);
    assert.deepEqual([categoryName("robots"), categoryName(null), categoryName(""), categoryName("store")], [null, null, null, null]);
});
