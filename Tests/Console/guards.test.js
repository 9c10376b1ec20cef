import { control, dialog, open, plain } from "./support/desk-page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { settle, until } from "./support/time.js";
import { DeskService, noResponse } from "./support/desk-service.js";
import {
    change, feature, finding, firstFloor, id, level, mallFeatures, override, secondFloor, shop, square, summary, unit, upload,
} from "./support/desk-records.js";
import { textOf } from "./support/page.js";

const reasons = () => plain(textOf(document.querySelector(".reasons")));
const facts = (reason, root = document) => plain(textOf(root.querySelector(`[data-guard=${reason}]`)));

/** The page of a staged upload with these reasons and changes, and the dialog that publishes it. */
async function openGuarded(values, { changes = [], language = "en", routes = {}, prepare = () => {} } = {}) {
    const service = new DeskService({ uploads: [upload(100, { changes: summary(changes), ...values })] });
    service.changes.set(id(100), changes);
    prepare(service);
    service.start(routes);
    await open(`#/mall/desk/uploads/${id(100)}`, { language, isLoaded: () => document.querySelector(".decision") });
    await settle();
    document.querySelector(".decision .desk-actions button").click();
    await settle();
    return service;
}

const removed = (list, floor) => list.map((each) => change(each, null, floor));
const units = (count, floor) => Array.from({ length: count }, (_, i) => unit(500 + i, floor, i * 9, 0));
const shops = (count) => Array.from({ length: count }, (_, i) => shop(300 + i, secondFloor, i * 9, 30, { en: `Shop ${i + 1}`, ja: `店 ${i + 1}` })[2]);

/** A floor with 20 units and five shops, and another one without features, are removed. */
const removedFloor = [
    ...removed([level(2, 1), level(3, 8, { short_name: { en: "Empty", ja: "空" } })], null), ...removed(units(20, secondFloor), secondFloor),
    ...removed(shops(5), secondFloor),
];

for (const [language, sentences, others] of [
    ["en", ["26% of the features (27 of 104) would be removed", "This floor would disappear: 2F (25 features). A floor with 20 features or more has to be confirmed."],
        "Removed shops: Shop 1, Shop 2, Shop 3, and 2 others."],
    ["ja", ["（104件中27件）", "2階（25件）"], "店 1、店 2、店 3、ほか2件。"],
]) {
    test(`removal guard names the floors and the shops, on the page and in its dialog (${language})`, async () => {
        const revision = { ...new DeskService().revisions[0], features: 104 };
        await openGuarded({ reasons: ["removal"] }, {
            changes: removedFloor, language, routes: { "GET /venues/mall/revisions/2": revision } });
        for (const place of [document, dialog()]) {
            const text = facts("removal", place);
            assert.ok(!text.includes(sentences[0]), "less than the share that is guarded");
            assert.ok(text.includes(sentences[1]), text);
            assert.ok(text.includes(others), text);
            assert.doesNotMatch(text, /Empty|空|\(0 features\)|（0件）/, "a floor without features is no loss");
        }
        assert.doesNotMatch(reasons(), /whole large floor|フロア全体/, "the general text is replaced");
        assert.equal(dialog().querySelectorAll("footer .primary").length, 0);
        assert.equal(dialog().querySelectorAll("footer .danger").length, 1);
    });
}

for (const [language, sentence] of [["en", "40% of the features (4 of 10) would be removed; the limit is 30%."], ["ja", "要素の40%（10件中4件）"]]) {
    test(`removal guard names the share of the features (${language})`, async () => {
        const revision = { ...new DeskService().revisions[0], features: 10 };
        await openGuarded({ reasons: ["removal"] }, {
            changes: removed(units(4, firstFloor), firstFloor), language, routes: { "GET /venues/mall/revisions/2": revision } });
        assert.ok(facts("removal").includes(sentence), facts("removal"));
        assert.doesNotMatch(facts("removal"), /would disappear|Removed shops|なくなり/);
    });
}

test("removal guard finds the removed shops on later pages of the changes", async () => {
    const changes = [...units(1_000, firstFloor).map((each) => change(null, each, firstFloor)), ...removed(shops(1), secondFloor)];
    await openGuarded({ reasons: ["removal"] }, { changes });
    await until(() => facts("removal").includes("Removed shops: Shop 1."));
});

test("guard keeps its general text when its facts cannot be loaded", async () => {
    await openGuarded({ reasons: ["removal"] }, { changes: removedFloor, routes: { "GET /uploads/[^/]+/changes\\?level=venue.*": noResponse } });
    assert.match(reasons(), /More than 30% of the features, a whole large floor, or most features of a type are missing in this archive\. Is the export complete\?/);
});

test("venue guard names both venues", async () => {
    const [published] = mallFeatures().get(null);
    const other = { ...feature(77, "venue", square(9_000, 9_000), published.properties), properties: { ...published.properties, name: { en: "Harbour Arcade" } } };
    await openGuarded({ reasons: ["other_venue"] }, { changes: [change(published, null, null), change(null, other, null)] });
    const sentence = "“Bay Mall” is published, and the archive has “Harbour Arcade”.";
    assert.equal(facts("other_venue"), sentence);
    assert.equal(facts("other_venue", dialog()), sentence);
    assert.match(reasons(), /Did you mean to upload it to another venue\?/);
});

for (const [language, sentence] of [
    ["en", "The origin is “harbour tool”; that of the published archive is “old tool”."],
    ["ja", "作成元は「harbour tool」で、公開中のアーカイブの作成元は「old tool」です。"],
]) {
    test(`origin guard names both origins (${language})`, async () => {
        const message = "The origin is “harbour tool”; that of the published archive is “old tool”.";
        await openGuarded({ reasons: ["other_origin"] }, { language, prepare: (service) => service.findings.set(id(100), [
            finding("MF-05", "info", "Another one.", { file: "manifest.json", feature_id: null, feature_type: null, at: null }),
            finding("MF-06", "warning", message, { file: "manifest.json", feature_id: null, feature_type: null, at: null }),
        ]) });
        assert.equal(facts("other_origin"), sentence);
        assert.equal(facts("other_origin", dialog()), sentence);
    });
}

test("guard of edits names what they are about", async () => {
    const overrides = Array.from({ length: 7 }, (_, i) => override(i + 1, { feature: id(2100 + i), state: "contested", name: { en: `Shop ${i + 1}` } }));
    await openGuarded({ reasons: ["overrides"] }, { routes: {
        "GET /uploads/[^/]+/changes\\?bodies=false&limit=1": { venue: "mall", from: 2, to: null, words: [], changes: [], overrides, next: null },
    } });
    assert.equal(facts("overrides"), "Edited by hand, and different in the archive: Shop 1, Shop 2, Shop 3, Shop 4, Shop 5, and 2 others. "
        + "If you publish the archive, those edits stay in effect, and are listed under “Edits” for a decision.");
});

test("guards of what needs no confirmation have a button without danger", async () => {
    await openGuarded({ reasons: ["key_revoked"] });
    assert.equal(control("Publish", document.querySelector(".decision")).className, "primary");
    assert.equal(dialog().querySelectorAll("input").length, 0);
    assert.match(reasons(), /The key that sent this upload was revoked or has expired/);
});
