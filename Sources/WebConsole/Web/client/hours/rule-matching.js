// Decides whether a rule applies on a day. Days are day numbers; an empty selector matches every day.

import { dateOf, dateText, dayNumber, daysInMonth, easterOf, ordinalsOf, weekOf, weekdayOf } from "./calendar-date.js";

/** Public and school holidays as sets of dates such as `2031-01-01`. */
export const noHolidays = { publicHolidays: new Set(), schoolHolidays: new Set() };

/** Whether a rule is equal in every week. */
export function isWeekly({ years, dates, weeks, days }) {
    const isDated = years.length + dates.length + weeks.length > 0 || days?.holidays.length > 0;
    return !isDated && (days?.weekdays ?? []).every(({ ordinals }) => ordinals.length === 0);
}

/** Whether a rule applies to the weekday of a day in every week, as that of `Sa-Su,PH 10:00-20:00` on Saturdays. */
export function matchesInEveryWeek({ years, dates, weeks, days }, number) {
    if (years.length + dates.length + weeks.length > 0) return false;
    if (days === null) return true;
    return !days.needsBoth && days.weekdays.some((range) => range.ordinals.length === 0 && isOnWeekdays(range, number));
}

export function matches({ years, dates, weeks, days }, number, holidays) {
    const any = (selectors, isMatch) => selectors.length === 0 || selectors.some((each) => isMatch(each, number));
    return any(years, isInYears) && any(dates, isInDates) && any(weeks, isInWeeks)
        && (days === null || isOnDays(days, number, holidays));
}

function isInYears({ first, last, step }, number) {
    const { year } = dateOf(number);
    return year >= first && year <= last && (year - first) % step === 0;
}

/** After the last week the first follows. */
function isInWeeks({ first, last, step }, number) {
    const week = weekOf(number);
    return isWithin(week, first, last) && ((week - first + 53) % 53) % step === 0;
}

function isWithin(value, first, last) {
    return first <= last ? value >= first && value <= last : value >= first || value <= last;
}

function isInDates({ first, last, firstYear, lastYear }, number) {
    const { year: own } = dateOf(number);
    // A range may begin in the previous year, and an offset in days may move it into the year before or after.
    const years = firstYear === null ? [own - 2, own - 1, own, own + 1] : [firstYear];
    return years.some((year) => {
        const start = startOf(first, year);
        return start <= number && number <= endOfRange(first, last, start, year, lastYear);
    });
}

function endOfRange(first, last, start, year, lastYear) {
    if (last === null) return endOf(first, year);
    if (lastYear !== null) return endOf(last, lastYear);
    const end = endOf(last, year);
    return end < start ? endOf(last, year + 1) : end;
}

/** The first day in a year; if there is no 29 February, the day after it. */
function startOf({ kind, month, day, offset }, year) {
    switch (kind) {
        case "month": return dayNumber(year, month, 1);
        case "day": return dayNumber(year, month, Math.min(day, daysInMonth(month, year) + 1)) + offset;
        default: return easterOf(year) + offset;
    }
}

/** The last day in a year; if there is no 29 February, the day before it. */
function endOf({ kind, month, day, offset }, year) {
    switch (kind) {
        case "month": return dayNumber(year, month, daysInMonth(month, year));
        case "day": return dayNumber(year, month, Math.min(day, daysInMonth(month, year))) + offset;
        default: return easterOf(year) + offset;
    }
}

function isOnDays({ weekdays, holidays: selectors, needsBoth }, number, holidays) {
    const isWeekday = weekdays.some((range) => isOnWeekdays(range, number));
    if (isWeekday !== needsBoth) return isWeekday;
    return selectors.some(({ isPublic, offset }) => {
        const days = isPublic ? holidays.publicHolidays : holidays.schoolHolidays;
        return days?.has(dateText(number - offset)) ?? false;
    });
}

function isOnWeekdays({ first, last, ordinals, offset }, number) {
    const day = number - offset;
    if (!isWithin(weekdayOf(day), first, last)) return false;
    if (ordinals.length === 0) return true;
    const { fromStart, fromEnd } = ordinalsOf(day);
    return ordinals.some(([least, greatest]) =>
        (least <= fromStart && fromStart <= greatest) || (least <= -fromEnd && -fromEnd <= greatest));
}
