import assert from "node:assert/strict";
import { test } from "node:test";

import { GeoJSONSource, VenueMap, applyUpdate, placesOf } from "@venuesync/client";

import { ReplicaFeature } from "../src/sync/feature.js";
import { uuid } from "./support/pages.js";

const id = (number) => uuid(String(number));

function entry(number, type, properties, { level = null, geometry = null } = {}) {
    const body = { feature_type: type, geometry, id: id(number), properties, type: "Feature" };
    return new ReplicaFeature(id(number), type, level === null ? null : id(level), JSON.stringify(body));
}

const point = (x, y) => ({ type: "Point", coordinates: [x, y] });
const square = (x, y, size) => ({
    type: "Polygon", coordinates: [[[x, y], [x + size, y], [x + size, y + size], [x, y + size], [x, y]]],
});

const features = [
    entry(1, "level", { ordinal: 2, short_name: { en: "L2", ja: "２階" } }),
    entry(2, "level", { ordinal: -1, name: { en: "Basement" } }),
    entry(10, "occupant", { name: { en: "Café Crème", ja: "カフェ・クレーム" }, category: "restaurant" }, { level: 1 }),
    entry(11, "occupant", { name: { ja: "ｶﾌｪ" }, anchor_id: id(20) }, { level: 1 }),
    entry(12, "occupant", { name: "THE COFFEE Straße", category: "foodservice.coffee" }, { level: 1 }),
    entry(13, "occupant", { name: { en: "Internetcafe" }, validity: { start: "2031-01-01T00:00:00+09:00" } }),
    entry(14, "unit", { name: { ja: "カフェ" }, alt_name: { en: "Coffee corner" } }, { level: 1, geometry: square(0, 0, 4) }),
    entry(15, "occupant", { name: { ja: "ガスト" } }),
    entry(16, "occupant", { name: { ja: "カスト" } }),
    entry(17, "amenity", { category: "restroom.female", unit_ids: [id(14), id(18)] }, { geometry: point(1, 2) }),
    entry(18, "unit", {}, { level: 2, geometry: square(0, 0, 9) }),
    entry(20, "anchor", { unit_id: id(14) }, { level: 1, geometry: point(139.7, 35.6) }),
    entry(21, "amenity", { category: "restroom" }, { level: 2, geometry: point(1, 2) }),
    entry(22, "amenity", { category: "restroom" }, { level: 1, geometry: point(3, 3) }),
];
const map = new VenueMap(features, { timeZone: "Asia/Tokyo", language: "ja" });
const found = (text, options) => map.search(text, options).map((result) => Number(result.id.slice(-4)));

test("search ignores kana and width", () => {
    for (const text of ["カフェ", "ｶﾌｪ", "かふぇ", " カフェ "]) {
        assert.deepEqual(found(text), [14, 11, 10], text);
        assert.deepEqual(map.search(text).map(({ match }) => match), ["exact", "exact", "prefix"]);
    }
});

test("search distinguishes voiced kana", () => {
    assert.deepEqual([found("がすと"), found("ｶﾞｽﾄ"), found("かすと")], [[15], [15], [16]]);
});

test("search ignores case, accents and punctuation, and better matches come first", () => {
    const cases = {
        CAFE: [10, 13], "cafe creme": [10], "crem caf": [10], strasse: [12], coffee: [14, 12], カフェクレーム: [], "カフェ クレーム": [10],
        "・!": [], "restroom female": [17], 2: [1], "2階": [1],
    };
    for (const [text, expected] of Object.entries(cases)) assert.deepEqual(found(text), expected, text);
});

test("search results have what a list and a map show", () => {
    const [result] = map.search("ｶﾌｪ", { types: ["occupant"] });
    assert.deepEqual(result, {
        id: id(11), type: "occupant", level: id(1), ordinal: 2, point: { position: [139.7, 35.6], rule: "anchor" }, text: "ｶﾌｪ", match: "exact",
    });
    assert.deepEqual(found("cafe", { level: id(1) }), [10]);
    assert.deepEqual(found("female", { level: id(1) }), [17]);
    assert.deepEqual(found("cafe", { limit: 1 }), [10]);
    assert.deepEqual(found("cafe", { limit: -1 }), []);
    const before = new Date("2030-12-31T14:59:59Z");
    assert.deepEqual(found("cafe", { instant: before }), [10]);
    assert.deepEqual(found("cafe", { instant: new Date(before.getTime() + 1000) }), [10, 13]);
});

