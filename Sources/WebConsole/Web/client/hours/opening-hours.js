// Opening hours in the syntax of OpenStreetMap's `opening_hours`, which IMDF uses for HOURS.

import { weekdayOf } from "./calendar-date.js";
import { DayPlan, day, isDetermined } from "./day-plan.js";
import { LocalClock } from "./local-clock.js";
import { strictTextOf } from "./lenient-reader.js";
import { isTooLong, parseRules } from "./parse.js";
import { isWeekly, matches, matchesInEveryWeek, noHolidays } from "./rule-matching.js";

/** How many days ahead a change is searched by default. */
const horizon = 366;
/** The years from 1 to 9999, in seconds since 1970. */
const [earliest, latest] = [-62_135_596_800, 253_402_300_799];

/**
 * Opening hours. The rules of evaluation:
 *
 * - `;` begins a rule that replaces the previous rules on its days, `,` a rule that adds to them. Rules after `||` apply where no previous
 *   rule does. `off` with times removes only these times.
 * - A time span that passes midnight belongs to the day on which it begins.
 * - A rule with a comment and without `open`, `closed` or `off` is unknown, because a person has to read the comment.
 * - `18:00+` is open until midnight. After it, and after the end of `10:00-18:00+`, the state is unknown until the next span of the rule,
 *   or else until six in the morning.
 * - Times of the sun depend on the location, so the state is unknown around them.
 * - `PH` and `SH` are the days of `holidays`, which the app provides: `{publicHolidays, schoolHolidays}`, sets of dates such as
 *   `2031-01-01`.
 */
export class OpeningHours {
    #groups;
    /** The plans of days, one for every group. Days are requested in order, so few are kept. */
    #plans = new Map();
    #plansFor = noHolidays;

    /** Throws an `OpeningHoursError` for a text that cannot be parsed, or of more than 4,096 bytes. */
    constructor(text) {
        this.#groups = parseRules(text);
        /** The text as it was written. */
        this.text = text;
        /** The same hours in the strict syntax; equal to `text` unless `isLenient`. */
        this.strictText = text;
        /** Whether the text is not in the strict syntax and was understood by `parseLeniently`. */
        this.isLenient = false;
    }

    /** Null for a text that cannot be parsed, and for other values. */
    static parse(text) {
        try {
            return typeof text === "string" ? new OpeningHours(text) : null;
        } catch {
            return null;
        }
    }

    /**
     * Reads a text in the strict syntax, or else as people write opening hours in English or Japanese: `9am to 5pm`,
     * `Mon-Fri 9-5, Sat closed`, `24 hours`, `月〜金 10:00〜20:00（L.O. 19:30）`, `定休日：火曜`. Null for a text that cannot be read with
     * certainty, and for other values.
     *
     * The second reading is only used where nothing else can be meant. Its rules are those of the Swift library:
     *
     * - A number without am, pm or minutes is a time only in ranges that cannot be misunderstood: `9-5` is 09:00–17:00, but `10-2`, `9-12`
     *   and `8-10pm` are refused. A time such as `10:00` counts 24 hours, so `9:00 to 5:00` is refused.
     * - Days that are not named are closed if the times of others are. If only closed days are known, the others are unknown; `年中無休`
     *   without times is unknown on all days. `Closed`, `Temporarily closed` and `休業中` alone are closed on all days.
     * - A later rule may be an exception on some days of an earlier one; other overlaps are refused. `平日` leaves public holidays unknown
     *   unless they are named.
     * - Remarks about the last order or entry do not change the hours. Everything else that is not understood refuses the text.
     */
    static parseLeniently(text) {
        const strict = OpeningHours.parse(text);
        if (strict || typeof text !== "string" || isTooLong(text)) return strict;
        const strictText = strictTextOf(text);
        const hours = strictText === null ? null : OpeningHours.parse(strictText);
        return hours && Object.assign(hours, { text, isLenient: true });
    }

    /** Whether the state depends on holidays. */
    get namesHolidays() {
        return this.#groups.flat().some(({ days }) => days?.holidays.length > 0);
    }

    /** `open`, `closed` or `unknown` at an instant (a `Date`). Without a known time zone it is unknown. */
    state(instant, timeZone, holidays = noHolidays) {
        return this.status(instant, timeZone, holidays).state;
    }

    /** The state at an instant, and the comment of the rule that determines it: `{state, comment}`. */
    status(instant, timeZone, holidays = noHolidays) {
        const { clock, second } = momentOf(instant, timeZone);
        if (!clock) return { state: "unknown", comment: null };
        const reading = clock.reading(second);
        const cell = this.#cell(reading.number, Math.floor(reading.second / 60), holidays);
        return { state: cell?.state ?? "closed", comment: cell?.rule?.comment ?? null };
    }

    /** Whether a rule for certain dates, such as `Dec 24-Dec 26 off`, is why it is closed at an instant. */
    isClosedForDates(instant, timeZone, holidays = noHolidays) {
        const { clock, second } = momentOf(instant, timeZone);
        if (!clock) return false;
        const reading = clock.reading(second);
        const cell = this.#cell(reading.number, Math.floor(reading.second / 60), holidays);
        return cell?.state === "closed" && cell.rule?.dates.length > 0;
    }

