// The types and the README agree with the code.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import * as client from "@venuesync/client";
import * as files from "@venuesync/client/files";

import { block, feature, ground, page, snapshot, uuid } from "./support/pages.js";
import { scriptedReplica } from "./support/replicas.js";

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
    const hours = feature("a1", "occupant", { name: { ja: "カフェ" }, hours: "24/7" });
    const { replica } = await scriptedReplica([
        page(null, 1, "one", [snapshot(ground, hours)]), page(1, 2, "two", [block(ground, "changes", [], [], [uuid("a1")])])]);
    await replica.sync();
    const names = ["VenueMap", "GeoJSONSources", "applyUpdates", "replica", "level", "maplibre", "addLayers"];
    const run = new Function(...names, `${code}; return { floors, found, lifts, state, nextChange };`);
    const values = run(client.VenueMap, client.GeoJSONSources, client.applyUpdates, replica, ground, { addSource() {}, getSource() {} }, () => {});
    assert.deepEqual([values.found.length, values.state, values.lifts], [1, "unknown", []]);
    await replica.sync();
});

test("the README begins with a program of ten lines", async () => {
    const [, code] = /```js\n([^]*?)```/.exec(await read("README.md"));
    assert.equal(code.trimEnd().split("\n").length, 10);
});
