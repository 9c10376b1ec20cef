// What can be reached, on the operator's pages: the shares, what to mend, and what is cut off.

import { open, plain } from "./support/desk-page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { textOf } from "./support/page.js";
import { until } from "./support/time.js";
import { DeskService } from "./support/desk-service.js";
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

function openPage(values, options = {}) {
    const service = new DeskService();
    service.start({ "GET /venues/mall/reachability": () => report(values) });
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
