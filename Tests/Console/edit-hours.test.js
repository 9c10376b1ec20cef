// The field for opening hours: the text and the table mean the same.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { only, textOf } from "./support/page.js";
import { type } from "./support/browser.js";

const web = "../../Sources/WebConsole/Web";
await import(`${web}/map/editing/messages.js`);
const { OpeningHours } = await import(`${web}/client/hours/opening-hours.js`);
const { gridOf, hoursTextOf } = await import(`${web}/map/editing/week-grid.js`);
const { hoursField } = await import(`${web}/map/editing/hours-field.js`);
const { localization } = await import(`${web}/localization/localization.js`);

const holidays = { publicHolidays: new Set(["2027-05-03"]), schoolHolidays: new Set() };
/** An hour and seven seconds apart, for more than a year. */
const instants = Array.from({ length: 9_000 }, (_, i) => new Date(Date.UTC(2027, 0, 1) + i * 3_607_000));

for (const text of [
    "Mo-Fr 09:00-18:00; Sa,Su 10:00-17:00", "Sa-Su,PH 10:00-20:00", "24/7", "Mo-Su 00:00-24:00", "Mo-Sa 17:00-26:00; Su,PH 16:00-24:00", "off",
    "Tu-Su 11:00-15:00,17:00-22:00; PH off; Jan 01 off", "Mo-Fr 10:00-20:00; Fr 18:00-03:00; Dec 24 10:00-14:00", "We off; Mo-Su 10:00-20:00",
]) {
    test(`table of hours means the same as the text: ${text}`, () => {
        const hours = OpeningHours.parse(text);
        const again = OpeningHours.parse(hoursTextOf(gridOf(hours)));
        const different = instants.filter((each) => hours.state(each, "Asia/Tokyo", holidays) !== again.state(each, "Asia/Tokyo", holidays));
        assert.deepEqual(different, []);
    });
}

for (const [what, text] of [
    ["a comment", 'Mo-Fr 10:00-20:00 "by appointment"'], ["an uncertain end", "Mo-Fr 08:00-18:00+"], ["times of the sun", "sunrise-sunset"],
    ["a fallback", 'Mo-Fr 10:00-20:00 || "call us"'], ["an unknown state", "Mo-Fr 10:00-20:00 unknown"],
    ["a rule for a date before one for a weekday", "Mo-Fr 10:00-20:00; Dec 24 10:00-14:00; Fr 18:00-03:00"],
    ["a rule for holidays that adds to others", "Mo-Fr 10:00-12:00, PH 14:00-16:00"],
    ["a rule for a date that adds to others", "Mo-Su 10:00-12:00; Jan 01 off, Dec 24 14:00-16:00"],
]) {
    test(`hours with ${what} have no table`, () => assert.equal(gridOf(OpeningHours.parse(text)), null));
}

/** The field for the hours of a feature. */
function open(hours) {
    const field = hoursField({ feature: { properties: { hours } }, overrides: [], timeZone: "Asia/Tokyo" });
    document.body.append(field.element);
    return field;
}

const input = () => only("#edit-hours");
const rows = () => [...document.querySelectorAll(".week-grid tr")];
const reading = () => textOf(only("#edit-hours-reading"));
const labelled = (label) => only(`[aria-label="${label}"]`);
afterEach(() => {
    document.querySelector(".field")?.remove();
    localization.language = "en";
});

test("hours are changed in the table, which writes the text", () => {
    open("Mo-Su 10:00-20:00; Jan 01 off");
    assert.equal(rows().length, 7);
    assert.match(textOf(only(".week-editor")), /Jan 01 off/);
    labelled("Remove these hours on Tue").click();
    assert.equal(input().value, "Mo,We-Su 10:00-20:00; Jan 01 off");
    assert.equal(document.activeElement, labelled("Add hours on Tue"));
    type(labelled("Sat, closes at"), "02:00");
    assert.equal(input().value, "Mo,We-Fr,Su 10:00-20:00; Sa 10:00-02:00; Jan 01 off");
    type(labelled("Mon, closes at"), "15:00");
    labelled("Add hours on Mon").click();
    assert.equal(input().value, "Mo 10:00-15:00,16:00-19:00; We-Fr,Su 10:00-20:00; Sa 10:00-02:00; Jan 01 off");
    only(".week-tools button").click();
    assert.equal(input().value, "Mo-Su 10:00-15:00,16:00-19:00; Jan 01 off");
    assert.equal(document.activeElement, only(".week-tools button"));
});

test("a table with an empty time writes no text, and says so", () => {
    open("Mo-Fr 10:00-20:00");
    type(labelled("Mon, opens at"), "");
    assert.equal(input().value, "Mo-Fr 10:00-20:00");
    assert.match(reading(), /\S/);
});

test("a text of people is shown in the standard form, and what cannot be read is said", () => {
    const field = open("Mo-Su 10:00-20:00");
    type(input(), "whenever we like");
    assert.match(reading(), /cannot read these opening hours/);
    assert.equal(rows().length, 0);
    type(input(), "Mon-Fri 9am to 5pm, Sat closed");
    assert.match(reading(), /Mo-Fr 09:00-17:00/);
    assert.match(textOf(rows()[5]), /Closed/);
    type(input(), 'Mo-Fr 10:00-20:00 "by appointment"');
    assert.match(textOf(only(".week-editor")), /cannot show all of these hours/);
    assert.match(textOf(document.querySelector(".week-editor tr")), /by appointment/);
    type(input(), "月〜金 10:00〜20:00");
    assert.deepEqual(field.changes(), [{ pointer: "/properties/hours", before: "Mo-Su 10:00-20:00", value: "Mo-Fr 10:00-20:00" }]);
    type(input(), "");
    assert.deepEqual(field.changes().map(({ value }) => value), [null]);
});

test("unusual hours that nobody has changed are no change", () => {
    assert.deepEqual(open("Mon-Fri 9am to 5pm").changes(), []);
});
