// The time of day at the venue, independent of the time zone of the browser.

/**
 * A moment in the time zone of the venue: `{day, minute}`, days since 1970-01-01 and minutes since midnight, both local.
 * Without a time zone, or with one that the browser does not know, the time zone of the browser is used.
 */
export function localTime(moment, timeZone) {
    const parts = Object.fromEntries(formatter(timeZone).formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
    return {
        day: Math.floor(Date.UTC(parts.year, parts.month - 1, parts.day) / 86_400_000),
        minute: (parts.hour % 24) * 60 + parts.minute,
    };
}

/** The date of a number of days since 1970-01-01: `{month, date, weekday}`, months from 0, weekdays from 0 (Monday). */
export function dateOf(day) {
    const date = new Date(day * 86_400_000);
    return { month: date.getUTCMonth(), date: date.getUTCDate(), weekday: (date.getUTCDay() + 6) % 7 };
}

const formatters = new Map();

function formatter(timeZone) {
    if (formatters.has(timeZone)) return formatters.get(timeZone);
    const options = { year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", hourCycle: "h23" };
    let format;
    try {
        format = new Intl.DateTimeFormat("en-US", { ...options, timeZone: timeZone ?? undefined });
    } catch {
        format = new Intl.DateTimeFormat("en-US", options);
    }
    formatters.set(timeZone, format);
    return format;
}
