import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

test("every file with tests is part of exactly one process", () => {
    const folder = new URL("processes/", import.meta.url);
    const loaded = readdirSync(folder).flatMap((name) =>
        [...readFileSync(new URL(name, folder), "utf8").matchAll(/(?<=^ .*)"([a-z-]+)"/gm)].map(([, file]) => `${file}.test.js`));
    const files = readdirSync(new URL(".", import.meta.url)).filter((name) => name.endsWith(".test.js"));
    assert.deepEqual(loaded.sort(), files.sort());
});
