// Parses opening hours in the syntax of OpenStreetMap.
//
// A rule has selectors (years, months, weeks, then days of the week, then times), then `open`, `closed`, `off` or `unknown`, and a
// comment in quotation marks. Each part is optional, but at least one is required.

import { startsYear, readDates, readDayOffset } from "./parse-dates.js";
import { OpeningHoursError, Scanner } from "./scanner.js";
import { readList } from "./read-list.js";
import { isWeekly } from "./rule-matching.js";

const maximumLength = 4_096;
const maximumGroups = 16;
const weekdays = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];

/** Whether a text has more bytes than are read. */
export function isTooLong(text) {
    return new TextEncoder().encode(text).length > maximumLength;
}

/** The rules of a text in groups, which `||` separates. Throws an `OpeningHoursError`. Takes linear time. */
export function parseRules(text) {
    if (isTooLong(text)) throw new OpeningHoursError(maximumLength);
    const scanner = new Scanner(text);
    const groups = [[]];
    for (let isAdditional = false; ; ) {
        groups.at(-1).push({ ...readRule(scanner), isAdditional });
        if (scanner.isAtEnd) return groups;
        isAdditional = false;
        if (scanner.take(";")) {
            scanner.skipSpace();
            if (scanner.isAtEnd) return groups; // A semicolon at the end is allowed.
        } else if (groups.length < maximumGroups && scanner.take("||")) {
            groups.push([]);
        } else if (scanner.take(",")) {
            isAdditional = true;
        } else {
            throw scanner.unexpected;
        }
    }
}

/** Reads a rule and the white space around it. */
function readRule(scanner) {
    scanner.skipSpace();
    const start = scanner.offset;
    const rule = { years: [], dates: [], weeks: [], days: null, times: [], state: "open", comment: null, text: "" };
    readDates(scanner, rule);
    rule.days = readDays(scanner);
    const endOfDays = scanner.offset;
    scanner.skipSpace();
    if (!scanner.take("24/7") && startsTime(scanner)) rule.times = readList(scanner, startsTime, readTimeSpan);
    readModifier(scanner, rule);
    if (scanner.offset === start) throw scanner.unexpected;
    rule.text = scanner.text.slice(start, scanner.offset).replace(/ +$/, "");
    rule.exceptionText = exceptionTextOf(rule, scanner.text.slice(endOfDays, scanner.offset));
    return rule;
}

/**
 * The text of the part of a rule that is not equal in every week, as a rule of its own: of `Sa-Su,PH 10:00-20:00` it is
 * `PH 10:00-20:00`. Null if there is none. `rest` is the text of the rule after its days.
 */
function exceptionTextOf(rule, rest) {
    if (isWeekly(rule)) return null;
    const { years, dates, weeks, days } = rule;
    // Only days can be exceptions in part.
    if (!days || days.needsBoth || years.length + dates.length + weeks.length > 0) return rule.text;
    return (days.exceptionTexts.join(",") + rest).replace(/ +$/, "");
}

function readModifier(scanner, rule) {
    scanner.skipSpace();
    const words = { open: "open", closed: "closed", off: "closed", unknown: "unknown" };
    const word = Object.keys(words).find((word) => scanner.takeWord(word));
    scanner.skipSpace();
    if (scanner.take('"')) {
        rule.comment = scanner.takeQuoted();
        if (rule.comment === null) throw scanner.unexpected;
    }
    scanner.skipSpace();
    // A person has to read the comment.
    rule.state = word ? words[word] : rule.comment === null ? "open" : "unknown";
}

// Days of the week and holidays.

function readDays(scanner) {
    scanner.skipSpace();
    if (!startsDay(scanner)) return null;
    // `exceptionTexts` are those of holidays and of weekdays with ordinals, in order.
    const days = { weekdays: [], holidays: [], needsBoth: false, exceptionTexts: [] };
    readDayList(scanner, days);
    scanner.attempt(() => {
        scanner.skipSpace();
        // On holidays, but only on these weekdays.
        if (days.weekdays.length > 0 || !startsWeekday(scanner)) return null;
        readDayList(scanner, days);
        days.needsBoth = true;
        return days;
    });
    return days;
}

