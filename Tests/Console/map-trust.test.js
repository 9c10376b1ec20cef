// Maps whose revisions must be signed with the keys of a link.

import { isState, openLiveMap, openMap, placeNames, state } from "./support/map-page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { canonical, Signer } from "../../Clients/javascript/tests/support/signer.js";
import { only, textOf } from "./support/page.js";
import { nameOfShop, shop } from "./support/sample-venue.js";
import { type } from "./support/browser.js";
import { adminKey, SyncServer } from "./support/sync-server.js";
import { passUntil, settle, until } from "./support/time.js";

const { errorState } = await import("../../Sources/WebConsole/Web/ui/states.js");
const [operator, other] = [new Signer(1), new Signer(2)];
const link = (...keys) => `?${new URLSearchParams({ trust: keys.join() })}`;
const remembered = () => localStorage.getItem("venuesync.trust.mall");

/** A server that signs with a key. */
function signingServer(signer = operator, options = {}) {
    const server = new SyncServer(options);
    server.sign = (revision, levels) => canonical(signer.members(revision, levels, {
        digest: server.document.digest, as_of: new Date(Date.now() - 1_000).toISOString(), expires: new Date(Date.now() + 600_000).toISOString() }));
    return server;
}

/** Follows a link to a live map, and trusts its keys. */
async function openSignedMap(options) {
    await openMap(options);
    only("#main .state button").click();
    return openLiveMap(options);
}

/** The link that the button to share offers. */
function sharedLink() {
    only("[data-tool=share]").click();
    return until(() => document.querySelector("#share-link")?.value);
}

test("keys of a first link are neither remembered nor used before the user trusts them", async () => {
    const server = signingServer();
    await openMap({ query: `${link(operator.key)}&floor=1` });
    assert.equal(textOf(only("#main h1")), "This link names the keys of the operator");
    assert.equal(remembered(), null);
    assert.deepEqual(server.requests.filter(({ pathname }) => pathname.endsWith("/sync")), []);
    // The map can be opened without them.
    assert.equal(only("#main .state a").getAttribute("href"), "#/mall?floor=1");
    await openLiveMap();
    assert.match(textOf(state()), /· verified$/);
    assert.equal(remembered(), null);
});

test("link with a key that the user trusts shows a signed map, and the browser remembers the key", async () => {
    const server = signingServer();
    await openSignedMap({ query: link(operator.key) });
    assert.match(textOf(state()), /· signed$/);
    server.rename({ [shop(0)]: "Red Door" });
    await isState("live", 2);
    assert.match(textOf(state()), /· signed$/);
    assert.equal(new URLSearchParams((await sharedLink()).split("?")[1]).get("trust"), operator.key);
    document.querySelector("dialog").remove();
    assert.equal(remembered(), operator.key);
    // Without the key in the address.
    await openLiveMap();
    assert.match(textOf(state()), /· signed$/);
    // Links without this key are not followed without a question, and the remembered key stays.
    const before = server.requests.length;
    await openMap({ query: link(other.key) });
    assert.equal(textOf(only("#main h1")), "This link names other keys");
    assert.equal(remembered(), operator.key);
    assert.deepEqual(server.requests.slice(before).filter(({ pathname }) => pathname.endsWith("/sync")), []);
    await openLiveMap({ query: link(operator.key) });
    assert.match(textOf(state()), /· signed$/);
});

test("other keys of a link are trusted when the user decides so", async () => {
    localStorage.setItem("venuesync.trust.mall", other.key);
    signingServer();
    await openMap({ query: link(operator.key) });
    const button = only("#main .state button");
    assert.equal(textOf(button), "Trust the keys of the link");
    button.click();
    assert.equal(remembered(), operator.key);
    await openLiveMap({ query: link(operator.key) });
    assert.match(textOf(state()), /· signed$/);
});

test("map without trusted keys is verified by digests only", async () => {
    const server = signingServer();
    await openLiveMap();
    assert.match(textOf(state()), /· verified$/);
    assert.doesNotMatch(await sharedLink(), /trust/);
    document.querySelector("dialog").remove();
    assert.equal(server.requests.some(({ pathname }) => pathname.endsWith("/head")), false);
});

test("map that another key has signed is not shown, and the page says why", async () => {
    signingServer();
    localStorage.setItem("venuesync.trust.mall", other.key);
    const error = await openMap({ query: link(other.key) }).then(() => null, (failure) => failure);
    assert.equal(error.kind, "untrusted");
    assert.match(textOf(errorState(error, { retry() {} })), /The map is not signed by its operator/);
    assert.deepEqual(placeNames(), []);
});

test("keys that cannot be used are reported in the user's language, and are not remembered", async () => {
    signingServer();
    await openMap({ query: link("ed25519:AAAA"), language: "ja" });
    assert.equal(textOf(only("#main h1")), "このリンクの鍵は使えません");
    assert.equal(remembered(), null);
});

test("search of a large venue lists only what is signed: the server does not search for it", async () => {
    const server = signingServer(operator, { ordinals: [-1, 0, 1] });
    server.routes["GET /venues/mall"] = () => ({ ...server.document, levels: server.document.levels.map((level) => ({ ...level, features: 30_000 })) });
    await openSignedMap({ query: link(operator.key) });
    type(only("#search"), nameOfShop(1));
    await settle();
    assert.match(textOf(only(".search-scope")), /^Not searched: 2 floors/);
    assert.equal(document.querySelector(`.place[data-id="${shop(1)}"]`), null);
    only(".search-scope button").click();
    await until(() => document.querySelector(`.place[data-id="${shop(1)}"]`));
    assert.equal(server.requests.some(({ pathname }) => pathname.endsWith("/search")), false);
});

for (const key of [adminKey, null]) {
    test(`unsigned changes are not shown until they are signed (${key ? "with a key of the API" : "public"})`, async () => {
        const server = signingServer(operator, { isPublic: key === null });
        await openSignedMap({ query: link(operator.key), key });
        // Whoever controls the server, but not the signing key, can only invent a signature.
        let isForged = true;
        server.routes["GET /venues/mall/head"] = () => {
            if (!isForged) return undefined;
            const head = JSON.parse(server.sign(server.head, server.document.levels.map(({ level_id, digest }) => [level_id, digest])));
            return new Response(canonical({ ...head, signature: "A".repeat(head.signature.length) }));
        };
        server.rename({ [shop(0)]: "Red Door" });
        await passUntil(() => state().className === "live-state untrusted", { minutes: 10 });
        assert.match(textOf(state()), /Not signed by the operator/);
        assert.equal(state().dataset.revision, "1");
        assert.equal(placeNames().includes("Red Door"), false);
        isForged = false;
        await passUntil(() => state().matches(".live[data-revision='2']"), { minutes: 10 });
        assert.match(textOf(state()), /· signed$/);
        assert.ok(placeNames().includes("Red Door"));
    });
}
