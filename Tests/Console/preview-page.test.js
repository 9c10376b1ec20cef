// The page of a link to the preview of a first upload, and the map in the review of one.

import { $, $$, card, click, close, floor, go, localization, openFloor, openPlace, search, session, texts } from "./support/open-map.js";
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { adminKey, SyncServer } from "./support/sync-server.js";
import { withDoors } from "./support/doors.js";
import { problem } from "./support/server.js";
import { nameOfShop, sampleFeatures, shop } from "./support/sample-venue.js";
import { pass, settle, startClock, until } from "./support/time.js";

const web = new URL("../../Sources/WebConsole/Web/", import.meta.url);
const { StagedVenue } = await import(new URL("map/staged-venue.js", web));
const { openPreviewMap } = await import(new URL("map/preview-map.js", web));

const upload = "11111111-1111-4111-8111-111111111111";
const token = `vsp_${"A".repeat(75)}`;
const link = `#/mall/preview/${upload}?token=${token}`;
const path = `/uploads/${upload}/preview`;
const features = withDoors()(sampleFeatures({ ordinals: [-1, 0, 1] })).map(({ level, feature }) => ({ level_id: level, feature }));
const day = 86_400_000;
const ended = () => $(".page-preview > .state h1")?.textContent === "This preview has ended";

/** A server with the preview of an upload in pages of some features; `answer` may replace a response. */
function serve({ pageSize = 10_000, answer = () => undefined, lifetime = day, timeZone = null } = {}) {
    const server = new SyncServer({ ordinals: [0] });
    const expiry = Date.now() + lifetime;
    server.routes = { [`GET ${path}\\?.*`]: ({ query }) => answer(query) ?? page(Number(query.get("after") ?? 0), Math.min(pageSize, query.get("limit"))) };
    const page = (start, size) => ({
        venue: "mall", time_zone: timeZone, expires_at: new Date(expiry).toISOString(), features: features.slice(start, start + size),
        next: start + size < features.length ? `${path}?after=${start + size}&limit=${size}&token=${token}` : null,
    });
    return server;
}

/** A window where nothing has happened yet. */
async function begin() {
    await close();
    startClock();
    Object.assign(localization, { language: "en", initialLanguage: "en" });
}

async function openLink(options, { address = link, isSignedIn = false } = {}) {
    await begin();
    if (isSignedIn) sessionStorage.setItem("venuesync.key", adminKey);
    const server = serve(options);
    await go(address);
    await until(() => $(".live-state.live") || $(".page-preview > .state h1"), "the map or its end is shown");
    await settle();
    return server;
}
const openEnded = async (...options) => {
    const server = await openLink(...options);
    assert.ok(ended());
    return server;
};
after(close);

test("preview shows the floors, names and search of the upload, and says that it is not published", async () => {
    const server = await openLink();
    assert.deepEqual($$(".floors button").map(({ dataset }) => Number(dataset.ordinal)), [1, 0, -1]);
    assert.equal(floor(), 0);
    assert.match(texts(".preview-note")[0], /^Preview – not published ?This link works until /);
    assert.deepEqual(texts(".live-state"), ["Preview – not published"]);
    assert.equal(document.title, "Minato Arcadia · VenueSync");
    await openFloor(1);
    await search(nameOfShop(-1).slice(0, -2));
    assert.ok(texts(".place-name").includes(nameOfShop(-1)), "of a floor that was not opened");
    await search("");
    await openFloor(0);
    await openPlace(shop(0));
    assert.equal(card(), nameOfShop(0));
    assert.deepEqual(server.unexpected, []);
    assert.deepEqual([...new Set(server.requests.map(({ pathname }) => pathname))], [path], "nothing of the venue is asked for");
});

test("preview has nothing to share, to edit or to manage, and keeps the address of the link", async () => {
    await openLink({}, { isSignedIn: true });
    assert.equal(location.hash, link);
    assert.deepEqual($$("#bar nav"), []);
    await openFloor(1);
    await openPlace(shop(1));
    assert.deepEqual($$("[data-tool=share], [data-action=share], [data-id=add-shop]"), []);
    assert.equal(location.hash, link);
});

test("preview sends the token and no key, whoever is signed in", async () => {
    const server = await openLink({}, { isSignedIn: true });
    const [request] = server.requests.filter(({ pathname }) => pathname === path);
    assert.equal(request.query.get("token"), token);
    assert.equal(request.headers.get("Authorization"), null);
    assert.ok(session.isSignedIn);
});

