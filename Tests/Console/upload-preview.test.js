// The review of a first upload: the map instead of the changes, the list behind a button, and the link that needs no key.

import { control, open } from "./support/desk-page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { settle, until } from "./support/time.js";
import { DeskService, wrongState } from "./support/desk-service.js";
import { change, id, mallFeatures, summary, upload } from "./support/desk-records.js";
import { only, textOf } from "./support/page.js";

const path = `/uploads/${id(100)}`;
const additions = [...mallFeatures()].flatMap(([level, features]) => features.map((feature) => change(null, feature, level)));
const preview = () => document.querySelector(".upload-preview");

async function openFirstUpload(values = {}, { routes, language } = {}) {
    const service = new DeskService({ venue: null, uploads: [upload(100, { base: 0, created_venue: true, changes: summary(additions), ...values })] });
    service.changes.set(id(100), additions);
    service.start(routes);
    await open(`#/mall/desk${path}`, { language, isLoaded: () => document.querySelector(".upload-header") });
    await settle();
    return service;
}
const createLink = () => control("Create a link for one day", preview()).click();

test("review of a first upload loads its map with the key, and not the list of additions", async () => {
    const service = await openFirstUpload();
    assert.match(textOf(preview()), /^Preview – not published/);
    assert.equal(document.querySelector(".comparison-view"), null);
    const [request] = service.requests.filter(({ path: each }) => each.includes("/preview"));
    assert.equal(request.path, `${path}/preview?limit=10000`);
    assert.equal(request.headers.get("Authorization"), "Bearer vsk_test");
    assert.deepEqual(service.requests.filter(({ path: each }) => each.includes("/changes")), []);
});

test("review of a first upload shows and hides the list of additions", async () => {
    await openFirstUpload();
    const button = control(`List of what would be added (${additions.length})`, preview());
    assert.equal(button.getAttribute("aria-expanded"), "false");
    button.click();
    await until(() => document.querySelector(".comparison .change-list, .comparison-panes"));
    assert.equal(button.getAttribute("aria-expanded"), "true");
    assert.ok(button.isConnected, "the preview is not drawn again");
    button.click();
    assert.equal(document.querySelector(".comparison-view"), null);
});

for (const [what, values] of [
    ["later upload", { base: 2 }], ["published first upload", { state: "published", revision: 1 }], ["rejected first upload", { state: "rejected" }],
]) {
    test(`review of a ${what} has no preview`, async () => {
        const service = await openFirstUpload(values);
        assert.equal(preview(), null);
        assert.deepEqual(service.requests.filter(({ path: each }) => each.includes("/preview")), []);
        assert.ok(document.querySelector(".comparison-view"));
    });
}

test("review creates a link that is valid for a day, with the token in the fragment only", async () => {
    const service = await openFirstUpload();
    createLink();
    await until(() => document.getElementById("preview-address"));
    const sent = service.sent.filter(({ method }) => method === "POST").map(({ path: each, body }) => [each, JSON.parse(body)]);
    assert.deepEqual(sent, [[`${path}/preview-tokens`, { expires_in: 86_400 }]]);
    const address = new URL(only("#preview-address").value);
    assert.equal(address.pathname + address.search, "/");
    assert.equal(address.hash, `#/mall/preview/${id(100)}?token=vsp_${"A".repeat(75)}`);
    assert.equal(document.activeElement, only("#preview-address"));
    assert.match(textOf(only(".preview-link")), /without a key until Thu, Jun 11, 2026/);
});

test("review says why there is no link for an upload that was decided elsewhere", async () => {
    await openFirstUpload({}, { routes: { "POST .*/preview-tokens": wrongState } });
    createLink();
    await until(() => preview().querySelector(".error-message"));
    assert.match(textOf(preview().querySelector(".error-message")), /already been published or discarded/);
    assert.equal(control("Create a link for one day", preview()).disabled, false);
});

test("review of a first upload replaces the preview when the upload is published", async () => {
    const service = await openFirstUpload();
    assert.ok(preview());
    service.uploads = [upload(100, { base: 0, state: "discarded", changes: summary(additions) })];
    control("Discard", only(".decision")).click();
    document.querySelector("dialog footer button:last-child").click();
    await until(() => !preview());
    assert.equal(document.querySelector(".comparison-view"), null);
});

test("review of a first upload is in Japanese for Japanese operators", async () => {
    await openFirstUpload({}, { language: "ja" });
    assert.match(textOf(preview()), /^プレビュー（未公開）/);
    assert.ok(control(`追加される項目の一覧（${additions.length}件）`, preview()));
});
