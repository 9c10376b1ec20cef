// The edits by hand on the operator's pages: the list, decisions, the setting, uploads that contradict them, the log.

import { check, control, dialog, open, plain, toasts } from "./support/desk-page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { only, textOf } from "./support/page.js";
import { until } from "./support/time.js";
import { DeskService, noResponse } from "./support/desk-service.js";
import { id, override, revision, summary, upload } from "./support/desk-records.js";
import { problem } from "./support/server.js";

const path = "/venues/mall/overrides";
const phone = override(1, {
    pointer: "/properties/phone", state: "contested", base: "+81455559081", value: "+81300000001", source: "+81399999999", message: "Called the shop" });
const hours = override(2, {
    feature: id(2101), name: { en: "Book Bay", ja: "ブックベイ" }, state: "contested", message: null,
    base: "Mo-Su 10:00-20:00", value: "Mo-Su 09:00-18:00", source: "Mo-Su 11:00-19:00" });
const website = override(3, { pointer: "/properties/website", value: "https://ours.example.com/", source: null, base: null, message: null });
const orphan = override(4, { feature: id(2102), name: { en: "Gone" }, pointer: "/properties/phone", state: "orphaned", source: null, message: null });
const hidden = override(5, { feature: id(2103), name: { en: "Moved Out" }, kind: "hidden", pointer: "", base: {}, value: null, source: {}, message: null });

/** A service with overrides that can be decided. */
function overrideService(overrides = [phone, hours, website, orphan, hidden], routes = {}) {
    const service = Object.assign(new DeskService(), { overrides });
    const result = (base, published = base) => ({
        venue: "mall", revision: published, base, changes: summary([]), overrides: [], ended: [], dependents: [], findings: [] });
    const find = (overrideID) => service.overrides.find((each) => each.id === overrideID);
    const end = (overrideID) => {
        service.overrides = service.overrides.filter((each) => each.id !== overrideID);
        return result(service.venue.head, service.publish({ kind: "edit" }));
    };
    service.start({
        ...routes,
        [`GET ${path}/(?<id>[0-9a-f-]+)`]: (_, { id: own }) => find(own) ?? problem(404, "override-not-found"),
        [`POST ${path}/(?<id>[0-9a-f-]+)/resolve`]: ({ body }, { id: own }) => {
            if (JSON.parse(body).take === "source") return end(own);
            service.overrides = service.overrides.map((each) => (each.id === own ? { ...each, state: "quiet", base: each.source } : each));
            // A decision that changes no feature makes no revision.
            return result(service.venue.head);
        },
        [`DELETE ${path}/(?<id>[0-9a-f-]+)`]: (_, { id: own }) => end(own),
    });
    return service;
}

const entries = () => [...document.querySelectorAll("#main .override")];
const titles = () => entries().map((each) => plain(textOf(only("h3", each))));
const entry = (title) => entries().find((each) => plain(textOf(only("h3", each))) === title);
const action = (title, label) => [...entry(title).querySelectorAll("button")].find((each) => textOf(each).startsWith(label));
const chip = (label) => [...document.querySelectorAll(".desk-chips .chip")].find((each) => textOf(each) === label);
const badge = () => textOf(only(".tab-badge"));
const isLoaded = () => document.querySelector(".overrides")?.hasChildNodes();
const openList = (query = "", options = {}) => open(`#/mall/desk/overrides${query}`, { isLoaded, ...options });
const isCount = (n) => until(() => entries().length === n, `${n} edits`);

test("edits lead to the map, where they are made", async () => {
    overrideService([]);
    await open("#/mall/desk/overrides");
    assert.equal(textOf(only(".overrides-header a[href='#/mall']")), "Edit on the map");
    assert.match(textOf(only(".overrides-header")), /choose a place on the map/);
});

