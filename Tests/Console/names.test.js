// Names that are written from right to left are elements of their own in sentences, so that they keep their place, and the words around them.

import { open, visit } from "./support/desk-page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { settle, until } from "./support/time.js";
import { DeskService } from "./support/desk-service.js";
import { change, edited, firstFloor, id, mallFeatures, revision, secondFloor, shop, summary, upload, venue } from "./support/desk-records.js";

const { isolated, withForeignNames, withNames } = await import("../../Sources/WebConsole/Web/ui/names.js");
const { toast } = await import("../../Sources/WebConsole/Web/ui/toast.js");
const [oldName, newName, message] = ["בית קפה 24", "מסעדה 7", "تحديث ٣ (1F)"];
const namesIn = (selector) => [...document.querySelectorAll(`${selector} bdi`)].map(({ textContent }) => textContent);
const rendered = (parts) => {
    const element = document.createElement("p");
    element.append(...parts);
    return element.innerHTML;
};

test("texts in Japanese have one word for one idea, and no space between a number and its counter", async () => {
    const { readdirSync, readFileSync } = await import("node:fs");
    const folder = new URL("../../Sources/WebConsole/Web/localization/", import.meta.url);
    const files = ["ja.js", "editing/ja.js", ...readdirSync(new URL("desk/ja/", folder)).map((name) => `desk/ja/${name}`)];
    const text = files.map((name) => readFileSync(new URL(name, folder), "utf8")).join("\n");
    // What waits for a person is 確認待ち, what waits for a worker 順番待ち; who may see a venue is 一般公開. A key is revoked: 失効; an unknown one is
    // 無効. A venue key is a 施設コード, because it is not a キー. A unit is a 区画, an opening an 出入口, an occupant a 店舗, an edit a 手動編集.
    for (const word of ["判断待ち", "判断を待", "待機", "保留", "取り消", "無効に", "施設のキー", "ユニット", "テナント", "開口部", "手作業", "名称", "カテゴリー"]) {
        assert.ok(!text.includes(word), word);
    }
    assert.deepEqual(text.match(/\} [件個人回階日施フ本]/g) ?? [], []);
    const { formatAge } = await import("../../Sources/WebConsole/Web/desk/formats.js");
    const { localization } = await import("../../Sources/WebConsole/Web/localization/localization.js");
    const before = localization.language;
    localization.language = "ja";
    assert.equal(formatAge("2026-06-07T00:00:00Z", Date.parse("2026-06-10T01:00:00Z")), "3日前");
    localization.language = before;
});

test("words of edits suit a campus and a hospital, which have no shops", async () => {
    for (const language of ["en", "ja"]) {
        const [own, editing] = await Promise.all(["", "editing/"].map(async (folder) =>
            (await import(`../../Sources/WebConsole/Web/localization/${folder}${language}.js`)).default));
        const texts = Object.entries({ ...own, ...editing }).filter(([name]) => name.startsWith("edit."))
            .map(([, text]) => (typeof text === "function" ? text({ n: 2, floor: "1F" }) : text));
        assert.ok(texts.length > 100);
        assert.deepEqual(texts.filter((text) => /\bshop|店/i.test(text)), []);
    }
});

test("times of day are those of a clock of 24 hours, as opening hours are, in both languages", async () => {
    const { formatMoment, formatTime } = await import("../../Sources/WebConsole/Web/desk/formats.js");
    const { localization } = await import("../../Sources/WebConsole/Web/localization/localization.js");
    const { language } = localization;
    const evening = "2026-06-10T18:05:00+09:00";
    for (const each of ["en", "ja"]) {
        localization.language = each;
        const zone = { timeZone: "Asia/Tokyo" };
        const texts = [formatMoment(evening, "Asia/Tokyo"), ...[{ hour: "numeric", minute: "2-digit" }, { timeStyle: "short" }, { dateStyle: "medium", timeStyle: "short" }]
            .map((options) => formatTime(evening, { ...options, ...zone }))];
        for (const text of texts) assert.match(text, /18:05/, each);
        assert.doesNotMatch(texts.join(), /[AP]M|午後/);
    }
    localization.language = language;
});

