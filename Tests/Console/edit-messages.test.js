// The messages of the editor.

import "./support/page.js";
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const web = new URL("../../Sources/WebConsole/Web/", import.meta.url);
const read = async (language) => ({
    ...(await import(`${web}localization/${language}.js`)).default, ...(await import(`${web}localization/editing/${language}.js`)).default,
});
const [en, ja] = [await read("en"), await read("ja")];
const namesOf = (messages) => Object.keys(messages).filter((name) => name.startsWith("edit.")).sort();

test("messages of the editor are the same in both languages, with the same placeholders", () => {
    assert.deepEqual(namesOf(ja), namesOf(en));
    const placeholders = (text) => (typeof text === "string" ? [...text.matchAll(/\{\w+\}/g)].map(String).sort() : "function");
    for (const name of namesOf(en)) {
        if (typeof en[name] === "string") assert.deepEqual(placeholders(ja[name]), placeholders(en[name]), name);
    }
});

test("messages that the editor uses exist", () => {
    const sources = ["map/editing/", "desk/overrides/"].flatMap((folder) =>
        readdirSync(new URL(folder, web)).filter((name) => name.endsWith(".js")).map((name) => readFileSync(new URL(folder + name, web), "utf8"))).join("");
    const used = new Set([...sources.matchAll(/localized\("(edit\.[A-Za-z_.]+)"/g)].map(([, name]) => name));
    assert.ok(used.size > 50);
    assert.deepEqual([...used].filter((name) => !(name in en)), []);
});