test("list of edits begins with those to decide, with their three values", async () => {
    overrideService();
    await openList();
    assert.deepEqual(titles(), ["Anchor Coffee: Phone", "Book Bay: Opening hours"]);
    assert.equal(badge(), "2 to decide");
    const card = entry("Anchor Coffee: Phone");
    assert.deepEqual([...card.querySelectorAll("dt")].map(textOf), ["Source at the time of the edit", "Edit", "Source now"]);
    assert.deepEqual([...card.querySelectorAll("dd")].map(textOf), ["+81455559081", "+81300000001", "+81399999999"]);
    assert.match(plain(textOf(card)), /edited by admin on Jun 8, 2026/);
    assert.match(plain(textOf(card)), /“Called the shop”/);
});

test("list of edits says until when a place is closed, and shows the rules of hours that do not end by themselves", async () => {
    const rules = "Mo-Su 10:00-21:00; 2026 Jun 08-2026 Jun 14 off";
    for (const [end, expected] of [["2026-06-14T15:00:00Z", "Closed until Mon, June 15, 10:00"], [null, rules]]) {
        overrideService([{ ...hours, state: "quiet", value: rules, source: "Mo-Su 10:00-21:00", until: end }]);
        await openList("?state=all");
        assert.deepEqual([...entries()[0].querySelectorAll("dd")].map(textOf), ["Mo-Su 10:00-21:00", expected]);
    }
});

test("edit that is kept leaves the list, and the next one has the focus", async () => {
    const service = overrideService();
    await openList();
    const button = action("Anchor Coffee: Phone", "Keep the edit");
    button.focus();
    button.click();
    await isCount(1);
    const [{ method, path: sentPath, body }] = service.sent;
    assert.deepEqual([method, sentPath, JSON.parse(body)], ["POST", `${path}/${phone.id}/resolve`, { take: "mine" }]);
    assert.deepEqual(titles(), ["Book Bay: Opening hours"]);
    assert.equal(document.activeElement, entries()[0]);
    await until(() => badge() === "1 to decide");
    assert.match(toasts().at(-1).text, /Anchor Coffee: Phone/);
});

test("last edit that is decided leaves a list that says so, which has the focus", async () => {
    overrideService([phone]);
    await openList();
    const button = action("Anchor Coffee: Phone", "Keep the edit");
    button.focus();
    button.click();
    await until(() => document.querySelector(".overrides .desk-empty"));
    assert.equal(textOf(only(".overrides .desk-empty")), "There is nothing to decide.");
    assert.equal(document.activeElement, only(".overrides .desk-empty"));
    await until(() => badge() === "");
});

test("edit gives way to the source, and undo makes it again", async () => {
    const feature = { type: "Feature", feature_type: "occupant", geometry: null, id: hours.feature, properties: { hours: hours.source } };
    const service = overrideService(undefined, {
        [`GET /venues/mall/features/${hours.feature}`]: feature,
        "POST /venues/mall/edits": () => ({
            venue: "mall", base: 3, revision: service.publish(), changes: summary([]), overrides: [], ended: [], dependents: [], findings: [] }),
    });
    await openList();
    action("Book Bay: Opening hours", "Use the source").click();
    await isCount(1);
    assert.deepEqual(JSON.parse(service.sent[0].body), { take: "source" });
    const toast = await until(() => document.querySelector(".toast button"));
    toast.click();
    await until(() => toasts().some(({ text }) => /^Undone with revision/.test(text)));
    assert.deepEqual(JSON.parse(service.sent[1].body), {
        base: 3, message: "Undo revision 3", edits: [{ feature: hours.feature, patch: { properties: { hours: hours.value } } }] });
});

test("undo of a decision leaves what somebody else has changed since", async () => {
    const feature = { type: "Feature", feature_type: "occupant", geometry: null, id: hours.feature, properties: { hours: "off" } };
    const service = overrideService(undefined, { [`GET /venues/mall/features/${hours.feature}`]: feature });
    await openList();
    action("Book Bay: Opening hours", "Use the source").click();
    (await until(() => document.querySelector(".toast button"))).click();
    await until(() => toasts().some(({ text }) => /^Not undone/.test(text)));
    assert.equal(service.sent.length, 1);
});

