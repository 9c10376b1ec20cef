// Maps after changes take over the floors that are the same. After any history they equal new ones: the triangles, what joins floors, and what
// can be reached. With VENUE_LONG_TESTS, of many histories.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import process from "node:process";
import { test } from "node:test";

import { WayfindingMap, reachabilityReport } from "@venuesync/client";

const shared = JSON.parse(await readFile(new URL("../../../Tests/Conformance/wayfinding.json", import.meta.url), "utf8"));
const seeds = process.env.VENUE_LONG_TESTS === undefined ? 6 : 120;
const steps = 16;

/** Random whole numbers below a limit (mulberry32). */
function numbersFrom(seed) {
    let state = seed;
    return (limit) => {
        state = (state + 0x6D2B79F5) | 0;
        let value = Math.imul(state ^ (state >>> 15), 1 | state);
        value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
        return ((value ^ (value >>> 14)) >>> 0) % limit;
    };
}

/** All positions of a geometry, moved by degrees. */
const moved = (geometry, by) => (geometry === null ? null : { ...geometry, coordinates: movedPositions(geometry.coordinates, by) });

const movedPositions = (value, by) => (typeof value[0] === "number" ? [value[0] + by, value[1] - by] : value.map((each) => movedPositions(each, by)));

/** A geometry of a third of the size around the middle of its first ring. */
function shrunk(geometry) {
    const flat = (value) => (typeof value[0] === "number" ? [value] : value.flatMap(flat));
    const positions = flat(geometry.coordinates);
    const middle = [0, 1].map((axis) => positions.reduce((sum, position) => sum + position[axis], 0) / positions.length);
    const scaled = (value) =>
    (typeof value[0] === "number" ? value.map((each, axis) => middle[axis] + (each - middle[axis]) / 3) : value.map(scaled));
    return { ...geometry, coordinates: scaled(geometry.coordinates) };
}

const categories = ["room", "nonpublic", "elevator", "stairs", "column", "ramp", "walkway"];

const levelsOf = (features) => features.filter(({ type }) => type === "level");

/** Changes of features: `number` gives random numbers, `original` are the features at the beginning. */
const changes = {
    "a feature goes": (features, number) => features.toSpliced(number(features.length), 1),
    "all of a level goes": (features, number) => {
        const levels = levelsOf(features);
        const gone = levels[number(Math.max(levels.length, 1))]?.id;
        return levels.length < 2 ? features : features.filter(({ id, properties }) => id !== gone && properties.level_id !== gone);
    },
    "most return": (features, number, original) => original.filter(() => number(20) > 0),
    "a unit or an opening moves": (features, number) => replaced(features, number, ["unit", "opening"], (each) =>
        ({ ...each, geometry: moved(each.geometry, (1 + number(300)) * 1e-8) })),
    "everything moves": (features, number) => {
        const by = (number(3) + 1) * (number(2) === 0 ? 1e-6 : 4e-3);
        return features.map((each) => ({ ...each, geometry: moved(each.geometry, by) }));
    },
    "a level has another ordinal": (features, number) => replaced(features, number, ["level"], (each) =>
        ({ ...each, properties: { ...each.properties, ordinal: number(6) - 1 } })),
    "a unit has another category": (features, number) => replaced(features, number, ["unit"], (each) => ({
        ...each, properties: { ...each.properties, category: categories[number(categories.length)] },
    }), number(2) === 0),
    // The first unit, whose category is changed more often than that of others.
    "a unit lies on another one": (features, number) => {
        const units = features.filter(({ type, geometry }) => type === "unit" && geometry !== null);
        const other = units[number(Math.max(units.length, 1))];
        return other === undefined ? features : replaced(features, number, ["unit"], (each) => ({
            ...each, geometry: shrunk(other.geometry),
            properties: { ...each.properties, level_id: other.properties.level_id, category: categories[number(categories.length)] },
        }), true);
    },
    "an opening has another category": (features, number) => replaced(features, number, ["opening"], (each) => ({
        ...each, properties: { ...each.properties, category: ["pedestrian", "emergencyexit", "pedestrian.principal"][number(3)] },
    })),
    "a feature is on another level": (features, number) => {
        const levels = levelsOf(features);
        return replaced(features, number, ["unit", "opening"], (each) =>
            ({ ...each, properties: { ...each.properties, level_id: levels[number(levels.length)]?.id ?? each.properties.level_id } }));
    },
    "hours and a restriction": (features, number) => replaced(features, number, ["unit", "opening", "relationship"], (each) =>
        ({ ...each, properties: { ...each.properties, hours: "24/7", restriction: "employeesonly" } })),
};

/** The features with one of some types replaced: any, or the first one. */
function replaced(features, number, types, change, isFirst = false) {
    const indices = [...features.keys()].filter((index) => types.includes(features[index].type));
    if (indices.length === 0) return features;
    const index = indices[isFirst ? 0 : number(indices.length)];
    return features.with(index, change(features[index]));
}

function expectSame(reused, fresh, message) {
    for (const key of Object.keys(fresh.mesh).filter((each) => each !== "computedOrdinals")) {
        assert.deepEqual(reused.mesh[key], fresh.mesh[key], `${key} ${message}`);
    }
    for (const key of ["shafts", "stops", "stopsOfSpace", "stopsOfTriangle", "isExhausted"]) {
        assert.deepEqual(reused.shafts[key], fresh.shafts[key], `${key} ${message}`);
    }
    assert.deepEqual(reused.rules, fresh.rules, `obstacles ${message}`);
}

test("after any history of changes a map equals a new one", async () => {
    const names = Object.keys(changes);
    const seen = new Set();
    let takenOver = 0;
    for (let seed = 0; seed < seeds; seed += 1) {
        const number = numbersFrom(seed);
        const { features: original, language } = shared.venues[seed % shared.venues.length];
        let features = original;
        let map = new WayfindingMap(features, { language });
        for (let step = 0; step < steps; step += 1) {
            const name = names[number(names.length)];
            seen.add(name);
            features = changes[name](features, number, original);
            const fresh = new WayfindingMap(features, { language });
            map = new WayfindingMap(features, { language, former: map });
            takenOver += map.mesh.ordinals.length - map.mesh.computedOrdinals.length;
            const message = `after step ${step} of seed ${seed}, ${name}`;
            expectSame(map, fresh, message);
            const [report, expected] = [await reachabilityReport(map, { egress: true }), await reachabilityReport(fresh, { egress: true })];
            assert.equal(JSON.stringify(report), JSON.stringify(expected), message);
        }
    }
    assert.equal(seen.size, names.length);
    // Otherwise nothing was compared but new maps.
    assert.ok(takenOver > seeds, `${takenOver} floors were taken over`);
});
