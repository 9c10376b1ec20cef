// Opening hours with a closure until a time: rules for its dates, so that everybody who reads the hours knows when it ends.

import { LocalClock } from "../../client/hours/local-clock.js";
import { OpeningHours } from "../../client/hours/opening-hours.js";
import { dateOf } from "../../client/hours/calendar-date.js";

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/**
 * Opening hours that are closed from `now` until `end`, both dates, and as in `text` after it, on the clock of a time zone. If these cannot
 * be read, they are unknown after it.
 */
export function closedUntil(text, { now, end, timeZone }) {
    const regular = OpeningHours.parseLeniently(text)?.strictText ?? "unknown";
    const clock = LocalClock.of(timeZone);
    const [from, to] = [now, end].map((date) => clock.reading(Math.floor(date.getTime() / 1000)));
    // A span may pass midnight: that of the day before the closure, whose day may have to be closed, too, and that of its last whole day, which
    // belongs to that day unless the closure ends within it.
    const choices = [dayRules, timeRules].flatMap((rules) => [from.number, from.number - 1].map((first) => withRules(regular, rules(first, to))));
    const stateAt = (hours, moment) => OpeningHours.parse(hours)?.state(moment, timeZone);
    const closed = choices.filter((hours) => stateAt(hours, now) === "closed");
    return closed.find((hours) => to.second < 60 || stateAt(hours, end) === stateAt(regular, end)) ?? closed[0] ?? withRules("unknown", dayRules(from.number, to));
}

/** Whether opening hours are closed until a time by `closedUntil`, or on all days. */
export function isClosure(text, end, timeZone) {
    return text === "off" || (OpeningHours.parse(text)?.isClosedForDates(new Date(end.getTime() - 1000), timeZone) ?? false);
}

/** Rules for whole days from `first` on, with their spans that pass midnight, and for the part of the last day. */
function dayRules(first, { number: last, second }) {
    return [...wholeDays(first, last), ...partOf(last, Math.floor(second / 60))];
}

/** The same, in which the last whole day is closed by time, so that what follows on the next day holds. */
function timeRules(first, { number: last, second }) {
    const minute = Math.floor(second / 60);
    return [...wholeDays(first, last - 1), ...first < last ? partOf(last - 1, 1440 + minute) : [], ...partOf(last, minute)];
}

function wholeDays(first, end) {
    return first < end ? [`${dateText(first)}${first < end - 1 ? `-${dateText(end - 1)}` : ""} off`] : [];
}

/** The first minutes of a day; those after 1,440 are of the next one. */
function partOf(day, minutes) {
    const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0"));
    return minutes > 0 ? [`${dateText(day)} 00:00-${hour}:${minute} off`] : [];
}

/** Adds rules to those that come first: rules after `||` apply only where no previous rule does. */
function withRules(text, rules) {
    const [, first, others] = /^((?:[^"|]|"[^"]*")*)(.*)$/s.exec(text);
    return [first.replace(/[;\s]+$/, ""), ...rules].join("; ") + (others && ` ${others}`);
}

function dateText(number) {
    const { year, month, day } = dateOf(number);
    return `${year} ${months[month - 1]} ${String(day).padStart(2, "0")}`;
}
