import "./support/page.js";
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
const web = new URL("../../Sources/WebConsole/Web/", import.meta.url);
const names = readdirSync(new URL("localization/desk/en", web)).map((file) => file.replace(".js", ""));

const load = async (language) => Object.assign({}, ...await Promise.all(names.map(async (name) =>
    (await import(new URL(`localization/desk/${language}/${name}.js`, web))).default)));
const messages = { en: await load("en"), ja: await load("ja") };

test("messages of the desk are in both languages", () => {
    assert.ok(names.length > 5);
    assert.deepEqual(Object.keys(messages.en).sort(), Object.keys(messages.ja).sort());
});

test("messages of the desk have the same values in both languages", () => {
    const values = (text) => [...text.matchAll(/\{\w+\}/g)].map(String).sort().join();
    const different = Object.keys(messages.en).filter((name) => [messages.en, messages.ja].every((each) => typeof each[name] === "string")
        && values(messages.en[name]) !== values(messages.ja[name]));
    assert.deepEqual(different, []);
});

test("messages that the desk uses exist", () => {
    const files = readdirSync(new URL("desk", web), { recursive: true }).filter((file) => file.endsWith(".js"));
    const used = files.flatMap((file) => [...readFileSync(new URL(`desk/${file}`, web), "utf8").matchAll(/"(desk\.[A-Za-z.]+)"/g)].map(([, name]) => name));
    assert.ok(used.length > 200);
    assert.deepEqual(used.filter((name) => !(name in messages.en)), []);
});

test("titles of rules are those of the rule book", () => {
    // A test of the server compares the table with its rule book.
    const table = readFileSync(new URL("../../docs/operate/rules.md", import.meta.url), "utf8");
    const rules = [...table.matchAll(/^\| ([A-Z]{2}-\d{2}) \| \w+ \| (.*?) \| /gm)].map(([, rule, title]) => [`rule.${rule}`, title]);
    assert.ok(rules.length > 100);
    const own = Object.entries(messages.en).filter(([name]) => name.startsWith("rule."));
    assert.deepEqual(Object.fromEntries(own), Object.fromEntries(rules));
});
