import { check, control, dialog, hasDialog, hasNoSpinner, open, plain, toasts } from "./support/desk-page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { settle, until } from "./support/time.js";
import { DeskService, noResponse, unauthorized, wrongState } from "./support/desk-service.js";
import { id, upload } from "./support/desk-records.js";
import { textOf } from "./support/page.js";

const rows = () => [...document.querySelectorAll(".upload-list .desk-row")];
const checkboxes = () => [...document.querySelectorAll(".upload-list input[type=checkbox]")];
const actions = () => [...document.querySelectorAll(".upload-actions button")].map(textOf);
const titles = () => rows().map((row) => textOf(row.querySelector(".desk-row-title")));
const state = () => textOf(document.querySelector(".upload-list"));

/** Staged uploads with the message “Spring” and their number, newest first, after one that was published. */
function withStaged(count, ...others) {
    const staged = Array.from({ length: count }, (_, i) => upload(100 + i, { message: `Spring ${i + 1}` })).reverse();
    return new DeskService({ uploads: [...others, ...staged, upload(1, { state: "published", revision: 1, message: "Opening" })] });
}

async function openList(service, query = "", options = {}, routes = {}) {
    service.start(routes);
    await open(`#/mall/desk/uploads${query}`, options);
}

async function discard(name) {
    control(name).click();
    dialog().querySelector("footer .danger").click();
    await until(() => !hasDialog() && hasNoSpinner());
}

const stateOf = (service, number) => service.uploads.find((each) => each.id === id(number)).state;

test("upload list shows the uploads of a state, which the address keeps", async () => {
    await openList(withStaged(3));
    assert.equal(rows().length, 4);
    assert.equal(checkboxes().length, 3, "only what waits for a decision can be discarded");
    control("Staged").click();
    await until(() => rows().length === 3);
    assert.equal(location.hash, "#/mall/desk/uploads?state=staged");
    assert.equal(control("Staged").getAttribute("aria-pressed"), "true");
    assert.equal(control("All").getAttribute("aria-pressed"), "false");
    await openList(withStaged(3), "?state=staged");
    assert.equal(rows().length, 3);
});

test("upload list discards the selected uploads after a confirmation", async () => {
    const service = withStaged(3);
    await openList(service, "?state=staged");
    check(`[aria-label="Select “Spring 1”"]`);
    control("Discard 1 upload").click();
    control("Cancel", dialog()).click();
    await settle();
    assert.deepEqual(service.sent, [], "nothing is discarded by opening the dialog");
    control("Select all 3 waiting uploads").click();
    await discard("Discard 3 uploads");
    assert.match(state(), /No uploads in this state/);
    assert.deepEqual([100, 101, 102, 1].map((number) => stateOf(service, number)), ["discarded", "discarded", "discarded", "published"]);
    assert.deepEqual(toasts(), [{ kind: "done", text: "3 uploads have been discarded." }]);
});

test("upload list has nothing to select when it cannot be loaded", async () => {
    const service = withStaged(2);
    let isRevoked = false;
    const uploads = "GET /venues/mall/uploads\\?limit=50&state=staged";
    await openList(service, "?state=staged", {}, { [uploads]: () => (isRevoked ? unauthorized() : { uploads: service.uploads.slice(0, 2), next: null }) });
    check(`[aria-label="Select “Spring 1”"]`);
    assert.deepEqual(actions(), ["Select all 2 waiting uploads", "Discard 1 upload"]);
    isRevoked = true;
    control("Staged").click();
    await until(hasNoSpinner);
    assert.match(textOf(document.querySelector("[role=alert]")), /This key is not valid/);
    assert.deepEqual(actions(), []);
});

