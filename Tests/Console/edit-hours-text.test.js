// Opening hours as rows and as a text: both mean the same, and what nobody has changed stays as it was written.

import "./support/page.js";
import assert from "node:assert/strict";
import { test } from "node:test";

const web = "../../Sources/WebConsole/Web";
const { OpeningHours } = await import(`${web}/client/hours/opening-hours.js`);
const { rowsOf, textOf } = await import(`${web}/map/editing/hours-rows.js`);
const { problemsOf } = await import(`${web}/map/editing/hours-problems.js`);

const zone = "Asia/Tokyo";
const start = Date.UTC(2027, 0, 1);

/** Numbers from 0 to 1 that a seed determines (mulberry32). */
function randomOf(seed) {
    let state = seed;
    return () => {
        state = (state + 0x6d2b79f5) | 0;
        let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
        mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    };
}

/** Functions that choose by a seed: a number below `n`, an element of a list, or true with a probability. */
function choices(seed) {
    const random = randomOf(seed);
    const below = (n) => Math.floor(random() * n);
    return { below, oneOf: (list) => list[below(list.length)], isTrue: (probability) => random() < probability };
}

/** Public holidays on every weekday, and random instants of two years. */
function moments({ below }, n = 100) {
    const dates = Array.from({ length: 60 }, () => new Date(start + below(730) * 86_400_000).toISOString().slice(0, 10));
    const near = dates.slice(0, 20).flatMap((date) => [...Array(6)].map(() => new Date(Date.parse(date) + below(60 * 60) * 60_000 - 10 * 3_600_000)));
    return {
        holidays: { publicHolidays: new Set(dates), schoolHolidays: new Set() },
        instants: [...near, ...Array.from({ length: n }, () => new Date(start + below(730 * 1_440) * 60_000))],
    };
}

/** The instants at which two texts differ. */
function differences(one, other, { instants, holidays }) {
    const [first, second] = [one, other].map((text) => new OpeningHours(text));
    return instants.filter((each) => first.state(each, zone, holidays) !== second.state(each, zone, holidays)).map((each) => each.toISOString());
}

/** The text of rows that were all entered anew, in another order. */
const rewritten = (model) => textOf({ ...model, rows: model.rows.map((row) => ({ ...row, source: null })).reverse() });

const dayTexts = ["Mo-Fr", "Sa,Su", "Sa", "Su", "We", "Mo-Su", "Mo,We,Fr", "Sa-Mo", "Tu-Su", "PH", "Sa,Su,PH", "Mo-Fr,PH", "Mo-Su,PH", ""];
const timeTexts = [
    "10:00-20:00", "10:00-15:00,16:00-19:30", "22:00-02:00", "17:00-26:00", "00:00-24:00", "24/7", "off", "closed", "09:00-12:00,13:00-24:00", "open",
];
const lastTexts = ["Dec 24 10:00-14:00", "Jan 01 off", "Fr[-1] 18:00-23:00", "SH 09:00-12:00", 'week 10-12 Mo off "works"'];

function randomText({ below, oneOf, isTrue }) {
    const rules = Array.from({ length: 1 + below(4) }, () => [oneOf(dayTexts), oneOf(timeTexts)].filter(Boolean).join(" "));
    if (isTrue(0.3)) rules.push(oneOf(lastTexts));
    return rules.reduce((text, rule) => text + oneOf(["; ", "; ", "; ", "; ", ";", ", "]) + rule);
}

for (let seed = 1; seed <= 3; seed += 1) {
    test(`rows mean the same as the text that they were read from, and the text of the rows does, too (seed ${seed})`, () => {
        const random = choices(seed);
        let count = 0;
        for (let round = 0; round < 60; round += 1) {
            const text = randomText(random);
            const hours = OpeningHours.parse(text);
            const model = hours && rowsOf(text);
            if (!model) continue;
            count += 1;
            assert.equal(textOf(model), text);
            assert.deepEqual(problemsOf(model.rows), model.rows.map(() => null), text);
            const again = rewritten(model);
            if (again !== "") assert.deepEqual(differences(text, again, moments(random)), [], `${text} is rewritten as ${again}`);
        }
        assert.ok(count > 20, `only ${count} texts have rows`);
    });

    test(`rows after a change mean the same, whether the others keep their text or are written anew (seed ${seed})`, () => {
        const random = choices(1_000 + seed);
        for (let round = 0; round < 60; round += 1) {
            const text = randomText(random);
            const model = OpeningHours.parse(text) && rowsOf(text);
            if (!model || model.rows.length === 0) continue;
            change(model, random);
            const [kept, anew] = [textOf(model), rewritten(model)];
            if (kept === "") assert.equal(anew, "");
            else assert.deepEqual(differences(kept, anew, moments(random)), [], `${text} becomes ${kept}, as ${anew}`);
        }
    });
}

