// The opening hours of a place, in the time zone of the venue. Without one it is not known what is open now.

import { LocalClock } from "../client/hours/local-clock.js";
import { OpeningHours } from "../client/hours/opening-hours.js";
import { formatOf } from "../localization/localization.js";

/** The longest time for which a change of the state is shown, in days: of hours of every week, and after dates on which a place is closed. */
const [shownDays, shownDaysOfClosures] = [7, 366];

export class PlaceHours {
    #hours;
    #timeZone;

    /**
     * Without a time zone (null), or with one that the browser does not know, the state is always unknown. Undefined is a time zone that is not
     * determined yet.
     */
    constructor(text, timeZone) {
        this.text = text;
        this.isZonePending = timeZone === undefined;
        this.#hours = OpeningHours.parseLeniently(text);
        this.#timeZone = LocalClock.of(timeZone) ? timeZone : null;
    }

    /** Whether it is known which day and time it is at the venue. */
    get hasTimeZone() {
        return this.#timeZone !== null;
    }

    /** The time zone of the venue, such as "GMT+9", if clocks show another time there than here at a moment; null if not, or if it is unknown. */
    foreignZone(moment = new Date()) {
        if (!this.#timeZone) return null;
        const second = Math.floor(moment.getTime() / 1000);
        const here = LocalClock.of(Intl.DateTimeFormat().resolvedOptions().timeZone);
        const [own, there] = [here, LocalClock.of(this.#timeZone)].map((clock) => clock?.reading(second));
        if (own?.second === there.second && own?.number === there.number) return null;
        const parts = formatOf(Intl.DateTimeFormat, { timeZone: this.#timeZone, timeZoneName: "short" }).formatToParts(moment);
        return parts.find(({ type }) => type === "timeZoneName").value;
    }

    get isParsed() {
        return this.#hours !== null;
    }

    /** Whether the text is not in the syntax of the standard, and was understood nevertheless. */
    get isLenient() {
        return this.#hours?.isLenient ?? false;
    }

    /** Whether there are rules for holidays. They are ignored: the console has no calendar of holidays. */
    get hasHolidays() {
        return this.#hours?.namesHolidays ?? false;
    }

    /**
     * `{state, isForDates, next}` at a moment. `state` is `open`, `closed` or `unknown`; hours that cannot be parsed are unknown, never
     * closed. `isForDates` is whether it is closed on certain dates. `next` is when the state changes: `{day, minute, days}`, the day as days
     * since 1970 and counted from today; null if not within a week, or after certain dates within a year.
     */
    state(moment = new Date()) {
        if (!this.#hours || !this.#timeZone) return { state: "unknown", isForDates: false, next: null };
        const state = this.#hours.state(moment, this.#timeZone);
        const isForDates = this.#hours.isClosedForDates(moment, this.#timeZone);
        const days = isForDates ? shownDaysOfClosures : shownDays;
        const change = this.#hours.nextChange(moment, this.#timeZone, { within: days + 1 });
        if (!change || change - moment > days * 86_400_000) return { state, isForDates, next: null };
        return { state, isForDates, next: localChange(change, moment, this.#timeZone) };
    }

    /**
     * The seven days from today on: `{day, spans}`, with spans as `{start, end, state}`, in minutes since midnight and `open` or
     * `unknown`. Without a time zone, the first day is today in UTC.
     */
    week(moment = new Date()) {
        const days = this.#hours?.days(moment, this.#timeZone ?? "UTC") ?? [];
        return days.map(({ number, spans }) => ({ day: number, spans }));
    }
}

/** When a state changes, `{day, minute, days}` as of `PlaceHours.state`, in a time zone that the browser knows. */
export function localChange(change, moment, timeZone) {
    const clock = LocalClock.of(timeZone);
    const [now, next] = [moment, change].map((date) => clock.reading(Math.floor(date.getTime() / 1000)));
    return { day: next.number, minute: Math.floor(next.second / 60), days: next.number - now.number };
}

/** Formats minutes since midnight as a time of day. 1440 is shown as 24:00, larger values as times of the next day. */
export function clockText(minute) {
    if (minute === 1440) return "24:00";
    // The same in all languages of the console. Making a format takes time.
    const digits = (number) => String(number).padStart(2, "0");
    return `${digits(Math.floor((minute % 1440) / 60))}:${digits(minute % 60)}`;
}