test("upload list that cannot be continued has nothing to select", async () => {
    let isDown = true;
    await openList(withStaged(60), "?state=staged", {}, {});
    const service = withStaged(60);
    service.start({ "GET /venues/mall/uploads\\?before=.*": () => (isDown ? noResponse() : { uploads: service.uploads.slice(50, 60), next: null }) });
    check(`[aria-label="Select “Spring 60”"]`);
    control("Show more").click();
    await until(() => document.querySelector("[role=alert]"));
    assert.deepEqual(actions(), []);
    isDown = false;
    control("Try again").click();
    await until(() => rows().length === 60);
    assert.deepEqual(actions(), ["Select all 60 waiting uploads", "Discard 1 upload"]);
});

test("upload list does not count uploads that were decided elsewhere as discarded", async () => {
    const service = withStaged(2);
    await openList(service, "?state=staged", {}, { [`DELETE /uploads/${id(100)}`]: () => {
        service.uploads = service.uploads.map((each) => (each.id === id(100) ? { ...each, state: "published", revision: 3 } : each));
        return wrongState();
    } });
    control("Select all 2 waiting uploads").click();
    await discard("Discard 2 uploads");
    assert.deepEqual(toasts(), [{ kind: "done", text: "1 upload has been discarded." }]);
    assert.match(state(), /No uploads in this state/);
});

for (const [language, selectAll, discardThree, warning] of [
    ["en", "Select all 2 waiting uploads", "Discard 3 uploads", "1 of these uploads is to be published at a set time."],
    ["ja", "確認待ちの2件をすべて選択", "3件を破棄", "このうち1件は公開日時が決まっています。"],
]) {
    test(`upload list selects scheduled uploads one by one, and warns of them (${language})`, async () => {
        await openList(withStaged(2, upload(102, { message: "Winter", publish_at: "2199-02-03T09:00:00.000Z" })), "", { language });
        control(selectAll).click();
        const scheduled = checkboxes()[titles().indexOf("Winter")];
        assert.equal(scheduled.checked, false);
        assert.equal(checkboxes().filter(({ checked }) => checked).length, 2);
        assert.ok(!actions().includes(selectAll), "all are selected that can be selected together");
        scheduled.click();
        control(discardThree).click();
        assert.equal(textOf(dialog().querySelector(".notice")), warning);
    });
}

test("upload list tells what waits for a decision from what waits for its time, and has counts and times", async () => {
    const changes = { added: 1204, changed: 3, removed: 0 };
    const service = withStaged(2, upload(102, { message: "Winter", publish_at: "2199-02-03T09:00:00.000Z", changes: { ...upload(1).changes, ...changes } }));
    await openList(service, "?state=staged");
    assert.deepEqual(titles(), ["Spring 2", "Spring 1"]);
    control("Scheduled").click();
    await until(() => rows().length === 1);
    assert.deepEqual([titles(), location.hash], [["Winter"], "#/mall/desk/uploads?state=timed"]);
    assert.match(plain(textOf(rows()[0])), /Jun 9, .*\d\d:\d\d EDT \(3 hours ago\).*1,204 added.*3 changed/);
    await openList(service, "?state=timed");
    assert.deepEqual(titles(), ["Winter"]);
});

test("upload list leaves out the response of a filter that was left", async () => {
    const service = withStaged(2);
    const held = [];
    await openList(service, "", {}, { "GET /venues/mall/uploads\\?limit=50&state=staged": () => {
        const page = { uploads: service.uploads.slice(0, 2), next: null };
        return held.length === 0 ? new Promise((resolve) => { held.push(() => resolve(page)); }) : page;
    } });
    control("Staged").click();
    await until(() => held.length === 1);
    control("All").click();
    await until(() => rows().length === 3);
    control("Staged").click();
    await until(() => rows().length === 2);
    held[0]();
    await settle();
    assert.equal(rows().length, 2);
});

