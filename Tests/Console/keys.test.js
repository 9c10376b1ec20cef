import { control, dialog, enter, hasDialog, open, toasts } from "./support/desk-page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { settle, until } from "./support/time.js";
import { DeskService } from "./support/desk-service.js";
import { apiKey, id } from "./support/desk-records.js";
import { problem } from "./support/server.js";
import { only, textOf, window } from "./support/page.js";

const rows = () => [...document.querySelectorAll(".keys tbody tr")].map((row) => textOf(row.querySelector("bdi")));
/** The button of the key with a name, which is followed by what tells it from others of that name. */
const action = (name) => [...document.querySelectorAll(".keys button")].find((each) => textOf(each).startsWith(`${name},`));
const error = (field) => textOf(only(`#${field}-error`, dialog()));
const submit = () => dialog().querySelector("footer .primary").click();

async function openKeys(keys = [], create = (request, service) => {
    const created = apiKey(50, JSON.parse(request.body));
    service.keys.push(created);
    return { ...created, secret: "vsk_secret" };
}) {
    const service = new DeskService();
    service.keys = keys;
    service.start({ "POST /keys": (request) => create(request, service) });
    await open("#/~/keys");
    return service;
}

test("key is created, and its secret is shown once", async () => {
    const service = await openKeys();
    assert.match(textOf(only("#main")), /No keys yet/);
    control("Create a key").click();
    await until(hasDialog);
    const suggestions = await until(() => [...document.querySelectorAll("#known-venues option")].map(({ value }) => value).join());
    assert.equal(suggestions, "mall");
    submit();
    await until(() => error("key-name") === "Enter a name for the key.");
    enter("#key-name", " phones ");
    submit();
    await until(() => error("key-venues") === "Enter venue keys, or select “All venues”.");
    enter("#key-venues", "mall, plaza、harbour");
    only("#role-publish").click();
    submit();
    const secret = await until(() => document.getElementById("key-secret"));
    assert.deepEqual(JSON.parse(service.sent[0].body), { name: "phones", role: "publish", venues: ["mall", "plaza", "harbour"] });
    assert.equal(service.sent.length, 1);
    assert.equal(secret.value, "vsk_secret");
    assert.equal(dialog().querySelector("[data-action=cancel]"), null, "nothing can be undone any more");
    control("I have copied it").click();
    await until(() => rows().length === 1);
    assert.deepEqual(rows(), ["phones"]);
    assert.ok(!document.body.innerHTML.includes("vsk_secret"));
});

test("key for all venues needs no venue keys", async () => {
    const service = await openKeys();
    control("Create a key").click();
    await until(hasDialog);
    enter("#key-name", "ops");
    only("#key-all").click();
    assert.equal(only("#key-venues").disabled, true);
    submit();
    await until(() => document.getElementById("key-secret"));
    assert.deepEqual(JSON.parse(service.sent[0].body), { name: "ops", role: "read", venues: ["*"] });
});

test("key cannot be dismissed while it is being created", async () => {
    const held = [];
    const service = await openKeys([], () => new Promise((resolve) => { held.push(resolve); }));
    control("Create a key").click();
    await until(hasDialog);
    enter("#key-name", "created in a hurry");
    enter("#key-venues", "mall");
    submit();
    await until(() => held.length === 1);
    const cancel = new window.Event("cancel", { cancelable: true });
    dialog().dispatchEvent(cancel);
    assert.equal(cancel.defaultPrevented, true);
    // Browsers close a dialog without a cancel event when Escape is pressed twice.
    dialog().close();
    control("Close", dialog()).click();
    control("Cancel", dialog()).click();
    dialog().querySelector("form").requestSubmit();
    await settle();
    assert.equal(dialog().open, true);
    assert.ok(dialog().querySelector("[aria-busy=true]"));
    held[0]({ ...apiKey(50), secret: "vsk_secret" });
    await until(() => document.getElementById("key-secret"));
    assert.equal(service.sent.length, 1, "only one key was requested");
});

test("keys are listed newest first, and revoked after a confirmation", async () => {
    const service = await openKeys([
        apiKey(1, { name: "old", created_at: "2026-05-01T01:00:00.000Z" }), apiKey(2, { name: "new", role: "admin", venues: ["*"] })]);
    assert.deepEqual(rows(), ["new", "old"]);
    assert.match(textOf(only(`[data-key="${id(2)}"]`)), /Admin.*All venues/);
    action("Revoke: old").click();
    assert.match(textOf(dialog()), /Requests with this key will fail immediately/);
    assert.deepEqual(service.sent, []);
    dialog().querySelector("footer .danger").click();
    await until(() => rows().length === 1);
    assert.deepEqual(service.sent.map(({ method, path }) => `${method} ${path}`), [`DELETE /keys/${id(1)}`]);
    assert.equal(toasts().length, 1);
});

test("key with a last day expires at the end of that day", async () => {
    const service = await openKeys();
    control("Create a key").click();
    await until(hasDialog);
    enter("#key-name", "contractor");
    enter("#key-venues", "mall");
    enter("#key-expires", "2026-06-30");
    submit();
    await until(() => document.getElementById("key-secret"));
    assert.equal(JSON.parse(service.sent[0].body).expires_at, new Date("2026-07-01T00:00").toISOString());
});

