// Opening hours as rows, as people say them: “Mon–Fri 10–20, public holidays closed”. A row is `{days, kind, spans, source}`: `days` are
// indices from 0 for Monday, 7 for public holidays; `kind` is `times`, `allDay` or `closed`; `spans` are `[from, to]` in minutes after
// midnight, above 1,440 for an end on the next day. No two rows have a day in common, and a day without a row is closed; public holidays
// without a row are as their weekday. `source` is the rule that the row was read from, and null for a new row.

import { parseRules } from "../../client/hours/parse.js";

export const holidays = 7;
export const allDays = [0, 1, 2, 3, 4, 5, 6, holidays];
const dayCodes = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su", "PH"];
const dayLength = 1_440;
/** The days of a rule, at its begin. */
const daysPattern = /^(?:(?:Mo|Tu|We|Th|Fr|Sa|Su|PH)[\s,-]*)*/;

/**
 * The rows of a text in the strict syntax, `{text, rows, exceptions}`; null if rows cannot say the same, for example if a day has a comment.
 * `exceptions` are the rules for parts of the year and the like, which come last and stay as they are.
 */
export function rowsOf(text) {
    const [rules, ...fallbacks] = parseRules(text);
    if (fallbacks.length > 0) return null;
    let rows = [];
    const exceptions = [];
    for (const [index, rule] of rules.entries()) {
        if (isException(rule)) {
            if (rule.isAdditional) return null;
            exceptions.push(rule);
            continue;
        }
        const row = isPlain(rule) ? rowOf(rule, index) : null;
        if (!row || !isIndependent(row, rule, rows) || !(exceptions.length === 0 || isClosure(row, exceptions))) return null;
        // A rule replaces those before it on its days; on all weekdays also on the holidays among them.
        const replaced = coversWeek(row) ? allDays : row.days;
        rows = rows.map((each) => ({ ...each, days: each.days.filter((day) => !replaced.includes(day)) })).filter(({ days }) => days.length > 0);
        rows.push(row);
    }
    for (const row of rows) Object.assign(row.source, { days: String(row.days), times: timesText(row) });
    return { text, rows, exceptions: exceptions.map((rule) => rule.text), count: rows.length };
}

/** Whether a row and the rules before it close whole days, so that their order is of no importance: `Dec 31 off; PH off`. */
function isClosure({ days, kind }, rules) {
    return kind === "closed" && String(days) === String(holidays) && rules.every(({ state, times }) => state === "closed" && times.length === 0);
}

/** Whether the effect of a rule on a public holiday does not depend on its weekday, and it adds nothing to other rules. */
function isIndependent(row, { isAdditional }, rows) {
    const taken = rows.flatMap(({ days }) => days);
    const [isForHolidays, areHolidaysTaken] = [row, { days: taken }].map(({ days }) => days.includes(holidays));
    if (isAdditional) return !isForHolidays && !areHolidaysTaken && !row.days.some((day) => taken.includes(day));
    return isForHolidays || !areHolidaysTaken || coversWeek(row);
}

/** Whether a rule is for weekdays and public holidays only. */
function isPlain({ years, dates, weeks, days }) {
    if (years.length + dates.length + weeks.length > 0) return false;
    return days === null || (!days.needsBoth && days.weekdays.every(({ ordinals }) => ordinals.length === 0)
        && days.holidays.every(({ isPublic, offset }) => isPublic && offset === 0));
}

/** Whether a rule is for no weekday as such and not for public holidays, so that it never says the same as a row. */
function isException({ years, dates, weeks, days }) {
    if (days?.holidays.some(({ isPublic }) => isPublic)) return false;
    if (years.length + dates.length + weeks.length > 0) return true;
    return days !== null && (days.needsBoth || days.weekdays.every(({ ordinals }) => ordinals.length > 0));
}

/** The row of a plain rule; null if it has a comment, an uncertain time, or times at which it is closed. */
function rowOf({ days, times, state, comment, text }, index) {
    if (comment !== null || state === "unknown" || (state === "closed" && times.length > 0)) return null;
    const spans = times.map(spanOfTimes);
    if (spans.includes(null) || firstOverlap(spans) !== null) return null;
    const isAllDay = state === "open" && (times.length === 0 || String(spans) === `0,${dayLength}`);
    const dayText = daysPattern.exec(text)[0].trim();
    return {
        days: days === null ? allDays.slice(0, holidays) : allDays.filter((day) => (
            day === holidays ? days.holidays.length > 0 : days.weekdays.some((range) => isWithin(day, range)))),
        kind: state === "closed" ? "closed" : isAllDay ? "allDay" : "times",
        spans: isAllDay ? [] : spans,
        source: { index, dayText, timeText: text.slice(dayText.length).trim() },
    };
}

