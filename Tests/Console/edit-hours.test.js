// The field for opening hours: the rows and the text mean the same, and what is wrong is said at the row.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { only, textOf } from "./support/page.js";
import { type } from "./support/browser.js";

const web = "../../Sources/WebConsole/Web";
await import(`${web}/map/editing/messages.js`);
const { hoursField } = await import(`${web}/map/editing/hours-field.js`);
const { localization } = await import(`${web}/localization/localization.js`);

/** The field for the hours of a feature. */
function open(hours) {
    const field = hoursField({ feature: { properties: { hours } }, overrides: [], timeZone: "Asia/Tokyo" });
    document.body.append(field.element);
    return field;
}

const input = () => only("#edit-hours");
const rows = () => [...document.querySelectorAll(".hours-row")];
const row = (name) => only(`.hours-row[aria-label="${name}"]`);
const labelled = (label, root = document) => only(`[aria-label="${label}"]`, root);
const reading = () => textOf(only("#edit-hours-reading"));
const problems = () => rows().map((each) => textOf(only(".error-message", each)));
const pressed = (each) => [...each.querySelectorAll("[aria-pressed=true]")].map(textOf);
const click = (text, root = document) => [...root.querySelectorAll("button")].find((each) => textOf(each) === text).click();
function choose(select, value) {
    select.value = value;
    select.dispatchEvent(new Event("change"));
}
afterEach(() => {
    document.querySelector(".hours-field")?.remove();
    localization.language = "en";
});

test("hours are shown as people say them, a row for each group of days", () => {
    open("Mo-Fr 10:00-20:00; Sa,Su 10:00-18:00; PH off");
    assert.deepEqual(rows().map((each) => each.getAttribute("aria-label")), ["Mon–Fri", "Sat–Sun", "Public holidays"]);
    assert.deepEqual(pressed(row("Sat–Sun")), ["Sat", "Sun"]);
    assert.equal(labelled("Closes at", row("Sat–Sun")).value, "18:00");
    assert.equal(only("select", row("Public holidays")).value, "closed");
    assert.equal(row("Public holidays").querySelector("input"), null);
    assert.deepEqual(rows().map((each) => each.querySelectorAll(".day-toggles[role=group][aria-label=Days] button").length), [8, 8, 8]);
});

test("hours are changed in one row, and the text of the others stays", () => {
    const field = open("Mo-Fr 9:00-20:00; Sa,Su 10:00-18:00; PH closed");
    type(labelled("Closes at", row("Sat–Sun")), "02:00");
    assert.match(textOf(row("Sat–Sun")), /the next day/);
    assert.equal(input().value, "Mo-Fr 9:00-20:00; Sa,Su 10:00-02:00; PH closed");
    choose(only("select", row("Public holidays")), "allDay");
    assert.equal(input().value, "Mo-Fr 9:00-20:00; Sa,Su 10:00-02:00; PH 00:00-24:00");
    choose(only("select", row("Public holidays")), "closed");
    type(labelled("Closes at", row("Sat–Sun")), "18:00");
    assert.equal(input().value, "Mo-Fr 9:00-20:00; Sa,Su 10:00-18:00; PH closed");
    assert.deepEqual(field.changes(), []);
});

test("a break makes two spans of one, and moves the focus to the second one", () => {
    open("Mo-Fr 10:00-20:00");
    click("Add a break");
    assert.equal(input().value, "Mo-Fr 10:00-15:00,16:00-20:00");
    assert.equal(document.activeElement, labelled("Opens again at"));
    document.querySelectorAll('[aria-label="Remove these times"]')[1].click();
    assert.equal(input().value, "Mo-Fr 10:00-15:00");
    assert.equal(document.activeElement, only(".add-span"));
    assert.equal(document.querySelector('[aria-label="Remove these times"]'), null);
});

test("rows are added and removed with the focus, for the days that have none", () => {
    open("Mo-Fr 10:00-20:00");
    assert.equal(reading(), "Closed on days without a row: Sat–Sun.");
    click("Add days");
    assert.deepEqual(pressed(rows()[1]), ["Sat", "Sun"]);
    assert.equal(document.activeElement, rows()[1].querySelector(".day-toggle"));
    assert.equal(input().value, "Mo-Fr 10:00-20:00; Sa-Su 10:00-20:00");
    assert.equal(reading(), "");
    click("Add days");
    assert.deepEqual(pressed(rows()[2]), ["Public holidays"]);
    labelled("Remove the row: Sat–Sun").click();
    assert.equal(input().value, "Mo-Fr 10:00-20:00; PH 10:00-20:00");
    assert.ok(rows()[1].contains(document.activeElement));
    labelled("Remove the row: Public holidays").click();
    assert.ok(rows()[0].contains(document.activeElement));
    labelled("Remove the row: Mon–Fri").click();
    assert.equal(input().value, "");
    assert.equal(document.activeElement, only(".add-row"));
});

