// The part of a place's card for publishers: what was edited, and the buttons to change the place; and who sees it.

import { openLiveMap } from "./support/map-page.js";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { afterEach, test } from "node:test";
import { override as overrideRecord, summary } from "./support/desk-records.js";
import { only, textOf } from "./support/page.js";
import { id, shop } from "./support/sample-venue.js";
import { problem } from "./support/server.js";
import { changeRows, closeDialogs, dialog, dialogError, hasDialog, plain, proceed, undo } from "./support/step-dialog.js";
import { SyncServer } from "./support/sync-server.js";
import { type } from "./support/browser.js";
import { pass, settle, until } from "./support/time.js";

const place = shop(0);
const path = `/venues/mall/features/${place}`;
const summer = "2199-01-05T09:00:00.000Z";
const overrideOf = (name, value, source, more = {}) =>
    overrideRecord(1, { feature: place, pointer: `/properties/${name}`, value, source, base: source, ...more });

/** A server whose keys may publish, with `overrides` of the shop. */
function editServer({ overrides = [], result = {}, ...more } = {}) {
    const server = Object.assign(new SyncServer(), { overrides, ...more });
    const respond = (isDryRun) => ({
        venue: "mall", base: server.head, revision: isDryRun ? null : server.head + 1, changes: { ...summary([]), words: ["1 shop closed on 1F"] },
        overrides: [], ended: [], dependents: [], findings: [], ...result,
    });
    Object.assign(server.routes, {
        "GET /venues/mall/overrides\\?.*": ({ query }) => ({
            overrides: server.overrides.filter((each) => ["state", "feature"].every((name) => !query.has(name) || each[name] === query.get(name))), next: null }),
        [`GET /venues/mall/features/[^/]+`]: ({ pathname }) => Response.json(server.feature(pathname.split("/").at(-1)), { headers: { ETag: 'W/"1"' } }),
        "PATCH /venues/mall/features/.*": ({ query }) => respond(query.has("dry_run")),
        "POST /venues/mall/edits": ({ body }) => respond(JSON.parse(body).dry_run),
        "DELETE /venues/mall/overrides/.*": () => respond(false),
    });
    return server;
}

const sent = (server) => server.requests.filter(({ method }) => method !== "GET")
    .map(({ method, pathname, query, body }) => [method, pathname, { ...Object.fromEntries(query), ...(body ? JSON.parse(body) : {}) }]);
const published = (server) => sent(server).filter(([, , values]) => !values.dry_run);

const tool = (name) => document.querySelector(`[data-id="edit-${name}"]`);
const note = (name) => document.querySelector(`.override-note[data-pointer="/properties/${name}"]`);

/** The card of the shop, with its buttons. */
async function openCard(options = {}) {
    const server = editServer(options);
    await openLiveMap({ query: `?floor=0&place=${place}` });
    await until(() => tool("edit"));
    await settle();
    return server;
}

afterEach(closeDialogs);

test("card shows who has edited what, and what the source says", async () => {
    await openCard({ overrides: [overrideOf("phone", "+81312345678", "+81 45 555 0100", { message: "Called" })] });
    const text = await until(() => note("phone") && plain(textOf(note("phone"))));
    assert.match(text, /^Phone: edited by admin on Jun 8, 2026/);
    assert.match(text, /In the source: “\+81 45 555 0100”/);
    assert.match(text, /“Called”/);
});

test("card marks an edit that an upload contests while it is open, and leads to the decision", async () => {
    const server = await openCard({ overrides: [overrideOf("phone", "+81312345678", "+81 45 555 0100")] });
    await until(() => note("phone"));
    server.overrides = [overrideOf("phone", "+81312345678", "+81399999999", { state: "contested" })];
    server.publish((levels) => {
        for (const { id: own, properties } of [...levels.values()].flat()) if (own === place) properties.website = "https://new.example.com/";
    });
    await until(() => note("phone")?.textContent.includes("In the source now: “+81399999999”"));
    assert.ok(note("phone").matches(".is-contested"));
    assert.equal(only("a", note("phone")).getAttribute("href"), "#/mall/desk/overrides?state=contested");
});

