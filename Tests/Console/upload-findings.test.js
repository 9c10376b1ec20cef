import { control, open, plain } from "./support/desk-page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { settle, until } from "./support/time.js";
import { DeskService } from "./support/desk-service.js";
import { change, finding, firstFloor, id, mallFeatures, position, summary, unit, upload, venue } from "./support/desk-records.js";
import { only, textOf } from "./support/page.js";

const rules = () => [...document.querySelectorAll(".rule")];
const rule = (name) => rules().find((each) => textOf(each.querySelector("code")) === name);
const view = () => only(".finding-view");

const overlap = "Two units overlap: “Anchor Coffee” and “Book Bay”.";
/** Sentences as the rule book writes them. */
const outside = "The level does not cover this unit.";
const findings = () => [
    finding("TO-08", "warning", overlap), finding("TO-08", "warning", `${overlap} Again.`, { feature_id: id(100), at: position(4, 4) }),
    finding("GE-03", "info", "A relationship has a geometry.", { feature_id: null, at: null, feature_type: "relationship" }),
    finding("TO-02", "error", outside, { feature_id: id(101) }), finding("TO-08", "info", overlap, { feature_id: id(110), at: position(44, 4) }),
];

async function openReport(values = {}, { list = findings(), service = new DeskService(), ...options } = {}) {
    const counts = (severity) => list.filter((each) => each.severity === severity).length;
    service.uploads = [upload(100, {
        findings: { complete: true, error: counts("error"), warning: counts("warning"), info: counts("info") }, changes: summary([]), ...values })];
    service.findings.set(id(100), list);
    service.start();
    await open(options.address ?? `#/mall/desk/uploads/${id(100)}`, { isLoaded: () => rules().length > 0, ...options });
    return service;
}

async function openRule(name) {
    rule(name).querySelector("summary").click();
    await until(() => rule(name).querySelector(".finding-message"));
}

test("findings are grouped by rule, the most severe first, with their numbers", async () => {
    await openReport();
    assert.deepEqual(rules().map((each) => [".tag", "code", ".count"].map((part) => textOf(each.querySelector(part)))), [
        ["Error", "TO-02", "1"], ["Warning", "TO-08", "3"], ["Note", "GE-03", "1"]]);
    assert.equal(textOf(rule("TO-08").querySelector(".rule-title")), "Not met: Units of a level do not overlap.");
    assert.match(textOf(only("#findings")), /Rule book 2026-06/);
});

test("findings are filtered by severity", async () => {
    await openReport();
    const chips = [...document.querySelectorAll("#findings .chip")];
    assert.deepEqual(chips.map(textOf), ["All5", "Errors1", "Warnings2", "Notes2"]);
    const shown = (severity) => {
        only(`#findings .chip[value='${severity}']`).click();
        return rules().map((each) => textOf(each.querySelector("code")));
    };
    assert.deepEqual(shown("error"), ["TO-02"]);
    assert.deepEqual(shown("warning"), ["TO-08"]);
    assert.deepEqual(shown("info"), ["TO-08", "GE-03"]);
    assert.equal(only("#findings .chip[value=info]").getAttribute("aria-pressed"), "true");
    assert.deepEqual(shown(""), ["TO-02", "TO-08", "GE-03"]);
});

test("findings of a published upload link to the map, those without a position to nothing", async () => {
    await openReport({ state: "published", revision: 2 });
    await openRule("TO-08");
    const [link] = rule("TO-08").querySelectorAll(".finding-link");
    assert.equal(link.getAttribute("href"), `#/mall?feature=${id(110)}&at=139.6384852,35.4510359&upload=${id(100)}&finding=TO-08:0`);
    assert.match(textOf(link), /^Show on map/);
    await openRule("GE-03");
    assert.equal(rule("GE-03").querySelector(".finding-link"), null);
});

test("finding of a staged upload is shown on a map of what was uploaded, which the address keeps", async () => {
    await openReport();
    await openRule("TO-08");
    const click = (options) => {
        const event = new window.MouseEvent("click", { bubbles: true, cancelable: true, ...options });
        event.preventDefault = () => { event.isPrevented = true; };
        rule("TO-08").querySelector(".finding-link").dispatchEvent(event);
        return event.isPrevented ?? false;
    };
    assert.equal(click({ ctrlKey: true }), false, "the browser opens it in another tab");
    assert.equal(click(), true);
    await until(() => document.querySelector(".finding-view .diff-pin path"));
    assert.equal(location.hash, `#/mall/desk/uploads/${id(100)}?finding=TO-08:0`, "not the published map");
    assert.equal(textOf(view().querySelector(".finding-message")), `Warning: ${overlap}`);
    assert.match(textOf(view().querySelector(".count")), /^Finding 1 of 3/);
    assert.equal(document.activeElement, view());
    assert.equal(view().querySelectorAll(".diff-mark.is-current").length, 1);
    const { hash } = location;
    await openReport({}, { address: hash });
    await until(() => document.querySelector(".finding-view .diff-pin path"));
    assert.equal(textOf(view().querySelector(".finding-message")), `Warning: ${overlap}`);
    control("Next finding").click();
    await until(() => textOf(view().querySelector(".count")).startsWith("Finding 2 of"));
    assert.match(location.hash, /TO-08:1$/);
    control("Previous finding").click();
    await until(() => textOf(view().querySelector(".count")).startsWith("Finding 1 of"));
    control("Close", view()).click();
    assert.equal(view().hidden, true);
    assert.equal(location.hash, `#/mall/desk/uploads/${id(100)}`);
});

