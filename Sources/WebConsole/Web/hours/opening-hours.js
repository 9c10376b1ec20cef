// Evaluates opening hours: the current state, the next change, and the hours of a week.

import { dateOf, localTime } from "./clock.js";
import { parseHours } from "./parse.js";

export class OpeningHours {
    #rules;
    #timeZone;

    constructor(text, timeZone) {
        this.text = text;
        this.#rules = parseHours(text);
        this.#timeZone = timeZone;
    }

    get isParsed() {
        return this.#rules !== null;
    }

    /** Whether there are rules for public holidays. They are ignored: the console has no calendar of holidays. */
    get hasHolidays() {
        return this.#rules?.some((rule) => rule.isHoliday) ?? false;
    }

    /**
     * `{state, next}` at a moment. `state` is `open`, `closed` or `unknown`; hours that cannot be parsed are unknown, never closed.
     * `next` is when the state changes: `{day, minute, days}` with `days` counted from today; null if not within a week.
     */
    state(moment = new Date()) {
        if (!this.#rules) return { state: "unknown", next: null };
        const now = localTime(moment, this.#timeZone);
        const minute = now.day * 1440 + now.minute;
        const spans = this.#spans(now.day - 1, now.day + 8);
        const current = spans.find((span) => span.from <= minute && minute < span.to);
        const edge = current ? current.to : spans.find((span) => span.from > minute)?.from;
        const isFar = edge === undefined || edge - minute > 7 * 1440;
        const next = isFar ? null : { day: Math.floor(edge / 1440), minute: edge % 1440, days: Math.floor(edge / 1440) - now.day };
        return { state: current?.state ?? "closed", next };
    }

    /** The seven days from today on: `{day, weekday, spans}`, with spans as `[from, to]` in minutes since midnight. */
    week(moment = new Date()) {
        const { day } = localTime(moment, this.#timeZone);
        return Array.from({ length: 7 }, (_, index) => ({
            day: day + index,
            weekday: dateOf(day + index).weekday,
            spans: this.#rules ? this.#day(day + index).map(({ from, to }) => [from, to]) : [],
        }));
    }

    /** The sorted spans of a range of days, adjacent ones merged, in minutes since 1970-01-01 local time. */
    #spans(first, last) {
        const spans = [];
        for (let day = first; day <= last; day += 1) {
            for (const { from, to, state } of this.#day(day)) spans.push({ from: day * 1440 + from, to: day * 1440 + to, state });
        }
        spans.sort((a, b) => a.from - b.from);
        const merged = [];
        for (const span of spans) {
            const previous = merged[merged.length - 1];
            if (previous && previous.state === span.state && span.from <= previous.to) previous.to = Math.max(previous.to, span.to);
            else merged.push(span);
        }
        return merged;
    }

    /** The spans of one day. A later rule replaces the earlier ones, unless it is an additional rule. */
    #day(day) {
        const date = dateOf(day);
        let spans = [];
        let hasMatched = false;
        for (const rule of this.#rules) {
            if (!matches(rule, date) || (rule.isFallback && hasMatched)) continue;
            const times = rule.times ?? [[0, 1440]];
            if (rule.state === "closed") {
                spans = rule.times ? times.reduce(subtract, spans) : [];
            } else {
                const added = times.map(([from, to]) => ({ from, to, state: rule.state }));
                spans = rule.isAdditional ? [...spans, ...added] : added;
            }
            hasMatched = true;
        }
        return spans.sort((a, b) => a.from - b.from);
    }
}

function matches(rule, { month, date, weekday }) {
    // A rule for public holidays only never matches: which days are holidays is not known here.
    if (rule.isHoliday && !rule.days) return false;
    if (rule.days && !rule.days.has(weekday)) return false;
    if (!rule.dates) return true;
    const today = month * 32 + date;
    return rule.dates.some(({ from, to }) => {
        const [first, last] = [from[0] * 32 + from[1], to[0] * 32 + to[1]];
        return first <= last ? first <= today && today <= last : today >= first || today <= last;
    });
}

function subtract(spans, [from, to]) {
    return spans.flatMap((span) => [
        { ...span, to: Math.min(span.to, from) }, { ...span, from: Math.max(span.from, to) },
    ].filter((part) => part.from < part.to));
}

/** Formats minutes since midnight as a time of day. 1440 is shown as 24:00, larger values as times of the next day. */
export function clockText(minute, language) {
    if (minute === 1440) return "24:00";
    const time = new Date(Date.UTC(2000, 0, 1, 0, minute % 1440));
    return new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: "UTC" }).format(time);
}