test("card notices a contested edit also if the feature itself does not change", async () => {
    const server = await openCard({ overrides: [overrideOf("phone", "+81312345678", "+81 45 555 0100")] });
    server.overrides = [overrideOf("phone", "+81312345678", "+81399999999", { state: "contested" })];
    server.rename({ [shop(0, 7)]: "Another shop" });
    await until(() => note("phone")?.matches(".is-contested"));
});

test("buttons of a card are not replaced when its edits are read, only when others are needed", async () => {
    const server = editServer();
    await openLiveMap();
    only(`.place[data-id="${place}"]`).click();
    const button = await until(() => tool("edit"));
    await settle();
    assert.ok(server.requests.some(({ path: each }) => each.includes("overrides?feature=")));
    assert.equal(tool("edit"), button);
    server.rename({ [shop(0, 7)]: "Another shop" });
    await settle(100);
    assert.ok(button.isConnected);
    server.overrides = [overrideOf("hours", "off", "Mo-Su 10:00-21:00", { until: summer })];
    server.rename({ [shop(0, 7)]: "Yet another shop" });
    await until(() => tool("reopen"));
    assert.equal(tool("close"), null);
    assert.equal(button.isConnected, false);
});

test("card reverts an edit after a review, and undo makes it again", async () => {
    const server = await openCard({ overrides: [overrideOf("phone", "+81300000001", "+81 45 555 0100")] });
    server.publish((levels) => {
        for (const { id: own, properties } of [...levels.values()].flat()) if (own === place) properties.phone = "+81300000001";
    });
    (await until(() => document.querySelector('[aria-label="Revert to the source: Phone"]'))).click();
    await until(hasDialog);
    assert.deepEqual(changeRows(), [["Phone", "+81300000001", "+81 45 555 0100"]]);
    await proceed();
    const [override] = server.overrides;
    assert.deepEqual(published(server), [["DELETE", `/venues/mall/overrides/${override.id}`, {}]]);
    server.publish((levels) => {
        for (const { id: own, properties } of [...levels.values()].flat()) if (own === place) properties.phone = "+81 45 555 0100";
    });
    assert.match(await undo(), /^Undone with revision/);
    assert.deepEqual(published(server)[1][2].edits, [{ feature: place, patch: { properties: { phone: "+81300000001" } } }]);
});

test("card closes a place until a time at the venue, which has to be in the future", async () => {
    const server = await openCard();
    tool("close").click();
    await until(hasDialog);
    await proceed();
    assert.equal(dialogError(), "Enter a date and a time.");
    only("#edit-until").value = "2020-01-01T10:00";
    await proceed();
    assert.equal(dialogError(), "This time has passed.");
    only("#edit-until").value = "2199-12-24T18:00";
    type(only("#edit-message"), "Renovation");
    await proceed();
    assert.match(plain(textOf(dialog())), /ends by itself on Tuesday, December 24, 2199 at 18:00 GMT\+9/);
    const hours = "Mo-Su 10:00-21:00; 2026 Jun 10-2199 Dec 23 off; 2199 Dec 24 00:00-18:00 off";
    assert.deepEqual(changeRows(), [["Opening hours", "Mo-Su 10:00-21:00", hours]]);
    await proceed();
    const values = { until: "2199-12-24T09:00:00.000Z", message: "Renovation", properties: { hours } };
    assert.deepEqual(published(server), [["PATCH", path, values]]);
    assert.deepEqual(sent(server)[0], ["PATCH", path, { ...values, dry_run: "true" }]);
    assert.equal(hasDialog(), false);
});

test("review of a closure says until when the place is closed, and so does that of its end", async () => {
    const server = await openCard();
    tool("close").click();
    await until(hasDialog);
    only("#edit-until").value = "2026-06-15T00:00";
    await proceed();
    assert.deepEqual(changeRows(), [["Opening hours", "Mo-Su 10:00-21:00", "Closed until Mon, June 15, 10:00"]]);
    await proceed();
    const [[, , { until: end, properties: { hours } }]] = published(server);
    assert.equal(hours, "Mo-Su 10:00-21:00; 2026 Jun 10-2026 Jun 14 off");
    await openCard({ overrides: [overrideOf("hours", hours, "Mo-Su 10:00-21:00", { until: end })] });
    (await until(() => tool("reopen"))).click();
    await until(hasDialog);
    assert.deepEqual(changeRows(), [["Opening hours", "Closed until Mon, June 15, 10:00", "Mo-Su 10:00-21:00"]]);
});

