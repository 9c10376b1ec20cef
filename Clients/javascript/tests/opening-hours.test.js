import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { OpeningHours } from "@venuesync/client";

const table = await readFile(new URL("../../../Tests/OpeningHoursTests/Oracle/answers.txt", import.meta.url), "utf8");

test("opening hours: results equal the recorded ones of another implementation", () => {
    const lines = table.split("\n").filter((line) => line !== "");
    const valuesOf = (name) => lines.find((line) => line.startsWith(`# ${name} `)).split(" ").slice(2);
    const holidays = { publicHolidays: new Set(valuesOf("holidays")) };
    const instants = valuesOf("instants").map((seconds) => new Date(seconds * 1000));
    const rows = lines.map((line) => line.split("\t")).filter(([, kind]) => kind === "-");
    assert.ok(rows.length > 200 && instants.length === 32);
    const differences = [];
    for (const [timeZone, , text, states, changes] of rows) {
        const hours = new OpeningHours(text);
        const found = instants.map((instant) => hours.state(instant, timeZone, holidays)[0]).join("");
        if (found !== states) differences.push([text, timeZone, found, states]);
        for (const [index, change] of changes.split(",").entries()) {
            if (change === "?") continue;
            const next = hours.nextChange(instants[index], timeZone, { holidays });
            const seconds = next === null ? "-" : String(next.getTime() / 1000);
            if (seconds !== change) differences.push([text, timeZone, instants[index], seconds, change]);
        }
    }
    assert.deepEqual(differences, []);
});

test("opening hours: a text that cannot be parsed, and a missing time zone, are unknown, never closed", () => {
    for (const text of ["after lunch", "10-20", "Mo-Fr 9:00 - late", "", "Mo-", "\"", "Mo 10:00-", "Mo[6] 10:00-12:00", "x".repeat(5_000), 7, null]) {
        assert.equal(OpeningHours.parse(text), null, String(text));
    }
    const hours = new OpeningHours("24/7");
    for (const timeZone of [null, undefined, "", "Mars/Olympus"]) assert.equal(hours.state(new Date(), timeZone), "unknown");
    assert.equal(hours.state(new Date(), "Asia/Tokyo"), "open");
    assert.equal(new OpeningHours('"by appointment"').state(new Date(), "UTC"), "unknown");
});

const lenient = JSON.parse(await readFile(new URL("../../../Tests/Conformance/lenient-opening-hours.json", import.meta.url), "utf8"));

test("opening hours: a text of people that has one meaning is read leniently, and marked", () => {
    assert.ok(lenient.read.length > 60);
    for (const [text, strictText] of lenient.read) {
        assert.equal(OpeningHours.parse(text), null, "the strict syntax stays as it is");
        const hours = OpeningHours.parseLeniently(text);
        assert.deepEqual([text, hours?.strictText, hours?.isLenient, hours?.text], [text, strictText, true, text]);
        const strict = new OpeningHours(strictText);
        for (let hour = 0; hour < 200; hour += 1) {
            const instant = new Date(Date.parse("2031-06-13T00:00:00+09:00") + hour * 3_600_000);
            assert.equal(hours.state(instant, "Asia/Tokyo"), strict.state(instant, "Asia/Tokyo"), text);
        }
        assert.deepEqual(hours.week, strict.week);
    }
});

test("opening hours: open ends and what is closed have the states that all languages have in common", () => {
    assert.ok(lenient.states.length > 10);
    const weekdays = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];
    for (const [text, states] of lenient.states) {
        const hours = OpeningHours.parseLeniently(text);
        for (const [moment, state] of Object.entries(states)) {
            const [weekday, time] = moment.split(" ");
            // 9 June 2031 is a Monday.
            const instant = new Date(`2031-06-${String(9 + weekdays.indexOf(weekday)).padStart(2, "0")}T${time}:00+09:00`);
            assert.equal(hours?.state(instant, "Asia/Tokyo") ?? "unknown", state, `${text} at ${moment}`);
        }
    }
});

