import { check, control, enter, hasNoSpinner, open, plain, toasts } from "./support/desk-page.js";
import { archive, chooseFiles, transfers } from "./support/transfers.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { pass, settle, until } from "./support/time.js";
import { DeskService } from "./support/desk-service.js";
import { id, upload } from "./support/desk-records.js";
import { only, textOf, window } from "./support/page.js";
const { transfers: running } = await import("../../Sources/WebConsole/Web/desk/upload/transfers.js");

const form = () => document.querySelector(".archive-options");
const error = () => textOf(only(".archive-options .error-message"));
const submit = () => form().requestSubmit(only(".archive-options button.primary"));

async function openForm(address = "#/mall/desk", { routes, ...options } = {}, service = new DeskService()) {
    for (const each of running.list) running.cancel(each);
    transfers.length = 0;
    service.start(routes);
    await open(address, { ...options, isLoaded: () => hasNoSpinner() && document.getElementById("archive") });
    return service;
}

async function choose(...files) {
    chooseFiles(...files);
    await until(form);
}

async function sent(count = 1) {
    await until(() => transfers.length === count);
    return transfers.at(-1);
}

/** The query of a request to upload an archive. */
const options = ({ path }) => Object.fromEntries(new URLSearchParams(path.split("?")[1]));

test("upload form sends nothing that is no zip file", async () => {
    await openForm();
    for (const [file, message] of [
        [new File(["%PDF-1.7"], "plan.pdf"), "“plan.pdf” is not a zip file."], [new File([], "none.zip"), "“none.zip” is empty."],
    ]) {
        chooseFiles(file);
        await until(() => textOf(only(".drop-zone .error-message")).startsWith(message));
        assert.equal(form(), null);
    }
    chooseFiles(archive("one.zip"), archive("two.zip"));
    await until(() => textOf(only(".drop-zone .error-message")) === "Drop one archive at a time.");
    assert.deepEqual(transfers, []);
});

test("upload form sends the archive with its options, and opens the page of the upload", async () => {
    const service = await openForm();
    await choose(archive("spring.zip", 90_000));
    assert.match(textOf(only(".archive-file")), /spring\.zip\s*90 kB/);
    assert.equal(document.activeElement.id, "upload-message");
    assert.equal(textOf(only(".archive-options button.primary")), "Upload and compare");
    enter("#upload-message", " Spring tenants & more ");
    check("#upload-now");
    assert.equal(textOf(only(".archive-options button.primary")), "Upload and publish");
    submit();
    const request = await sent();
    assert.equal(`${request.method} ${request.path.split("?")[0]}`, "POST /venues/mall/uploads");
    assert.ok(!request.path.includes("+"), "the server does not decode a plus sign as a space");
    assert.deepEqual(options(request), { create: "false", publish: "now", message: "Spring tenants & more", base: "2", file_name: "spring.zip" });
    assert.equal(request.headers.get("Authorization"), "Bearer vsk_test");
    assert.equal(request.headers.get("Content-Type"), "application/zip");
    service.uploads = [upload(100, { state: "received" })];
    request.respond(202, service.uploads[0]);
    await until(() => location.hash === `#/mall/desk/uploads/${id(100)}`);
});

test("upload form holds an upload for a review unless the user chooses otherwise", async () => {
    await openForm();
    await choose(archive());
    assert.equal(only(".archive-time").hidden, true);
    submit();
    assert.deepEqual(options(await sent()), { create: "false", publish: "hold", message: "mall.zip", file_name: "mall.zip" });
});

test("an upload without a message is called by the name of its file", async () => {
    await openForm();
    await choose(archive("西館 2026-06 & more.zip"));
    assert.equal(only("#upload-message").placeholder, "西館 2026-06 & more.zip");
    enter("#upload-message", "   ");
    submit();
    assert.equal(options(await sent()).message, "西館 2026-06 & more.zip");
});

test("a message is as long as the server accepts, 2,000 bytes of UTF-8, and no character is divided", async () => {
    for (const [text, expected] of [["x".repeat(2_100), "x".repeat(2_000)], ["あ".repeat(700), "あ".repeat(666)], [`x${"𠮷".repeat(600)}`, `x${"𠮷".repeat(499)}`]]) {
        await openForm();
        await choose(archive(`${text}.zip`));
        submit();
        assert.equal(options(await sent()).message, expected, "the name of the file");
        await openForm();
        await choose(archive());
        enter("#upload-message", text);
        submit();
        assert.equal(options(await sent()).message, expected, "what was entered");
    }
});

test("upload form sends the choices of the details", async () => {
    await openForm();
    await choose(archive());
    check("#upload-now");
    check("#upload-guard");
    check("#upload-strict");
    enter("#upload-identity", "trust");
    submit();
    assert.deepEqual(options(await sent()), { create: "false", publish: "now", message: "mall.zip", strict: "true", identity: "trust", file_name: "mall.zip" });
});