for (const [end, regular] of [[null, "Mo-Fr 09:00-17:00"], ["2199-12-24T09:00:01.000Z", "Mo-Fr 09:00-17:00"], [summer, "Sa 12:00-14:00"]]) {
    test(`card closes a place with the hours that hold after the closure, which are edited until ${end}`, async () => {
        const covered = [{ value: "Sa 12:00-14:00", author: "admin", message: null, since: summer, until: null }];
        const hours = overrideOf("hours", "Mo-Fr 09:00-17:00", "Mo-Su 10:00-21:00", { until: end, covered });
        const server = await openCard({ overrides: [hours] });
        tool("close").click();
        await until(hasDialog);
        only("#edit-until").value = "2199-12-24T18:00";
        await proceed();
        await proceed();
        const [[, , { properties }]] = published(server);
        assert.equal(properties.hours, `${regular}; 2026 Jun 10-2199 Dec 23 off; 2199 Dec 24 00:00-18:00 off`);
    });
}

test("card closes a place of a venue without a time zone on all days, because nobody could tell the dates", async () => {
    const server = await openCard({ about: { country: "JP", language: "en", time_zone: null } });
    tool("close").click();
    await until(hasDialog);
    only("#edit-until").value = "2199-12-24T18:00";
    await proceed();
    await proceed();
    const [[, , { properties }]] = published(server);
    assert.equal(properties.hours, "off");
});

test("card says that closing a place covers its edited hours, and reopening restores them", async () => {
    const hours = overrideOf("hours", "Mo-Fr 09:00-17:00", "Mo-Su 10:00-21:00");
    const server = await openCard({ overrides: [hours] });
    tool("close").click();
    await until(hasDialog);
    assert.match(textOf(only(".step-dialog .notice")), /“Mo-Fr 09:00-17:00”.*return after the closure/);
    await proceed("Cancel");
    const covered = [{ value: "Mo-Fr 09:00-17:00", author: "admin", message: null, since: hours.since, until: null }];
    server.overrides = [overrideOf("hours", "off", "Mo-Su 10:00-21:00", { until: summer, covered })];
    server.rename({ [shop(0, 7)]: "Another shop" });
    (await until(() => tool("reopen"))).click();
    await until(hasDialog);
    assert.deepEqual(changeRows(), [["Opening hours", "closed every day", "Mo-Fr 09:00-17:00"]]);
    await proceed();
    const patch = { properties: { hours: "Mo-Fr 09:00-17:00" } };
    assert.deepEqual(published(server), [["POST", "/venues/mall/edits", { edits: [{ feature: place, patch }] }]]);
});

test("card reopens a closed place whose hours nobody had edited by ending the edit", async () => {
    const server = await openCard({ overrides: [overrideOf("hours", "off", "Mo-Su 10:00-21:00", { until: summer })] });
    (await until(() => tool("reopen"))).click();
    await until(hasDialog);
    await proceed();
    assert.deepEqual(published(server).map(([method]) => method), ["DELETE"]);
});

test("card reopens a place that was closed with hours that end the closure", async () => {
    const hours = "Mo-Su 10:00-21:00; 2026 Jun 10-2199 Jan 04 off; 2199 Jan 05 00:00-18:00 off";
    const server = await openCard({ overrides: [overrideOf("hours", hours, "Mo-Su 10:00-21:00", { until: summer })] });
    (await until(() => tool("reopen"))).click();
    await until(hasDialog);
    assert.deepEqual(changeRows(), [["Opening hours", hours, "Mo-Su 10:00-21:00"]]);
    await proceed();
    assert.deepEqual(published(server).map(([method]) => method), ["DELETE"]);
});

