// Displays opening hours: the current state in one line, and a table of the week.

import { h } from "../ui/element.js";
import { clockText } from "./place-hours.js";
import { formatOf, localized } from "../localization/localization.js";

/** The current state of a place: `{state, text}`; null if it has no opening hours, or no time zone yet. */
export function openState(place, moment = new Date()) {
    if (!place.hours || place.hours.isZonePending) return null;
    const { state, isForDates, next } = place.hours.state(moment);
    const time = next && clockText(next.minute);
    const day = next && weekday(next.day);
    switch (state) {
        case "open":
            if (!next) return { state, text: localized("hours.open") };
            return { state, text: localized(next.days > 1 ? "hours.openUntilDay" : "hours.openUntil", { time, day }) };
        case "closed":
            if (!next) return { state, text: localized("hours.closed") };
            if (isForDates) return { state, text: closureText(next, time) };
            return { state, text: localized(next.days > 0 ? "hours.opensAtDay" : "hours.opensAt", { time, day }) };
        default: return { state: "unknown", text: localized(place.hours.hasTimeZone ? "hours.unknown" : "hours.noTimeZone") };
    }
}

/** Until when a place is closed on certain dates. What follows may be unknown, so it does not say that the place opens. */
function closureText({ day, days, minute }, time) {
    if (days === 0) return localized("hours.closedUntil", { time });
    return localized(minute === 0 ? "hours.closedUntilDay" : "hours.closedUntilDayAndTime", { day: date(day), lastDay: date(day - 1), time });
}

/** The current state as a tag. */
export function openStateTag(place, moment) {
    const now = openState(place, moment);
    return now && h("span", { class: `tag ${{ open: "good", closed: "bad", unknown: "warn" }[now.state]}` }, now.text);
}

/** The hours of the week, or the unchanged text if it cannot be parsed. */
export function weekTable(place, moment = new Date()) {
    const { hours } = place;
    if (!hours) return null;
    if (!hours.isParsed) return h("p", { class: "hours-text" }, hours.text);
    const rows = weekRows(hours, moment).map(({ name, text, isToday }) => h(
        "tr", isToday ? { class: "today", "aria-current": "date" } : {}, h("th", { scope: "row" }, name), h("td", {}, text)));
    const zone = hours.foreignZone(moment);
    return [
        rows.length > 0 && h("table", { class: "week" }, h("caption", { class: "visually-hidden" }, localized("hours.title")), h("tbody", {}, rows)),
        zone && h("p", { class: "help" }, localized("hours.zone", { zone })),
        hours.isLenient && h("p", { class: "help" }, localized("hours.lenient", { text: hours.text })),
        hours.hasHolidays && h("p", { class: "help" }, localized("hours.holidays")),
    ];
}

/**
 * If this week and the next one have the same hours, days with equal hours are one row, as people say them. Otherwise the rows are the days
 * from today on. None while both are closed on certain dates, of which the state says more.
 */
function weekRows(hours, moment) {
    const [days, followingDays] = [0, 7].map((later) => daysOf(hours, moment, later));
    if (days.some(({ text }, index) => text !== followingDays[index].text)) {
        return days.map(({ day, text, isToday }) => ({ name: isToday ? localized("hours.today") : weekday(day), text, isToday }));
    }
    if (hours.state(moment).isForDates && days.every(({ isClosed }) => isClosed)) return [];
    const rows = [];
    // Weeks begin on Monday, as in the texts of opening hours.
    for (const { day, text, isToday } of days.sort((one, other) => weekdayNumber(one.day) - weekdayNumber(other.day))) {
        const last = rows.at(-1);
        if (last?.text !== text) rows.push({ first: day, last: day, text, isToday });
        else Object.assign(last, { last: day, isToday: last.isToday || isToday });
    }
    return rows.map(({ first, last, ...row }) => ({ ...row, name: rangeName(first, last) }));
}

/** The seven days from some days after a moment on: `{day, text, isToday}`. */
function daysOf(hours, moment, later) {
    return hours.week(new Date(moment.getTime() + later * 86_400_000)).map(({ day, spans }, index) => ({
        day, isClosed: spans.length === 0, text: spans.length > 0 ? spanTexts(spans).join(", ") : localized("hours.closedDay"),
        isToday: index === 0 && later === 0 && hours.hasTimeZone,
    }));
}

/** The number of a day in its week, from 0 for Monday; the first day of 1970 was a Thursday. */
const weekdayNumber = (day) => (day + 3) % 7;

/** The name of the days from one to another of a week, such as "Mon–Fri". */
function rangeName(first, last) {
    if (first === last) return weekday(first);
    if (weekdayNumber(last) - weekdayNumber(first) === 6) return localized("hours.daily");
    return [first, last].map((day) => weekday(day, "short")).join("–");
}

/** What is uncertain is never shown as open: an open end follows the span before it, and other times are called uncertain. */
function spanTexts(spans) {
    const texts = [];
    for (const [index, { start, end, state }] of spans.entries()) {
        const time = end - start >= 1440 ? localized("hours.allDay") : `${clockText(start)}–${clockText(end)}`;
        if (state !== "unknown") texts.push(time);
        else if (end - start >= 1440) texts.push(localized("hours.unknown"));
        else if (index > 0 && spans[index - 1].end === start) texts.push(localized("hours.orLater", { time: texts.pop() }));
        else texts.push(localized("hours.uncertain", { time }));
    }
    return texts;
}

const weekday = (day, style = "long") => dayText(day, { weekday: style });
const date = (day) => dayText(day, { weekday: "short", day: "numeric", month: "long" });

function dayText(day, options) {
    return formatOf(Intl.DateTimeFormat, { ...options, timeZone: "UTC" }).format(new Date(day * 86_400_000));
}
