// Formats numbers, sizes, lengths and times in the user's language.

import { formatNumber, formatOf, formatTime, localization, localized } from "../localization/localization.js";

export function formatBytes(bytes) {
    const units = ["byte", "kilobyte", "megabyte", "gigabyte"];
    const step = bytes < 1000 ? 0 : Math.min(3, Math.floor(Math.log10(bytes) / 3));
    return formatOf(Intl.NumberFormat, {
        style: "unit", unit: units[step], unitDisplay: step === 0 ? "long" : "short", maximumFractionDigits: step > 1 ? 1 : 0,
    }).format(bytes / 1000 ** step);
}

const timeUnits = [["day", 86_400], ["hour", 3_600], ["minute", 60]];

/** The time relative to now, such as "3 hours ago"; the date if it is more than a week away. */
export function formatAge(moment, now = Date.now()) {
    const seconds = (new Date(moment).getTime() - now) / 1000;
    if (Math.abs(seconds) > 7 * 86_400) return formatTime(moment, { dateStyle: "medium" });
    const format = formatOf(Intl.RelativeTimeFormat, { numeric: "auto" });
    const [unit, length] = timeUnits.find(([, length]) => Math.abs(seconds) >= length) ?? ["second", 1];
    // Less than a minute is "now": a number of seconds would be outdated at once.
    const text = unit === "second" ? format.format(0, "second") : format.format(Math.trunc(seconds / length), unit);
    // The texts of the console have no space between a number and its counter in Japanese.
    return localization.language === "ja" ? text.replaceAll(" ", "") : text;
}

export function formatLength(metres) {
    const [unit, value] = metres >= 1000 ? ["kilometer", metres / 1000] : ["meter", metres];
    return formatOf(Intl.NumberFormat, { style: "unit", unit, maximumFractionDigits: value >= 100 ? 0 : 1 }).format(value);
}

/** `A, B, C, and 12 others`, of `total` names of which the first are given. */
export function formatNames(names, total) {
    const others = total - names.length;
    const parts = others > 0 ? [...names, localized("desk.guard.others", { n: formatNumber(others) })] : names;
    return formatOf(Intl.ListFormat, { type: "conjunction" }).format(parts);
}

/** A time with its time zone, and the time at the venue if that is in another zone. */
export function formatMoment(moment, venueZone) {
    const options = { weekday: "short", year: "numeric", month: "short", day: "numeric", hour: "numeric", minute: "2-digit", timeZoneName: "short" };
    const own = formatTime(moment, options);
    if (!venueZone || venueZone === Intl.DateTimeFormat().resolvedOptions().timeZone) return own;
    const there = formatTime(moment, { ...options, timeZone: venueZone });
    return there === own ? own : localized("time.atVenue", { time: own, there });
}

export { formatNumber, formatTime };
