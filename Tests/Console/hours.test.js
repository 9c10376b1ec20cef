// Opening hours on the map page: the states, the week on the card, and the time zone. What cannot be parsed is unknown, never closed.

import "./support/page.js";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const web = "../../Sources/WebConsole/Web";
const { OpeningHours } = await import(`${web}/client/hours/opening-hours.js`);
const { PlaceHours } = await import(`${web}/map/place-hours.js`);
const { openState, weekTable } = await import(`${web}/map/hours-view.js`);
const { localization } = await import(`${web}/localization/localization.js`);

const tokyo = "Asia/Tokyo";
const minute = 60_000;
const states = { o: "open", c: "closed", u: "unknown" };
/** The table of `opening-hours-answers.py`. */
const answers = readFileSync(new URL("support/opening-hours-answers.txt", import.meta.url), "utf8").trim().split("\n").map((line) => {
    const [text, start, state, changes] = line.split("\t");
    const begin = Date.parse(`${start}+09:00`);
    const changeOf = (each) => ({ at: begin + Number.parseInt(each, 10) * minute, state: each.at(-1) });
    return { text, begin, state, changes: changes === "-" ? [] : changes.split(" ").map(changeOf) };
});

test("opening hours states agree with another implementation", () => {
    assert.equal(answers.length, 92);
    const differences = [];
    for (const { text, begin, state, changes } of answers) {
        const hours = new OpeningHours(text);
        for (let moment = begin + 7 * minute; moment < begin + 14 * 24 * 60 * minute; moment += 97 * minute) {
            const expected = states[changes.findLast(({ at }) => at <= moment)?.state ?? state];
            const found = hours.state(new Date(moment), tokyo);
            if (found !== expected) differences.push([text, new Date(moment).toISOString(), found, expected]);
        }
    }
    assert.deepEqual(differences, []);
});

test("opening hours next changes agree with another implementation", () => {
    const differences = [];
    for (const { text, begin, changes } of answers) {
        // A change that is more than a year away, or none, is compared where there is one.
        if (changes.length === 0) continue;
        const hours = new OpeningHours(text);
        for (let step = 0; step < 60; step += 1) {
            const moment = begin + (191 + 211 * step) * minute;
            const expected = changes.find(({ at }) => at > moment)?.at ?? null;
            const found = hours.nextChange(new Date(moment), tokyo)?.getTime() ?? null;
            if (expected !== null && found !== expected) differences.push([text, new Date(moment).toISOString(), found, expected]);
        }
    }
    assert.deepEqual(differences, []);
});

test("opening hours that cannot be parsed are unknown, not closed, and shown as they are written", () => {
    for (const text of ["sunrise-sunset", "after lunch", "10-2", "Mo-Fr 9:00 - late"]) {
        const hours = new PlaceHours(text, tokyo);
        assert.equal(hours.state().state, "unknown", text);
        if (!hours.isParsed) assert.equal(weekTable({ hours }).textContent, text);
    }
});

test("opening hours as people write them are read, and shown with what was written", () => {
    for (const [text, isLenient] of [["Mo-Fr 09:00-17:00", false], ["Mon-Fri 9am-5pm", true], ["月〜金 10:00〜20:00", true]]) {
        const hours = new PlaceHours(text, tokyo);
        const table = document.createElement("div");
        table.append(...[weekTable({ hours })].flat().filter(Boolean));
        assert.equal(hours.state(new Date("2026-03-02T10:00:00+09:00")).state, "open", text);
        assert.equal(hours.isLenient, isLenient, text);
        assert.equal(table.textContent.includes(text), isLenient, text);
    }
});

test("opening hours say when the state changes, with the day if it is another one", () => {
    const place = { hours: new PlaceHours("Mo-Fr 10:00-20:00", tokyo) };
    for (const [moment, language, text] of [
        ["2026-06-10T13:00", "en", "Open until 20:00"], ["2026-06-10T09:00", "en", "Closed · opens at 10:00"],
        ["2026-06-12T21:00", "en", "Closed · opens Monday, 10:00"], ["2026-06-10T13:00", "ja", "営業中・20:00まで"],
    ]) {
        localization.language = language;
        assert.equal(openState(place, new Date(`${moment}+09:00`)).text, text);
    }
    localization.language = "en";
});

for (const [text, language, moment, rows] of [
    ["Mo-Su 05:30-22:30", "en", "2026-06-10T13:00", ["*Daily 05:30–22:30"]],
    ["Mo-Su 05:30-22:30", "ja", "2026-06-10T13:00", ["*毎日 05:30–22:30"]],
    ["24/7", "en", "2026-06-10T13:00", ["*Daily All day"]],
    ["Mo-Fr 10:00-13:00,14:00-20:00; Sa 11:00-18:00", "en", "2026-06-10T13:00", [
        "*Mon–Fri 10:00–13:00, 14:00–20:00", "Saturday 11:00–18:00", "Sunday Closed"]],
    ["Mo-Fr 10:00-20:00; Sa-Su 11:00-18:00", "ja", "2026-06-13T13:00", ["月–金 10:00–20:00", "*土–日 11:00–18:00"]],
    // Weeks that are not alike are shown day by day, from today on.
    ["Mo-Fr 10:00-20:00; 2026 Jun 12 off", "en", "2026-06-10T13:00", [
        "*Today 10:00–20:00", "Thursday 10:00–20:00", "Friday Closed", "Saturday Closed", "Sunday Closed", "Monday 10:00–20:00",
        "Tuesday 10:00–20:00"]],
]) {
    test(`opening hours of a week are shown as people say them: ${text} on ${moment}, ${language}`, () => {
        localization.language = language;
        const [table] = weekTable({ hours: new PlaceHours(text, tokyo) }, new Date(`${moment}+09:00`));
        const shown = [...table.querySelectorAll("tr")].map((row) => (
            `${row.className === "today" ? "*" : ""}${[...row.children].map(({ textContent }) => textContent).join(" ")}`));
        localization.language = "en";
        assert.deepEqual(shown, rows);
    });
}

/** Runs with the time zone of the browser. */
function inZone(zone, act) {
    const own = Intl.DateTimeFormat.prototype.resolvedOptions;
    Intl.DateTimeFormat.prototype.resolvedOptions = function () {
        return { ...own.call(this), timeZone: zone };
    };
    try {
        return act();
    } finally {
        Intl.DateTimeFormat.prototype.resolvedOptions = own;
    }
}

for (const [language, zone, text] of [
    ["en", "America/New_York", "Times at the venue (GMT+9)"], ["ja", "America/New_York", "現地時間（JST）"], ["en", "Asia/Seoul", null],
]) {
    test(`opening hours name their time zone where clocks show another time: ${language} in ${zone}`, () => {
        localization.language = language;
        const table = inZone(zone, () => weekTable({ hours: new PlaceHours("Mo-Su 10:00-21:00", tokyo) }));
        assert.deepEqual(table.slice(1).filter(Boolean).map(({ textContent }) => textContent), text === null ? [] : [text]);
        localization.language = "en";
    });
}