test("nearest features are on the same level first, then few floors away, then near", () => {
    const nearest = map.nearest(5, "restroom", [3, 3], id(1));
    assert.deepEqual(nearest.map((each) => [Number(each.id.slice(-4)), each.floors]), [[22, 0], [17, 0], [21, -3]]);
    assert.ok(Math.abs(nearest[1].distance - 248_500) < 1_000);
    assert.deepEqual(map.nearest(1, "restroom.female", [3, 3], id(2)).map(({ level }) => level), [id(2)]);
    // On another level of the same floor, as in another building.
    const other = [entry(3, "level", { ordinal: 2 }), entry(23, "amenity", { category: "restroom" }, { level: 3, geometry: point(3, 3) })];
    const near = new VenueMap([...features, ...other]).nearest(2, "restroom", [3, 3], id(1));
    assert.deepEqual(near.map((each) => [Number(each.id.slice(-4)), each.floors]), [[22, 0], [17, 0]]);
    assert.deepEqual(map.nearest(0, "restroom", [3, 3], id(1)), []);
    assert.deepEqual(map.nearest(9, "rest", [3, 3], id(1)), []);
});

const facility = (number, type, category, properties = {}, more = {}) =>
    entry(number, type, { category, ...properties }, { level: 1, ...more });
const twoLevels = [entry(1, "level", { ordinal: 0 }), entry(2, "level", { ordinal: 1 })];
const nearestOf = (category, entries, options) => new VenueMap([...entries, ...twoLevels]).nearest(9, category, [0, 0], id(1), options)
    .map((each) => Number(each.id.slice(-4)));

test("nearest counts units, amenities and occupants of a category", () => {
    for (const category of ["restroom", "elevator", "stairs", "escalator"]) {
        const entries = [
            facility(10, "unit", category, {}, { geometry: square(4, 0, 1) }),
            facility(11, "unit", `${category}.wheelchair`, {}, { geometry: square(2, 0, 1) }),
            facility(12, "unit", "room", {}, { geometry: square(0, 0, 1) }),
            facility(20, "amenity", category, {}, { geometry: point(1, 5) }),
            facility(30, "occupant", category, { display_point: point(0, 1) }),
        ];
        assert.deepEqual(nearestOf(category, entries), [30, 11, 10, 20]);
        assert.deepEqual(nearestOf(category, entries, { types: ["amenity"] }), [20]);
    }
});

test("nearest does not count a unit with an amenity or occupant of the category twice", () => {
    const unit = (number, x, level = 1) => facility(number, "unit", "restroom", {}, { level, geometry: square(x, 0, 1) });
    const entries = [
        unit(10, 0), unit(11, 2), unit(12, 4), unit(13, 6), unit(14, 8), unit(15, 0, 2),
        // Refers to its unit, stands inside it, is an occupant of it.
        facility(20, "amenity", "restroom", { unit_ids: [id(10)] }, { geometry: point(1.5, 0) }),
        facility(21, "amenity", "restroom.male", {}, { geometry: point(2.5, 0.5) }),
        entry(30, "anchor", { unit_id: id(12) }, { level: 1, geometry: point(5.5, 0) }),
        facility(31, "occupant", "restroom", { anchor_id: id(30) }),
        // Of another category, or on another level.
        facility(22, "amenity", "elevator", { unit_ids: [id(13)] }, { geometry: point(6.5, 0.5) }),
        facility(23, "amenity", "restroom", { unit_ids: [id(14)] }, { level: 2, geometry: point(8.5, 0.5) }),
    ];
    assert.deepEqual(nearestOf("restroom", entries), [20, 21, 31, 13, 14, 15, 23]);
    assert.deepEqual(nearestOf("restroom", entries, { types: ["unit"] }), [10, 11, 12, 13, 14, 15]);
});

test("search without a text finds every feature with a name or a category", () => {
    const shops = [0, 1, 2, 3, 4].map((number) => (
        entry(100 + number, "occupant", { name: { en: `Shop ${1000 + number}` }, category: "shop" }, { level: 1 })));
    const venue = new VenueMap([...shops, ...twoLevels, entry(9, "anchor", {}, { level: 1 })]);
    assert.deepEqual(venue.search("").map(({ text }) => text), [1000, 1001, 1002, 1003, 1004].map((number) => `Shop ${number}`));
    assert.deepEqual(venue.search(" \n", { level: id(1) }).map(({ match }) => match), Array(5).fill("prefix"));
    assert.deepEqual([venue.search("", { limit: 2 }).length, venue.search("!"), venue.search("", { types: ["anchor"] })], [2, [], []]);
});

