// The findings of a published upload on the map of the venue: marks on the floor that is shown, and the steps from one to the next.

import { $, $$, click, go, openFloor, openMap } from "./support/open-map.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { finding } from "./support/desk-records.js";
import { textOf } from "./support/page.js";
import { at, id } from "./support/sample-venue.js";
import { settle, until } from "./support/time.js";

const upload = "00000000-0000-4000-8000-000000000500";
const on = (ordinal, number) => ({ feature_id: id(`unit ${ordinal} room ${number}`), at: at(7.5 * number + 3, 12) });
const sample = () => [
    finding("SE-18", "warning", "The name is equal to the category.", on(0, 1)), finding("SE-18", "warning", "The name is long.", on(0, 2)),
    finding("TO-13", "info", "Unit overlaps unit 1.", on(0, 5)), finding("TO-13", "info", "Unit overlaps unit 2.", on(0, 5)),
    finding("TO-13", "info", "Unit overlaps unit 3.", on(1, 6)),
];
const nowhere = { at: null, feature_id: null };

/** The map at a finding of a report, as its link opens it. */
async function openFinding(name, findings = sample()) {
    const counts = Object.fromEntries([...Map.groupBy(findings, ({ rule }) => rule)].map(([rule, each]) => [rule, each.length]));
    const report = { findings, counts, truncated: false, complete: true, skipped: [], rule_set: "1", next: null };
    await openMap(addressOf(name, findings), { server: { routes: { [`GET /uploads/${upload}/findings\\?limit=1000`]: () => report } } });
    return until(() => $(".finding-note"), "the note");
}

function addressOf(name, findings = sample()) {
    const [rule, index] = name.split(":");
    const { at: position, feature_id } = findings.filter((each) => each.rule === rule)[index];
    return `?feature=${feature_id}&at=${position}&upload=${upload}&finding=${name}`;
}

const note = () => textOf($(".finding-note"));
const marks = () => $$(".finding-mark");
const titles = () => marks().map((mark) => mark.title);
const step = (name) => $(`.finding-note [data-step=${name}]`);
const isDisabled = (name) => step(name).getAttribute("aria-disabled") === "true" && !step(name).hasAttribute("href");
const isAt = async (rule, index, count) => {
    await until(() => $(".finding-note") && note().includes(`Finding ${index + 1} of ${count} of rule ${rule}`), `${rule}:${index}`);
    await settle();
    assert.match(decodeURIComponent(location.hash), new RegExp(`finding=${rule}:${index}(&|$)`));
};
/** Follows a link by the keyboard. */
async function follow(name) {
    step(name).focus();
    await click(step(name));
}

test("findings of the floor are marked on the published map, one mark for each position", async () => {
    await openFinding("SE-18:0");
    await until(() => marks().length > 0);
    assert.deepEqual(titles(), ["The name is equal to the category.", "The name is long.", "Unit overlaps unit 1.\nUnit overlaps unit 2."]);
    assert.deepEqual(marks().map(textOf), ["!", "!", "2"]);
    assert.equal($(".finding-marks").getAttribute("aria-label"), "Places with findings on this floor: 3");
    assert.equal($$(".finding-mark[aria-current]").length, 1);
});

test("mark on the published map opens its finding, and another one at the same position in turn", async () => {
    await openFinding("SE-18:0");
    await until(() => marks().length > 0);
    await click(marks()[2]);
    await isAt("TO-13", 0, 3);
    assert.match(note(), /^Unit overlaps unit 1\./);
    await until(() => marks().length === 3);
    await click(marks()[2]);
    await isAt("TO-13", 1, 3);
});

test("marks on the published map follow the floor, and go with the pin", async () => {
    await openFinding("SE-18:0");
    await until(() => marks().length > 0);
    await openFloor(1);
    assert.deepEqual(titles(), ["Unit overlaps unit 3."]);
    await click(".map-pin");
    assert.deepEqual([marks().length, $(".finding-note")], [0, null]);
    assert.doesNotMatch(location.hash, /finding/);
});

test("next and previous lead through all rules on the published map, keep the focus, and are disabled at the ends", async () => {
    await openFinding("SE-18:1");
    await isAt("SE-18", 1, 2);
    await follow("next");
    await isAt("TO-13", 0, 3);
    assert.equal(document.activeElement, step("next"));
    await follow("previous");
    await isAt("SE-18", 1, 2);
    assert.equal(document.activeElement, step("previous"));
    await go(`#/mall${addressOf("SE-18:0")}`);
    await isAt("SE-18", 0, 2);
    assert.deepEqual([isDisabled("previous"), isDisabled("next")], [true, false]);
    await go(`#/mall${addressOf("TO-13:2")}`);
    await isAt("TO-13", 2, 3);
    assert.deepEqual([isDisabled("previous"), isDisabled("next")], [false, true]);
    assert.equal($(".floors [aria-current]").dataset.ordinal, "1");
});

test("findings without a position are passed over on the published map", async () => {
    const findings = [
        finding("MF-06", "error", "MF-06 0.", on(0, 1)), finding("MF-06", "error", "MF-06 1.", nowhere), finding("ST-06", "warning", "ST-06 0.", nowhere),
        finding("ST-06", "warning", "ST-06 1.", nowhere), finding("RQ-02", "info", "RQ-02 0.", nowhere), finding("RQ-02", "info", "RQ-02 1.", on(0, 2)),
        finding("RQ-02", "info", "RQ-02 2.", nowhere),
    ];
    await openFinding("MF-06:0", findings);
    await isAt("MF-06", 0, 2);
    await follow("next");
    await isAt("RQ-02", 1, 3);
    assert.ok($(".map-pin"));
    // It leads no further, so the note has the focus.
    assert.ok(isDisabled("next"));
    assert.equal(document.activeElement, $(".finding-note"));
    await follow("previous");
    await isAt("MF-06", 0, 2);
});
