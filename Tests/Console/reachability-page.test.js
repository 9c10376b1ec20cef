// What can be reached, on the operator's pages: the shares, what to mend, and what is cut off.

import { control, open, plain } from "./support/desk-page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { textOf } from "./support/page.js";
import { until } from "./support/time.js";
import { DeskService } from "./support/desk-service.js";
import { problem } from "./support/server.js";
import { firstFloor, id, secondFloor } from "./support/desk-records.js";

const counts = (total, reached) => ({ total, reached });
const both = (walk, stepFree) => ({ walk, "step-free": stepFree });
const level = (level_id, ordinal, units, occupants) => ({ level_id, ordinal, name: null, units, occupants });
const cutOff = (number, values = {}) => ({
    feature: id(number), feature_type: "unit", level_id: secondFloor, name: { en: `Shop ${number}`, ja: `店 ${number}` }, profile: "walk", status: "unknown",
    occupants: [], reasons: [{ code: "no-opening", feature: id(number) }], ...values,
});
const report = (values = {}) => ({
    venue: "mall", revision: 2, language: "en", status: "known", reasons: [], exits: [],
    units: both(counts(1204, 1200), counts(1100, 1090)), occupants: both(counts(80, 79), counts(80, 70)),
    levels: [
        level(firstFloor, 0, both(counts(600, 600), counts(550, 550)), both(counts(40, 40), counts(40, 40))),
        level(secondFloor, 1, both(counts(604, 600), counts(550, 540)), both(counts(40, 39), counts(40, 30))),
    ],
    cut_off: [cutOff(901), cutOff(902, { profile: "step-free", status: "none", reasons: [{ code: "stairs", feature: id(903) }] })],
    mend: [{ feature: id(904), feature_type: "opening", code: "joins-nothing", level_id: secondFloor, name: null, units: 3, occupants: 2 }],
    more: false, ...values,
});

const exit = (...distances) => distances.map((distance, index) => ({ feature: id(950 + index), distance }));
const egressOf = (number, values) => ({ feature: id(number), level_id: firstFloor, name: { en: `Unit ${number}` }, exits: [], second: false, status: "exit", ...values });
const egress = () => [
    egressOf(911, { exits: exit(12.3, 30), second: true }), egressOf(912, { exits: exit(8) }), egressOf(913, { status: "cut-off" }),
    egressOf(914, { status: "unusable", second: null }), egressOf(915, { exits: exit(40), second: null }),
];

/** `exits` are the units with their exits; a function that makes the response instead. */
function openPage(values, { exits = egress(), ...options } = {}) {
    const service = new DeskService();
    service.start({
        "GET /venues/mall/reachability": () => report(values),
        "GET /venues/mall/reachability\\?revision=2&egress=true":
            () => (typeof exits === "function" ? exits() : report({ ...values, egress: { notice: "Not an evacuation plan", units: exits } })),
    });
    return open("#/mall/desk/reachability", { isLoaded: () => document.querySelector(".reachability-table"), ...options }).then(() => service);
}

const rows = () => [...document.querySelectorAll(".reachability-table tbody tr")].map((row) => [...row.children].map(textOf));
const entries = (name) => [...document.querySelectorAll(`[aria-labelledby=reachability-${name}] .reachability-list > li`)];

test("shares are those of the venue and of its levels from top to bottom", async () => {
    await openPage();
    assert.deepEqual(rows().map(([, ...cells]) => cells), [
        ["1,200 of 1,204", "1,090 of 1,100", "79 of 80", "70 of 80"], ["600 of 604", "540 of 550", "39 of 40", "30 of 40"],
        ["600 of 600", "550 of 550", "40 of 40", "40 of 40"],
    ]);
});

test("what is not known is said to be unknown, and why", async () => {
    const unknown = both(counts(5, null), counts(5, null));
    await openPage({ status: "unknown", reasons: [{ code: "no-exit-stated" }], units: unknown, occupants: unknown, levels: [], cut_off: [], mend: [] });
    assert.deepEqual(rows().map(([, ...cells]) => cells), [Array(4).fill("unknown")]);
    assert.match(textOf(document.querySelector(".reachability-unknown")), /the map has no exit/);
    assert.deepEqual(entries("cutOff"), []);
});

test("a map that is too large to search is said to be, and not to have no exit", async () => {
    await openPage({ status: "unknown", reasons: [{ code: "too-far" }], mend: [], more: true });
    assert.match(textOf(document.querySelector(".reachability-unknown")), /the map is too large or too complicated/);
});

