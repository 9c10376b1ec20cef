import { control, enter, hasNoSpinner, open, plain } from "./support/desk-page.js";
import { atSight, comeIntoView } from "./support/views.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { pass, passUntil, settle, until } from "./support/time.js";
import { DeskService, noResponse } from "./support/desk-service.js";
import { firstFloor, id, level, levelState, mallFeatures, revision, upload, venue } from "./support/desk-records.js";
import { problem } from "./support/server.js";
import { only, textOf } from "./support/page.js";

const keys = () => [...document.querySelectorAll(".card-key, .venue-card a.card[href$='/desk'] .card-title")].map(textOf);
const card = (key) => [...document.querySelectorAll(".venue-card")].find((each) => each.querySelector(`a.card:is([href="#/${key}"], [href="#/${key}/desk"])`));
const links = (key) => [...card(key).querySelectorAll(".card-links a")].map((link) => plain(textOf(link)));
const status = () => textOf(only(".venues-status"));

/** Venues of the list: `{summary, uploads, revision}`. Details are loaded when a card comes into view. */
async function openList(venues, { unpublished = [], routes = {}, ...options } = {}) {
    atSight(options.isSeen ?? (() => true));
    const find = (path) => venues.find(({ summary }) => path.startsWith(`/venues/${summary.venue}/`) || path === `/venues/${summary.venue}`);
    const service = new DeskService({ venue: null, ...options });
    service.others = [...venues.map(({ summary }) => summary), ...unpublished];
    service.start({
        ...routes,
        "GET /venues/[^/]+/uploads\\?.*": ({ path }) => {
            if (options.role === "read") return problem(403, "forbidden");
            const [state, limit] = ["state", "limit"].map((name) => new URLSearchParams(path.split("?")[1]).get(name));
            const all = (find(path)?.uploads ?? []).filter((each) => !state || each.state === state);
            return { uploads: all.slice(0, Number(limit)), next: all.length > limit ? "/next" : null };
        },
        "GET /venues/[^/]+/revisions/\\d+": ({ path }) => find(path).revision ?? revision(1),
        "GET /venues/[^/]+": ({ path }) => find(path).summary,
    });
    await open("#/", options);
    await settle(60);
    return service;
}

const summary = (key, values = {}) => venue({ venue: key, head: 1, name: { en: key, ja: "ベイモール" }, levels: [levelState(null, null, 3)], ...values });
const rejected = (number) => upload(number, { state: "rejected", received_at: "2026-06-10T02:00:00.000Z" });

test("list of venues counts a waiting upload behind many newer ones", async () => {
    const newer = Array.from({ length: 51 }, (_, i) => rejected(500 + i));
    await openList([{ summary: summary("mall.busy"), uploads: [...newer, upload(100, { venue: "mall.busy" })] }, { summary: summary("mall.quiet"), uploads: [] }]);
    assert.deepEqual(links("mall.busy"), ["1 waiting", "Last upload rejected"]);
    assert.deepEqual(links("mall.quiet"), []);
    control("Waiting for a decision").click();
    await until(() => status() === "");
    assert.deepEqual(keys(), ["mall.busy"]);
    control("Last upload failed").click();
    assert.deepEqual(keys(), ["mall.busy"]);
    enter("#venue-search", "quiet");
    assert.deepEqual(keys(), []);
    assert.equal(status(), "No venue matches.");
});

for (const [name, ordinals, count, floors] of [
    ["of one building", [0, 1, 2], 3, "3 floors"], ["of two buildings on the same ground", [0, 1, 2, 0, 1, -1], 6, "4 floors"],
    ["of a single storey in two buildings", [0, 0], 2, "1 floor"], ["of which not all are listed", [0, 1], 1_200, "1200 floors"],
]) {
    test(`list of venues counts the floors that the map offers: ${name}`, async () => {
        const levels = [levelState(null, null, 3), ...ordinals.map((ordinal, index) => levelState(id(20 + index), ordinal, 1))];
        await openList([{ summary: summary("mall", { levels, level_count: count }), uploads: [] }]);
        assert.ok(textOf(card("mall").querySelector(".card-facts")).startsWith(`${floors} · `), textOf(card("mall")));
    });
}

test("list of venues links to the waiting uploads, the upload that failed, and the map", async () => {
    const uploads = [upload(7, { state: "failed" }), ...Array.from({ length: 101 }, (_, i) => upload(200 + i))];
    await openList([{ summary: summary("mall"), uploads }]);
    assert.deepEqual([...card("mall").querySelectorAll("a")].map((link) => [link.getAttribute("href"), textOf(link)].join(" ")).slice(1), [
        "#/mall/desk/uploads?state=staged 100+ waiting", `#/mall/desk/uploads/${id(7)} Last upload failed`]);
    assert.equal(card("mall").querySelector("a.card").getAttribute("href"), "#/mall");
});

