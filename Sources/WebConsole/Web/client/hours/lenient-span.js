// A time span of which the times are certain.

const [noon, day] = [720, 1_440];
/** Times up to `29:59` are written for the night after a day. */
const latestHour = 29;

/** `{start, end}` in minutes after midnight; the end may be on the next day. Null if the times could mean something else. */
export function lenientSpan(first, last) {
    if (first.hour >= 24 || first.isNextDay || last.hour > latestHour) return null;
    const [start, end] = minutesOf(first, last) ?? [];
    return start < end && end - start <= day ? { start, end } : null;
}

/** In the strict syntax. */
export function spanText({ start, end }) {
    const clock = (minutes) => [Math.floor(minutes / 60), minutes % 60].map((number) => String(number).padStart(2, "0")).join(":");
    return `${clock(start)}-${clock(end)}`;
}

function minutesOf(first, last) {
    if (first.meridiem && last.meridiem) return minutesBetween(first, last);
    if (last.meridiem) return minutesBefore(first, last);
    return first.meridiem ? minutesAfter(first, last) : minutes24(first, last);
}

function minutesBetween(first, last) {
    const [start, end] = [minutes12(first), minutes12(last)];
    if (start === null || end === null || start === end) return null;
    const isWrapped = last.isNextDay || end < start;
    // Noon and midnight are often confused: `12am-5pm`, `6pm-12pm`.
    if (start === 0 && end >= noon) return null;
    if (isWrapped && last.hour === 12 && last.meridiem === "pm") return null;
    return [start, isWrapped ? end + day : end];
}

/** `9-5pm`: the start is the same half of the day or the other one. */
function minutesBefore(first, last) {
    const end = minutes12(last);
    if (end === null || last.isNextDay) return null;
    if (first.hour > 12) return [plain(first), plain(first) < end ? end : end + day];
    if (first.hour === 0 || last.hour === 12) return null;
    const start = plain(first) % noon;
    // `8-10pm` may begin in the morning or in the evening.
    if (last.meridiem === "pm") return start > end % noon ? [start, end] : null;
    return start < end && first.hour !== 12 ? [start, end] : null;
}

/** `9am-5`: the end is the first one that follows, unless it could also be the second. */
function minutesAfter(first, last) {
    const start = minutes12(first);
    if (start === null || last.isNextDay) return null;
    if (last.hour > 12) return start < plain(last) ? [start, plain(last)] : null;
    if (last.hour === 0) return null;
    const end = plain(last) % noon;
    if (first.meridiem === "am") return last.hour !== 12 && end <= start ? [start, end + noon] : null;
    if (end === start % noon) return null;
    return [start, end > start - noon ? end + noon : end + day];
}

/** Without am and pm. Times such as `10:00` count 24 hours; numbers such as `9-5` only where nothing else is likely. */
function minutes24(first, last) {
    const [start, end] = [plain(first), plain(last)];
    const isClock = first.isClock && last.isClock;
    if (last.isNextDay) return first.isClock || first.hour > 12 ? [start, end + day] : null;
    // `9-12` may end at midnight.
    if (start < end) return isClock || last.hour > 12 ? [start, end] : null;
    if (first.hour > 12 && start !== end) return [start, end + day];
    if (isClock && end === 0) return [start, day];
    // `9-5`, but not `10-2`, which may be a bar, nor `9:00-5:00`, which may be a night.
    const isDaytime = !first.isClock && !last.isClock && first.hour >= 8 && first.hour <= 11 && last.hour >= 5 && last.hour <= 9;
    return isDaytime ? [start, end + noon] : null;
}

/** Minutes after midnight as written. */
function plain({ hour, minute }) {
    return hour * 60 + minute;
}

/** Minutes after midnight by am and pm; null if there is no such time. After midnight it is 12 am, after noon 12 pm. */
function minutes12({ hour, minute, meridiem }) {
    return hour > 12 ? null : (hour % 12) * 60 + minute + (meridiem === "pm" ? noon : 0);
}