test("what is cut off says why, and what to mend leads to the map", async () => {
    await openPage();
    const [mend] = entries("mend");
    assert.match(plain(textOf(mend)), /does not join two units.*3 units, 2 occupants/);
    assert.equal(mend.querySelector("a").getAttribute("href"), `#/mall?feature=${id(904)}`);
    const [shop, other] = entries("cutOff").map((each) => plain(textOf(each)));
    assert.match(shop, /^Shop 901.*It is unknown whether there is a way.*no opening/);
    assert.match(other, /^Shop 902.*There is no step-free way\..*has stairs.*Show on the map/);
});

test("the page leads to the layer of the map, on the floor of what cuts off most", async () => {
    await openPage();
    assert.equal(control("Show what is cut off on the map").getAttribute("href"), "#/mall?cut_off=1&floor=1");
    await openPage({ mend: [], cut_off: [] });
    assert.equal(document.querySelector("a[href*=cut_off]"), null);
});

test("long lists are shown page by page", async () => {
    await openPage({ cut_off: Array.from({ length: 120 }, (_, index) => cutOff(1000 + index)) });
    assert.equal(entries("cutOff").length, 50);
    const more = [...document.querySelectorAll("[aria-labelledby=reachability-cutOff] > button")].at(-1);
    more.click();
    assert.deepEqual([entries("cutOff").length, more.hidden, document.activeElement], [100, false, entries("cutOff")[50].querySelector("a")]);
    more.click();
    assert.deepEqual([entries("cutOff").length, more.hidden], [120, true]);
});

test("codes that this console does not know are shown as they are", async () => {
    await openPage({ cut_off: [cutOff(901, { reasons: [{ code: "flooded", feature: id(901) }] })] });
    assert.match(textOf(entries("cutOff")[0]), /flooded/);
});

test("a new revision is shown", async () => {
    const service = await openPage();
    service.start({ "GET /venues/mall/reachability": () => report({ revision: 3, cut_off: [], mend: [] }) });
    service.publish();
    await until(() => entries("cutOff").length === 0, "the new report");
    assert.match(textOf(document.querySelector("h2")), /revision 3/);
});

// The exits without lifts

const egressSection = () => document.querySelector("[aria-labelledby=reachability-egress]");
const egressRows = () => [...document.querySelectorAll(".egress-table tbody tr")].map((row) => [...row.children].map(textOf).map(plain));
const egressLoaded = () => until(() => document.querySelector(".egress-table"), "the exits are loaded");

test("exits without lifts have their distances, what is not known is said to be unknown, and the most urgent units come first", async () => {
    await openPage();
    await egressLoaded();
    assert.equal(textOf(document.querySelector("#reachability-egress")), "Exits without lifts — not an evacuation plan");
    assert.deepEqual(egressRows().map(([name, ...cells]) => [name.split(" · ")[0], ...cells]), [
        ["Unit 913", "no way without lifts", "no second exit"], ["Unit 914", "unknown: the outline of the unit cannot be used", "unknown"],
        ["Unit 915", "40 m", "unknown"], ["Unit 912", "8 m", "no second exit"], ["Unit 911", "12.3 m", "30 m"],
    ]);
    assert.equal(egressSection().querySelector("a").getAttribute("href"), `#/mall?feature=${id(913)}`);
});

test("without an exit, the page says that no exit is stated, without a search", async () => {
    const service = await openPage({ status: "unknown", reasons: [{ code: "no-exit-stated" }], cut_off: [], mend: [] });
    assert.match(textOf(egressSection()), /^Exits without lifts — not an evacuation plan.*no exit stated$/);
    assert.equal(service.requests.some(({ path }) => path.includes("egress")), false);
});

test("exits without lifts are in Japanese", async () => {
    await openPage({}, { language: "ja" });
    await egressLoaded();
    assert.match(textOf(egressSection()), /^エレベーターを使わない出口 — 避難計画ではありません/);
    assert.ok(egressRows().flat().includes("2つ目の出口なし"));
});

test("exits that cannot be loaded leave the report, and can be tried again", async () => {
    let isBusy = true;
    await openPage({}, {
        exits: () => (isBusy ? problem(400, "too-expensive", { title: "The search took too long" })
            : report({ egress: { notice: "Not an evacuation plan", units: egress() } })),
    });
    await until(() => egressSection().querySelector("[role=alert]"), "the error");
    assert.match(textOf(egressSection()), /The search took too long/);
    assert.equal(rows().length, 3);
    isBusy = false;
    control("Try again").click();
    await egressLoaded();
});