test("list of venues says when a venue was published, also to a key that may not see uploads", async () => {
    await openList([{ summary: summary("mall"), revision: revision(1, { published_at: "2026-06-10T01:00:00.000Z", author: "ana" }) }], { role: "read" });
    assert.equal(textOf(only(".card-published")), "Published 3 hours ago · ana");
    assert.equal(only(".card-published time").getAttribute("datetime"), "2026-06-10T01:00:00.000Z");
    assert.deepEqual(links("mall"), []);
});

for (const [language, there] of [["en", "at the venue"], ["ja", "施設の現地時間"]]) {
    test(`list of venues does not call a scheduled upload waiting, and has its time at the venue (${language})`, async () => {
        const scheduled = (number, publishAt) => upload(number, { publish_at: publishAt });
        const first = { venue: "mall.first", head: 0, upload: { ...scheduled(3, "2199-02-04T09:00:00.000Z"), venue: "mall.first" } };
        await openList(
            [{ summary: summary("mall"), uploads: [scheduled(1, "2199-02-05T09:00:00.000Z"), scheduled(2, "2199-02-03T09:00:00.000Z")] }],
            { language, unpublished: [first] });
        const [text] = links("mall");
        assert.ok(text.includes(there), text);
        assert.match(text, language === "en" ? /^Will be published on Sun, Feb 3, 2199/ : /2199年2月3日/);
        assert.match(links("mall.first")[0], language === "en" ? /^Will be published on Mon, Feb 4, 2199/ : /2199年2月4日/);
        only(".chip[value=waiting]").click();
        await until(() => status() === (language === "en" ? "No venue matches." : "該当する施設がありません。"));
        assert.deepEqual(keys(), []);
    });
}

test("list of venues has venues without a revision, with what became of their first upload", async () => {
    const first = (key, values) => ({ venue: key, head: 0, upload: values && upload(1, { venue: key, ...values }) });
    await openList([], { unpublished: [
        first("held", {}), first("busy", { state: "processing" }), first("bad", { state: "rejected" }), first("gone", { state: "discarded" }), first("none", null),
    ] });
    assert.deepEqual(keys(), ["held", "busy", "bad", "gone", "none"]);
    assert.deepEqual(keys().map(links), [["1 waiting"], ["Being processed"], ["Last upload rejected"], [], []]);
    assert.match(textOf(card("held")), /Nothing published yet/);
    assert.equal(card("held").querySelector(".card-links a").getAttribute("href"), `#/held/desk/uploads/${id(1)}`);
    control("Last upload failed").click();
    await until(() => status() === "");
    assert.deepEqual(keys(), ["bad"]);
    control("Waiting for a decision").click();
    assert.deepEqual(keys(), ["held"]);
});

test("list of venues shows what is published, uploaded and created meanwhile, and keeps cards, focus and filters", async () => {
    const venues = [{ summary: summary("bay"), uploads: [] }, { summary: summary("harbour"), uploads: [] }];
    const service = await openList(venues);
    const before = card("harbour");
    before.querySelector("a.card").focus();
    venues[0].summary = { ...venues[0].summary, head: 2 };
    venues[1].uploads = [upload(1, { venue: "harbour" })];
    service.others = [...venues.map((each) => each.summary), { venue: "new", head: 0, upload: upload(5, { venue: "new" }) }];
    await passUntil(() => keys().length === 3 && links("harbour").length === 1);
    assert.deepEqual([links("harbour"), links("new")], [["1 waiting"], ["1 waiting"]]);
    assert.match(textOf(card("bay")), /Revision 2/);
    assert.equal(card("harbour"), before);
    assert.equal(document.activeElement, before.querySelector("a.card"));
    enter("#venue-search", "harbour");
    service.others = service.others.slice(1);
    await pass(16_000);
    assert.deepEqual(keys(), ["harbour"]);
    enter("#venue-search", "");
    assert.deepEqual(keys(), ["new", "harbour"]);
});

test("list of venues is searched, ordered and filtered", async () => {
    await openList([
        { summary: summary("bay"), uploads: [upload(1)], revision: revision(1, { published_at: "2026-06-01T01:00:00.000Z" }) },
        { summary: summary("bay-west", { public: true }), uploads: [], revision: revision(1, { published_at: "2026-06-09T01:00:00.000Z" }) },
        { summary: summary("harbour", { name: { en: "Harbour", ja: "港" } }), uploads: [upload(2), upload(3)] },
    ]);
    assert.deepEqual(keys(), ["bay", "bay-west", "harbour"]);
    enter("#venue-search", "BAY");
    assert.deepEqual(keys(), ["bay", "bay-west"]);
    enter("#venue-search", "west ベイモール");
    assert.deepEqual(keys(), ["bay-west"], "each word may be in the key or in the name, in any language");
    enter("#venue-search", "");
    enter("#venue-order", "waiting");
    await until(() => keys()[0] === "harbour");
    assert.deepEqual(keys(), ["harbour", "bay", "bay-west"]);
    enter("#venue-order", "published");
    assert.deepEqual(keys()[0], "bay-west");
    control("Public").click();
    assert.deepEqual(keys(), ["bay-west"]);
    control("All").click();
    assert.equal(keys().length, 3);
});

