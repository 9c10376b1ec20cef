import { check, control, dialog, enter, hasDialog, open, plain, toasts, visit } from "./support/desk-page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { settle, until } from "./support/time.js";
import { DeskService } from "./support/desk-service.js";
import { settings, upload, venue } from "./support/desk-records.js";
import { problem } from "./support/server.js";
import { only, textOf, window } from "./support/page.js";

const save = () => control("Save");
const error = () => textOf(only(".settings-save > .error-message"));
const sent = (service) => service.sent.map(({ method, body }) => ({ method, ...JSON.parse(body) }));
const confirm = () => dialog().querySelector("footer .danger").click();

const drafts = () => Object.keys(sessionStorage).filter((name) => name.includes("unsaved"));

/** What a pruning deletes that keeps one revision. */
const plan = (service) => ({ venue: "mall", first: service.venue.head, revisions: service.venue.head - 1, versions: 12, bytes: 4_800 });
const prune = (service, { body }) => {
    const { keep_revisions: keep } = JSON.parse(body);
    return keep >= service.venue.head ? { venue: "mall", first: 1, revisions: 0, versions: 0, bytes: 0 } : plan(service);
};

async function openSettings(options = {}, routes = {}) {
    const service = new DeskService(options);
    service.start({ "POST /venues/mall/prune": (request) => prune(service, request), ...routes });
    await open("#/mall/desk/settings");
    return service;
}

test("settings send only what was changed", async () => {
    const service = await openSettings();
    assert.equal(save().disabled, true);
    enter("#set-time_zone", "Europe/Oslo");
    assert.equal(only(".settings > .notice:not([role])").hidden, true);
    check("#set-public");
    assert.equal(only(".settings > .notice:not([role])").hidden, false);
    assert.match(textOf(only(".settings > .notice:not([role])")), /everybody can read the map and its whole history/);
    // Somebody else changes another one meanwhile.
    service.venue.settings.keep_revisions = 50;
    save().click();
    await until(() => toasts().length > 0);
    assert.deepEqual(toasts(), [{ kind: "done", text: "Saved." }]);
    assert.deepEqual(sent(service), [{ method: "PATCH", public: true, time_zone: "Europe/Oslo" }]);
    assert.equal(service.venue.settings.keep_revisions, 50);
    // It is shown now, and no change of this page, which a second save would take back.
    assert.equal(only("#set-keep_revisions").value, "50");
    assert.equal(save().disabled, true);
});

test("settings that were not saved are still there after another page, and can be discarded", async () => {
    const service = await openSettings();
    enter("#set-time_zone", "Europe/Oslo");
    check("#set-removal_guard");
    await visit("#/mall/desk/history");
    await visit("#/mall/desk/settings");
    assert.equal(only("#set-time_zone").value, "Europe/Oslo");
    assert.match(textOf(only(".settings > [role=status]")), /not saved yet/);
    const unload = new window.Event("beforeunload", { cancelable: true });
    window.dispatchEvent(unload);
    assert.equal(unload.defaultPrevented, true);
    control("Discard these changes").click();
    assert.equal(only("#set-time_zone").value, "Asia/Tokyo");
    assert.equal(only(".settings > [role=status]").hidden, true);
    assert.equal(save().disabled, true);
    await visit("#/mall/desk/history");
    await visit("#/mall/desk/settings");
    assert.equal(only("#set-time_zone").value, "Asia/Tokyo");
    assert.deepEqual(service.sent, []);
});

test("settings ask before a public venue becomes private", async () => {
    const service = await openSettings({ venue: venue({ public: true, settings: settings({ public: true }) }) });
    check("#set-public");
    save().click();
    await until(hasDialog);
    assert.match(plain(textOf(dialog())), /Make mall private\?.*will stop working/);
    control("Cancel", dialog()).click();
    await until(() => !save().disabled);
    assert.deepEqual(service.sent, []);
    save().click();
    await until(hasDialog);
    confirm();
    await until(() => toasts().length > 0);
    assert.deepEqual(sent(service), [{ method: "PATCH", public: false }]);
});

for (const [name, text, value] of [
    ["time_zone", "", null], ["time_zone", " Europe/Oslo ", "Europe/Oslo"], ["validation", "strict", "strict"], ["identity", "trust", "trust"],
    ["embed_origins", "https://a.example.com\nhttps://*.example.org", ["https://a.example.com", "https://*.example.org"]],
]) {
    test(`settings send ${name} as ${JSON.stringify(value)}`, async () => {
        const service = await openSettings();
        enter(`#set-${name}`, text);
        save().click();
        await until(() => toasts().length > 0);
        assert.deepEqual(sent(service), [{ method: "PATCH", [name]: value }]);
        assert.equal(save().disabled, true, "nothing is left to save");
    });
}

