import "./support/page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
const { isStyleAddress, isTileTemplate, webAddress } = await import("../../Sources/WebConsole/Web/desk/manage/web-address.js");
const { mayLoad } = await import("../../Sources/WebConsole/Web/map/page-origins.js");

// The rules are those of the server, which BasemapTests.swift tests.
for (const [text, origin] of [
    ["https://tiles.example.com/style.json", "https://tiles.example.com"], ["https://Tiles.Example.com:443/a", "https://tiles.example.com"],
    ["https://tiles.example.com:8443?key=1", "https://tiles.example.com:8443"], ["https://192.0.2.1/", "https://192.0.2.1"], ["/basemap/style.json", null],
]) {
    test(`address ${text} is that of ${origin ?? "this server"}`, () => assert.deepEqual(webAddress(text), { origin }));
}

for (const text of [
    "", "http://example.com/", "//example.com/", "https://", "https://user@example.com/", "https://example.com/#a", "https://example.com:0/",
    "https://example.com:65536/", "https://2130706433/", "https://192.0.2.01/", "https://exa mple.com/", "https://example..com/", "https://-a.example/",
    "javascript:alert(1)", "logo.svg", "https://例え.jp/",
]) {
    test(`“${text}” is no address`, () => assert.equal(webAddress(text), null));
}

test("tiles have placeholders, and styles have none", () => {
    assert.ok(isTileTemplate("/{z}/{x}/{y}{ratio}.png"));
    assert.ok(!isTileTemplate("/{z}/{x}.png"));
    assert.ok(!isTileTemplate("/{z}/{x}/{y}/{other}"));
    assert.ok(isStyleAddress("/style.json"));
    assert.ok(!isStyleAddress("/{z}.json"));
});

test("page may load what its address names", () => {
    const query = "?venue=mall&image=https://a.example&basemap=https://b.example&code=00";
    assert.deepEqual(["https://a.example", "https://b.example", "https://c.example", null].map((origin) => mayLoad("image", origin, query)), [true, true, false, true]);
    assert.deepEqual(["https://a.example", "https://b.example", "https://c.example", null].map((origin) => mayLoad("basemap", origin, query)), [false, true, false, true]);
});
