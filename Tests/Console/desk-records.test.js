import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as records from "./support/desk-records.js";

const description = readFileSync(new URL("../../Sources/SyncServer/openapi.yaml", import.meta.url), "utf8");

/** The members that a schema of openapi.yaml requires. */
function required(schema) {
    const text = description.slice(description.indexOf("\n  schemas:\n"));
    const [, own] = new RegExp(`\\n    ${schema}:\\n((?:      .*\\n|\\n)+)`).exec(text);
    const [, list] = /^ +required:\s*\[([^\]]*)\]/m.exec(own);
    return list.split(",").map((name) => name.trim()).sort();
}

/** The members of a schema. */
function members(schema) {
    const text = description.slice(description.indexOf("\n  schemas:\n"));
    const [, own] = new RegExp(`\\n    ${schema}:\\n((?:      .*\\n|\\n)+)`).exec(text);
    return new Set([...own.matchAll(/^        (\w+):/gm)].map(([, name]) => name));
}

const samples = {
    Venue: records.venue(), LevelState: records.levelState(records.firstFloor, 0, 5), Settings: records.settings(), Upload: records.upload(1),
    Revision: records.revision(1), Finding: records.finding("TO-02", "error", ""), AccessKey: records.apiKey(1), Override: records.override(1),
    ChangeSummary: records.summary([]), Feature: records.level(1, 0),
};

for (const [schema, sample] of Object.entries(samples)) {
    test(`records of tests have the members of ${schema} in openapi.yaml`, () => {
        const names = Object.keys(sample);
        assert.deepEqual(required(schema).filter((name) => !names.includes(name)), [], "missing members");
        assert.deepEqual(names.filter((name) => !members(schema).has(name)), [], "unknown members");
    });
}

test("records of tests have the members of a change in openapi.yaml", () => {
    const sample = records.change(null, records.level(1, 0), null);
    assert.match(description, new RegExp(`required: \\[${Object.keys(sample).join(", ")}\\]`));
});

test("records of tests have the members of their parts in openapi.yaml", () => {
    const { progress, findings, identity } = records.upload(1);
    for (const part of [progress, findings, identity]) assert.ok(description.includes(`required: [${Object.keys(part).join(", ")}]`), Object.keys(part));
    const [floor] = records.summary([records.change(null, records.level(1, 0), null)]).levels;
    assert.ok(description.includes(`required: [${Object.keys(floor).join(", ")}]`));
});