test("opening hours: a text with several meanings, or none, is not read leniently", () => {
    assert.ok(lenient.refused.length > 50);
    for (const text of [...lenient.refused, `${" ".repeat(4_096)}9-5`, 7, null, undefined]) {
        assert.equal(OpeningHours.parseLeniently(text), null, String(text));
    }
    for (const text of ["24/7", "Mo-Fr 09:00-17:00", "10:00-20:00", "8:00-5:00"]) {
        const { strictText, isLenient } = OpeningHours.parseLeniently(text);
        assert.deepEqual([strictText, isLenient], [text, false]);
    }
});

test("opening hours: random texts of people are refused, or equal to their strict text", () => {
    let state = 3;
    const random = (limit) => {
        state = (state * 48_271) % 2_147_483_647;
        return state % limit;
    };
    const words = [
        "Mon", "Fri", "月", "日", "-", "to", "〜", ",", "、", ";", "\n", " ", "9", "10:00", "5", "20:00", "am", "pm", "午後", "noon", "closed",
        "定休日", ":", "年中無休", "24h", "daily", "平日", "祝", "(", ")", "L.O.", "翌", "半", "時", "é", "\0",
    ];
    let read = 0;
    for (let count = 0; count < 20_000; count += 1) {
        const hours = OpeningHours.parseLeniently(Array.from({ length: 1 + random(7) }, () => words[random(words.length)]).join(""));
        if (!hours) continue;
        read += 1;
        assert.deepEqual(hours.week, new OpeningHours(hours.strictText).week);
        assert.ok(!OpeningHours.parseLeniently(hours.strictText).isLenient);
    }
    assert.ok(read > 100);
});

test("opening hours: hostile texts are read leniently in bounded time", { timeout: 60_000 }, () => {
    for (const piece of ["Mon,", "月", "10:00〜20:00、", "Mon 9-5,", "(L.O.", "((((", "9-5;", "closed Mon,", "\ufdfa", "e\u0301", "24 ", "ﾊﾞ", "to "]) {
        const hours = OpeningHours.parseLeniently(piece.repeat(Math.floor(4_096 / new TextEncoder().encode(piece).length)));
        assert.ok(hours === null || hours.isLenient, piece);
    }
});

test("opening hours: any text of the syntax's characters is parsed or refused in bounded time", () => {
    let state = 1;
    const random = (limit) => {
        state = (state * 48_271) % 2_147_483_647;
        return state % limit;
    };
    const parts = ["Mo", "-", "Fr", ",", " ", "10:00", "26:00", "[1]", "PH", "week", "easter", "+1 day", ";", "||", "off", '"a"', "2031", "Jan", "(", "sunset", ")", "+", ":"];
    for (let count = 0; count < 20_000; count += 1) {
        const text = Array.from({ length: random(12) }, () => parts[random(parts.length)]).join("");
        const hours = OpeningHours.parse(text);
        if (hours) assert.ok(["open", "closed", "unknown"].includes(hours.state(new Date(0), "UTC")));
    }
    const long = OpeningHours.parse(`${"Mo-Su 10:00-11:00,".repeat(220)}Mo 10:00-12:00`);
    assert.equal(long.state(new Date(0), "UTC"), "closed");
});

test("opening hours: the week has the spans of every day and names the exceptions", () => {
    const { days, exceptions } = new OpeningHours("Mo-Fr 10:00-18:00; Sa 22:00-02:00; PH off || \"call us\"").week;
    assert.deepEqual(days[0], [{ start: 600, end: 1080, state: "open", comment: null }]);
    assert.deepEqual(days[5], [{ start: 1320, end: 1560, state: "open", comment: null }]);
    assert.deepEqual(days[6], []);
    assert.deepEqual(exceptions, ["PH off", '"call us"']);
    const [today] = new OpeningHours("Th 10:00-18:00").days(new Date(0), "UTC");
    assert.deepEqual(today, { number: 0, weekday: 3, spans: [{ start: 600, end: 1080, state: "open", comment: null }] });
});

