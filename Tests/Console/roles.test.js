import { control, open, visit } from "./support/desk-page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { problem } from "./support/server.js";
import { settle, until } from "./support/time.js";
import { DeskService, noResponse, unauthorized } from "./support/desk-service.js";
import { id, upload, venue } from "./support/desk-records.js";
import { textOf } from "./support/page.js";

const alert = () => textOf(document.querySelector("#main [role=alert]"));
const isRefused = () => document.querySelector("#main [role=alert]");
const tabs = () => [...document.querySelectorAll(".desk-tabs a")].map(textOf);

for (const [role, expected] of [
    ["admin", ["Uploads", "Edits", "Log", "Compare", "Reachability", "Links", "Settings"]], ["publish", ["Uploads", "Edits", "Log", "Compare", "Reachability", "Links"]], ["read", ["Log", "Compare", "Reachability"]],
]) {
    test(`desk has the tabs of a key with the role ${role}`, async () => {
        new DeskService({ role }).start();
        await open("#/mall/desk");
        assert.deepEqual(tabs(), expected);
        assert.equal(document.querySelector(".drop-zone") !== null, role !== "read");
        assert.equal(document.querySelector(".revision") !== null, true, "the log, or the newest revisions beside the form");
        assert.equal(document.querySelectorAll("a[href*=restore]").length, 0);
    });
}

test("desk refuses the views that a key with the role read may not use", async () => {
    new DeskService({ role: "read", uploads: [upload(100)] }).start();
    for (const view of ["settings", "restore?to=1", `uploads/${id(100)}`, "uploads", "overrides"]) {
        await open(`#/mall/desk/${view}`, { isLoaded: isRefused });
        assert.match(alert(), /Your key does not permit this/, view);
    }
    await open("#/~/keys", { isLoaded: isRefused });
    assert.match(alert(), /Your key does not permit this/);
});

test("log has no links to roll back for a key with the role read", async () => {
    for (const [role, count] of [["read", 0], ["publish", 1]]) {
        new DeskService({ role }).start();
        await open("#/mall/desk/history");
        assert.equal(document.querySelectorAll(".timeline a[href*=restore]").length, count, role);
    }
});

test("list of venues has the actions that a key may use", async () => {
    for (const [role, expected] of [["admin", ["Calendar", "Audit log", "Keys", "New venue"]], ["publish", ["Calendar", "New venue"]], ["read", []]]) {
        new DeskService({ role }).start();
        await open("#/");
        assert.deepEqual([...document.querySelectorAll(".venues-header a")].map(textOf), expected, role);
    }
});

for (const [name, isRefusing, expected] of [["all venues", false, ["#/~/audit?venue=mall"]], ["only this venue", true, []]]) {
    test(`settings lead to the log of changes of the venue for an administrator of ${name}`, async () => {
        new DeskService().start(isRefusing ? { "GET /keys": () => problem(403, "forbidden") } : {});
        await open("#/mall/desk/settings");
        await settle();
        assert.deepEqual([...document.querySelectorAll(".settings a[href*=audit]")].map((each) => each.getAttribute("href")), expected);
        assert.ok(document.querySelector(".settings-save"));
    });
}

for (const view of ["", "/history", "/compare?from=1&to=2", "/restore?to=1"]) {
    test(`desk of a public venue requests no log for a key of another venue (${view || "overview"})`, async () => {
        const requests = new DeskService({ role: "read", venue: venue({ public: true }) }).start();
        await open(`#/mall/desk${view}`, { isLoaded: isRefused });
        assert.match(alert(), /Your key does not permit this/);
        assert.equal(document.querySelector(".timeline, .desk-tabs"), null);
        assert.deepEqual(requests.filter(({ path }) => /revisions|diff/.test(path)), []);
    });
}

test("desk of a public venue needs a key that is valid", async () => {
    const service = new DeskService({ venue: venue({ public: true }) });
    let isRevoked = false;
    const uploads = ({ path }) => (isRevoked ? unauthorized() : path && { uploads: [], next: null });
    service.start({ "GET /venues/mall/uploads\\?limit=1": uploads });
    await open("#/mall/desk/history");
    assert.ok(document.querySelector(".timeline"));
    isRevoked = true;
    await visit("#/mall/desk/history", isRefused);
    assert.match(alert(), /This key is not valid/);
    assert.equal(document.querySelector(".timeline"), null);
    assert.equal(textOf(document.querySelector("#main [role=alert] button")), "Sign in");
});

test("desk of a public venue requests nothing without a key", async () => {
    const requests = new DeskService({ venue: venue({ public: true }) }).start();
    await open("#/mall/desk/history", { signedIn: null, isLoaded: isRefused });
    assert.match(alert(), /A key is required/);
    assert.deepEqual([...requests], []);
});

test("desk reports a server that does not respond, not a wrong key, and can be tried again", async () => {
    let isDown = true;
    new DeskService().start({ "GET /venues/mall/uploads\\?limit=1": () => (isDown ? noResponse() : { uploads: [], next: null }) });
    await open("#/mall/desk", { isLoaded: isRefused });
    assert.match(alert(), /The server does not respond/);
    isDown = false;
    control("Try again").click();
    await until(() => document.querySelector(".drop-zone"));
});

test("desk of a venue that does not exist links to the list of venues", async () => {
    new DeskService().start({ "GET /venues/nowhere/uploads\\?limit=1": () => new Response(
        JSON.stringify({ type: "/problems/venue-not-found", title: "Venue not found", status: 404 }), { status: 404 }) });
    await open("#/nowhere/desk", { isLoaded: isRefused });
    assert.match(alert(), /Not found/);
    control("All venues").click();
    await until(() => document.querySelector(".cards"));
    assert.equal(location.hash, "#/");
});