test("key that expires soon is marked, and so is one that has expired", async () => {
    await openKeys([
        apiKey(1, { expires_at: "2026-06-15T05:00:00.000Z" }), apiKey(2, { expires_at: "2026-06-10T03:00:00.000Z" }),
        apiKey(3, { expires_at: new Date("2027-06-01T00:00").toISOString() }), apiKey(4)]);
    const expiry = (number) => only(`[data-key="${id(number)}"]`).children[5];
    assert.equal(textOf(only(".tag.warn", expiry(1))), "Expires in 5 days");
    assert.equal(textOf(only(".tag.bad", expiry(2))), "Expired");
    assert.equal(textOf(expiry(3)), "Expires May 31, 2027", "the last day, and not the one that begins when it is over");
    assert.equal(textOf(expiry(4)), "Never expires");
    assert.equal(document.querySelectorAll(".keys td .tag.warn, .keys td .tag.bad").length, 2);
});

test("key is listed with its last use", async () => {
    await openKeys([apiKey(1, { last_used_at: "2026-06-10T01:00:00.000Z" }), apiKey(2)]);
    const use = (number) => textOf(only(`[data-key="${id(number)}"]`).children[4]);
    assert.deepEqual([use(1), use(2)], ["Used 3 hours ago", "Not used yet"]);
});

test("key is replaced by another one with its values, and works until it is revoked", async () => {
    const service = await openKeys([apiKey(1, { name: "phones", role: "publish", venues: ["mall", "plaza"] })]);
    action("Replace: phones").click();
    await until(hasDialog);
    assert.match(textOf(dialog()), /The old key works until you revoke it/);
    submit();
    await until(() => document.getElementById("key-secret"));
    assert.match(textOf(dialog()), /The old key still works/);
    control("I have copied it").click();
    await until(() => rows().length === 2);
    assert.deepEqual(service.sent.map(({ method, body }) => ({ method, ...JSON.parse(body) })), [
        { method: "POST", name: "phones", role: "publish", venues: ["mall", "plaza"] }]);
});

test("a key and its replacement differ by the time and the id, also before one is revoked", async () => {
    await openKeys([apiKey(1), apiKey(2, { created_at: "2026-06-01T02:30:00.000Z" })]);
    const times = [2, 1].map((number) => textOf(only(`[data-key="${id(number)}"]`)).match(/May 31, 2026, \d\d:\d\d/)[0]);
    assert.deepEqual(times, ["May 31, 2026, 22:30", "May 31, 2026, 21:00"]);
    control(`Revoke: phones, May 31, 2026, 21:00 EDT, ${id(1)}`).click();
    assert.match(textOf(only("dl", dialog())), new RegExp(`May 31, 2026, 21:00.*${id(1)}`));
});

test("the form of a key does not wait for the venues that it suggests, and needs none", async () => {
    const service = new DeskService();
    service.start({ "GET /venues": () => problem(500, "internal") });
    await open("#/~/keys");
    control("Create a key").click();
    // A second click would find the dialog above the button.
    assert.equal(hasDialog(), true);
    await settle();
    assert.equal(document.querySelectorAll("#known-venues option").length, 0);
    assert.equal(error("key-name"), "");
});

test("key for all venues is replaced by one for all venues", async () => {
    const service = await openKeys([apiKey(1, { name: "ops", role: "admin", venues: ["*"] })]);
    action("Replace: ops").click();
    await until(hasDialog);
    assert.equal(only("#key-venues").disabled, true);
    submit();
    await until(() => document.getElementById("key-secret"));
    assert.deepEqual(JSON.parse(service.sent[0].body), { name: "ops", role: "admin", venues: ["*"] });
});

test("refusal of a key is shown at its field", async () => {
    const refusal = () => problem(400, "invalid-body", { pointer: "/venues", detail: "“venues” must be a list of venue keys, or [\"*\"] for every venue" });
    await openKeys([], refusal);
    control("Create a key").click();
    await until(hasDialog);
    enter("#key-name", "phones");
    enter("#key-venues", "Mall!");
    submit();
    await until(() => error("key-venues") !== "");
    assert.match(error("key-venues"), /such as mall or mall\.staging/);
    assert.equal(document.activeElement, only("#key-venues"));
});

for (const [what, writeText, message] of [
    ["copies", async (text) => { copied.push(text); }, "Copied."],
    ["says that the browser does not allow it to copy", async () => { throw new Error("not allowed"); }, /copy it with the keyboard/],
]) {
    test(`secret of a key ${what}`, async () => {
        Object.defineProperty(window.navigator, "clipboard", { configurable: true, value: { writeText } });
        await openKeys();
        control("Create a key").click();
        await until(hasDialog);
        enter("#key-name", "phones");
        enter("#key-venues", "mall");
        submit();
        await until(() => document.getElementById("key-secret"));
        control("Copy").click();
        await until(() => textOf(dialog().querySelector("[role=status]")) !== "");
        assert.match(textOf(dialog().querySelector("[role=status]")), new RegExp(message));
        control("I have copied it").click();
    });
}
const copied = [];
