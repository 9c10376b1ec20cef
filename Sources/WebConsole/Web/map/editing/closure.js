// Opening hours with a closure until a time: rules for its dates, so that everybody who reads the hours knows when it ends.

import { LocalClock } from "../../client/hours/local-clock.js";
import { OpeningHours } from "../../client/hours/opening-hours.js";
import { dateOf } from "../../client/hours/calendar-date.js";
import { clockText } from "../place-hours.js";

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/**
 * Opening hours that are closed from `now` until `end`, both dates, and as in `text` after it, on the clock of a time zone. If these cannot
 * be read, they are unknown after it.
 */
export function closedUntil(text, { now, end, timeZone }) {
    const regular = OpeningHours.parseLeniently(text)?.strictText ?? "unknown";
    const clock = LocalClock.of(timeZone);
    const [from, to] = [now, end].map((date) => clock.reading(Math.floor(date.getTime() / 1000)));
    // A span of the day before may pass midnight, so that its day may have to be closed, too.
    const closed = [from.number, from.number - 1].map((first) => withRules(regular, closureRules(first, to)));
    const isClosedNow = (hours) => OpeningHours.parse(hours)?.state(now, timeZone) === "closed";
    return closed.find(isClosedNow) ?? withRules("unknown", closureRules(from.number, to));
}

/** Whether opening hours are closed until a time by `closedUntil`, or on all days. */
export function isClosure(text, end, timeZone) {
    return text === "off" || (OpeningHours.parse(text)?.isClosedForDates(new Date(end.getTime() - 1000), timeZone) ?? false);
}

/** Rules for whole days from `first` on, and for the part of the last day. */
function closureRules(first, { number: last, second }) {
    const rules = [];
    if (first < last) rules.push(`${dateText(first)}${first < last - 1 ? `-${dateText(last - 1)}` : ""} off`);
    const minute = Math.floor(second / 60);
    if (minute > 0) rules.push(`${dateText(last)} 00:00-${clockText(minute)} off`);
    return rules;
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