test("the features on a level are the level itself, and all that are on it or touch it", () => {
    assert.deepEqual(map.featuresOn(id(1)).map((feature) => [feature.type, Number(feature.id.slice(-4))]), [
        ["level", 1], ["unit", 14], ["anchor", 20], ["occupant", 10], ["occupant", 11], ["occupant", 12], ["amenity", 17], ["amenity", 22]]);
    assert.deepEqual([map.featuresOn(id(2)).map(({ type }) => type), map.featuresOn(id(99))], [["level", "unit", "amenity", "amenity"], []]);
});

test("features at a position are those that contain it, the smallest first, with amenities and occupants", () => {
    const at = (options) => map.featuresAt([1, 2], id(1), options).map((feature) => Number(feature.id.slice(-4)));
    assert.deepEqual(at(), [17, 11, 14]);
    assert.deepEqual(at({ reach: 1_000_000 }), [17, 22, 11, 14]);
    assert.deepEqual(map.featuresAt([5, 5], id(1)), []);
});

test("floors, names and boxes are those that a floor picker shows", () => {
    assert.deepEqual(map.floors.map(({ ordinal, levels }) => [ordinal, levels[0].shortName]), [[2, "２階"], [-1, "Basement"]]);
    assert.equal(map.shortName(id(1), ["en"]), "L2");
    assert.deepEqual(map.box(id(1)), [0, 0, 139.7, 35.6]);
    assert.deepEqual(map.types(id(1)), ["unit", "anchor", "occupant", "amenity"]);
});

test("the box of a floor at the antimeridian is that of a building", () => {
    const box = (west, east) => ({ type: "Polygon", coordinates: [[[west, 0], [east, 0], [east, 1], [west, 1], [west, 0]]] });
    const cut = (west, east) => ({ type: "MultiPolygon", coordinates: [box(west, 180).coordinates, box(-180, east).coordinates] });
    const boxOf = (...geometries) => new VenueMap(geometries.map((geometry, index) =>
        entry(index + 1, index === 0 ? "level" : "unit", { level_id: id(1) }, { level: index === 0 ? null : 1, geometry }))).box(id(1));
    assert.deepEqual(boxOf(cut(179.5, -179.5)), [179.5, 0, 180.5, 1]);
    assert.deepEqual(boxOf(box(179, 179.5), box(-179.5, -179)), [179, 0, 181, 1]);
    assert.deepEqual(boxOf(box(-179.5, -179), box(179, 179.5), cut(179.5, -179.5)), [179, 0, 181, 1]);
    // Elsewhere nothing changes, neither for a venue at the zero meridian nor for one around the world.
    assert.deepEqual(boxOf(box(-1, 1)), [-1, 0, 1, 1]);
    assert.deepEqual(boxOf(box(-170, -10), box(10, 170)), [-170, 0, 170, 1]);
    assert.deepEqual(boxOf(box(-180, 180)), [-180, 0, 180, 1]);
});

test("a label of invisible characters is no label", () => {
    for (const text of ["", " ", "\u200b", "\u200c\u200d", "\ufeff", "\u2060", "\u00ad", "\u3164", "\u2800", "\u3000\u200e"]) {
        const venue = new VenueMap([entry(1, "unit", { name: { en: text, ja: "室" } }), entry(2, "unit", { name: { en: text } })]);
        assert.equal(venue.name(id(1), ["en"]), "室");
        assert.equal(venue.name(id(2), ["en"]), null);
    }
    assert.equal(new VenueMap([entry(1, "unit", { name: { en: "a\u200b" } })]).name(id(1), ["en"]), "a\u200b");
});

