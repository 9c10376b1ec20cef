import { control, open } from "./support/desk-page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { pass, until } from "./support/time.js";
import { DeskService } from "./support/desk-service.js";
import { id, upload } from "./support/desk-records.js";
import { only, textOf } from "./support/page.js";

test("overview shows the newest uploads and revisions, and keeps the focus and what is unchanged when it is refreshed", async () => {
    const service = new DeskService({ uploads: [upload(1, { state: "published", revision: 2, message: "Opening" }), upload(3)] });
    service.start();
    await open("#/mall/desk");
    const rows = () => [...document.querySelectorAll(".desk-row")];
    assert.deepEqual(rows().map((row) => row.getAttribute("href")), [1, 3].map((number) => `#/mall/desk/uploads/${id(number)}`));
    rows()[0].focus();
    const [form, card] = [only(".drop-zone"), only(".desk-waiting")];
    service.uploads.unshift(upload(2, { state: "published", revision: 3, message: "Spring" }));
    service.publish();
    await until(() => rows().length === 3);
    assert.equal(document.activeElement, rows()[1]);
    assert.ok(only(".drop-zone") === form && only(".desk-waiting") === card);
    assert.match(textOf(only("#main")), /Revision 3/);
});

test("overview is refreshed regularly, more often while an upload is processed", async () => {
    const service = new DeskService({ uploads: [upload(1, { state: "processing" })] });
    service.start();
    await open("#/mall/desk");
    const count = () => service.requests.filter(({ path }) => path.endsWith("/uploads?limit=15")).length;
    assert.equal(count(), 1);
    await pass(1_600);
    assert.equal(count(), 2);
    service.uploads = [upload(1)];
    await pass(1_600);
    assert.match(textOf(only(".desk-waiting")), /Upload 00000000/);
    await pass(7_000);
    assert.equal(count(), 3);
    await pass(1_500);
    assert.equal(count(), 4);
});

test("overview shows three waiting uploads, and links to the others", async () => {
    new DeskService({ uploads: Array.from({ length: 16 }, (_, i) => upload(i + 1, { message: `Upload ${i}` })) }).start();
    await open("#/mall/desk");
    assert.equal(document.querySelectorAll(".desk-waiting").length, 3);
    assert.equal(control("All 16 waiting uploads").getAttribute("href"), "#/mall/desk/uploads?state=staged");
});

test("overview does not count what is published at a set time as waiting", async () => {
    const timed = upload(9, { message: "Winter", publish_at: "2199-02-03T09:00:00.000Z" });
    new DeskService({ uploads: [timed, ...Array.from({ length: 4 }, (_, i) => upload(i + 1, { message: `Upload ${i}` }))] }).start();
    await open("#/mall/desk");
    assert.ok(control("All 4 waiting uploads"));
    const headings = [...document.querySelectorAll(".desk-section")].filter((each) => each.querySelector(".desk-waiting"))
        .map((each) => [textOf(each.querySelector("h2")), each.querySelectorAll(".desk-waiting").length]);
    assert.deepEqual(headings, [["Waiting for your decision", 3], ["Scheduled uploads", 1]]);
});
