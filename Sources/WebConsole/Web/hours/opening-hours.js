// Whether something is open, until when, and its week.

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

    get isUnderstood() {
        return this.#rules !== null;
    }

    /** Whether there are rules for public holidays, which the console does not know. */
    get hasHolidays() {
        return this.#rules?.some((rule) => rule.isHoliday) ?? false;
    }

    /**
     * `{state, next}` at a moment: `open`, `closed` or `unknown`, and when that changes next as `{day, minute, days}`, `days` from
     * today on; null when it does not within a week. Never "closed" for what is not understood.
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

    /** The seven days from today on: `{day, weekday, spans}`, spans of `[from, to]` in minutes of the day. */
    week(moment = new Date()) {
        const { day } = localTime(moment, this.#timeZone);
        return Array.from({ length: 7 }, (_, index) => ({
            day: day + index,
            weekday: dateOf(day + index).weekday,
            spans: this.#rules ? this.#day(day + index).map(({ from, to }) => [from, to]) : [],
        }));
    }

    /** All spans of some days, in order, those that touch made one. In minutes since 1970-01-01. */
    #spans(first, last) {
        const spans = [];
        for (let day = first; day <= last; day += 1) {
            for (const { from, to, state } of this.#day(day)) spans.push({ from: day * 1440 + from, to: day * 1440 + to, state });
        }
        spans.sort((a, b) => a.from - b.from);
        const joined = [];
        for (const span of spans) {
            const before = joined[joined.length - 1];
            if (before && before.state === span.state && span.from <= before.to) before.to = Math.max(before.to, span.to);
            else joined.push(span);
        }
        return joined;
    }

    /** The spans of one day. A later rule takes the place of earlier ones, unless it is an additional one. */
    #day(day) {
        const date = dateOf(day);
        let spans = [];
        let isDecided = false;
        for (const rule of this.#rules) {
            if (!matches(rule, date) || (rule.isFallback && isDecided)) continue;
            const times = rule.times ?? [[0, 1440]];
            if (rule.state === "closed") {
                spans = rule.times ? times.reduce(without, spans) : [];
            } else {
                const added = times.map(([from, to]) => ({ from, to, state: rule.state }));
                spans = rule.isAdditional ? [...spans, ...added] : added;
            }
            isDecided = true;
        }
        return spans.sort((a, b) => a.from - b.from);
    }
}

function matches(rule, { month, date, weekday }) {
    // A rule for public holidays alone is for days that are not known here.
    if (rule.isHoliday && !rule.days) return false;
    if (rule.days && !rule.days.has(weekday)) return false;
    if (!rule.dates) return true;
    const today = month * 32 + date;
    return rule.dates.some(({ from, to }) => {
        const [first, last] = [from[0] * 32 + from[1], to[0] * 32 + to[1]];
        return first <= last ? first <= today && today <= last : today >= first || today <= last;
    });
}

function without(spans, [from, to]) {
    return spans.flatMap((span) => [
        { ...span, to: Math.min(span.to, from) }, { ...span, from: Math.max(span.from, to) },
    ].filter((part) => part.from < part.to));
}

/** A minute of the day as clocks show it; 1440 is midnight, and what is past it belongs to the night. */
export function clockText(minute, language) {
    if (minute === 1440) return "24:00";
    const time = new Date(Date.UTC(2000, 0, 1, 0, minute % 1440));
    return new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: "UTC" }).format(time);
}
