// Days of the Gregorian calendar as numbers: days since 1970-01-01, independent of time zones.

const millisecondsOfDay = 86_400_000;

/** Year, month (1 is January) and day of the month; days after the end of a month continue in the next one. */
export function dayNumber(year, month, day) {
    // `Date.UTC` takes years below 100 as those of the twentieth century.
    return new Date(0).setUTCFullYear(year, month - 1, day) / millisecondsOfDay;
}

/** `{year, month, day}` of a day number. */
export function dateOf(number) {
    const date = new Date(number * millisecondsOfDay);
    return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** 0 is Monday, 6 is Sunday. */
export function weekdayOf(number) {
    return (((number + 3) % 7) + 7) % 7;
}

/** `2031-03-09` */
export function dateText(number) {
    return new Date(number * millisecondsOfDay).toISOString().slice(0, 10);
}

export function daysInMonth(month, year) {
    return dayNumber(year, month + 1, 1) - dayNumber(year, month, 1);
}

/** The position of a day among the equal weekdays of its month, counted from the start and from the end, beginning with 1. */
export function ordinalsOf(number) {
    const { year, month, day } = dateOf(number);
    return {
        fromStart: Math.floor((day - 1) / 7) + 1,
        fromEnd: Math.floor((daysInMonth(month, year) - day) / 7) + 1,
    };
}

/** The week by ISO 8601: the first of a year is the one with its first Thursday. */
export function weekOf(number) {
    const thursday = number + 3 - weekdayOf(number);
    return Math.floor((thursday - dayNumber(dateOf(thursday).year, 1, 1)) / 7) + 1;
}

/** Easter Sunday of the Western churches. */
export function easterOf(year) {
    // The position in the Metonic cycle of 19 years, corrected for leap days and drift, gives the full moon of spring as days after
    // 21 March; Easter is the Sunday after it.
    const century = Math.floor(year / 100);
    const golden = year % 19;
    const drift = Math.floor((8 * century + 13) / 25);
    let moon = (((19 * golden + century - Math.floor(century / 4) - drift + 15) % 30) + 30) % 30;
    if (moon === 29 || (moon === 28 && golden > 10)) moon -= 1;
    const fullMoon = dayNumber(year, 3, 21) + moon;
    return fullMoon + 7 - ((weekdayOf(fullMoon) + 1) % 7);
}
