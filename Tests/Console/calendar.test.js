import { control, open, plain } from "./support/desk-page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { settle, until } from "./support/time.js";
import { DeskService, noResponse } from "./support/desk-service.js";
import { id, override, upload, venue } from "./support/desk-records.js";
import { problem } from "./support/server.js";
import { only, textOf } from "./support/page.js";

// The browser is where the mall is, so that times are said once.
process.env.TZ = "Asia/Tokyo";

const rows = () => [...document.querySelectorAll(".calendar-day .desk-row")];
const hrefs = () => rows().map((row) => row.getAttribute("href"));
const texts = (selector) => rows().map((row) => plain(textOf(row.querySelector(selector))));
const days = () => rows().map((row) => textOf(row.closest("section").querySelector("h2")));

/** The uploads and overrides of venues by their keys. */
async function openCalendar(schedule, { routes = {}, unpublished = [], ...options } = {}) {
    const service = new DeskService({ venue: null });
    service.others = [...Object.keys(schedule).map((key) => venue({ venue: key, name: { en: `Mall ${key}` } })), ...unpublished];
    const of = (path) => schedule[path.split("/")[2]];
    service.start({
        ...routes,
        "GET /venues/[^/]+/uploads\\?state=staged&limit=100": ({ path }) => ({ uploads: of(path)?.uploads ?? [], next: null }),
        "GET /venues/[^/]+/overrides\\?limit=100": ({ path }) => ({ overrides: of(path)?.overrides ?? [], next: null }),
        "GET /venues/[^/]+": ({ path }) => venue({ venue: path.split("/")[2] }),
    });
    await open("#/~/calendar", options);
    return service;
}

const winter = (key) => upload(100, { venue: key, message: "Winter", publish_at: "2199-01-07T21:00:00.000Z" });
const renovation = override(1, { until: "2199-01-05T09:00:00.000Z" });

for (const [language, title, ofDays, tags, time, name] of [
    ["en", "Calendar", ["Saturday, January 5, 2199", "Tuesday, January 8, 2199"], ["Edit ends", "Will be published"], "Sat, Jan 5, 2199, 18:00 GMT+9", "Anchor Coffee: "],
    ["ja", "予定表", ["2199年1月5日土曜日", "2199年1月8日火曜日"], ["編集の終了", "公開予定"], "2199年1月5日(土) 18:00 JST", "アンカーコーヒー："],
]) {
    test(`calendar lists timed uploads and edits by day (${language})`, async () => {
        await openCalendar({ bay: { uploads: [winter("bay"), upload(101, { venue: "bay" })], overrides: [override(2), renovation] } }, { language });
        assert.equal(textOf(only("h1")), title);
        assert.deepEqual(rows().map((row) => row.querySelector("time").getAttribute("datetime")), ["2199-01-05T09:00:00.000Z", "2199-01-07T21:00:00.000Z"]);
        assert.deepEqual(days(), ofDays);
        assert.deepEqual(texts(".tag"), tags);
        assert.equal(texts("time")[0], time);
        assert.ok(texts(".desk-row-title")[0].startsWith(name), texts(".desk-row-title")[0]);
        assert.match(texts(".desk-row-title")[0], /“Renovation”/);
        assert.deepEqual(texts(".desk-row-title")[1], "Winter");
        assert.deepEqual(hrefs(), [`#/bay?feature=${id(2100)}`, `#/bay/desk/uploads/${id(100)}`]);
        assert.deepEqual(texts(".desk-key"), ["bay", "bay"]);
    });

    test(`calendar has the time at the venue beside that of the browser (${language})`, async () => {
        const elsewhere = { "GET /venues/bay": venue({ venue: "bay", about: { language: "en", time_zone: "Europe/Oslo" } }) };
        await openCalendar({ bay: { uploads: [winter("bay")] } }, { language, routes: elsewhere });
        assert.match(texts("time")[0], language === "en"
            ? /^Tue, Jan 8, 2199, 06:00 GMT\+9 \(at the venue: Mon, Jan 7, 2199, 22:00 GMT\+1\)$/ : /施設の現地時間/);
    });
}

test("calendar lists the first publication of a venue", async () => {
    const first = upload(5, { venue: "mall.new", base: 0, publish_at: "2199-02-03T09:00:00.000Z" });
    await openCalendar({ "mall.new": { uploads: [first] } }, { routes: {
        "GET /venues\\?unpublished=true": { venues: [{ venue: "mall.new", head: 0, upload: first }], next: null },
        "GET /venues/mall\\.new": () => problem(404, "venue-not-found", { title: "Venue not found" }),
        "GET /venues/mall\\.new/overrides.*": () => problem(404, "venue-not-found", { title: "Venue not found" }),
    } });
    assert.deepEqual(texts(".tag"), ["Will be published"]);
    assert.deepEqual(texts(".desk-row-facts bdi"), ["mall.new"]);
});

test("calendar leads to the list of edits for what is hidden", async () => {
    await openCalendar({ bay: { overrides: [override(1, { kind: "hidden", pointer: "", until: "2199-01-05T09:00:00.000Z" })] } });
    assert.deepEqual(hrefs(), ["#/bay/desk/overrides?state=hidden"]);
});

for (const [language, sentence, tryAgain] of [
    ["en", "The page could not load the calendar of Mall bay.", "Try again"], ["ja", "Mall bayの予定を読み込めませんでした。", "もう一度試す"],
]) {
    test(`calendar names the venues that it could not load, and they can be tried again (${language})`, async () => {
        let isDown = true;
        await openCalendar({ bay: { uploads: [winter("bay")] }, west: { uploads: [winter("west")] } }, { language, routes: {
            "GET /venues/bay/uploads\\?state=staged&limit=100": () => (isDown ? problem(500, "internal") : { uploads: [winter("bay")], next: null }) } });
        const notice = () => document.querySelector("#main [role=alert]");
        assert.ok(plain(textOf(notice())).startsWith(sentence), textOf(notice()));
        assert.deepEqual(hrefs(), [`#/west/desk/uploads/${id(100)}`]);
        isDown = false;
        control(tryAgain).click();
        await until(() => rows().length === 2);
        assert.equal(notice(), null);
        assert.equal(document.activeElement, only("h1"), "the button, which had the focus, is gone");
    });
}

test("calendar that could load nothing is a failure", async () => {
    await openCalendar({ bay: {} }, { routes: { "GET /venues/bay/uploads.*": noResponse }, isLoaded: () => document.querySelector("#main [role=alert]") });
    assert.match(textOf(only("#main [role=alert]")), /The server does not respond/);
});

test("calendar leaves out what a key may not see, and says that nothing is scheduled", async () => {
    await openCalendar({ bay: {} }, { routes: { "GET /venues/bay/(uploads|overrides).*": () => problem(403, "forbidden") } });
    await settle();
    assert.match(textOf(only(".state")), /Nothing is scheduled/);
});

test("calendar needs a key", async () => {
    new DeskService().start({ "GET /venues.*": () => problem(401, "unauthorized") });
    await open("#/~/calendar", { signedIn: null, isLoaded: () => document.querySelector("#main [role=alert]") });
    assert.ok(control("Sign in", only("#main")));
});