test("list of many venues has rows by urgency, and the address keeps its search, filter and order", async () => {
    const uploads = { "v-05": [rejected(5)], "v-09": [upload(9)], "v-11": [upload(10), upload(11)], "v-07": [upload(7, { publish_at: "2199-02-03T09:00:00.000Z" })] };
    const venues = Array.from({ length: 13 }, (_, i) => `v-${String(i).padStart(2, "0")}`).map((key) => ({ summary: summary(key), uploads: uploads[key] ?? [] }));
    await openList(venues);
    await passUntil(() => status() === "", { minutes: 1 });
    assert.ok(only(".cards").classList.contains("is-rows"));
    assert.deepEqual(keys().slice(0, 6), ["v-11", "v-09", "v-05", "v-07", "v-00", "v-01"]);
    enter("#venue-search", "v-");
    enter("#venue-order", "name");
    control("Last upload failed").click();
    assert.equal(location.hash, "#/?search=v-&filter=failed&order=name");
    assert.deepEqual(keys(), ["v-05"]);
    control("All").click();
    assert.equal(location.hash, "#/?search=v-&order=name");
    enter("#venue-order", "urgency");
    assert.equal(location.hash, "#/?search=v-&order=urgency", "what the user has chosen, also if the number of venues would choose it");
    await openList(venues.slice(0, 12));
    assert.equal(only(".cards").classList.contains("is-rows"), false, "few venues have cards");
    assert.equal(keys()[0], "v-00");
});

test("list of many venues moves a venue that is out of view up when an upload begins to wait", async () => {
    const venues = Array.from({ length: 40 }, (_, i) => ({ summary: summary(`v-${10 + i}`), uploads: [] }));
    await openList(venues, { isSeen: () => false });
    await passUntil(() => status() === "", { minutes: 1 });
    assert.equal(keys()[0], "v-10");
    venues[35].uploads = [upload(1, { venue: "v-45" })];
    await passUntil(() => keys()[0] === "v-45", { minutes: 2 });
    assert.deepEqual(links("v-45"), ["1 waiting"]);
});

test("list of venues by urgency has venues without a revision among the others", async () => {
    const first = (key, values) => ({ venue: key, head: 0, upload: values && upload(1, { venue: key, ...values }) });
    const venues = [{ summary: summary("busy"), uploads: [upload(2), upload(3)] }, { summary: summary("calm"), uploads: [] }, { summary: summary("late"), uploads: [rejected(4)] }];
    const unpublished = [first("none", null), first("bad", { state: "rejected" }), first("held", {}), first("timed", { publish_at: "2199-02-03T09:00:00.000Z" })];
    await openList(venues, { unpublished });
    enter("#venue-order", "urgency");
    await passUntil(() => status() === "", { minutes: 1 });
    assert.deepEqual(keys(), ["busy", "held", "bad", "late", "timed", "none", "calm"]);
    enter("#venue-order", "name");
    assert.deepEqual(keys(), ["none", "bad", "held", "timed", "busy", "calm", "late"]);
});

test("list of venues leaves the keys of an input method alone", async () => {
    await openList([{ summary: summary("mall"), uploads: [] }]);
    const field = only("#venue-search");
    const press = (options) => field.dispatchEvent(new window.KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true, cancelable: true, ...options }));
    field.focus();
    press({ isComposing: true });
    assert.equal(document.activeElement, field);
    press({});
    assert.equal(document.activeElement, card("mall").querySelector("a.card"));
});

