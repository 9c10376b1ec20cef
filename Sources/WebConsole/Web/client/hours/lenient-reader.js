// Translates opening hours that people wrote for people into the strict syntax, where their meaning is certain.

import { lenientTokens } from "./lenient-lexer.js";
import { publicHolidays, week, workdays } from "./lenient-phrases.js";
import { lenientSpan, spanText } from "./lenient-span.js";

const maximumRules = 21;
const dayNames = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];

/** The same hours in the strict syntax; null unless the meaning is certain. Takes linear time. */
export function strictTextOf(text) {
    const tokens = lenientTokens(text);
    const reader = tokens && new LenientReader(tokens);
    return reader?.readAll() ? reader.strictText : null;
}

class LenientReader {
    /** `{days, content}`: `days` is null if none are named; `content` is a list of spans, `always` or `closed`. */
    #rules = [];
    /** Whether the text says that every day is open. */
    #isEveryDay = false;
    /** Whether working days were written as such, which excludes public holidays. */
    #excludesHolidays = false;
    #tokens;
    #offset = 0;

    constructor(tokens) {
        this.#tokens = tokens;
    }

    readAll() {
        const words = this.#tokens.filter(({ kind }) => kind !== "end");
        // The text says that it is closed, and nothing else.
        if (words.length === 1 && ["closed", "shut"].includes(words[0].kind)) {
            this.#rules = [{ days: null, content: "closed" }];
            return true;
        }
        while (this.#offset < this.#tokens.length) {
            if (this.#take("end") || this.#take("and")) continue;
            if (this.#rules.length >= maximumRules || !this.#readRule()) return false;
        }
        return true;
    }

    /** Null if rules contradict each other, so that their order would decide. */
    get strictText() {
        // Nothing is known about the other days, or about the times.
        if (!this.#rules.some(({ content }) => content !== "closed")) {
            if (this.#rules[0]?.days === null) return "off";
            if (this.#rules.length === 0) return this.#isEveryDay ? "Mo-Su unknown" : null;
            return this.#isEveryDay || this.#isContradictory ? null : ["Mo-Su unknown", ...this.#parts].join("; ");
        }
        if (this.#isContradictory) return null;
        if (this.#isEveryDay) {
            const all = this.#rules.reduce((days, rule) => days | covered(rule), 0);
            if ((all & week) !== week || this.#rules.some(({ content }) => content === "closed")) return null;
        }
        const isHolidayUnknown = this.#excludesHolidays && !this.#rules.some(namesHolidays);
        return [...this.#parts, ...(isHolidayUnknown ? ["PH unknown"] : [])].join("; ");
    }

    /** Whether two rules have days in common, unless the later one is an exception on some days of the earlier one. */
    get #isContradictory() {
        const isClash = (earlier, later) =>
            (earlier & later) !== 0 && !((earlier & later) === later && earlier !== later);
        const days = this.#rules.map(covered);
        if (days.some((later, index) => days.slice(0, index).some((earlier) => isClash(earlier, later)))) return true;
        // On a holiday that is also a closed weekday, one of two rules applies.
        return this.#rules.some((rule) => namesHolidays(rule) && rule.content !== "closed")
            && this.#rules.some(({ content }) => content === "closed");
    }

    /** Rules for weekdays, then those for public holidays, which take precedence over the weekday of the holiday. */
    get #parts() {
        const weekdays = this.#rules.filter((rule) => (covered(rule) & week) !== 0)
            .map(({ days, content }) => ruleText(days && days & week, content));
        return [...weekdays, ...this.#rules.filter(namesHolidays).map(({ content }) => ruleText(publicHolidays, content))];
    }

    get #next() {
        return this.#tokens[this.#offset];
    }

    #take(kind) {
        if (this.#next?.kind !== kind) return false;
        this.#offset += 1;
        return true;
    }

    #readRule() {
        if (this.#take("everyDay")) {
            this.#isEveryDay = true;
            return true;
        }
        if (this.#take("closed")) {
            this.#take("colon");
            const days = this.#readDays();
            if (days === null) return false;
            this.#rules.push({ days, content: "closed" });
            return true;
        }
        let days = this.#readDays();
        if (days !== null && !this.#take("colon")) this.#takeListSeparator();
        const content = this.#readContent();
        if (content === null) return false;
        if (days === null) {
            if (content === "closed") return false;
            // Days after the times, unless they begin the next rule: `9-5 Mon-Fri`.
            const start = this.#offset;
            const following = this.#readDays();
            if (following !== null) {
                if ([undefined, "end", "and"].includes(this.#next?.kind)) days = following;
                else if (["closed", "colon"].includes(this.#next.kind)) this.#offset = start;
                else return false;
            }
        }
        this.#rules.push({ days, content });
        return true;
    }

    #readContent() {
        if (this.#take("closed")) return "closed";
        if (this.#take("always")) return "always";
        const spans = [];
        do {
            const first = this.#readTime();
            const last = first && this.#take("to") ? this.#readTime() : null;
            const span = last && lenientSpan(first, last);
            if (!span || spans.at(-1)?.end > span.start) return null;
            spans.push(span);
        } while (this.#takeListSeparator());
        return spans;
    }

    /** Takes a separator that another time span follows; in `11:00〜14:00 17:00〜22:00` there is none. */
    #takeListSeparator() {
        const separators = this.#next?.kind === "and" ? 1 : 0;
        if (!["time", "meridiem"].includes(this.#tokens[this.#offset + separators]?.kind)) return false;
        this.#offset += separators;
        return true;
    }

    #readTime() {
        const isNextDay = this.#take("nextDay");
        const before = this.#next?.kind === "meridiem" ? this.#next.meridiem : null;
        if (before) this.#offset += 1;
        if (this.#next?.kind !== "time") return null;
        const { time } = this.#next;
        this.#offset += 1;
        // `PM12:00` is noon for some and midnight for others.
        if (before && (time.meridiem !== null || time.hour >= 12)) return null;
        return { ...time, meridiem: before ?? time.meridiem, isNextDay };
    }

    /** Null if there are none. A range that is not one of single weekdays ends the list before it. */
    #readDays() {
        let days = this.#readDayRange();
        while (days !== null) {
            const start = this.#offset;
            this.#take("and");
            const more = this.#readDayRange();
            if (more === null) {
                this.#offset = start;
                break;
            }
            days |= more;
        }
        return days;
    }

    #readDayRange() {
        if (this.#next?.kind !== "days") return null;
        const { days } = this.#next;
        this.#offset += 1;
        if (days === workdays) this.#excludesHolidays = true;
        const end = this.#next?.kind === "to" ? this.#tokens[this.#offset + 1] : undefined;
        const [first, last] = [weekdayOf(days), end?.kind === "days" ? weekdayOf(end.days) : -1];
        if (first < 0 || last < 0) return days;
        this.#offset += 2;
        let range = 0;
        for (let count = (last - first + 7) % 7; count >= 0; count -= 1) range |= 1 << (first + count) % 7;
        return range;
    }
}

/** The weekday, if it is exactly one; otherwise -1. */
function weekdayOf(days) {
    return dayNames.findIndex((_, index) => days === 1 << index);
}

/** The days of a rule: all, including holidays, if none or the whole week is named. */
function covered({ days }) {
    return days === null || (days & week) === week ? week | publicHolidays : days;
}

function namesHolidays({ days }) {
    return days !== null && (days & publicHolidays) !== 0;
}

function ruleText(days, content) {
    const times = { always: "00:00-24:00", closed: "off" }[content] ?? content.map(spanText).join(",");
    return days === null ? times : `${daysText(days)} ${times}`;
}

/** In the strict syntax: `Mo-Fr,Su,PH`. */
function daysText(days) {
    const parts = [];
    for (let index = 0; index < 7; index += 1) {
        const start = index;
        while (index < 7 && (days & (1 << index)) !== 0) index += 1;
        if (index - start > 2) parts.push(`${dayNames[start]}-${dayNames[index - 1]}`);
        else parts.push(...dayNames.slice(start, index));
    }
    return [...parts, ...((days & publicHolidays) !== 0 ? ["PH"] : [])].join(",");
}