test("preview finds ways", async () => {
    await openLink();
    await openPlace(shop(0, 5));
    await click("[data-action=directions]");
    await until(() => $("#directions-title"));
    await click(`.place[data-id="${shop(0)}"]`);
    await until(() => $(".directions-sum"));
    assert.equal($("[data-action=share]"), null);
    assert.equal(location.hash, link);
});

test("preview shows what is open if the venue has a time zone, and says nothing about it otherwise", async () => {
    await openLink({ timeZone: "Asia/Tokyo" });
    assert.ok(texts(".place").some((text) => text.includes("Open until 21:00")));
    await openLink();
    assert.ok(texts(".place").every((text) => !/open/i.test(text)));
    await openPlace(shop(0));
    assert.ok($(".week"));
});

test("preview loads all pages", async () => {
    const server = await openLink({ pageSize: 40 });
    assert.ok(server.requests.filter(({ pathname }) => pathname === path).length > 2);
    assert.deepEqual($$(".floors button").map(({ dataset }) => Number(dataset.ordinal)), [1, 0, -1]);
});

for (const [status, type] of [[410, "preview-ended"], [409, "wrong-state"], [401, "unauthorized"]]) {
    test(`preview that the server refuses with ${status} is said to have ended`, async () => {
        await openEnded({ answer: () => problem(status, type) });
        assert.equal($(".page-preview .state a").getAttribute("href"), "#/mall");
        assert.equal($(".map-page"), null);
    });
}

test("preview of a malformed link asks for nothing", async () => {
    for (const address of [`#/mall/preview/${upload}`, `#/mall/preview/..%2Fkeys?token=${token}`, `#/mall/preview?token=${token}`]) {
        const server = await openEnded({}, { address });
        assert.deepEqual(server.requests.filter(({ pathname }) => pathname !== "/"), [], address);
    }
});

test("preview that cannot be loaded can be tried again", async () => {
    let isBroken = true;
    await begin();
    serve({ answer: () => (isBroken ? problem(500, "internal") : undefined) });
    await go(link);
    await until(() => $("[role=alert] button"));
    isBroken = false;
    await click("[role=alert] button");
    await until(() => $(".live-state.live"));
});

test("preview is cleared when its time is over, and when the upload was published or discarded meanwhile", async () => {
    let isOver = false;
    const answer = () => (isOver ? problem(410, "preview-ended") : undefined);
    await openLink({ answer, lifetime: 3_600_000 });
    isOver = true;
    await pass(6 * 60_000);
    await until(ended);
    assert.equal($(".map-page"), null);
    isOver = false;
    await openLink({ answer, lifetime: 60_000 });
    isOver = true;
    await pass(62_000);
    await until(ended);
});

test("preview stays while the server cannot be reached, until its time is over", async () => {
    const server = await openLink({ lifetime: 3_600_000 });
    server.isReachable = false;
    await pass(30 * 60_000);
    await settle();
    assert.ok($(".map-page"));
    await pass(31 * 60_000);
    await until(ended);
});

test("preview changes its language, also after its end", async () => {
    let isOver = false;
    await openLink({ answer: () => (isOver ? problem(410, "preview-ended") : undefined) });
    await click("#bar .language");
    assert.match(texts(".preview-note")[0], /^プレビュー（未公開）/);
    assert.equal($("#search").placeholder, "館内を検索");
    isOver = true;
    await pass(6 * 60_000);
    await until(() => $(".page-preview > .state h1")?.textContent === "このプレビューは終了しました");
    await click("#bar .language");
    assert.ok(ended());
});

test("map in a review shows the upload, and changes neither the address nor the title of the page", async () => {
    await begin();
    serve();
    const ending = new AbortController();
    const root = document.createElement("div");
    $("main").append(root);
    const [address, title] = [location.hash, document.title];
    const staged = await StagedVenue.load(upload, { signal: ending.signal });
    await openPreviewMap({ root, signal: ending.signal, setTitle() {} }, staged, { hasBar: false });
    await until(() => root.querySelector(".place"));
    assert.equal(root.querySelector(".map-page").classList.contains("is-embedded"), false, "the bar of the page stays");
    assert.deepEqual([location.hash, document.title], [address, title]);
    assert.deepEqual([...root.querySelectorAll(".language, h1")], []);
    ending.abort();
    root.remove();
});