test("upload form takes a time in the future, and says what it is at the venue", async () => {
    await openForm();
    await choose(archive());
    check("#upload-time");
    assert.equal(only("#upload-when").required, true);
    assert.equal(only("#upload-when").validity.valueMissing, true);
    enter("#upload-when", "2001-04-01T09:30");
    submit();
    await until(() => error().includes("This time has passed"));
    enter("#upload-when", "2099-04-01T09:30");
    const help = plain(textOf(only(".archive-time .help")));
    assert.equal(help, "The time is in your time zone, America/New_York. At the venue it will then be Apr 1, 2099, 22:30 (Asia/Tokyo).");
    submit();
    assert.deepEqual(options(await sent()), { create: "false", publish: "2099-04-01T13:30:00.000Z", message: "mall.zip", base: "2", file_name: "mall.zip" });
});

test("upload form takes an archive that is dropped on it", async () => {
    await openForm();
    const zone = only(".drop-zone");
    const drag = (name, files = []) => zone.dispatchEvent(Object.assign(
        new window.Event(name, { bubbles: true, cancelable: true }), { dataTransfer: { types: ["Files"], files } }));
    for (const name of ["dragenter", "dragenter", "dragleave"]) drag(name);
    assert.ok(zone.classList.contains("is-over"), "inside, over another element");
    assert.equal(drag("drop", [archive("dropped.zip")]), false, "the browser does not open the file");
    assert.ok(!zone.classList.contains("is-over"));
    await until(form);
    assert.match(textOf(only(".archive-file")), /dropped\.zip/);
});

test("transfer shows its progress, and can be stopped", async () => {
    await openForm();
    await choose(archive("large.zip", 2_000_000));
    submit();
    const request = await sent();
    request.progress(500_000, 2_000_000);
    assert.equal(textOf(only(".transfer .progress-text")), "Sending large.zip: 25% (500 kB of 2 MB)");
    assert.equal(only(".transfer progress").value, 0.25);
    request.progress(2_000_000, 2_000_000);
    assert.equal(textOf(only(".transfer .progress-text")), "large.zip has been sent. The server is storing it …");
    control("Stop").click();
    assert.ok(request.isAborted);
    await settle();
    assert.equal(document.querySelector(".transfer"), null);
    assert.equal(document.querySelector(".desk-card.is-bad"), null, "that is no failure");
});

test("transfer whose key was revoked says so, and can be tried again", async () => {
    await openForm();
    await choose(archive());
    submit();
    (await sent()).respond(401, { type: "/problems/unauthorized", title: "A valid API key is required", status: 401 });
    await until(() => document.querySelector(".desk-card.is-bad"));
    assert.match(plain(textOf(only(".desk-card.is-bad"))), /mall\.zip was not uploaded.*The server no longer knows your key/);
    control("Try again").click();
    assert.equal((await sent(2)).body.name, "mall.zip");
    assert.equal(document.querySelector(".desk-card.is-bad"), null);
    transfers.at(-1).abort();
});

test("transfer from which nothing leaves for a minute fails like one without a connection", async () => {
    await openForm();
    await choose(archive());
    submit();
    const request = await sent();
    await pass(59_000);
    request.progress(10, 100);
    await pass(59_000);
    assert.equal(document.querySelector(".desk-card.is-bad"), null);
    await pass(2_000);
    assert.match(textOf(only(".desk-card.is-bad")), /The server does not respond/);
    control("Dismiss").click();
});

test("transfer that is complete leaves a form in use unchanged", async () => {
    await openForm();
    await choose(archive("first.zip"));
    submit();
    const request = await sent();
    await choose(archive("second.zip"));
    enter("#upload-message", "The next one");
    request.respond(202, upload(100));
    await until(() => toasts().length > 0);
    assert.deepEqual(toasts(), [{ kind: "done", text: "first.zip has been uploaded to mall." }]);
    assert.equal(only("#upload-message").value, "The next one");
    assert.equal(location.hash, "#/mall/desk");
});

test("new venue needs a valid key that no other venue has", async () => {
    await openForm("#/~/new");
    const message = (text) => {
        enter("#new-key", text);
        return textOf(document.querySelector("#new-key ~ .error-message"));
    };
    assert.match(message("Not A Key"), /lower-case letters/);
    assert.match(message(id(1)), /lower-case letters/);
    assert.match(message("mall"), /“mall” already exists/);
    assert.equal(message("mall.west"), "");
    assert.equal(message(""), "");
    await choose(archive());
    submit();
    await until(() => error() === "Enter a venue key first.");
    assert.deepEqual(transfers, []);
    enter("#new-key", "mall.west");
    submit();
    const request = await sent();
    assert.equal(request.path, "/venues/mall.west/uploads?publish=hold&message=mall.zip&file_name=mall.zip");
    request.respond(202, upload(100, { venue: "mall.west" }));
    await until(() => location.hash === `#/mall.west/desk/uploads/${id(100)}`);
});

for (const [state, sentence] of [["processing", "is being processed"], ["received", "is being processed"], ["staged", "already waiting for a decision"]]) {
    test(`new venue whose first archive is ${state} gets no second one`, async () => {
        await openForm("#/~/new", { routes: {
            [`GET /venues/mall.west/uploads\\?limit=1&state=${state}`]: { uploads: [upload(100, { venue: "mall.west", state })], next: null },
        } });
        enter("#new-key", "mall.west");
        await choose(archive());
        submit();
        await until(() => form() && error().includes(sentence));
        assert.equal(only(".archive-options .error-message a").getAttribute("href"), `#/mall.west/desk/uploads/${id(100)}`);
        assert.deepEqual(transfers, []);
    });
}
