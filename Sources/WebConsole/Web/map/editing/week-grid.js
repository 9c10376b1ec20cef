// Weekly opening hours as a table: for each day from Monday on, a list of spans `[from, to]` in minutes after midnight. A span that ends
// on the next day has an end above 1,440.

import { OpeningHours } from "../../client/hours/opening-hours.js";

const dayCodes = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];
const dayLength = 1_440;
/** The days over which two texts are compared: more than a year, so that every rule for a part of the year applies on some of them. */
const comparedDays = 400;

/**
 * The table of some hours, `{days, exceptions}`; null if a table and a list of exceptions cannot say the same, for example if a day has
 * a comment, or the state is unknown. `exceptions` are the texts of rules for holidays and parts of the year.
 */
export function gridOf(hours) {
    const { days, exceptions } = hours.week;
    if (days.flat().some(({ state, comment }) => state !== "open" || comment)) return null;
    const grid = { days: days.map((spans) => spans.map(({ start, end }) => [start, end])), exceptions };
    const again = OpeningHours.parse(hoursTextOf(grid));
    return again && isInOrder(hours, exceptions) && isSameMeaning(hours, again) ? grid : null;
}

/** The text of a table in the syntax of `opening_hours`; null if a span is incomplete. */
export function hoursTextOf({ days, exceptions }) {
    if (days.flat(2).some((minute) => !Number.isFinite(minute))) return null;
    const texts = days.map((spans) => [...spans].sort(([one], [other]) => one - other).map(spanText).join(","));
    const rules = [];
    for (const text of new Set(texts)) {
        if (text !== "") rules.push(`${dayList(texts.map((each) => each === text))} ${text}`);
    }
    if (rules.length === 0) rules.push("off");
    return [...rules, ...exceptions].join("; ");
}

/** Consecutive days become a range: `Mo-Fr,Su`. */
function dayList(isOpen) {
    const parts = [];
    for (let day = 0; day < 7; day += 1) {
        if (!isOpen[day]) continue;
        const first = day;
        while (day < 6 && isOpen[day + 1]) day += 1;
        parts.push(first === day ? dayCodes[day] : `${dayCodes[first]}-${dayCodes[day]}`);
    }
    return parts.join(",");
}

const spanText = ([from, to]) => `${timeText(from)}-${to % dayLength === 0 ? "24:00" : timeText(to)}`;

/** Minutes after midnight as the value of a time field. */
export function timeText(minute) {
    const within = minute % dayLength;
    return `${String(Math.floor(within / 60)).padStart(2, "0")}:${String(within % 60).padStart(2, "0")}`;
}

/** The span of two values of time fields: an end that is not after the start is on the next day. NaN for an empty field. */
export function spanOf(fromText, toText) {
    const [from, to] = [minuteOf(fromText), minuteOf(toText)];
    return [from, to <= from ? to + dayLength : to];
}

function minuteOf(text) {
    const [hour, minute] = (text || "x").split(":").map(Number);
    return hour * 60 + minute;
}

/** Whether the exceptions come last and replace other rules, as the table writes them: one after a comma adds to these. */
function isInOrder({ strictText }, exceptions) {
    const compact = (text) => text.replaceAll(/\s/g, "");
    const [whole, last] = [strictText, exceptions.join(";")].map(compact);
    if (last === "" || whole === last || whole.endsWith(`;${last}`)) return true;
    // A rule for weekdays and holidays is the last one: `Sa-Su,PH 10:00-20:00` has the exception `PH 10:00-20:00`.
    const rule = whole.slice(whole.lastIndexOf(";") + 1);
    const [days, times] = [/^(?:[A-Z][a-z](?:-[A-Z][a-z])?,)+/, /^[^\d]*/].map((part) => part.exec(rule)?.[0] ?? "");
    return exceptions.length === 1 && days !== "" && times.startsWith(days) && rule.slice(days.length) === last;
}

function isSameMeaning(one, other) {
    // An ordinary year and the begin of the next one. Holidays are compared by the texts of their rules.
    const start = Date.UTC(2026, 0, 1);
    const spans = (hours) => {
        const all = [];
        for (let day = 0; day < comparedDays; day += 7) all.push(hours.days(new Date(start + day * 86_400_000), "UTC"));
        return JSON.stringify(all.flat().map((day) => day.spans.map(({ start: from, end: to, state, comment }) => [from, to, state, comment])));
    };
    const texts = (hours) => JSON.stringify(hours.week.exceptions);
    return texts(one) === texts(other) && spans(one) === spans(other);
}