test("label points are strictly inside concave polygons, and on the longest line", () => {
    const ring = [[0, 0], [10, 0], [10, 10], [9, 10], [9, 1], [1, 1], [1, 10], [0, 10], [0, 0]];
    const concave = new VenueMap([
        entry(1, "unit", {}, { geometry: { type: "Polygon", coordinates: [ring] } }),
        entry(2, "opening", {}, { geometry: { type: "MultiLineString", coordinates: [[[0, 0], [1, 0]], [[0, 0], [0, 4]]] } }),
        entry(3, "unit", { display_point: point(5, 5) }, { geometry: { type: "Polygon", coordinates: [ring] } }),
        entry(6, "unit", { display_point: point(9.5, 5) }, { geometry: { type: "Polygon", coordinates: [ring] } }),
        entry(4, "address", {}), entry(5, "unit", {}, { geometry: { type: "Polygon", coordinates: [[["a", 1]]] } }),
    ]);
    const { position: [x, y], rule } = concave.labelPoint(id(1));
    assert.equal(rule, "surface");
    assert.ok(y < 1 || x < 1 || x > 9, `${x} ${y}`);
    const line = concave.labelPoint(id(2));
    assert.equal(line.rule, "line");
    assert.ok(Math.abs(line.position[1] - 2) < 1e-9 && line.position[0] === 0);
    assert.deepEqual(concave.labelPoint(id(6)), { position: [9.5, 5], rule: "display_point" });
    // A display point outside of the area is not used.
    assert.deepEqual(concave.labelPoint(id(3)), concave.labelPoint(id(1)));
    assert.deepEqual([concave.labelPoint(id(4)), concave.labelPoint(id(5))], [null, null]);
});

test("openness is unknown without hours, readable hours or a time zone", () => {
    const shops = [entry(1, "occupant", { hours: "10:00-20:00" }), entry(2, "occupant", { hours: "late" }), entry(3, "occupant", {})];
    const noon = new Date("2031-05-07T03:00:00Z");
    const tokyo = new VenueMap(shops, { timeZone: "Asia/Tokyo" });
    assert.deepEqual(tokyo.openness(id(1), noon), {
        state: "open", comment: null, nextChange: new Date("2031-05-07T11:00:00Z"), isLenient: false,
    });
    assert.deepEqual([2, 3].map((number) => tokyo.openness(id(number), noon).state), ["unknown", "unknown"]);
    assert.deepEqual(new VenueMap(shops).openness(id(1), noon), { state: "unknown", comment: null, nextChange: null, isLenient: false });
    const written = new VenueMap([entry(1, "occupant", { hours: "Mon-Fri 9am to 5pm" })], { timeZone: "Asia/Tokyo" });
    assert.deepEqual(written.openness(id(1), noon), {
        state: "open", comment: null, nextChange: new Date("2031-05-07T08:00:00Z"), isLenient: true,
    });
    assert.deepEqual([written.hours(id(1)).text, written.hours(id(1)).strictText], ["Mon-Fri 9am to 5pm", "Mo-Fr 09:00-17:00"]);
});

test("collections have features with properties and a drawable geometry or null", () => {
    const broken = new VenueMap([
        entry(1, "unit", { name: "a" }, { level: 9, geometry: square(0, 0, 1) }), entry(2, "unit", {}, { level: 9, geometry: { type: "Polygon" } }),
    ]);
    const { features: collected } = broken.collection("unit", id(9), { idProperty: "id" });
    assert.deepEqual(collected.map(({ geometry, properties }) => [geometry?.type, properties.id]), [["Polygon", id(1)], [undefined, id(2)]]);
    assert.equal(broken.collection("unit", id(9), { needsGeometry: true }).features.length, 1);
});