test("finding of a first upload is shown without a published map", async () => {
    const units = [unit(100, firstFloor, 0, 0), unit(110, firstFloor, 40, 0)];
    const changes = [change(null, mallFeatures().get(null)[1], null), ...units.map((each) => change(null, each, firstFloor))];
    const service = new DeskService({ venue: null });
    service.changes.set(id(100), changes);
    await openReport({ base: 0, created_venue: true, changes: summary(changes) }, { service });
    await openRule("TO-08");
    rule("TO-08").querySelector(".finding-link").click();
    await until(() => document.querySelector(".finding-view .diff-pin path"));
    assert.ok(view().querySelectorAll(".diff-shape").length >= 2);
});

test("findings are in Japanese for Japanese readers, also where they are shown", async () => {
    await openReport({}, { language: "ja", list: [
        finding("MF-06", "warning", "The origin is “harbour tool”; that of the published archive is “old tool”."),
        finding("MF-06", "warning", "The origin differs from that of the published archive."),
    ] });
    await openRule("MF-06");
    const messages = [...rule("MF-06").querySelectorAll(".finding-message")].map(textOf).map(plain);
    assert.deepEqual(messages, [
        "警告: 作成元は「harbour tool」で、公開中のアーカイブの作成元は「old tool」です。", "警告: 作成元が公開中のアーカイブと異なります。"]);
    assert.equal(document.querySelector(".finding-detail"), null);
    rule("MF-06").querySelector(".finding-link").click();
    await until(() => view().querySelector(".finding-message"));
    assert.match(textOf(view().querySelector(".finding-message")), /作成元は/);
    await settle();
});

test("finding without a Japanese sentence has the title of its rule, and the English sentence as the detail", async () => {
    await openReport({}, { language: "ja", list: [finding("TO-08", "warning", "Something of a later version.")] });
    await openRule("TO-08");
    const message = rule("TO-08").querySelector(".finding-message");
    assert.equal(textOf(message.querySelector(".finding-detail")), "Something of a later version.");
    assert.equal(message.querySelector(".finding-detail").getAttribute("lang"), "en");
    const title = textOf(rule("TO-08").querySelector(".rule-title"));
    assert.match(title, /[ぁ-ん]/);
    assert.ok(textOf(message).includes(title));
});

test("report of a rejected upload is open at its first rule, and says that others were not checked", async () => {
    const service = new DeskService();
    await openReport({ state: "rejected", base: null, changes: null, identity: null }, {
        service, list: [finding("ST-16", "error", "The archive has no file “venue.geojson”.", {
            feature_id: null, feature_type: null, file: null, at: null, pointer: null })] });
    await until(() => rule("ST-16").querySelector(".finding-message"));
    assert.equal(rule("ST-16").open, true);
    assert.match(textOf(only(".outcome")), /stays unchanged/);
    assert.equal(only(".outcome a").getAttribute("href"), "#/mall/desk");
});

test("report without findings says so", async () => {
    const service = new DeskService({ uploads: [upload(100, { findings: { complete: true, error: 0, warning: 0, info: 0 } })] });
    service.start();
    await open(`#/mall/desk/uploads/${id(100)}`, { isLoaded: () => /No findings: the archive follows all rules/.test(textOf(only("#main"))) });
});

test("proposed time zone is confirmed by an administrator", async () => {
    const service = new DeskService({ venue: venue({ time_zone_source: "position" }) });
    service.start();
    await open("#/mall/desk");
    const notice = () => document.querySelector(".time-zone-notice");
    assert.match(textOf(notice()), /The time zone Asia\/Tokyo was proposed from the address and the position of the venue/);
    assert.equal(notice().querySelector("a").getAttribute("href"), "#/mall/desk/settings");
    control("Yes, Asia/Tokyo").click();
    await until(() => notice() === null);
    assert.deepEqual(service.sent.map(({ method, path, body }) => [method, path, JSON.parse(body)]), [["PATCH", "/venues/mall", { time_zone: "Asia/Tokyo" }]]);
});

for (const [what, values, role, sentence, controls] of [
    ["proposed time zone is shown to publishers without buttons", { time_zone_source: "position" }, "publish", /Asia\/Tokyo/, 0],
    ["venue without a time zone is reported with a link to the settings", { about: { language: "en" } }, "admin", /has no time zone/, 1],
    ["time zone of an operator is not asked for", {}, "admin", null, 0],
]) {
    test(what, async () => {
        const own = venue(values);
        if (!own.about.time_zone) delete own.time_zone_source;
        new DeskService({ role, venue: own }).start();
        await open("#/mall/desk");
        const notice = document.querySelector(".time-zone-notice");
        assert.equal(notice !== null, sentence !== null);
        if (!sentence) return;
        assert.match(textOf(notice), sentence);
        assert.equal(notice.querySelectorAll("button, a").length, controls);
    });
}