test("opening hours: weekdays that a rule names beside holidays are in the week", () => {
    for (const [text, starts, exceptions] of [
        ["Mo-Su,PH 10:00-21:00", [10, 10, 10, 10, 10, 10, 10], ["PH 10:00-21:00"]],
        ["Mo-Fr 09:00-21:00; Sa-Su,PH 10:00-21:00", [9, 9, 9, 9, 9, 10, 10], ["PH 10:00-21:00"]],
        ['PH,Sa 10:00-21:00 "ring" ', [null, null, null, null, null, 10, null], ['PH 10:00-21:00 "ring"']],
        ["Mo-Fr 09:00-21:00; We,SH -1 day,PH off", [9, 9, null, 9, 9, null, null], ["SH -1 day,PH off"]],
        ["Mo,Sa[1,-1] 10:00-21:00", [10, null, null, null, null, null, null], ["Sa[1,-1] 10:00-21:00"]],
        ["SH Mo-Fr 10:00-21:00", Array(7).fill(null), ["SH Mo-Fr 10:00-21:00"]],
        ["Dec Mo-Fr,PH 10:00-21:00", Array(7).fill(null), ["Dec Mo-Fr,PH 10:00-21:00"]],
    ]) {
        const { days, exceptions: found } = new OpeningHours(text).week;
        assert.deepEqual(days.map(([first]) => (first ? first.start / 60 : null)), starts, text);
        assert.deepEqual(found, exceptions);
        for (const exception of found) assert.ok(new OpeningHours(exception));
    }
});

test("opening hours: the week is what the hours are at any instant of a week without exceptions", () => {
    let state = 4;
    const random = (all) => {
        state = (state * 48_271) % 2_147_483_647;
        return all[state % all.length];
    };
    const days = ["Mo-Su", "Sa-Su", "Fr-Mo", "We", "Mo,We,Fr", "PH", "SH", "Sa,PH", "PH,Mo-Fr", "SH Mo-We", "Tu[2]", "Su,Mo[-1]"];
    const times = ["10:00-18:00", "12:00-13:00 off", "22:00-02:00", "off", "09:30-12:00,13:00-26:00", "20:00+", "unknown"];
    // The weeks of these Mondays have neither the second Tuesday nor the last Monday of their month.
    const mondays = ["2035-01-15", "2035-02-19"].map((day) => Date.parse(`${day}T00:00:00Z`));
    const numbers = [...Array(1_009).keys()];
    for (let count = 0; count < 500; count += 1) {
        const rules = Array.from({ length: random([1, 2, 3, 4]) }, () => `${random(days)} ${random(times)}`);
        const text = rules.join(random(["; ", ", "]));
        const hours = new OpeningHours(text);
        const { days: week } = hours.week;
        const monday = random(mondays);
        assert.deepEqual(week, hours.days(new Date(monday), "UTC").map(({ spans }) => spans), text);
        for (let index = 0; index < 20; index += 1) {
            const [timeZone, offset] = random([["UTC", 0], ["Asia/Tokyo", 540], ["America/New_York", -300]]);
            const minute = (random(numbers) * 1_009 + random(numbers)) % (7 * 1_440);
            const [day, time] = [Math.floor(minute / 1_440), minute % 1_440];
            // A span of the day before may end after midnight.
            const found = [[day, time], [(day + 6) % 7, time + 1_440]]
                .flatMap(([of, at]) => week[of].filter(({ start, end }) => start <= at && at < end).map(({ state }) => state));
            const expected = ["open", "unknown"].find((each) => found.includes(each)) ?? "closed";
            const instant = new Date(monday + (minute - offset) * 60_000);
            assert.equal(hours.state(instant, timeZone), expected, `${text} at ${instant.toISOString()} in ${timeZone}`);
        }
    }
});