test("names in sentences of the server are elements of their own", () => {
    for (const [sentence, html] of Object.entries({
        "2 shops moved on 1F.": "2 shops moved on 1F.",
        "The shop “مقهى” was renamed.": "The shop “<bdi>مقهى</bdi>” was renamed.",
        "مقهى 12 has no anchor, and كتب neither.": "<bdi>مقهى 12</bdi> has no anchor, and <bdi>كتب</bdi> neither.",
        "「בית קפה」の名前が変わりました。": "「<bdi>בית קפה</bdi>」の名前が変わりました。",
        "“Café” and “مقهى” have the same anchor.": "“<bdi>Café</bdi>” and “<bdi>مقهى</bdi>” have the same anchor.",
        "\u2068مقهى\u2069 is not published.": "<bdi>مقهى</bdi> is not published.",
        "<b>مقهى</b>": "&lt;b&gt;<bdi>مقهى</bdi>&lt;/b&gt;",
    })) assert.equal(rendered(withForeignNames(sentence)), html);
});

test("a name with isolates of its own, as some editors put into names, is one element", () => {
    assert.equal(rendered(withNames(`Moved ${isolated("\u2067מקס\u2069 12")} to the floor above`)), "Moved <bdi>מקס 12</bdi> to the floor above");
});

test("toasts isolate the names in their texts", async () => {
    new DeskService().start();
    await open("#/");
    toast(`Edited ${isolated(oldName)}: phone`, "done");
    assert.deepEqual(namesIn(".toast.done"), [oldName]);
});

test("a comparison isolates both names of a renamed shop, and the message of the revision", async () => {
    const [, , before] = shop(100, firstFloor, 0, 0, { en: oldName });
    const service = new DeskService({ venue: venue({ head: 2 }) });
    service.revisions = [revision(2, { message }), revision(1)];
    service.diff = [change(before, edited(before, { name: { en: newName } }), firstFloor, ["renamed"])];
    service.start();
    await open("#/mall/desk/compare?from=1&to=2");
    await until(() => document.querySelector(".change-name"), "the changes are listed");
    assert.deepEqual(namesIn(".change-name"), [oldName, newName]);
    assert.deepEqual(namesIn(".desk-section > div > .help"), ["admin", "admin", message]);
    await visit("#/mall/desk/history");
    assert.deepEqual(namesIn("#revision-2 .revision-message"), [message]);
});

test("the messages of uploads are isolated wherever uploads are listed", async () => {
    const service = new DeskService({ uploads: [upload(101, { message }), upload(100, { message, publish_at: "2199-01-07T21:00:00.000Z" })] });
    service.start();
    await open("#/mall/desk");
    for (const title of [".desk-waiting .card-title", ".desk-row .desk-row-title"]) {
        const element = document.querySelector(title);
        assert.deepEqual([element.localName, element.textContent], ["bdi", message], title);
    }
    await visit(`#/mall/desk/uploads/${id(101)}`);
    assert.deepEqual(namesIn(".upload-header h2"), [message]);
    await visit("#/~/calendar");
    await until(() => document.querySelector(".desk-row"), "the calendar");
    assert.deepEqual(namesIn(".desk-row .desk-row-title"), [message]);
});

/** Shows the page of an upload that waits for a decision. */
async function openDecision(values, changes, language) {
    const service = new DeskService({ uploads: [upload(100, { changes: summary(changes), ...values })] });
    service.changes.set(id(100), changes);
    service.start();
    await open(`#/mall/desk/uploads/${id(100)}`, { language, isLoaded: () => document.querySelector(".decision") });
    await settle();
}

for (const language of ["en", "ja"]) {
    test(`the guard against removals isolates the names of shops, in ${language}`, async () => {
        const names = ["בית קפה", "מסעדה 7", "חנות ספרים", "ספריה"];
        const removed = names.map((name, index) => change(shop(300 + index, secondFloor, 9 * index, 30, { en: name })[2], null, secondFloor));
        const floor = change(mallFeatures().get(null)[2], null, null);
        await openDecision({ reasons: ["removal"] }, [floor, ...removed], language);
        assert.deepEqual(namesIn(".reasons [data-guard=removal]").filter((name) => names.includes(name)), names.slice(0, 3));
        assert.doesNotMatch(document.querySelector(".reasons").textContent, /\u2068/);
    });
}

test("the guard against another venue isolates both names, also in its dialog", async () => {
    const [published] = mallFeatures().get(null);
    const other = { ...edited(published, { name: { en: "מרכז 5" } }), id: id(99) };
    const changes = [change(published, null, null), change(null, other, null)];
    await openDecision({ reasons: ["other_venue"] }, changes, "en");
    assert.deepEqual(namesIn(".reasons [data-guard=other_venue]"), ["Bay Mall", "מרכז 5"]);
    document.querySelector(".decision .danger").click();
    await settle();
    assert.deepEqual(namesIn("dialog [data-guard=other_venue]"), ["Bay Mall", "מרכז 5"]);
});
