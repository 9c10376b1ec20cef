// Opening hours with a closure until a time: they end it by themselves, and the card of the place says when.

import "./support/page.js";
import assert from "node:assert/strict";
import { test } from "node:test";

const web = "../../Sources/WebConsole/Web";
const { OpeningHours } = await import(`${web}/client/hours/opening-hours.js`);
const { PlaceHours } = await import(`${web}/map/place-hours.js`);
const { closedUntil, isClosure } = await import(`${web}/map/editing/closure.js`);
const { openState, weekTable } = await import(`${web}/map/hours-view.js`);
const { localization } = await import(`${web}/localization/localization.js`);

const timeZone = "Asia/Tokyo";
const at = (local) => new Date(`${local}+09:00`);
const tuesday = "2026-12-01T13:00";
const monday = "2026-12-07T00:00";
const closure = (text, end = monday, now = tuesday) => closedUntil(text, { now: at(now), end: at(end), timeZone });

for (const [name, text, end, expected] of [
    ["whole days", "Mo-Su 10:00-21:00", monday, "Mo-Su 10:00-21:00; 2026 Dec 01-2026 Dec 06 off"],
    ["a part of the last day", "Mo-Su 10:00-21:00", "2026-12-07T15:30",
        "Mo-Su 10:00-21:00; 2026 Dec 01-2026 Dec 06 off; 2026 Dec 07 00:00-15:30 off"],
    ["one day", "Mo-Su 10:00-21:00;", "2026-12-02T00:00", "Mo-Su 10:00-21:00; 2026 Dec 01 off"],
    ["a part of today", "Mo-Su 10:00-21:00", "2026-12-01T15:00", "Mo-Su 10:00-21:00; 2026 Dec 01 00:00-15:00 off"],
    ["the turn of the year", "24/7", "2027-01-04T00:00", "24/7; 2026 Dec 01-2027 Jan 03 off"],
    ["rules that apply where no other does", 'Mo-Fr 10:00-20:00 "a || b" || "call us"', monday,
        'Mo-Fr 10:00-20:00 "a || b"; 2026 Dec 01-2026 Dec 06 off || "call us"'],
    ["hours as people write them", "Mon-Fri 9am-5pm", monday, "Mo-Fr 09:00-17:00; 2026 Dec 01-2026 Dec 06 off"],
    ["hours that cannot be read", "after lunch", monday, "unknown; 2026 Dec 01-2026 Dec 06 off"],
    ["no hours", undefined, monday, "unknown; 2026 Dec 01-2026 Dec 06 off"],
]) {
    test(`closure has rules for its dates: ${name}`, () => {
        const hours = closure(text, end);
        assert.equal(hours, expected);
        const parsed = new OpeningHours(hours);
        assert.equal(parsed.state(at(tuesday), timeZone), "closed");
        assert.equal(parsed.state(new Date(at(end) - 1000), timeZone), "closed");
        const regular = OpeningHours.parseLeniently(text);
        for (let hour = 0; hour < 24 * 14; hour += 1) {
            const moment = new Date(at(end).getTime() + hour * 3_600_000);
            assert.equal(parsed.state(moment, timeZone), regular?.state(moment, timeZone) ?? "unknown", moment.toISOString());
        }
    });
}

for (const [text, start, end] of [
    ["Mo-Su 18:00-02:00", "2026-12-01T23:00", "2026-12-02T01:00"], ["Mo-Su 18:00-02:00", "2026-12-01T13:00", "2026-12-07T01:15"], ["24/7", "2026-12-01T13:00", "2026-12-07T01:00"],
    ["Fr-Sa 20:00-05:00; PH off", "2026-12-04T21:00", "2026-12-05T03:00"],
]) {
    test(`closure of a place that is open in the night ends when it was told to: ${text}, ${start} to ${end}`, () => {
        const [hours, regular] = [new OpeningHours(closure(text, end, start)), new OpeningHours(text)];
        for (let moment = at(start).getTime(); moment < at(end).getTime(); moment += 900_000) {
            assert.equal(hours.state(new Date(moment), timeZone), "closed", new Date(moment).toISOString());
        }
        for (let quarters = 0; quarters < 96 * 14; quarters += 1) {
            const moment = new Date(at(end).getTime() + quarters * 900_000);
            assert.equal(hours.state(moment, timeZone), regular.state(moment, timeZone), moment.toISOString());
        }
    });
}

test("closure of a place that is open in the night closes it at once", () => {
    const hours = closure("Mo-Su 18:00-02:00", monday, "2026-12-01T01:00");
    assert.equal(new OpeningHours(hours).state(at("2026-12-01T01:00"), timeZone), "closed");
    assert.equal(hours, "Mo-Su 18:00-02:00; 2026 Nov 30-2026 Dec 06 off");
});

test("closure is on the dates of the venue", () => {
    const [now, end] = [at("2026-12-01T00:30"), at(monday)];
    assert.equal(closedUntil("24/7", { now, end, timeZone: "America/New_York" }),
        "24/7; 2026 Nov 30-2026 Dec 05 off; 2026 Dec 06 00:00-10:00 off");
});

test("a place that is closed on the dates of both weeks has no table of hours, and one of an earlier end has", () => {
    const table = (end) => weekTable({ hours: new PlaceHours(closure("Mo-Su 10:00-21:00", end), timeZone) }, at(tuesday))[0];
    assert.equal(table("2026-12-24T10:00"), false);
    assert.equal(table(monday).querySelectorAll("tr").length, 7);
});

test("closure is recognized, and hours that are closed in the night are not one", () => {
    for (const text of ["off", closure("Mo-Su 10:00-21:00"), closure("24/7", "2026-12-07T15:30")]) {
        assert.equal(isClosure(text, at(text.includes("15:30") ? "2026-12-07T15:30" : monday), timeZone), true, text);
    }
    for (const text of ["Mo-Su 10:00-21:00", "Mo off; Tu-Su 10:00-20:00", "after lunch", null]) {
        assert.equal(isClosure(text, at(monday), timeZone), false, text);
    }
});

for (const [language, text, end, moment, expected] of [
    ["en", "Mo-Su 10:00-21:00", monday, tuesday, "Closed until Mon, December 7, 10:00"],
    ["ja", "Mo-Su 10:00-21:00", monday, tuesday, "休業中・12月7日(月)10:00まで"],
    ["en", undefined, monday, tuesday, "Closed through Sun, December 6"],
    ["ja", undefined, monday, tuesday, "休業中・12月6日(日)まで"],
    ["en", "Tu-Su 10:00-21:00", monday, tuesday, "Closed until Tue, December 8, 10:00"],
    ["en", "Mo-Su 10:00-21:00", "2027-02-01T00:00", tuesday, "Closed until Mon, February 1, 10:00"],
    ["en", "Mo-Su 10:00-21:00", "2026-12-01T15:00", tuesday, "Closed until 15:00"],
    ["ja", "Mo-Su 10:00-21:00", "2026-12-01T15:00", tuesday, "休業中・15:00まで"],
    ["en", "Mo-Su 10:00-21:00", monday, "2026-12-07T11:00", "Open until 21:00"],
    ["en", "Mo-Su 10:00-21:00", monday, "2026-12-07T09:00", "Closed · opens at 10:00"],
]) {
    test(`card says until when a place is closed: ${language}, ${text}, until ${end}, at ${moment}`, () => {
        localization.language = language;
        const place = { hours: new PlaceHours(closure(text, end), timeZone) };
        assert.equal(openState(place, at(moment)).text, expected);
        localization.language = "en";
    });
}