const isWithin = (day, { first, last }) => (first <= last ? day >= first && day <= last : day >= first || day <= last);

/** Null for a span that two time fields cannot show. */
function spanOfTimes({ start, end, isOpenEnded }) {
    if (start.event || !end || end.event || isOpenEnded) return null;
    const [from, to] = [start.minute, end.minute > start.minute ? end.minute : end.minute + dayLength];
    const isShort = to - from < dayLength || (from === 0 && to === dayLength);
    return from < dayLength && isShort ? [from, to] : null;
}

/** The text of rows in the syntax of `opening_hours`. What nobody has changed is written as it was. */
export function textOf(model) {
    const { text, rows, exceptions, count } = model;
    if (rows.length === count && rows.every((row) => row.source && hasSameDays(row) && hasSameTimes(row))) return text;
    const order = ({ days, source }) => [days.includes(holidays), source?.index ?? Infinity];
    // On a public holiday, the last rule for it or its weekday holds.
    const sorted = [...rows].sort((one, other) => {
        const [[oneLast, oneIndex], [otherLast, otherIndex]] = [order(one), order(other)];
        return oneLast - otherLast || (oneIndex === otherIndex ? 0 : oneIndex - otherIndex);
    });
    const write = (ruleText) => [...sorted.map(ruleText), ...exceptions].join("; ");
    const kept = write(keptText);
    // The days of a rule may include those of a row that was removed.
    return meaningOf(rowsOf(kept || "off")?.rows ?? []) === meaningOf(rows) ? kept : write(ruleTextOf);
}

const hasSameDays = ({ days, source }) => source.days === String(days);
const hasSameTimes = (row) => row.source.times === timesText(row);
const coversWeek = ({ days }) => allDays.slice(0, holidays).every((day) => days.includes(day));

/** The rule of a row with those of its days and times that nobody has changed as they were written. */
function keptText(row) {
    const { source } = row;
    if (!source || !(hasSameDays(row) || hasSameTimes(row))) return ruleTextOf(row);
    if (!hasSameDays(row)) return source.timeText === "24/7" || !source.timeText ? ruleTextOf(row) : `${dayList(row.days)} ${source.timeText}`;
    if (hasSameTimes(row)) return [source.dayText, source.timeText].filter(Boolean).join(" ");
    return row.kind === "times" ? [source.dayText, timesText(row)].filter(Boolean).join(" ") : ruleTextOf(row);
}

function ruleTextOf(row) {
    const isEveryDay = coversWeek(row) && row.days.length === 7;
    if (isEveryDay && row.kind !== "times") return row.kind === "closed" ? "off" : "24/7";
    return `${dayList(row.days)} ${timesText(row)}`;
}

/** Consecutive days are a range: `Mo-Fr,Su,PH`. */
function dayList(days) {
    return rangesOf(days).map(([first, last]) => (first === last ? dayCodes[first] : `${dayCodes[first]}-${dayCodes[last]}`)).join(",");
}

/** The ranges of days, `[first, last]`. Public holidays are one of their own. */
export function rangesOf(days) {
    const ranges = [];
    for (const day of days) {
        if (day !== holidays && ranges.at(-1)?.[1] === day - 1) ranges.at(-1)[1] = day;
        else ranges.push([day, day]);
    }
    return ranges;
}

function timesText({ kind, spans }) {
    if (kind !== "times") return kind === "closed" ? "off" : "00:00-24:00";
    return [...spans].sort(([one], [other]) => one - other)
        .map(([from, to]) => `${timeText(from)}-${to === dayLength ? "24:00" : timeText(to)}`).join(",");
}

/** What the rows say of every day. A weekday without a row is closed. */
function meaningOf(rows) {
    const onDay = (day) => rows.find(({ days }) => days.includes(day));
    return JSON.stringify(allDays.map((day) => (onDay(day) ? timesText(onDay(day)) : day === holidays ? null : "off")));
}

/** Minutes after midnight as the value of a time field. */
export function timeText(minute) {
    if (Number.isNaN(minute)) return "";
    return [Math.floor((minute % dayLength) / 60), minute % 60].map((number) => String(number).padStart(2, "0")).join(":");
}

/** The span of two values of time fields: an end that is not after the start is on the next day. NaN for an empty field. */
export function spanOf(fromText, toText) {
    const [from, to] = [fromText, toText].map((text) => {
        const [hour, minute] = (text || "x").split(":").map(Number);
        return hour * 60 + minute;
    });
    return [from, to <= from ? to + dayLength : to];
}

/** The index of a span that begins before an earlier one has ended; null for none. */
export function firstOverlap(spans) {
    const sorted = [...spans.keys()].sort((one, other) => spans[one][0] - spans[other][0]);
    return sorted.find((index, place) => place > 0 && spans[index][0] < spans[sorted[place - 1]][1]) ?? null;
}