test("upload list keeps the selection over several pages", async () => {
    const service = withStaged(60);
    await openList(service, "?state=staged");
    assert.equal(rows().length, 50);
    check(`[aria-label="Select “Spring 60”"]`);
    control("Show more").click();
    await until(() => rows().length === 60);
    assert.equal(document.querySelectorAll(".upload-list > div:last-child > button").length, 0, "nothing more to show");
    assert.ok(document.querySelector(`[aria-label="Select “Spring 60”"]`).checked);
    check(`[aria-label="Select “Spring 1”"]`);
    await discard("Discard 2 uploads");
    assert.deepEqual(service.uploads.filter((each) => each.state === "discarded").map(({ message }) => message), ["Spring 60", "Spring 1"]);
    assert.equal(rows().length, 50);
    control("Show more").click();
    await until(() => rows().length === 58);
    control("Select all 58 waiting uploads").click();
    await discard("Discard 58 uploads");
    assert.match(state(), /No uploads in this state/);
});

test("upload list gives uploads without a message the beginning of their ids as titles, which lead to their pages", async () => {
    const service = new DeskService({ uploads: [upload(0x2, { id: "4f0c2222-0000-4000-8000-000000000002" }), upload(1)] });
    await openList(service);
    assert.deepEqual(titles(), ["Upload 4f0c2222", "Upload 00000000"]);
    assert.equal(rows()[0].getAttribute("href"), "#/mall/desk/uploads/4f0c2222-0000-4000-8000-000000000002");
    await open("#/mall/desk/uploads/4f0c2222-0000-4000-8000-000000000002");
    assert.equal(textOf(document.querySelector(".upload-header h2")), "Upload 4f0c2222");
});

test("upload list without a filter begins with what waits, also behind many newer uploads, and with a failure that nothing has followed", async () => {
    const at = (hour) => `2026-06-10T${String(hour).padStart(2, "0")}:00:00.000Z`;
    const others = Array.from({ length: 60 }, (_, i) => upload(300 + i, { state: i === 0 ? "rejected" : i === 1 ? "published" : "failed", message: `Later ${i}`, received_at: at(9), finished_at: at(i === 0 ? 11 : i === 1 ? 10 : 9) }));
    const waiting = upload(100, { message: "Spring", received_at: at(1) });
    const scheduled = upload(101, { message: "Winter", publish_at: "2199-02-03T09:00:00.000Z", received_at: at(2) });
    await openList(new DeskService({ uploads: [...others, scheduled, waiting] }));
    assert.deepEqual(titles().slice(0, 5), ["Spring", "Later 0", "Winter", "Later 1", "Later 2"]);
    control("Show more").click();
    await until(() => rows().length === 62);
    assert.deepEqual(titles().slice(0, 4), ["Spring", "Later 0", "Winter", "Later 1"], "each once");
});

test("upload list puts a failure first only until something is published, also what was uploaded before it", async () => {
    const at = (hour) => `2026-06-10T0${hour}:00:00.000Z`;
    const failed = upload(102, { state: "rejected", message: "Failed", received_at: at(2), finished_at: at(3) });
    const processed = upload(101, { state: "processing", message: "Processed", received_at: at(1) });
    const earlier = (hour) => upload(100, { state: "published", message: "Published", received_at: at(0), finished_at: at(hour) });
    await openList(new DeskService({ uploads: [failed, processed, earlier(1)] }));
    assert.deepEqual(titles(), ["Failed", "Processed", "Published"]);
    await openList(new DeskService({ uploads: [failed, processed, earlier(4)] }));
    assert.deepEqual(titles(), ["Processed", "Failed", "Published"]);
});

test("upload list names the errors before the numbers of changes, which may be cut off", async () => {
    await openList(new DeskService({ uploads: [upload(100, { findings: { complete: true, error: 2, warning: 0, info: 0 } })] }));
    assert.match(plain(textOf(rows()[0])), /2 errors.*0 added/);
});

for (const [language, titlesOfTimes] of [["en", /at the venue/], ["ja", /施設の現地時間/]]) {
    test(`upload list and log have the times at the venue in the titles of their times (${language})`, async () => {
        const service = withStaged(1);
        await openList(service, "", { language });
        assert.match(plain(rows()[0].querySelector("time").title), titlesOfTimes);
        await open("#/mall/desk/history", { language });
        assert.match(plain(document.querySelector(".revision time").title), titlesOfTimes);
    });
}
