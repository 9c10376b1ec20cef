// Parses the years, months, days and weeks of a rule.

import { readList } from "./read-list.js";

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const years = [1900, 9999];

/** Reads years, months, days and weeks in any order, and an optional colon after them. */
export function readDates(scanner, rule) {
    const start = scanner.offset;
    for (;;) {
        scanner.skipSpace();
        if (scanner.takeWord("week")) {
            scanner.skipSpace();
            rule.weeks.push(...readList(scanner, () => scanner.startsWithDigit(), readWeeks));
        } else if (startsYear(scanner)) {
            readYears(scanner, rule);
        } else if (startsDate(scanner)) {
            readDateList(scanner, rule, null);
        } else {
            break;
        }
    }
    if (scanner.offset > start) scanner.take(":");
}

function required(scanner, value) {
    if (value === null) throw scanner.unexpected;
    return value;
}

function readWeeks(scanner) {
    const readWeek = () => required(scanner, scanner.takeNumber([1, 2], [1, 53]));
    const first = readWeek();
    return { first, last: scanner.take("-") ? readWeek() : first, step: scanner.take("/") ? readWeek() : 1 };
}

export function startsYear(scanner) {
    const before = scanner.offset;
    const year = scanner.takeNumber([4, 4], years);
    scanner.offset = before;
    return year !== null;
}

/** A year directly before a date belongs to that date. Other years are selectors of their own. */
function readYears(scanner, rule) {
    const ranges = readList(scanner, startsYear, readYearRange);
    const [{ first, last }] = ranges;
    const year = ranges.length === 1 && first === last ? first : null;
    const dates = scanner.attempt(() => {
        scanner.skipSpace();
        return year !== null && startsDate(scanner) ? readDateList(scanner, rule, year) : null;
    });
    if (dates === null) rule.years.push(...ranges);
}

function readYearRange(scanner) {
    const first = required(scanner, scanner.takeNumber([4, 4], years));
    if (scanner.take("+")) return { first, last: years[1], step: 1 };
    return {
        first, last: scanner.take("-") ? required(scanner, scanner.takeNumber([4, 4], years)) : first,
        step: scanner.take("/") ? required(scanner, scanner.takeNumber([1, 2], [1, 99])) : 1,
    };
}

function startsDate(scanner) {
    return scanner.startsWith("easter") || months.some((month) => scanner.startsWith(month));
}

function readDateList(scanner, rule, firstYear) {
    let year = firstYear;
    const read = () => {
        year = takeYear(scanner) ?? year;
        const range = readDateRange(scanner, year);
        year = range.lastYear ?? year;
        return range;
    };
    rule.dates.push(...readList(scanner, () => startsDate(scanner) || startsYear(scanner), read));
    return rule.dates;
}

/** Reads a year and the space after it. */
function takeYear(scanner) {
    const year = scanner.takeNumber([4, 4], years);
    if (year !== null) scanner.skipSpace();
    return year;
}

function readDateRange(scanner, firstYear) {
    const range = { first: readYearDay(scanner), last: null, firstYear, lastYear: null };
    scanner.attempt(() => {
        scanner.skipSpace();
        if (!scanner.take("-")) return null;
        scanner.skipSpace();
        range.lastYear = takeYear(scanner);
        const day = range.first.kind === "day" ? takeDay(scanner) : null;
        range.last = day === null ? readYearDay(scanner) : { kind: "day", month: range.first.month, day, offset: 0 };
        return range;
    });
    return range;
}

/** `{kind, month, day, offset}`: a `month`, a `day` of a month, or `easter`, and an offset in days. */
function readYearDay(scanner) {
    if (scanner.takeWord("easter")) return { kind: "easter", offset: readDayOffset(scanner) };
    const month = scanner.takeOne(months) + 1;
    if (month === 0) throw scanner.unexpected;
    const day = scanner.attempt(() => {
        scanner.skipSpace();
        return takeDay(scanner);
    });
    return day === null ? { kind: "month", month, offset: 0 } : { kind: "day", month, day, offset: readDayOffset(scanner) };
}

/** Reads a day of the month, unless it is the hour of a time. */
function takeDay(scanner) {
    return scanner.attempt(() => {
        const day = scanner.takeNumber([1, 2], [1, 31]);
        const isHour = scanner.peek() === ":" && scanner.peek(1) !== " ";
        return day === null || isHour ? null : day;
    });
}

/** Reads `+1 day`, `-2 days`; zero if there is none. */
export function readDayOffset(scanner) {
    const offset = scanner.attempt(() => {
        scanner.skipSpace();
        const isBack = scanner.startsWith("-");
        if (!scanner.take("+") && !scanner.take("-")) return null;
        const days = scanner.takeNumber([1, 3], [1, 366]);
        if (days === null) return null;
        scanner.skipSpace();
        if (!scanner.takeWord("days") && !scanner.takeWord("day")) return null;
        return isBack ? -days : days;
    });
    return offset ?? 0;
}