test("settings show origins, of which only other ones are a change, and an empty field removes them", async () => {
    const service = await openSettings({ venue: venue({ settings: settings({ embed_origins: ["https://a.example.com"] }) }) });
    assert.equal(only("#set-embed_origins").value, "https://a.example.com");
    enter("#set-embed_origins", "\nhttps://a.example.com\n");
    assert.equal(save().disabled, true);
    enter("#set-embed_origins", "");
    save().click();
    await until(() => toasts().length > 0);
    assert.deepEqual(sent(service), [{ method: "PATCH", embed_origins: null }]);
});

test("a venue whose only upload was rejected has settings, and can be deleted", async () => {
    const service = await openSettings({ venue: null, uploads: [upload(1, { base: 0, state: "rejected" })] });
    assert.equal(document.querySelector(".desk-tabs [aria-current]").textContent, "Settings");
    enter("#set-time_zone", "Europe/Oslo");
    save().click();
    await until(() => toasts().length > 0);
    assert.equal(service.settings.time_zone, "Europe/Oslo");
    assert.equal(only("#set-time_zone").value, "Europe/Oslo");
    document.querySelector(".danger-zone button").click();
    assert.match(textOf(dialog()), /Nothing of the venue was published/);
    enter("#delete-key", "mall");
    confirm();
    await until(() => service.sent.some(({ method }) => method === "DELETE"));
});

test("a publisher of a venue without a revision sees no settings", async () => {
    new DeskService({ role: "publish", venue: null, uploads: [upload(1, { base: 0, state: "rejected" })] }).start();
    await open("#/mall/desk");
    assert.ok(![...document.querySelectorAll(".desk-tabs a")].map(textOf).includes("Settings"));
});

test("settings show at its field what the server says about a value that it refuses", async () => {
    const detail = "“time_zone” must be a name such as Asia/Tokyo, or null";
    await openSettings({}, { "PATCH /venues/mall": () => problem(400, "invalid-body", { title: "The request body is invalid", detail, pointer: "/time_zone" }) });
    const field = enter("#set-time_zone", "Nowhere/Land");
    save().click();
    await until(() => field.getAttribute("aria-invalid") === "true");
    assert.deepEqual(field.getAttribute("aria-describedby").split(" ").map((id) => textOf(only(`#${id}`))), [
        "The time zone of the venue, which apps need for its opening hours.", "Enter a time zone such as Asia/Tokyo."]);
    assert.equal(document.activeElement, field);
    assert.equal(error(), "");
    assert.equal(save().disabled, false);
    assert.deepEqual(toasts(), []);
    // The message goes with the next attempt.
    save().click();
    assert.equal(field.hasAttribute("aria-invalid"), false);
});

test("settings show what the server says if it is about no setting", async () => {
    await openSettings({}, { "PATCH /venues/mall": () => problem(429, "rate-limited", { title: "Too many requests" }) });
    enter("#set-time_zone", "Europe/Oslo");
    save().click();
    await until(() => error() !== "");
    assert.equal(save().disabled, false);
});

test("settings ask before fewer revisions are kept", async () => {
    const service = await openSettings();
    enter("#set-keep_revisions", "1");
    save().click();
    await until(hasDialog);
    assert.match(plain(textOf(dialog())), /Delete 1 revision\?.*1 revision with 12 earlier feature versions \(5 kB\).*The history would begin at revision 2/);
    control("Cancel", dialog()).click();
    await until(() => !save().disabled);
    assert.deepEqual(sent(service).map(({ method }) => method), ["POST"]);
    save().click();
    await until(hasDialog);
    // What is changed while the dialog is open is not sent now.
    only("#set-time_zone").value = "Europe/Oslo";
    confirm();
    await until(() => toasts().length > 0);
    assert.deepEqual(sent(service).at(-1), { method: "PATCH", keep_revisions: 1 });
    assert.equal(save().disabled, false);
    assert.ok(sent(service).every(({ method, dry_run: dry }) => method === "PATCH" || dry));
});

test("settings do not ask if no revision would be deleted", async () => {
    const service = await openSettings();
    enter("#set-keep_revisions", "9");
    save().click();
    await until(() => toasts().length > 0);
    assert.equal(hasDialog(), false);
    assert.deepEqual(sent(service).at(-1), { method: "PATCH", keep_revisions: 9 });
});

for (const text of ["many", "1,000", "0", "2.5", "1000000001"]) {
    test(`“${text}” is not read as a number of revisions, nor as all of them`, async () => {
        const service = await openSettings({ venue: venue({ settings: settings({ keep_revisions: 20 }) }) });
        const field = enter("#set-keep_revisions", text);
        save().click();
        assert.equal(textOf(only("#set-keep_revisions-error")), "Enter a whole number from 1 to 1,000,000,000.");
        assert.equal(document.activeElement, field);
        await visit("#/mall/desk/history");
        await visit("#/mall/desk/settings");
        assert.equal(only("#set-keep_revisions").value, text, "the draft has what was entered");
        save().click();
        await settle();
        assert.deepEqual(service.sent, []);
    });
}

