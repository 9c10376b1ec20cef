import { setOnline } from "./support/browser.js";
import { control, hasNoSpinner, open, visit } from "./support/desk-page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { pass, passUntil, settle, until } from "./support/time.js";
import { DeskService, noResponse } from "./support/desk-service.js";
import { only, textOf } from "./support/page.js";

const alert = () => document.querySelector("#main [role=alert]");
const entry = () => document.getElementById("revision-1");

/** A desk whose network is lost; requests fail while `network.isDown`. */
async function openWithoutNetwork(address, language, network, head = () => new Response(null, { status: 200 })) {
    const service = new DeskService();
    service.start({ "HEAD /": head });
    await open("#/mall/desk", { language });
    const { fetch } = globalThis;
    globalThis.fetch = (path, options) => (network.isDown ? Promise.reject(new TypeError("Failed to fetch")) : fetch(path, options));
    network.isDown = true;
    setOnline(false);
    await visit(address, alert);
    return service;
}

for (const [language, title, text, tryAgain] of [
    ["en", "There is no network connection", "Nothing has been lost. The page continues by itself when the connection is back.", "Try again"],
    ["ja", "ネットワークに接続されていません", null, "もう一度試す"],
]) {
    test(`page that is opened without a network says so, and continues when it is back (${language})`, async () => {
        const network = {};
        await openWithoutNetwork("#/mall/desk/history", language, network);
        assert.equal(textOf(alert().querySelector("h1, h2")), title);
        if (text) assert.equal(textOf(alert().querySelector("p")), text);
        else assert.doesNotMatch(textOf(alert()), /[A-Za-z]{3}/);
        control(tryAgain).click();
        await until(hasNoSpinner);
        assert.equal(textOf(alert().querySelector("h1, h2")), title);
        network.isDown = false;
        setOnline(true);
        await until(entry);
        assert.equal(alert(), null);
    });
}

test("page continues when the server answers, some time after the browser has a network", async () => {
    const network = {};
    const service = await openWithoutNetwork("#/mall/desk/history", "en", network);
    setOnline(true);
    await pass(5_000);
    assert.ok(alert(), "the server cannot be reached yet");
    network.isDown = false;
    await passUntil(entry, { minutes: 1 });
    assert.ok(service.requests.some(({ method, path }) => method === "HEAD" && path === "/"));
});

test("page continues when the first request after an outage is never answered", async () => {
    const network = {};
    let count = 0;
    await openWithoutNetwork("#/mall/desk/history", "en", network, () => {
        count += 1;
        return count === 1 ? new Promise(() => {}) : new Response(null, { status: 200 });
    });
    network.isDown = false;
    setOnline(true);
    await until(() => count === 1);
    await pass(9_000);
    assert.equal(entry(), null);
    await passUntil(entry, { minutes: 1 });
    assert.equal(count, 2);
});

test("page waits again when the network is lost before the server has answered", async () => {
    const network = {};
    let isAnswering = false;
    await openWithoutNetwork("#/mall/desk/history", "en", network, () => (isAnswering ? new Response(null, { status: 200 }) : noResponse()));
    setOnline(true);
    await settle();
    setOnline(false);
    await pass(40_000);
    assert.ok(alert());
    [isAnswering, network.isDown] = [true, false];
    await pass(40_000);
    assert.equal(entry(), null, "the browser has no network");
    setOnline(true);
    await until(entry);
});

test("page that was left does not continue", async () => {
    const network = {};
    const service = await openWithoutNetwork("#/mall/desk/history", "en", network);
    network.isDown = false;
    await visit("#/mall/desk/settings");
    const { length } = service.requests;
    setOnline(true);
    await pass(2_000);
    assert.deepEqual(service.requests.slice(length).filter(({ path }) => path.includes("/revisions")), []);
    assert.ok(only(".settings"));
});