test("a day in two rows is refused at both, and the text stays as it was", () => {
    const field = open("Mo-Fr 10:00-20:00; Sa,Su 10:00-18:00");
    const friday = labelled("Friday", row("Sat–Sun"));
    friday.click();
    assert.equal(friday.getAttribute("aria-pressed"), "true");
    const text = "In another row, too: Fri. Choose each day in one row only.";
    assert.deepEqual(problems(), [text, text]);
    assert.equal(input().value, "Mo-Fr 10:00-20:00; Sa,Su 10:00-18:00");
    const days = only(".day-toggles", row("Fri–Sun"));
    assert.equal(days.getAttribute("aria-describedby"), only(".error-message", row("Fri–Sun")).id);
    assert.throws(() => field.check(), { message: text });
    assert.ok(rows()[0].contains(document.activeElement));
    assert.equal(field.changes().length, 1, "it would be lost if the dialog closed");
    labelled("Friday", row("Mon–Fri")).click();
    assert.deepEqual(problems(), ["", ""]);
    assert.equal(days.hasAttribute("aria-describedby"), false);
    field.check();
    assert.equal(input().value, "Mo-Th 10:00-20:00; Fr-Su 10:00-18:00");
});

for (const [what, text, change, problem] of [
    ["without a time", "Mo-Fr 10:00-20:00", () => type(labelled("Opens at"), ""), "Enter both times."],
    ["with equal times", "Mo-Fr 10:00-20:00", () => type(labelled("Closes at"), "10:00"), "These times are the same. For all day, choose “Open 24 hours”."],
    ["with overlapping times", "Mo-Fr 10:00-14:00,15:00-20:00", () => type(labelled("Opens again at"), "13:00"), "These times overlap with the ones before."],
    ["without days", "Mo 10:00-20:00", () => labelled("Monday").click(), "Choose at least one day."],
]) {
    test(`a row ${what} is refused at the field that is wrong`, () => {
        const field = open(text);
        change();
        assert.deepEqual(problems(), [problem]);
        assert.equal(input().value, text);
        assert.throws(() => field.check(), { message: problem });
        const wrong = document.activeElement;
        assert.equal((wrong.closest(".day-toggles") ?? wrong).getAttribute("aria-describedby"), only(".hours-row .error-message").id);
    });
}

test("hours that rows cannot express stay as text, which is said", () => {
    const text = 'Mo-Fr 10:00-20:00 "by appointment"';
    const field = open(text);
    assert.equal(rows().length, 0);
    assert.equal(only(".add-row").hidden, true);
    assert.match(reading(), /^Rows of days cannot express these hours/);
    assert.match(textOf(document.querySelector(".week-editor tr")), /by appointment/);
    assert.deepEqual([input().value, field.changes()], [text, []]);
    field.check();
});

test("rules for single dates stay behind the rows", () => {
    open("Mo-Su 10:00-20:00; Jan 01 off");
    assert.match(textOf(only(".week-editor")), /Except: Jan 01 off/);
    labelled("Tuesday").click();
    assert.equal(input().value, "Mo,We-Su 10:00-20:00; Jan 01 off");
});

test("a text of people is shown in the standard form, and what cannot be read is said", () => {
    const field = open("Mo-Su 10:00-20:00");
    type(input(), "whenever we like");
    assert.match(reading(), /cannot read these opening hours/);
    assert.equal(rows().length, 0);
    type(input(), "Mon-Fri 9am to 5pm, Sat closed");
    assert.match(reading(), /Mo-Fr 09:00-17:00/);
    assert.equal(only("select", row("Sat")).value, "closed");
    type(input(), "月〜金 10:00〜20:00");
    assert.deepEqual(field.changes(), [{ pointer: "/properties/hours", before: "Mo-Su 10:00-20:00", value: "Mo-Fr 10:00-20:00" }]);
    type(input(), "");
    assert.deepEqual(field.changes().map(({ value }) => value), [null]);
});

test("unusual hours that nobody has changed are no change", () => {
    assert.deepEqual(open("Mon-Fri 9am to 5pm").changes(), []);
});

test("days are named in Japanese", () => {
    localization.language = "ja";
    open("Mo-Fr 10:00-20:00; PH off");
    assert.deepEqual(rows().map((each) => each.getAttribute("aria-label")), ["月–金", "祝日"]);
    assert.deepEqual(pressed(rows()[0]), ["月", "火", "水", "木", "金"]);
});
