// The types and the README agree with the code.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import * as client from "@venuesync/client";
import * as files from "@venuesync/client/files";

import { block, feature, first, ground, page, snapshot, uuid } from "./support/pages.js";
import { instantPolicy, scriptedReplica } from "./support/replicas.js";
import { ScriptedFetch, server } from "./support/scripted-fetch.js";

const read = (path) => readFile(new URL(`../${path}`, import.meta.url), "utf8");
const types = { index: await read("types/index.d.ts"), files: await read("types/files.d.ts") };

test("types declare exactly the exported classes and functions", () => {
    for (const [name, module] of Object.entries({ index: client, files })) {
        const declared = [...types[name].matchAll(/^export (?:class|function) (\w+)/gm)].map(([, each]) => each);
        assert.deepEqual(declared.sort(), Object.keys(module).sort());
    }
});

test("types declare every public method and accessor of the exported classes", () => {
    const inherited = ["constructor"];
    for (const [name, text] of Object.entries(types)) {
        for (const [exported, value] of Object.entries(name === "index" ? client : files)) {
            if (!/^class/.test(value.toString())) continue;
            const [declaration] = text.match(new RegExp(`^export class ${exported} [^]*?^}`, "m"));
            const members = [...Object.getOwnPropertyNames(value.prototype), ...Object.getOwnPropertyNames(value).filter((each) => typeof value[each] === "function")];
            for (const member of members.filter((each) => !inherited.includes(each) && each !== "attempting")) {
                assert.match(declaration, new RegExp(`\\b${member}\\b`), `${exported}.${member}`);
            }
        }
    }
});

test("the README's program for a map runs", async () => {
    const [, code] = [...(await read("README.md")).matchAll(/```js\n([^]*?)```/g)][1];
    const cafe = feature("a1", "occupant", { name: { ja: "カフェ" }, hours: "24/7" });
    const floor = feature("f0", "level", { ordinal: 0 });
    const lift = JSON.stringify({ ...JSON.parse(feature("a2", "amenity", { category: "elevator", unit_ids: [uuid("b1"), uuid("b2")] })),
        geometry: { type: "Point", coordinates: [139.7, 35.6] } });
    const [room, upstairs] = [feature("b1", "unit", { level_id: ground }), feature("b2", "unit", { level_id: first })];
    const removed = block(ground, "changes", [room], [], [uuid("a1")]);
    const responses = [
        page(null, 1, "one", [snapshot(null, lift, floor), snapshot(ground, cafe, room), snapshot(first, upstairs)]),
        page(1, 2, "two", [removed])];
    const { replica } = await scriptedReplica(responses);
    await replica.sync();
    const drawn = [];
    const maplibre = { addSource: (id, { data }) => drawn.push([id, data.features.length]), getSource() {} };
    const names = ["VenueMap", "GeoJSONSource", "applyUpdate", "replica", "level", "maplibre", "addLayers"];
    const run = new Function(...names, `${code}; return { floors, cafe, lifts, hours, current: () => map };`);
    const runFor = (replica) => run(client.VenueMap, client.GeoJSONSource, client.applyUpdate, replica, ground, maplibre, () => {});
    const values = runFor(replica);
    assert.deepEqual([values.floors.length, values.cafe.id, values.hours.state, values.lifts.length], [1, uuid("a1"), "unknown", 1]);
    assert.deepEqual(drawn, [["floor", 1]], "a lift that touches the level is drawn with it");
    await replica.sync();
    assert.deepEqual(values.current().search("ｶﾌｪ"), [], "the map follows");
    assert.deepEqual([runFor(replica).cafe, runFor(replica).hours], [undefined, undefined], "nothing is found");
});

test("the README's first program starts without a network, and shows what it and others store", async () => {
    const [, code] = /```js\n([^]*?)```/.exec(await read("README.md"));
    const store = new client.MemoryReplicaStore();
    const unit = (name) => feature("a1", "unit", { category: "room", name: { ja: name } });
    const printed = [];
    let [isWaiting, respond] = [];
    const waiting = new Promise((resolve) => { isWaiting = resolve; });
    const changed = () => page(1, 2, "two", [block(ground, "changes", [unit("b")], [unit("b")])]);
    const network = new ScriptedFetch([
        new TypeError("no network"), page(null, 1, "one", [snapshot(ground, unit("a"))]),
        async () => {
            const { replica } = await scriptedReplica([changed()], { store });
            await replica.sync();
            return changed();
        },
        () => new Promise((resolve) => {
            respond = resolve;
            isWaiting();
        }),
    ]);
    const open = (options) => client.VenueReplica.open({ ...options, server, store, fetch: network.fetch, policy: instantPolicy() });
    const Program = (async () => {}).constructor;
    const program = new Program("VenueReplica", "FileReplicaStore", "console", code.replace(/^import .*$/gm, ""));
    const ended = program({ open }, class {}, { log: (...values) => printed.push(values) });
    await Promise.race([waiting, ended.then(() => assert.fail("the program has ended"))]);
    assert.deepEqual(printed, [["unit", ground, "room", "a"], ["revision", 2, ["changed"]]]);
    assert.deepEqual(network.requests.map(({ level }) => level[0]), Array(4).fill("ordinal:0"));
    store.commit = async () => { throw new client.SyncError("file", "the store was deleted"); };
    respond(page(2, 3, "three", [block(ground, "changes", [unit("c")], [unit("c")])]));
    await assert.rejects(ended, { kind: "file" });
});

test("the README installs the package by a path: npm takes a/b for a repository on GitHub", async () => {
    const [, path] = /^npm install (.*)$/m.exec(await read("README.md"));
    assert.match(path, /^\.\/dist\//);
});

test("the README begins with a program of ten lines", async () => {
    const [, code] = /```js\n([^]*?)```/.exec(await read("README.md"));
    assert.equal(code.trimEnd().split("\n").length, 10);
});