test("places are present occupants, amenities, and kiosks and named units without an occupant", () => {
    const held = new Map([
        entry(1, "unit", { category: "room", name: { en: "Hall" } }, { level: 9, geometry: square(0, 0, 1) }),
        entry(2, "unit", { category: "walkway", name: { en: "Way" } }, { level: 9, geometry: square(1, 0, 1) }),
        entry(3, "unit", { category: "room", name: { en: "Shop room" } }, { level: 9, geometry: square(2, 0, 1) }),
        entry(4, "unit", { category: "room" }, { level: 9, geometry: square(3, 0, 1) }),
        entry(5, "anchor", { unit_id: id(3) }, { level: 9, geometry: point(2.5, 0.5) }),
        entry(6, "anchor", { unit_id: id(2) }, { level: 9, geometry: point(1.5, 0.5) }),
        entry(7, "occupant", { anchor_id: id(5), name: { en: "Shop" } }, { level: 9 }),
        entry(8, "occupant", { anchor_id: id(6), name: { en: "Stand" } }, { level: 9 }),
        entry(9, "occupant", { anchor_id: id(5), validity: { end: "2030-01-01T00:00:00Z" } }, { level: 9 }),
        entry(10, "occupant", { anchor_id: id(99) }, { level: 9 }),
        entry(11, "kiosk", { anchor_id: id(6), name: { en: "Stand" } }, { level: 9, geometry: square(1, 0, 0.2) }),
        entry(12, "amenity", { category: "restroom", unit_ids: [id(4)] }, { level: 9, geometry: point(3, 0) }),
        entry(13, "amenity", {}, { level: 9 }), entry(14, "kiosk", {}, { level: 9, geometry: square(5, 0, 1) }),
        entry(15, "kiosk", { name: { en: "Free stand" } }, { level: 9, geometry: square(6, 0, 1) }),
    ].map((feature) => [feature.id, feature]));
    const venue = { feature: (each) => held.get(each), features: ({ level }) => [...held.values()].filter((feature) => feature.level === level) };
    const found = (instant) => placesOf(venue, [id(9)], { instant, canBeOccupied: (category) => category === "room" })
        .map(({ kind, feature, unit }) => [kind, Number(feature.id.slice(-4)), unit && Number(unit.slice(-4))]);
    const expected = [["shop", 7, 3], ["shop", 8, 11], ["room", 1, 1], ["room", 2, 2], ["amenity", 12, 4], ["kiosk", 15, 15]];
    assert.deepEqual(found(new Date("2030-01-01T00:00:00Z")), expected);
    assert.deepEqual(found(new Date("2029-12-31T23:59:59Z")), [...expected.slice(0, 2), ["shop", 9, 3], ...expected.slice(2)]);
});

/** A map that keeps GeoJSON sources as MapLibre does, with features by the promoted id. */
class FakeMap {
    sources = new Map();

    addSource(id, { promoteId, data }) {
        assert.equal(promoteId, "id");
        this.sources.set(id, new Map(data.features.map((feature) => [feature.properties.id, feature])));
    }

    getSource(name) {
        const source = this.sources.get(name);
        return {
            updateData: ({ remove, add, update }) => {
                for (const each of remove) assert.ok(source.delete(each));
                for (const feature of add) source.set(feature.properties.id, feature);
                for (const { id: each, newGeometry, addOrUpdateProperties } of update) {
                    const properties = Object.fromEntries(addOrUpdateProperties.map(({ key, value }) => [key, value]));
                    source.set(each, { type: "Feature", geometry: newGeometry ?? source.get(each).geometry, properties });
                }
            },
        };
    }
}

test("a GeoJSON source equals the features after random changes, and unchanged features are not sent again", () => {
    let state = 7;
    const random = (limit) => {
        state = (state * 48_271) % 2_147_483_647;
        return state % limit;
    };
    const source = new GeoJSONSource("floor", { propertiesOf: ({ properties }) => ({ name: properties.name }) });
    const fake = new FakeMap();
    const types = ["unit", "kiosk", "amenity"];
    for (let step = 0; step < 200; step += 1) {
        const now = Array.from({ length: random(12) }, () => random(20)).filter((number, index, all) => all.indexOf(number) === index)
            .map((number) => entry(number, types[number % 3], { name: String(random(3)) }, { level: 1, geometry: random(9) === 0 ? null : point(random(3), 0) }));
        const added = [];
        applyUpdate(fake, source.update([...now, ...now.slice(0, 2)]), (id) => added.push(id));
        assert.deepEqual(added, step === 0 ? ["floor"] : []);
        const expected = now.filter(({ geometry }) => geometry);
        const drawn = [...fake.sources.values()].flatMap((source) => [...source.values()]);
        const described = (list) => list.map(({ geometry, properties }) => JSON.stringify([properties.id, properties.feature_type, properties.name, geometry])).sort();
        assert.deepEqual(described(drawn), described(expected.map((each) => ({ ...each.geojson, properties: { ...each.properties, id: each.id, feature_type: each.type } }))));
        for (const each of now) {
            const feature = source.feature(each.id);
            assert.deepEqual(feature && [feature.geometry, feature.properties.id], each.geometry && [each.geometry, each.id]);
        }
        assert.equal(source.update(now), null, "nothing has changed");
    }
});
