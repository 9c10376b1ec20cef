// Routes of a replica: one call, the bytes of the server, and only changed floors prepared again.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";

import { WayfindingMap } from "@venuesync/client";

import { block, page, snapshot } from "./support/pages.js";
import { scriptedReplica } from "./support/replicas.js";

const shared = JSON.parse(await readFile(new URL("../../../Tests/Conformance/venue-routes.json", import.meta.url), "utf8"));

const bodyOf = ({ id, type, properties, geometry }) => JSON.stringify({ feature_type: type, geometry, id, properties, type: "Feature" });

/** The bodies of each level; null is the venue-wide part. */
function bodiesByLevel(features) {
    const levels = new Map([[null, []]]);
    for (const feature of [...features].sort((one, other) => (one.id < other.id ? -1 : 1))) {
        const level = feature.properties.level_id ?? null;
        levels.set(level, [...(levels.get(level) ?? []), bodyOf(feature)]);
    }
    return levels;
}

async function replicaOf(held, timeZone, changes = []) {
    const levels = bodiesByLevel(shared.features);
    const blocks = [null, ...held].map((level) => snapshot(level, ...levels.get(level)));
    const about = { language: shared.language, time_zone: timeZone };
    const { replica } = await scriptedReplica([page(null, shared.revision, "a", blocks, { about }), ...changes]);
    await replica.sync();
    return replica;
}

test("the route of a replica has the bytes of all clients and of the server", async () => {
    assert.ok(shared.questions.length > 10);
    for (const { response, held, time_zone: timeZone, at, ...query } of shared.questions) {
        const replica = await replicaOf(held, timeZone);
        assert.equal(JSON.stringify(await replica.route({ ...query, at: new Date(at) })), JSON.stringify(response));
    }
});

test("the nearest features take opening hours into account", async () => {
    const [first] = shared.questions;
    const replica = await replicaOf(first.held, "Asia/Tokyo");
    const shops = shared.features.filter(({ properties }) => properties.category === "room").map(({ id }) => id);
    const near = async (at) => (await replica.nearest({ from: first.from, features: shops, at: new Date(at), limit: 9 })).map(({ feature }) => feature);
    const [day, night] = [await near("2031-03-10T03:00:00Z"), await near("2031-03-10T15:00:00Z")];
    assert.ok(day.length > night.length && night.length > 0, `${day.length} by day, ${night.length} at night`);
    replica.discardRoutes();
    assert.deepEqual(await near("2031-03-10T03:00:00Z"), day);
});

test("the travel times of the venue count", async () => {
    const [first] = shared.questions;
    const times = { walk_speed: 0.6, elevator_seconds: 0, elevator_seconds_per_level: "fast" };
    const levels = bodiesByLevel(shared.features);
    const blocks = [null, ...first.held].map((level) => snapshot(level, ...levels.get(level)));
    const about = { language: "en", time_zone: "Asia/Tokyo", wayfinding: times };
    const { replica } = await scriptedReplica([page(null, shared.revision, "a", blocks, { about })]);
    await replica.sync();
    assert.deepEqual(replica.state.about.wayfinding, times);
    const route = await replica.route({ ...first, profile: "walk", at: new Date(first.at) });
    const [usual, slow] = [first.response, route].map(({ legs }) => legs.filter(({ mode }) => mode === "walk"));
    assert.ok(slow.every(({ duration, distance }) => Math.abs(duration - distance / 0.6) < 2));
    assert.ok(usual.every(({ duration, distance }) => Math.abs(duration - distance / 1.2) < 2));
    const lift = await replica.route({ ...first, profile: "step-free", at: new Date(first.at) });
    // A value that cannot be used is as usual: one floor takes 20 seconds.
    assert.deepEqual(lift.legs.filter(({ mode }) => mode === "elevator").map(({ duration }) => duration), [20]);
});

test("after a change set, routes are those of the new revision", async () => {
    const [first] = shared.questions;
    const door = shared.features.find(({ type, properties }) => type === "opening" && properties.hours);
    const rest = bodiesByLevel(shared.features).get(door.properties.level_id).filter((body) => !body.includes(door.id));
    const change = page(shared.revision, shared.revision + 1, "b", [block(door.properties.level_id, "changes", rest, [], [door.id])]);
    const replica = await replicaOf(first.held, "Asia/Tokyo", [change]);
    const question = { ...first, at: new Date(first.at) };
    assert.equal((await replica.route(question)).status, "route");
    await replica.sync();
    const answer = await replica.route(question);
    assert.deepEqual([answer.status, answer.revision], ["unknown", shared.revision + 1]);
    assert.equal(answer.reasons[0].code, "no-opening");
});

test("a map that cannot be made does not discard the one of a newer revision", async (context) => {
    const [first] = shared.questions;
    const question = { ...first, at: new Date(first.at) };
    const change = page(shared.revision, shared.revision + 1, "b", [], { about: { language: "ja", time_zone: "Asia/Tokyo" } });
    const replica = await replicaOf(first.held, "Asia/Tokyo", [change]);
    const { build } = WayfindingMap;
    let fail;
    const failing = new Promise((_, reject) => { fail = reject; });
    const { mock: builds } = context.mock.method(WayfindingMap, "build", (...values) => build.apply(WayfindingMap, values));
    builds.mockImplementationOnce(() => failing);
    const older = replica.route(question);
    while (builds.callCount() === 0) await setImmediate();
    await replica.sync();
    assert.equal((await replica.route(question)).revision, shared.revision + 1);
    fail(new Error("no memory"));
    await assert.rejects(older, /no memory/);
    assert.equal((await replica.route(question)).status, "route");
    assert.equal(builds.callCount(), 2);
});

test("a map after changes takes over the floors that are the same, and equals a new one", () => {
    const { features, language } = shared;
    const former = new WayfindingMap(features, { language });
    assert.deepEqual(former.mesh.computedOrdinals, [0, 1]);
    const changed = features.filter(({ id }) => id !== "00000000-0000-4000-8000-000000000014")
        .map((each) => (each.type === "unit" ? { ...each, properties: { ...each.properties, hours: "24/7" } } : each));
    const [reused, fresh] = [new WayfindingMap(changed, { language, former }), new WayfindingMap(changed, { language })];
    assert.deepEqual(reused.mesh.computedOrdinals, [0]);
    for (const key of Object.keys(fresh.mesh).filter((each) => each !== "computedOrdinals")) assert.deepEqual(reused.mesh[key], fresh.mesh[key], key);
    const again = new WayfindingMap(changed, { language, former: reused });
    assert.deepEqual(again.mesh.computedOrdinals, []);
    assert.deepEqual(again.mesh.links, fresh.mesh.links);
});