test("list of venues loads the details of cards in view, and of all venues only when they are needed, a few at a time", async () => {
    const venues = Array.from({ length: 100 }, (_, i) => ({ summary: summary(`venue-${100 + i}`), uploads: i === 90 ? [upload(1)] : [] }));
    const held = [];
    let [running, most, isHolding] = [0, 0, true];
    const release = () => held.splice(0).forEach((each) => each());
    const asked = (service) => new Set(service.requests.filter(({ path }) => path.includes("/uploads?state=staged")).map(({ path }) => path.split("/")[2]));
    const service = await openList(venues, { isSeen: () => false, routes: {
        "GET /venues/[^/]+/uploads\\?state=staged.*": async ({ path }) => {
            running += 1;
            most = Math.max(most, running);
            if (isHolding) await new Promise((resolve) => { held.push(resolve); });
            running -= 1;
            return { uploads: path.includes("venue-190") ? [upload(1)] : [], next: null };
        },
    } });
    assert.equal(document.querySelectorAll(".venue-card").length, 100);
    assert.equal(asked(service).size, 0);
    for (const key of ["venue-100", "venue-101", "venue-199"]) comeIntoView(card(key));
    await until(() => asked(service).size === 3);
    release();
    await passUntil(() => links("venue-199") && card("venue-199").querySelector("time"), { minutes: 1 });
    assert.deepEqual([...asked(service)].sort(), ["venue-100", "venue-101", "venue-199"]);
    control("Waiting for a decision").click();
    await until(() => held.length === 4);
    assert.equal(status(), "Checking 100 venues …");
    isHolding = false;
    release();
    await passUntil(() => status() === "", { minutes: 1 });
    assert.deepEqual(keys(), ["venue-190"]);
    assert.equal(asked(service).size, 100);
    assert.equal(service.requests.filter(({ path }) => path.includes("/uploads?state=staged")).length, 100, "each once");
    assert.equal(most, 4);
});

test("picture of a venue is drawn when it comes into view, also if it was reported as outside of it before", async () => {
    const features = { "GET /venues/mall/revisions/1/features\\?.*": { type: "FeatureCollection", features: [...mallFeatures().values()].flat() } };
    const own = summary("mall", { levels: [levelState(null, null, 3), levelState(firstFloor, 0, 7)] });
    const service = await openList([{ summary: own }], { isSeen: () => false, routes: features });
    const requested = () => service.requests.filter(({ path }) => path.includes("/features?")).map(({ path }) => path);
    assert.deepEqual(requested(), []);
    comeIntoView(only(".card-picture"), [false, true]);
    await until(() => document.querySelector(".venue-picture"));
    const query = new URLSearchParams(requested()[0].split("?")[1]);
    assert.deepEqual([query.getAll("level"), query.getAll("type")], [["venue", "ordinal:0"], ["level", "unit", "anchor", "occupant"]]);
    const classes = [...document.querySelectorAll(".venue-picture path")].map((path) => path.getAttribute("class"));
    assert.deepEqual([classes[0], classes.at(-1)], ["floor-level", "floor-facade"]);
    assert.ok(classes.includes("floor-unit floor-food") && classes.includes("floor-unit floor-restroom"), classes.join());
});

test("picture of a large floor is its outline", async () => {
    const own = summary("mall", { levels: [levelState(null, null, 3), levelState(firstFloor, 0, 5_000)] });
    const service = await openList([{ summary: own }], { routes: {
        "GET /venues/mall/revisions/1/features\\?.*": { type: "FeatureCollection", features: [level(1, 0)] } } });
    await until(() => document.querySelector(".venue-picture .floor-level"));
    const [{ path }] = service.requests.filter((each) => each.path.includes("/features?"));
    assert.deepEqual(new URLSearchParams(path.split("?")[1]).getAll("type"), ["level"]);
});

const failures = {
    problem: () => problem(500, "internal", { title: "Internal Server Error", detail: "It was logged." }),
    proxy: () => new Response("<h1>Bad Gateway</h1>", { status: 502, headers: { "Content-Type": "text/html" } }), "no network": noResponse,
};
const titles = {
    en: { problem: "The server has a problem", proxy: "The server has a problem", "no network": "The server does not respond" },
    ja: { problem: "サーバーで問題が起きています", proxy: "サーバーで問題が起きています", "no network": "サーバーが応答しません" },
};
for (const [failure, respond] of Object.entries(failures)) {
    for (const [language, tryAgain] of [["en", "Try again"], ["ja", "もう一度試す"]]) {
        test(`list of venues explains a failure, and can be tried again as often as needed: ${failure} (${language})`, async () => {
            let isDown = true;
            const service = new DeskService();
            service.start({ "GET /venues\\?unpublished=true": () => (isDown ? respond() : { venues: [venue()], next: null }) });
            await open("#/", { language, isLoaded: () => document.querySelector("#main [role=alert]") });
            const alert = only("#main [role=alert]");
            assert.equal(textOf(alert.querySelector("h1")), titles[language][failure]);
            if (language === "ja") assert.doesNotMatch(textOf(alert), /[A-Za-z]{3}/, "no English");
            assert.doesNotMatch(textOf(alert), /HTTP|50[0-9]/, "words");
            const { length } = service.requests;
            control(tryAgain).click();
            await until(() => service.requests.length > length && hasNoSpinner() && document.querySelector("#main [role=alert]"));
            await pass(100);
            isDown = false;
            control(tryAgain).click();
            await until(() => document.querySelector(`.venue-card a.card[href="#/mall"]`));
            assert.equal(document.querySelector("#main [role=alert]"), null);
        });
    }
}