    /** The first instant after another at which the state is different; null if there is none within a number of days. */
    nextChange(instant, timeZone, { holidays = noHolidays, within = horizon } = {}) {
        const { clock, second } = momentOf(instant, timeZone);
        if (!clock) return null;
        const now = clock.reading(second);
        const state = this.#stateAt(now.number, Math.floor(now.second / 60), holidays);
        // Hours that are equal in every week change within two weeks, even if clocks change, or never.
        const days = Math.min(within, this.#groups.flat().every(isWeekly) ? 15 : 100 * horizon);
        for (let number = now.number; number <= now.number + days; number += 1) {
            const runs = this.#runs(number, holidays);
            // A day with one state has no change, even if clocks change.
            if (runs.every((run) => run.state === state)) continue;
            for (const candidate of clock.instants(number, runs.map(({ start }) => start))) {
                if (candidate <= second) continue;
                const reading = clock.reading(candidate);
                if (this.#stateAt(reading.number, Math.floor(reading.second / 60), holidays) === state) continue;
                return new Date(candidate * 1000);
            }
        }
        return null;
    }

    /**
     * The week as a table: `{days, exceptions}`. `days` has the spans that begin on each day from Monday on, by time; none while closed.
     * A span is `{start, end, state, comment}` in minutes after midnight; an end above 1,440 lies on the next day. `exceptions` are the
     * texts of the rules for holidays, for parts of the year or for certain days of a month, and of all rules after `||`. A rule for
     * weekdays and holidays, such as `Sa-Su,PH 10:00-20:00`, is in `days` with its weekdays and in `exceptions` with the rest.
     */
    get week() {
        const [regular, ...others] = this.#groups;
        // The day number 4 is a Monday.
        const days = [4, 5, 6, 7, 8, 9, 10].map((number) =>
            spansOf([new DayPlan(regular.filter((rule) => matchesInEveryWeek(rule, number)))]));
        const exceptions = [...regular.map(({ exceptionText }) => exceptionText), ...others.flat().map(({ text }) => text)];
        return { days, exceptions: exceptions.filter((text) => text !== null) };
    }

    /**
     * The spans of seven days from the local day of an instant on, by all rules: `[{number, weekday, spans}]` with day numbers (days since
     * 1970) and weekdays from 0 (Monday). Empty without a known time zone.
     */
    days(instant, timeZone, holidays = noHolidays) {
        const { clock, second } = momentOf(instant, timeZone);
        if (!clock) return [];
        const { number: today } = clock.reading(second);
        return Array.from({ length: 7 }, (_, index) => today + index).map((number) => (
            { number, weekday: weekdayOf(number), spans: spansOf(this.#plansOf(number, holidays)) }));
    }

    #stateAt(number, minute, holidays) {
        return this.#cell(number, minute, holidays)?.state ?? "closed";
    }

    /** The cell of the first group that applies; null for none. */
    #cell(number, minute, holidays) {
        const [today, yesterday] = [this.#plansOf(number, holidays), this.#plansOf(number - 1, holidays)];
        for (const [group, plan] of today.entries()) {
            const [own, night] = [plan.cell(minute), yesterday[group].cell(minute + day)];
            const cell = night.rank > own.rank ? night : own;
            if (isDetermined(cell)) return cell;
        }
        return null;
    }

    /** The parts of a day with one state, at least one: `{start, state}`. */
    #runs(number, holidays) {
        const starts = new Set(this.#plansOf(number, holidays).flatMap(({ steps }) => steps.map(({ start }) => start)));
        for (const { steps } of this.#plansOf(number - 1, holidays)) {
            for (const { start } of steps) starts.add(Math.max(0, start - day));
        }
        const runs = [];
        for (const start of [...starts].sort((one, other) => one - other)) {
            if (start >= day) break;
            const state = this.#stateAt(number, start, holidays);
            if (runs.at(-1)?.state !== state) runs.push({ start, state });
        }
        return runs;
    }

    #plansOf(number, holidays) {
        if (holidays !== this.#plansFor || this.#plans.size > 16) this.#plans.clear();
        this.#plansFor = holidays;
        if (!this.#plans.has(number)) {
            const plans = this.#groups.map((rules) => new DayPlan(rules.filter((rule) => matches(rule, number, holidays))));
            this.#plans.set(number, plans);
        }
        return this.#plans.get(number);
    }
}

function momentOf(instant, timeZone) {
    const second = Math.floor(instant.getTime() / 1000);
    return { clock: second >= earliest && second <= latest ? LocalClock.of(timeZone) : null, second };
}

/** `plans` are those of all groups for one day. */
function spansOf(plans) {
    const starts = [...new Set(plans.flatMap(({ steps }) => steps.map(({ start }) => start)))].sort((one, other) => one - other);
    const spans = [];
    for (const [index, start] of starts.entries()) {
        const end = starts[index + 1] ?? 2 * day;
        const cell = plans.map((plan) => plan.cell(start)).find(isDetermined);
        if (!cell || cell.state === "closed" || start >= end) continue;
        const span = { start, end, state: cell.state, comment: cell.rule.comment };
        const last = spans.at(-1);
        if (last && last.end === start && last.state === span.state && last.comment === span.comment) last.end = end;
        else spans.push(span);
    }
    return spans;
}
