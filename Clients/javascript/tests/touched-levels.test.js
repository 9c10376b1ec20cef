// The levels that venue-wide features touch: those of all clients, and work that does not grow with what is shared.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { VenueMap } from "@venuesync/client";

import { TouchedLevels } from "../src/map/touched-levels.js";
import { ReplicaFeature } from "../src/sync/feature.js";
import { uuid } from "./support/pages.js";

const shared = JSON.parse(await readFile(new URL("../../../Tests/Conformance/touched-levels.json", import.meta.url), "utf8"));
const id = (number) => uuid(String(number));
const range = (count, start) => Array.from({ length: count }, (_, index) => start + index);

function entry(number, type, properties = {}, level = null) {
    const body = { feature_type: type, geometry: null, id: id(number), properties, type: "Feature" };
    return new ReplicaFeature(id(number), type, level === null ? null : id(level), JSON.stringify(body));
}

const referring = (number, targets) => entry(number, "hub", { all: targets.map(id) });
const byID = (features) => new Map(features.map((feature) => [feature.id, feature]));

test("venue-wide features touch the levels of all clients", () => {
    const features = shared.features.map((each) => entry(each.number, each.feature_type, each.properties, each.level));
    assert.ok(shared.touched.length > 15);
    for (const own of [features, [...features].reverse()]) {
        const [touched, map] = [new TouchedLevels(byID(own)), new VenueMap(own)];
        for (const [number, levels] of shared.touched) {
            const feature = map.feature(id(number));
            assert.deepEqual(touched.of(feature), levels.map(id), `${number}`);
            for (const level of [1, 2, 3]) {
                const isOn = map.features(feature.type, id(level)).some((each) => each.id === feature.id);
                assert.equal(isOn, levels.includes(level), `${number} on ${level}`);
            }
        }
    }
});

test("the references of a feature are not followed anew for each feature that refers to it", () => {
    const { sources, targets } = shared.shared;
    const units = range(targets, 10_000);
    const hubs = range(sources, 20_000).map((number) => referring(number, [9]));
    const features = byID([entry(1, "level"), ...units.map((number) => entry(number, "unit", {}, 1)), referring(9, units), ...hubs]);
    const touched = new TouchedLevels(features);
    for (const hub of hubs) assert.deepEqual(touched.of(hub), [id(1)]);
    assert.ok(touched.followed <= 3 * (sources + targets), `${touched.followed} references`);
});

test("the memory for sparse references does not grow with the number of levels", () => {
    const levels = range(10_001, 10_000);
    const pairs = levels.slice(1).map((number) => entry(number + 100_000, "relationship", { origin: id(number - 1), destination: id(number) }));
    const touched = new TouchedLevels(byID([...levels.map((number) => entry(number, "level")), ...pairs]));
    pairs.forEach((pair, index) => assert.deepEqual(touched.of(pair), [id(levels[index]), id(levels[index + 1])]));
    assert.equal(touched.kept, 2 * pairs.length);
});

test("a feature that leads to very many levels belongs to the whole venue", () => {
    const levels = range(shared.maximum + 1, 10_000);
    const features = [referring(1, levels.slice(1)), referring(2, levels), referring(3, [1]), referring(4, [1, levels[0]])];
    const touched = new TouchedLevels(byID([...levels.map((number) => entry(number, "level")), ...features]));
    const ids = levels.slice(1).map(id);
    assert.deepEqual(features.map((feature) => touched.of(feature)), [ids, [], ids, []]);
    assert.equal(touched.kept, shared.maximum);
});