test("card hides a place after saying what follows, and undo shows it again", async () => {
    const server = await openCard();
    tool("hide").click();
    await until(() => document.querySelector(".consequences")?.textContent.includes("1 shop closed"));
    assert.deepEqual(sent(server), [["POST", "/venues/mall/edits", { dry_run: true, edits: [{ hide: place, dependents: "hide" }] }]]);
    type(only("#edit-message"), "Moved out");
    await proceed();
    const [[, , { id: requestID, ...values }]] = published(server);
    assert.deepEqual(values, { base: 1, message: "Moved out", edits: [{ hide: place, dependents: "hide" }] });
    assert.match(requestID, /^[0-9a-f-]{36}$/);
    assert.equal(document.activeElement.id, "main");
    server.publish((levels) => {
        const level = id("level 0");
        levels.set(level, levels.get(level).filter(({ id: own }) => own !== place));
    });
    await until(() => !document.querySelector(".place-card") && document.querySelector(".list-title"));
    assert.equal(document.querySelector(`.place[data-id="${place}"]`), null);
    await undo();
    assert.deepEqual(published(server)[1][2].edits, [{ show: place }]);
});

test("card lists what is hidden with a place, which has to be confirmed", async () => {
    const dependents = [shop(0, 7), id("an unknown feature")];
    const server = await openCard({ result: { dependents } });
    tool("hide").click();
    await until(() => document.querySelector(".dependents li"));
    const items = [...document.querySelectorAll(".dependents li")].map((item) => plain(textOf(item)));
    assert.match(items[0], /^Blue Heron Coffee 007/);
    assert.equal(items[1], dependents[1], "a feature without a name is named by its id");
    await proceed();
    assert.match(dialogError(), /^Confirm/);
    assert.equal(document.activeElement.id, "edit-dependents");
    assert.deepEqual(published(server), []);
    only("#edit-dependents").click();
    await proceed();
    assert.equal(published(server).length, 1);
    await undo();
    assert.deepEqual(published(server)[1][2].edits, [place, ...dependents].map((each) => ({ show: each })));
});

test("card plans the hiding again if another revision was published meanwhile", async () => {
    const server = await openCard();
    tool("hide").click();
    await until(() => document.querySelector(".consequences")?.textContent.includes("1 shop closed"));
    const respond = server.routes["POST /venues/mall/edits"];
    server.routes["POST /venues/mall/edits"] = (request) =>
        (JSON.parse(request.body).dry_run ? respond(request) : problem(409, "head-moved", { title: "A newer revision was published" }));
    await proceed();
    assert.match(dialogError(), /in the meantime/);
    assert.equal(sent(server).filter(([, , values]) => values.dry_run).length, 2);
});

for (const [who, key, requestCount] of [["a reader", undefined, 1], ["a visitor without a key", null, 0]]) {
    test(`entry points of the editor are hidden from ${who}`, async () => {
        const server = new SyncServer({ isPublic: key === null });
        await openLiveMap({ query: `?floor=0&place=${place}`, key });
        await until(() => document.querySelector(".place-card"));
        await pass(60_000);
        assert.equal(document.querySelector(".list-edits, .card-buttons, .card-overrides"), null);
        only(".place-card .back").click();
        await until(() => document.querySelector(".list-title"));
        assert.equal(document.querySelector(".list-edits, .card-buttons, .card-overrides"), null);
        // The page asks once whether the key may edit, and is refused.
        assert.equal(server.requests.filter(({ pathname }) => pathname.endsWith("/overrides")).length, requestCount);
    });
}

test("map page loads no module of the editor before it is needed, but the one that decides who may edit", () => {
    const seen = new Set();
    const visit = (url) => {
        if (seen.has(url.href) || url.href.endsWith("/cartography.js")) return;
        seen.add(url.href);
        for (const [, imported] of readFileSync(url, "utf8").matchAll(/^(?:import|export) [^;]*?"(\.[^"]+)";/gm)) visit(new URL(imported, url));
    };
    visit(new URL("../../Sources/WebConsole/Web/map/map-page.js", import.meta.url));
    assert.ok(seen.size > 50);
    assert.deepEqual([...seen].filter((each) => each.includes("/editing/")).map((each) => each.split("/").at(-1)), ["editing.js"]);
});

test("list of places has the entry points of a publisher, with the number of edits to decide", async () => {
    editServer({ overrides: [overrideOf("phone", "+81312345678", "+81399999999", { state: "contested" })] });
    await openLiveMap();
    await until(() => document.querySelector(".list-edits"));
    assert.equal(textOf(only(".list-edits .badge")), "1 to decide");
    assert.equal(only(".list-edits a").getAttribute("href"), "#/mall/desk/overrides");
});