test("edit that has changed since the list was loaded is not decided", async () => {
    const service = overrideService();
    await openList();
    service.overrides = service.overrides.map((each) => (each.id === phone.id ? { ...each, state: "quiet" } : each));
    action("Anchor Coffee: Phone", "Use the source").click();
    await isCount(1);
    assert.match(toasts().at(-1).text, /changed in the meantime/);
    assert.equal(toasts().at(-1).kind, "problem");
    assert.deepEqual(service.sent, []);
});

test("decision that gets no response is reported, and can be made again", async () => {
    overrideService(undefined, { [`POST ${path}/${phone.id}/resolve`]: noResponse });
    await openList();
    const button = action("Anchor Coffee: Phone", "Keep the edit");
    button.click();
    await until(() => toasts().length > 0);
    assert.match(toasts()[0].text, /The server does not respond/);
    await until(() => !button.hasAttribute("aria-busy"));
    assert.equal(entries().length, 2);
});

test("list of edits is filtered by state and kind, which the address keeps", async () => {
    overrideService();
    await openList("?state=all");
    assert.equal(entries().length, 5);
    for (const [label, name, count] of [
        ["In effect", "quiet", 2], ["Without a feature", "orphaned", 1], ["Hidden", "hidden", 1], ["Added", "added", 0], ["To decide", "contested", 2],
    ]) {
        chip(label).click();
        await isCount(count);
        assert.equal(textOf(only(".chip[aria-pressed=true]")), label);
        assert.equal(location.hash, `#/mall/desk/overrides?state=${name}`);
    }
});

for (const [label, title, button, none] of [
    ["Without a feature", "Gone: Phone", "Discard", "No edit has lost its feature."], ["Hidden", "Moved Out: hidden", "Show again", null],
    ["In effect", "Anchor Coffee: Website", "Revert to the source", null],
]) {
    test(`edit in the list “${label}” can be ended`, async () => {
        const ended = [website, orphan, hidden].find((each) => title.startsWith(each.name.en) && (label === "In effect") === (each === website));
        const service = overrideService([phone, hours, ended]);
        await openList("?state=all");
        chip(label).click();
        await isCount(1);
        if (label === "Without a feature") assert.match(textOf(entry(title)), /does not contain this feature/);
        action(title, button).click();
        const empty = await until(() => document.querySelector(".overrides .desk-empty"));
        if (none) assert.equal(textOf(empty), none);
        assert.deepEqual(service.sent.map(({ method, path: each }) => [method, each]), [["DELETE", `${path}/${ended.id}`]]);
    });
}

test("list of edits is downloaded for the map team", async () => {
    overrideService(undefined, { [`GET ${path}\\.(csv|geojson)`]: ({ path: each }) => new Response(each) });
    await openList();
    const downloads = [];
    const { click } = window.HTMLAnchorElement.prototype;
    const { createObjectURL } = URL;
    URL.createObjectURL = (blob) => downloads.push(blob.text()) && "blob:x";
    window.HTMLAnchorElement.prototype.click = function () { downloads.push(this.download); };
    try {
        for (const format of ["CSV", "GeoJSON"]) {
            const button = control(format);
            button.click();
            await until(() => !button.disabled);
            assert.equal(document.activeElement, button);
        }
    } finally {
        window.HTMLAnchorElement.prototype.click = click;
        URL.createObjectURL = createObjectURL;
    }
    assert.deepEqual(await Promise.all(downloads), [`${path}.csv`, "mall-overrides.csv", `${path}.geojson`, "mall-overrides.geojson"]);
});

test("reader sees no list of edits", async () => {
    const service = Object.assign(new DeskService({ role: "read" }), { overrides: [phone] });
    service.start();
    await open("#/mall/desk/overrides", { isLoaded: () => document.querySelector("#main [role=alert]") });
    assert.equal(document.querySelector(".overrides, .override"), null);
});

