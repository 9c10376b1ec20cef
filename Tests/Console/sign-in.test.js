import { control, dialog, enter, hasDialog, open } from "./support/desk-page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "./support/time.js";
import { DeskService, unauthorized } from "./support/desk-service.js";
import { id, upload } from "./support/desk-records.js";
import { problem } from "./support/server.js";
import { only, textOf, window } from "./support/page.js";
const { session } = await import("../../Sources/WebConsole/Web/session.js");
const { request } = await import("../../Sources/WebConsole/Web/api.js");

const error = () => textOf(dialog().querySelector(".error-message"));
const submit = () => dialog().querySelector("footer .primary").click();

/** A service that knows one key. */
function withKey(known = "vsk_known") {
    const service = new DeskService();
    const isKnown = ({ headers }) => headers.get("Authorization") === `Bearer ${known}`;
    service.start({ "GET /venues(\\?.*)?": (request) => (isKnown(request) ? { venues: [service.venue], next: null } : unauthorized()) });
    return service;
}

test("sign-in refuses a key that the server does not know, and stores nothing", async () => {
    const service = withKey();
    await open("#/", { signedIn: null });
    only(".welcome button.primary").click();
    submit();
    await until(() => error() === "Enter a key.");
    enter("#key", "vsk_wrong");
    submit();
    await until(() => /The server does not know this key/.test(error()));
    assert.equal(only("#key").getAttribute("aria-invalid"), "true");
    assert.deepEqual([window.sessionStorage.length, window.localStorage.length], [0, 0]);
    const { length } = service.requests;
    enter("#key", "schlüssel");
    submit();
    await until(() => /The server does not know this key/.test(error()));
    assert.equal(service.requests.length, length, "a key with such characters cannot be sent");
});

test("sign-in stores the key for this tab only, and signing out removes it", async () => {
    const service = withKey();
    await open("#/", { signedIn: null });
    control("Sign in", only("#bar")).click();
    enter("#key", " vsk_known ");
    submit();
    await until(() => !hasDialog() && document.querySelector(".card-key"));
    assert.equal(textOf(only(".card-key")), "mall");
    assert.equal(window.localStorage.length, 0);
    assert.equal(document.cookie, "");
    assert.deepEqual(Object.keys(window.sessionStorage), ["venuesync.key"]);
    assert.ok(service.requests.every(({ path }) => !path.includes("vsk_")), "the key is in no address");
    control("Sign out").click();
    await until(() => document.querySelector(".welcome"));
    assert.equal(window.sessionStorage.length, 0);
});

for (const [language, title, signIn] of [["en", "This key is not valid", "Sign in"], ["ja", "このキーは無効です", "サインイン"]]) {
    test(`sign-in replaces a revoked key where the list of venues says so (${language})`, async () => {
        withKey();
        await open("#/", { language, signedIn: "vk_revoked", isLoaded: () => document.querySelector("#main [role=alert]") });
        const alert = only("#main [role=alert]");
        assert.equal(textOf(alert.querySelector("h1")), title);
        control(signIn, alert).click();
        enter("#key", "vsk_known");
        dialog().querySelector("form").requestSubmit();
        await until(() => document.querySelector(`.venue-card a.card[href="#/mall"]`));
        assert.equal(session.key, "vsk_known");
    });
}

for (const [what, key, title, action] of [
    ["private venue without a key asks for one", null, "A key is required", "Sign in"],
    ["map with a revoked key says so", "vsk_revoked", "This key is not valid", "Sign in"],
]) {
    test(what, async () => {
        new DeskService().start({ "GET /venues/mall": unauthorized, "GET /venues/mall/(sync|uploads).*": unauthorized });
        await open("#/mall", { signedIn: key, isLoaded: () => document.querySelector("#main [role=alert]") });
        assert.equal(textOf(only("#main [role=alert] h1")), title);
        assert.ok(control(action, only("#main")));
    });
}

test("map of a venue that does not exist links to the list of venues", async () => {
    const missing = () => problem(404, "venue-not-found", { title: "Venue not found" });
    new DeskService().start({ "GET /venues/nowhere.*": missing });
    await open("#/nowhere", { isLoaded: () => document.querySelector("#main [role=alert]") });
    assert.match(textOf(only("#main [role=alert]")), /Not found/);
    control("All venues").click();
    await until(() => document.querySelector(".cards"));
});

test("map of a venue that has no revision yet leads a publisher to its uploads", async () => {
    const service = new DeskService({ venue: null, uploads: [upload(1, { base: 0 })] });
    service.start({ "GET /venues/mall/sync.*": () => problem(404, "venue-not-found", { title: "Venue not found" }) });
    await open("#/mall", { isLoaded: () => document.querySelector("#main .state h1, #main .state h2") });
    assert.match(textOf(only("#main .state")), /Nothing has been published yet/);
    control("Show the uploads").click();
    await until(() => document.querySelector(".desk-waiting"));
});

test("map of a venue whose only upload was rejected says so, and leads to it", async () => {
    const service = new DeskService({ venue: null, uploads: [upload(1, { base: 0, state: "rejected" })] });
    service.start({ "GET /venues/mall/sync.*": () => problem(404, "venue-not-found", { title: "Venue not found" }) });
    await open("#/mall", { isLoaded: () => document.querySelector("#main .state h1, #main .state h2") });
    assert.match(textOf(only("#main .state")), /was rejected/);
    assert.doesNotMatch(textOf(only("#main .state")), /is being processed/);
    assert.equal(control("Open the upload").getAttribute("href"), `#/mall/desk/uploads/${id(1)}`);
});

for (const [sender, response, isRefusal] of [
    ["the server", unauthorized, true], ["a captive portal", () => new Response("<h1>Sign in to the network</h1>", { status: 401 }), false],
    ["a proxy", () => Response.json({ type: "about:blank" }, { status: 401 }), false],
]) {
    test(`session reports a 401 of ${sender} ${isRefusal ? "" : "not "}as a refusal of the key`, async () => {
        new DeskService().start({ "GET /keys": response });
        await open("#/", { signedIn: null });
        window.sessionStorage.setItem("venuesync.key", "vsk_test");
        const refused = [];
        session.addEventListener("refused", () => refused.push(session.key), { once: true });
        await assert.rejects(request("/keys"), ({ status }) => status === 401);
        assert.deepEqual(refused, isRefusal ? ["vsk_test"] : []);
        session.refuse("vsk_another");
        assert.equal(refused.length, isRefusal ? 1 : 0, "only the key that is used");
    });
}
