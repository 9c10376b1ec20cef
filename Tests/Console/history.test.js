import { check, control, enter, open, plain, toasts } from "./support/desk-page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "./support/time.js";
import { DeskService, noResponse } from "./support/desk-service.js";
import { change, edited, firstFloor, id, levelState, mallFeatures, revision, secondFloor, summary, venue } from "./support/desk-records.js";
import { problem } from "./support/server.js";
import { only, textOf, window } from "./support/page.js";

const entry = (number) => document.getElementById(`revision-${number}`);
const numbers = () => [...document.querySelectorAll(".revision h3")].map(textOf);

async function openLog(values = {}, routes = {}, revisions = null) {
    const service = new DeskService({ venue: venue({ head: 3, ...values }) });
    if (revisions) service.revisions = revisions;
    service.start(routes);
    await open("#/mall/desk/history");
    return service;
}

test("log shows author, time, message and changes of each revision", async () => {
    const words = ["5 shops renamed on 1F", "2 shops moved on 1F", "1 shop closed on 2F"];
    await openLog({}, {}, [
        revision(3, { kind: "rollback", restores: 1, levels: [secondFloor], message: "Too early" }),
        revision(2, { author: "ana", message: "Spring tenants", changes: { ...summary([], words), added: 1, changed: 7, removed: 2 } }), revision(1, { author: "" }),
    ]);
    assert.deepEqual(numbers(), ["Revision 3", "Revision 2", "Revision 1"]);
    const text = plain(textOf(entry(2)));
    for (const part of ["ana", "Spring tenants", "1 added · 7 changed · 2 removed", ...words]) assert.ok(text.includes(part), part);
    assert.equal(entry(2).querySelector("time").getAttribute("datetime"), "2026-06-02T01:00:00.000Z");
    assert.match(textOf(entry(3)), /Newest/);
    assert.match(plain(textOf(entry(3))), /2F rolled back to revision 1.*Too early/);
    assert.match(textOf(entry(1)), /Unknown/);
    assert.equal(document.querySelectorAll(".tag.good").length, 1);
});

test("log names levels of two buildings that have one name once", async () => {
    const named = (level, name) => levelState(level, 0, 1, { short_name: { en: name } });
    const [annex, roof] = [id(11), id(12)];
    const levels = [levelState(null, null, 3), named(firstFloor, "1F"), named(annex, "1F"), named(roof, "R")];
    await openLog({ levels }, {}, [revision(3, { kind: "rollback", restores: 1, levels: [firstFloor, annex, roof] })]);
    assert.match(plain(textOf(entry(3))), /(?<!F, )1F, R rolled back to revision 1/);
});

test("log compares two selected revisions, of which a third one replaces the first", async () => {
    await openLog();
    const text = () => textOf(only(".compare-selection"));
    assert.equal(text(), "Select two revisions to compare them.");
    check("#compare-3");
    assert.equal(text(), "Revision 3 is selected. Select another one.");
    check("#compare-1");
    assert.equal(only(".compare-selection a").getAttribute("href"), "#/mall/desk/compare?from=1&to=3");
    assert.equal(text(), "Compare 1 and 3");
    check("#compare-2");
    assert.equal(text(), "Compare 1 and 2");
    assert.equal(only("#compare-3").checked, false);
});

test("log links each revision to its changes, and older ones to a rollback", async () => {
    await openLog();
    const links = (number) => [...entry(number).querySelectorAll("a")].map((link) => link.getAttribute("href"));
    assert.deepEqual(links(3), ["#/mall/desk/compare?from=2&to=3"]);
    assert.deepEqual(links(2), ["#/mall/desk/compare?from=1&to=2", "#/mall/desk/restore?to=2"]);
    assert.deepEqual(links(1), ["#/mall/desk/restore?to=1"]);
});

test("log shows a revision that somebody publishes, without loading the page again", async () => {
    const service = await openLog();
    const main = only("#main").firstChild;
    service.publish({ message: "Summer fair" });
    await until(() => entry(4));
    assert.match(textOf(entry(4)), /Summer fair/);
    assert.equal(textOf(only("#desk-header-revision")), "Revision 4");
    assert.equal(only("#main").firstChild, main);
});