function startsWeekday(scanner) {
    return weekdays.some((day) => scanner.startsWith(day));
}

function startsDay(scanner) {
    return startsWeekday(scanner) || scanner.startsWith("PH") || scanner.startsWith("SH");
}

function readDayList(scanner, days) {
    readList(scanner, startsDay, () => {
        const start = scanner.offset;
        const holiday = ["PH", "SH"].find((name) => scanner.take(name));
        if (holiday) days.holidays.push({ isPublic: holiday === "PH", offset: readDayOffset(scanner) });
        else days.weekdays.push(readWeekdays(scanner));
        if (holiday || days.weekdays.at(-1).ordinals.length > 0) days.exceptionTexts.push(scanner.text.slice(start, scanner.offset));
    });
}

function readWeekdays(scanner) {
    const first = scanner.takeOne(weekdays);
    if (first < 0) throw scanner.unexpected;
    const range = { first, last: first, ordinals: [], offset: 0 };
    if (scanner.take("[")) {
        do range.ordinals.push(readOrdinals(scanner)); while (scanner.take(","));
        if (!scanner.take("]")) throw scanner.unexpected;
        range.offset = readDayOffset(scanner);
        return range;
    }
    scanner.attempt(() => {
        scanner.skipSpace();
        if (!scanner.take("-")) return null;
        scanner.skipSpace();
        range.last = scanner.takeOne(weekdays);
        if (range.last < 0) throw scanner.unexpected;
        return range;
    });
    return range;
}

/** `1`, `-1`, `2-3`, as the first and the last number. */
function readOrdinals(scanner) {
    const isFromEnd = scanner.take("-");
    const first = scanner.takeNumber([1, 1], [1, 5]);
    if (first === null) throw scanner.unexpected;
    if (isFromEnd) return [-first, -first];
    if (!scanner.take("-")) return [first, first];
    const last = scanner.takeNumber([1, 1], [first, 5]);
    if (last === null) throw scanner.unexpected;
    return [first, last];
}

// Times.

function startsTime(scanner) {
    // A year is not a time; it begins another rule.
    if (scanner.startsWithDigit()) return !startsYear(scanner);
    return ["(", "sunrise", "sunset", "dawn", "dusk"].some((text) => scanner.startsWith(text));
}

function readTimeSpan(scanner) {
    const span = { start: readMoment(scanner, 24), end: null, isOpenEnded: false };
    if (scanner.take("+")) return { ...span, isOpenEnded: true };
    scanner.skipSpace();
    if (!scanner.take("-")) throw scanner.unexpected;
    scanner.skipSpace();
    span.end = readMoment(scanner, 48);
    span.isOpenEnded = scanner.take("+");
    return span;
}

/** `{event, minute}`: minutes after midnight, or an event of the sun in the `morning` or `evening` and an offset in minutes. */
function readMoment(scanner, latest) {
    const isInBrackets = scanner.take("(");
    const event = takeEvent(scanner);
    if (!event) {
        if (isInBrackets) throw scanner.unexpected;
        return { event: null, minute: readClock(scanner, latest) };
    }
    let minute = 0;
    if (isInBrackets) {
        const isBefore = scanner.startsWith("-");
        if (!scanner.take("+") && !scanner.take("-")) throw scanner.unexpected;
        minute = readClock(scanner, 23) * (isBefore ? -1 : 1);
        if (!scanner.take(")")) throw scanner.unexpected;
    }
    return { event, minute };
}

function takeEvent(scanner) {
    if (scanner.takeWord("sunrise") || scanner.takeWord("dawn")) return "morning";
    return scanner.takeWord("sunset") || scanner.takeWord("dusk") ? "evening" : null;
}

function readClock(scanner, latest) {
    const hour = scanner.takeNumber([1, 2], [0, latest]);
    if (hour === null || !scanner.take(":")) throw scanner.unexpected;
    const minute = scanner.takeNumber([2, 2], [0, 59]);
    if (minute === null || (hour === latest && minute !== 0)) throw scanner.unexpected;
    return hour * 60 + minute;
}
