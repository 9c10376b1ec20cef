import { control, open } from "./support/desk-page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "./support/time.js";
import { DeskService } from "./support/desk-service.js";
import { apiKey } from "./support/desk-records.js";
import { only, textOf } from "./support/page.js";

const entry = (id, values) => ({ id, at: "2026-06-10T01:00:00.000Z", author: "ops", detail: {}, ...values });
const texts = () => [...document.querySelectorAll(".audit > li")].map((item) => textOf(item));

async function openAudit(entries, { address = "#/~/audit", ...options } = {}) {
    const service = new DeskService();
    service.audit = entries;
    service.start();
    await open(address, options);
    return service;
}

const settingsChanged = (id, settings, venue = "mall") => entry(id, { venue, action: "settings_changed", detail: { settings } });

test("changes of settings are shown with their values", async () => {
    await openAudit([settingsChanged(1, [
        { setting: "public", before: false, after: true }, { setting: "identity", before: "repair", after: "trust" },
        { setting: "keep_revisions", before: null, after: 20 },
        { setting: "embed_origins", before: ["https://a.example"], after: null }])]);
    const [text] = texts();
    assert.match(text, /^ops3 hours agomall/);
    for (const line of ["Public: off → on", "Features with new ids: Match", "Revisions to keep: none → 20", "[\"https://a.example\"] → none"]) {
        assert.ok(text.includes(line), `${line} in ${text}`);
    }
});

test("keys that were created and revoked are shown, and so is what a newer server recorded", async () => {
    await openAudit([
        entry(3, { action: "venue_renamed" }), entry(2, { action: "key_revoked", detail: { key: apiKey(1) } }),
        entry(1, { action: "key_created", detail: { key: apiKey(1, { role: "admin", venues: ["*"] }) } })]);
    const [newer, revoked, created] = texts();
    assert.match(newer, /venue_renamed/);
    assert.match(revoked, /The key “phones” was revoked\./);
    assert.match(created, /The key “phones” was created: Admin, All venues\./);
});

test("older entries are loaded on request, and a venue is selected by its link", async () => {
    const service = await openAudit(
        [...Array.from({ length: 60 }, (_, i) => settingsChanged(100 - i, [{ setting: "public", before: true, after: false }])),
            settingsChanged(1, [], "hall")]);
    assert.equal(texts().length, 50);
    control("Show more").click();
    await until(() => texts().length === 61);
    assert.equal(document.querySelectorAll(".audit + p button").length, 0);
    assert.equal(only(".audit > li:last-child a").getAttribute("href"), "#/~/audit?venue=hall");
    await open("#/~/audit?venue=hall");
    assert.equal(texts().length, 1);
    assert.equal(service.sent.length, 0);
});

test("audit log without an entry says so, in Japanese too", async () => {
    await openAudit([], { language: "ja" });
    assert.match(textOf(only("#main")), /監査ログ.*まだ記録がありません/s);
});
