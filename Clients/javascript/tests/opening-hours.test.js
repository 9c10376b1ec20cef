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