/** Changes a row, removes one, or adds one for the days that are free. */
function change(model, { below, oneOf }) {
    const row = oneOf(model.rows);
    const free = [0, 1, 2, 3, 4, 5, 6, 7].filter((day) => !model.rows.some(({ days }) => days.includes(day)));
    switch (below(5)) {
        case 0: return Object.assign(row, { kind: "times", spans: [[600, 660 + below(1_000)]] });
        case 1: return Object.assign(row, { kind: oneOf(["closed", "allDay"]) });
        case 2: return row.days.length > 1 && row.days.splice(below(row.days.length), 1);
        case 3: return model.rows.splice(model.rows.indexOf(row), 1);
        default: return free.length > 0 && model.rows.push({ days: free, kind: "times", spans: [[720, 780]], source: null });
    }
}

for (const [text, rows] of [
    ["Mo-Fr 10:00-20:00; Sa,Su 10:00-18:00; PH off", ["01234 times 600,1200", "56 times 600,1080", "7 closed "]],
    ["Mo-Su 10:00-20:00; We off", ["013456 times 600,1200", "2 closed "]],
    ["24/7; PH off", ["0123456 allDay ", "7 closed "]],
    ["Fr,Sa 22:00-02:00", ["45 times 1320,1560"]],
    ["Tu-Su 11:00-15:00,17:00-22:00; Jan 01 off", ["123456 times 660,900,1020,1320"]],
    ["Mo-Fr 09:00-18:00; Dec 31 off; PH off", ["01234 times 540,1080", "7 closed "]],
    ["Mo-Fr 10:00-18:00, Sa 10:00-14:00", ["01234 times 600,1080", "5 times 600,840"]],
    ["off", ["0123456 closed "]],
]) {
    test(`hours have rows: ${text}`, () => {
        const model = rowsOf(text);
        assert.deepEqual(model.rows.map(({ days, kind, spans }) => `${days.join("")} ${kind} ${spans}`), rows);
        assert.equal(textOf(model), text);
        assert.ok(rewritten(model).length <= text.length + "Mo-Tu,Th-Su".length - "Mo-Su".length, rewritten(model));
    });
}

for (const [what, text] of [
    ["a comment", 'Mo-Fr 10:00-20:00 "by appointment"'], ["a comment on closed days", 'Mo off "renovation"'],
    ["an uncertain end", "Mo-Fr 08:00-18:00+"], ["times of the sun", "sunrise-sunset"], ["a fallback", 'Mo-Fr 10:00-20:00 || "call us"'],
    ["an unknown state", "Mo-Fr 10:00-20:00 unknown"], ["times at which it is closed", "Mo-Fr 10:00-20:00; We 12:00-13:00 off"],
    ["a rule for a date before one for a weekday", "Mo-Fr 10:00-20:00; Dec 24 10:00-14:00; Fr 18:00-03:00"],
    ["holidays that depend on the weekday", "Mo-Fr,PH 10:00-20:00; Sa 10:00-18:00"], ["days after holidays", "Mo-Fr 10:00-20:00; PH +1 day off"],
    ["a rule for holidays that adds to others", "Mo-Fr 10:00-12:00, PH 14:00-16:00"], ["school holidays on weekdays", "Sa,SH 10:00-12:00"],
    ["a rule for a date that adds to others", "Mo-Su 10:00-12:00; Jan 01 off, Dec 24 14:00-16:00"],
    ["a rule that adds to its days", "Mo-Fr 10:00-12:00, We 14:00-16:00"], ["more than a day", "Mo 10:00-48:00"],
    ["overlapping times", "Mo 10:00-15:00,14:00-18:00"],
]) {
    test(`hours with ${what} have no rows`, () => assert.equal(rowsOf(text), null));
}

test("rows that nobody has changed keep their text", () => {
    const set = (text, index, values) => {
        const model = rowsOf(text);
        Object.assign(model.rows[index], values);
        return textOf(model);
    };
    const evening = { kind: "times", spans: [[600, 1_260]] };
    assert.equal(set("Mo-Fr 9:00-20:00; Sa,Su 10:00-18:00; PH closed", 1, evening), "Mo-Fr 9:00-20:00; Sa,Su 10:00-21:00; PH closed");
    assert.equal(set("Mo-Su 10:00-20:00; We off", 0, evening), "Mo-Su 10:00-21:00; We off");
    assert.equal(set("Mo-Su 10:00-20:00; We off", 1, evening), "Mo-Su 10:00-20:00; We 10:00-21:00");
    assert.equal(set("Mo-Sa 10:00-20:00; We off", 1, { days: [6] }), "Mo-Tu,Th-Sa 10:00-20:00; Su off");
    assert.equal(set("Mo-Su 10:00-20:00", 0, { kind: "allDay" }), "24/7");
    assert.equal(set("Mo-Su 10:00-20:00; Jan 01 off", 0, { days: [0, 1] }), "Mo-Tu 10:00-20:00; Jan 01 off");
    assert.equal(set("24/7", 0, { days: [0, 1, 2, 3, 4, 7] }), "Mo-Fr,PH 00:00-24:00");
});

test("a rule for public holidays comes last, because it replaces those for weekdays", () => {
    const row = (days, spans) => ({ days, kind: "times", spans, source: null });
    const model = { text: "", rows: [row([0, 1, 2, 3, 4, 7], [[600, 1_200]]), row([5, 6], [[600, 1_080]])], exceptions: [], count: 0 };
    assert.equal(textOf(model), "Sa-Su 10:00-18:00; Mo-Fr,PH 10:00-20:00");
});