test("list of edits is complete in Japanese, and its controls have names", async () => {
    overrideService();
    await openList("?state=all", { language: "ja" });
    assert.equal(entries().length, 5);
    assert.doesNotMatch(textOf(only("#main")), /\b(desk|edit)\.[a-z]/i);
    const nameless = [...document.querySelectorAll("button, a, input, select")]
        .filter((each) => !(textOf(each) || each.getAttribute("aria-label") || each.labels?.length)).map((each) => each.outerHTML);
    assert.deepEqual(nameless, []);
});

test("setting for contradicted edits is explained and saved", async () => {
    const service = overrideService();
    await open("#/mall/desk/settings");
    const group = only("#set-overrides-keep").closest("fieldset");
    assert.equal(textOf(only("legend", group)), "Edits by hand that an upload contradicts");
    assert.equal(group.querySelectorAll(".choice .help").length, 3);
    assert.ok(only("#set-overrides-keep").checked);
    check("#set-overrides-ask");
    control("Save").click();
    await until(() => service.sent.length > 0);
    assert.deepEqual(service.sent.map(({ method, path: each, body }) => [method, each, JSON.parse(body)]), [["PATCH", "/venues/mall", { overrides: "ask" }]]);
    await until(() => toasts().some(({ text }) => text.startsWith("Saved")));
});

test("upload that contradicts edits names the new ones, links to all, and is published after a confirmation", async () => {
    const staged = upload(500, {
        reasons: ["overrides"], changes: { ...summary([]), words: ["Nothing but formatting changed"] },
        overrides: { contested: 3, orphaned: 0, quiet: 2, redundant: 0, yielded: 0 },
    });
    const service = Object.assign(new DeskService({ uploads: [staged] }), { overrides: [phone, hours] });
    service.start({ [`GET /uploads/${staged.id}/changes\\?bodies=false&limit=1`]: {
        venue: "mall", from: 2, to: null, next: null, words: [], changes: [],
        overrides: [{ ...website, state: "contested", source: "https://theirs.example.com/" }] } });
    await open(`#/mall/desk/uploads/${staged.id}`, { isLoaded: () => document.querySelector(".decision") });
    await until(() => document.querySelector("[data-guard=overrides]")?.textContent.includes("Anchor Coffee"));
    assert.equal(only(".verdict a").getAttribute("href"), "#/mall/desk/overrides");
    assert.equal(textOf(only(".verdict a")), "3 contested edits");
    const decision = only(".upload-checks");
    assert.match(textOf(decision), /contradicts changes that were made by hand/);
    assert.match(textOf(decision), /3 edits wait for a decision/);
    assert.equal(plain(textOf(only(".reasons [data-guard=overrides]"))),
        "Edited by hand, and different in the archive: Anchor Coffee. If you publish the archive, those edits stay in effect, and are listed under “Edits” for a decision.");
    assert.equal(only(".override-link").getAttribute("href"), "#/mall/desk/overrides");
    control("Publish").click();
    check("#confirm-overrides");
    dialog().querySelector("footer button:last-of-type").click();
    await until(() => document.querySelector(".outcome.is-published, .outcome.is-unchanged"));
    assert.deepEqual(JSON.parse(service.sent[0].body), { base: 2, confirm: ["overrides"] });
});

test("log marks revisions that are edits by hand", async () => {
    const service = new DeskService();
    service.revisions = [revision(3, { kind: "upload" }), revision(2, { kind: "edit" }), revision(1)];
    service.start();
    await open("#/mall/desk/history", { isLoaded: () => document.querySelector("#revision-1") });
    const marked = [...document.querySelectorAll(".revision")].filter((each) => textOf(each).includes("Edited by hand")).map((each) => each.id);
    assert.deepEqual(marked, ["revision-2"]);
    assert.match(textOf(only("#revision-2")), /admin/);
});