test("digits of an input method are a number, and an empty field keeps all revisions", async () => {
    const service = await openSettings({ venue: venue({ settings: settings({ keep_revisions: 20 }) }) });
    enter("#set-keep_revisions", "３０");
    save().click();
    await until(() => toasts().length > 0);
    assert.deepEqual(sent(service).at(-1), { method: "PATCH", keep_revisions: 30 });
    enter("#set-keep_revisions", " ");
    save().click();
    await until(() => sent(service).at(-1).keep_revisions === null);
});

test("the browser does not check the form itself, which would say nothing about a hidden field", async () => {
    await openSettings();
    assert.equal(only("form.settings").noValidate, true);
});

test("the button to save stays in view while something is not saved", async () => {
    await openSettings();
    const isInView = () => only("form.settings").classList.contains("is-changed");
    assert.equal(isInView(), false);
    check("#set-removal_guard");
    assert.equal(isInView(), true);
    check("#set-removal_guard");
    assert.equal(isInView(), false);
});

test("values of a newer server stay as they are until another one is chosen", async () => {
    const service = await openSettings({ venue: venue({ settings: settings({ validation: "later", identity: "later", overrides: "later" }) }) });
    assert.equal(save().disabled, true);
    enter("#set-time_zone", "Europe/Oslo");
    save().click();
    await until(() => toasts().length > 0);
    assert.deepEqual(sent(service), [{ method: "PATCH", time_zone: "Europe/Oslo" }]);
    check("#set-overrides-ask");
    enter("#set-validation", "strict");
    save().click();
    await until(() => sent(service).length === 2);
    assert.deepEqual(sent(service)[1], { method: "PATCH", validation: "strict", overrides: "ask" });
});

test("changes that are not saved end with the session", async () => {
    await openSettings();
    enter("#set-time_zone", "Europe/Oslo");
    assert.deepEqual(drafts(), ["venuesync.unsaved-settings.mall"]);
    sessionStorage.setItem("another", "");
    control("Sign out").click();
    assert.deepEqual(Object.keys(sessionStorage), ["another"]);
});

test("a request that ends after the session leaves no draft", async () => {
    let refuse;
    await openSettings({}, { "PATCH /venues/mall": () => new Promise((resolve) => { refuse = () => resolve(problem(400, "invalid-body")); }) });
    enter("#set-time_zone", "Europe/Oslo");
    save().click();
    await until(() => refuse);
    control("Sign out").click();
    refuse();
    await settle();
    assert.deepEqual(drafts(), []);
});

test("changes that are not saved end with the venue", async () => {
    await openSettings();
    enter("#set-time_zone", "Europe/Oslo");
    only(".danger-zone button").click();
    enter("#delete-key", "mall");
    confirm();
    await until(() => location.hash === "#/");
    assert.deepEqual(drafts(), []);
});

test("pruning deletes after a confirmation of what it shows", async () => {
    const service = await openSettings();
    enter("#prune-keep", "1");
    control("Preview").click();
    await until(hasDialog);
    assert.match(textOf(dialog()), /The history would begin at revision 2/);
    assert.deepEqual(sent(service), [{ method: "POST", keep_revisions: 1, dry_run: true }]);
    confirm();
    await until(() => toasts().length > 0);
    assert.deepEqual(sent(service).map(({ dry_run: dry }) => dry), [true, true, false]);
    assert.deepEqual(toasts(), [{ kind: "done", text: "The history now begins at revision 2." }]);
});

test("pruning asks again if more would be deleted by then", async () => {
    const service = await openSettings();
    enter("#prune-keep", "1");
    control("Preview").click();
    await until(hasDialog);
    service.publish();
    confirm();
    await until(() => hasDialog() && textOf(dialog()).includes("The history would begin at revision 3"));
    assert.match(toasts()[0].text, /published in the meantime/);
    assert.ok(sent(service).every(({ dry_run: dry }) => dry), "nothing was deleted");
    confirm();
    await until(() => toasts().length > 1);
    assert.deepEqual(sent(service).at(-1), { method: "POST", keep_revisions: 1, dry_run: false });
});

test("pruning says that there is nothing to delete", async () => {
    await openSettings();
    control("Preview").click();
    await until(() => toasts().length > 0);
    assert.deepEqual(toasts(), [{ kind: "info", text: "There are no older revisions to delete." }]);
    assert.equal(hasDialog(), false);
});

test("deletion of a venue requires its key to be typed", async () => {
    const service = await openSettings();
    only(".danger-zone button").click();
    assert.match(textOf(dialog()), /Delete mall permanently\?.*2 revisions, 2 floors and 14 features would be deleted/);
    enter("#delete-key", "small");
    confirm();
    await until(() => textOf(dialog().querySelector(".error-message")) === "That is not “mall”.");
    assert.deepEqual(service.sent, []);
    enter("#delete-key", " mall ");
    confirm();
    await until(() => location.hash === "#/");
    assert.deepEqual(sent(service), [{ method: "DELETE", confirm: "mall" }]);
    assert.deepEqual(toasts(), [{ kind: "done", text: "mall has been deleted." }]);
    await settle();
});