test("log continues with older revisions, and says that those before were deleted", async () => {
    await openLog({ first: 2 }, {
        "GET /venues/mall/revisions\\?limit=25": { revisions: [revision(3)], next: "/venues/mall/revisions?before=3&limit=25" },
        "GET /venues/mall/revisions\\?before=3&limit=25": { revisions: [revision(2)], next: null },
    });
    assert.deepEqual(numbers(), ["Revision 3"]);
    control("Older revisions").click();
    await until(() => numbers().length === 2);
    assert.match(textOf(only("#main")), /Revisions before 2 have been deleted/);
    assert.equal(entry(2).querySelector('a[href*="compare"]'), null);
});

test("log of a venue that was deleted and created again is loaded anew", async () => {
    const service = await openLog({ head: 2 });
    assert.deepEqual(numbers(), ["Revision 2", "Revision 1"]);
    const other = `sha-256:${"00".repeat(32)}`;
    service.venue = venue({ head: 0, digest: other });
    service.revisions = [];
    service.publish({ message: "A new beginning", digest: other });
    await until(() => document.getElementById("desk-header-revision")?.textContent === "Revision 1" && numbers().length === 1);
    assert.match(textOf(entry(1)), /A new beginning/);
});

test("download sends the key, asks the server whether the archive is the same, and has a name", async () => {
    const clicked = [];
    window.HTMLAnchorElement.prototype.click = function click() { clicked.push([this.getAttribute("href"), this.getAttribute("download")]); };
    globalThis.URL.createObjectURL = (blob) => `blob:${blob.size}`;
    globalThis.URL.revokeObjectURL = () => {};
    const archive = "GET /venues/mall/revisions/1/archive\\.zip";
    const service = new DeskService();
    service.start({ [archive]: () => new Response("PK\u0003\u0004archive") });
    const caches = [];
    const { fetch } = globalThis;
    globalThis.fetch = (path, options) => {
        if (path.includes("archive.zip")) caches.push(options.cache);
        return fetch(path, options);
    };
    await open("#/mall/desk/history");
    const button = [...entry(1).querySelectorAll("button")].find((each) => textOf(each).startsWith("Download"));
    button.click();
    assert.equal(button.disabled, true);
    await until(() => !button.disabled);
    assert.deepEqual(clicked, [["blob:11", "mall-1.zip"]]);
    // A venue that was deleted and created again has other archives at the same addresses.
    assert.deepEqual(caches, ["no-cache"]);
    assert.equal(service.requests.find(({ path }) => path.includes("archive.zip")).headers.get("Authorization"), "Bearer vsk_test");
    delete window.HTMLAnchorElement.prototype.click;
});

test("download that fails is reported", async () => {
    await openLog({}, { "GET /venues/mall/revisions/3/archive\\.zip": noResponse });
    entry(3).querySelector("button").click();
    await until(() => toasts().length > 0);
    assert.equal(toasts()[0].kind, "problem");
    assert.match(toasts()[0].text, /The server does not respond/);
});

test("comparison of a revision that does not exist has an error and a form", async () => {
    const service = new DeskService({ venue: venue({ head: 2 }) });
    service.diff = [change(mallFeatures().get(firstFloor)[2], edited(mallFeatures().get(firstFloor)[2], { name: { en: "Anchor Tea" } }), firstFloor, ["name"])];
    const missing = () => problem(404, "revision-not-found", { title: "Revision 99 not found" });
    service.start({ "GET /venues/mall/diff\\?from=1&to=99.*": missing });
    await open("#/mall/desk/compare?from=1&to=99");
    assert.match(textOf(only("#main [role=alert]")), /There is no such revision/);
    enter("#compare-to", "2");
    control("Compare", only(".compare-picker")).click();
    await until(() => document.querySelector(".change"));
    assert.equal(location.hash, "#/mall/desk/compare?from=1&to=2");
    control("Swap").click();
    await until(() => document.querySelector("h2")?.textContent === "Revision 2 → 1");
    await until(() => document.querySelector("#compare-from")?.value === "2");
    service.diff = [];
    enter("#compare-to", "2");
    control("Compare", only(".compare-picker")).click();
    await until(() => document.querySelector(".desk-empty"));
    assert.match(textOf(only(".desk-empty")), /No differences/);
});

test("comparison of a venue with one revision says that there is nothing to compare", async () => {
    new DeskService({ venue: venue({ head: 1 }) }).start();
    await open("#/mall/desk/compare");
    assert.match(textOf(only("#main .state")), /There is only one revision/);
});
