// Parses the part of OpenStreetMap's opening hours syntax that venues use: days, dates, months, public holidays, times including
// times past midnight, `off`, `24/7`. A text with any other syntax is rejected as a whole: evaluating a part of it could be wrong.

const days = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/**
 * The rules of a text, or null if it cannot be parsed. A rule is
 * `{days, dates, isHoliday, times, state, isAdditional, isFallback, comment}`: `days` a set of 0 (Monday) to 6, `dates` a list of
 * `{from: [month, day], to: [month, day]}`, `times` a list of `[from, to]` in minutes after midnight; each null if not given.
 */
export function parseHours(text) {
    if (typeof text !== "string" || text.trim() === "" || text.length > 2_000) return null;
    const rules = [];
    for (const [index, alternative] of text.split("||").entries()) {
        for (const part of alternative.split(";")) {
            if (part.trim() === "") continue;
            const parsed = new Parser(part).rules();
            if (!parsed) return null;
            for (const rule of parsed) rules.push({ ...rule, isFallback: index > 0 });
        }
    }
    return rules.length > 0 ? rules : null;
}

class Parser {
    #remaining;

    constructor(text) {
        this.#remaining = text.trim();
    }

    /** The rules between two semicolons. Those after a comma add to the hours of the first. */
    rules() {
        const rules = [];
        for (;;) {
            const rule = this.#rule();
            if (!rule) return null;
            rules.push({ ...rule, isAdditional: rules.length > 0 });
            if (this.#remaining === "") return rules;
            if (!this.#consume(/^,\s*/)) return null;
        }
    }

    #rule() {
        const rule = { days: null, dates: null, isHoliday: false, times: null, state: "open", comment: null };
        let isEmpty = true;
        if (this.#consume(/^24\/7\b\s*/)) {
            rule.times = [[0, 1440]];
            isEmpty = false;
        } else {
            rule.dates = this.#dates();
            if (rule.dates) this.#consume(/^:\s*/);
            const weekdays = this.#weekdays();
            if (weekdays) {
                rule.days = weekdays.days;
                rule.isHoliday = weekdays.isHoliday;
            }
            rule.times = this.#times();
            isEmpty = !rule.dates && !weekdays && !rule.times;
        }
        const state = this.#consume(/^(open|off|closed|unknown)\b\s*/);
        if (state) rule.state = state[1] === "off" ? "closed" : state[1];
        const comment = this.#consume(/^"([^"]*)"\s*/);
        if (comment) rule.comment = comment[1];
        return isEmpty && !state && !comment ? null : rule;
    }

    #weekdays() {
        const weekdays = new Set();
        let isHoliday = false;
        for (let isFirst = true; ; isFirst = false) {
            const before = this.#remaining;
            if (!isFirst && !this.#consume(/^,\s*/)) break;
            const match = this.#consume(/^(PH|Mo|Tu|We|Th|Fr|Sa|Su)(?:\s*-\s*(Mo|Tu|We|Th|Fr|Sa|Su))?(?![A-Za-z[])\s*/);
            if (!match) {
                this.#remaining = before;
                break;
            }
            if (match[1] === "PH") {
                isHoliday = true;
                continue;
            }
            const last = days.indexOf(match[2] ?? match[1]);
            for (let day = days.indexOf(match[1]); ; day = (day + 1) % 7) {
                weekdays.add(day);
                if (day === last) break;
            }
        }
        this.#consume(/^:\s*/);
        if (weekdays.size === 0 && !isHoliday) return null;
        return { days: weekdays.size > 0 ? weekdays : null, isHoliday };
    }

    #dates() {
        const list = [];
        const name = `(${months.join("|")})`;
        const pattern = new RegExp(`^${name}(?:\\s+(\\d{1,2})(?!:?\\d))?(?:\\s*-\\s*(?:${name}\\s*)?(\\d{1,2}(?!:?\\d))?)?\\s*`);
        for (let isFirst = true; ; isFirst = false) {
            const before = this.#remaining;
            if (!isFirst && !this.#consume(/^,\s*/)) break;
            const match = this.#consume(pattern);
            if (!match) {
                this.#remaining = before;
                break;
            }
            const [whole, from, day, until, lastDay] = match;
            const isRange = whole.includes("-");
            if (isRange && !until && !lastDay) return null;
            const month = months.indexOf(from);
            const last = until ? months.indexOf(until) : month;
            list.push({
                from: [month, day ? Number(day) : 1],
                to: [last, lastDay ? Number(lastDay) : !isRange && day ? Number(day) : 31],
            });
        }
        return list.length > 0 ? list : null;
    }

    #times() {
        const list = [];
        for (let isFirst = true; ; isFirst = false) {
            const before = this.#remaining;
            if (!isFirst && !this.#consume(/^,\s*/)) break;
            const match = this.#consume(/^(\d{1,2}):(\d{2})\s*-\s*(\d{1,2}):(\d{2})(?![+\d])\s*/);
            if (!match) {
                this.#remaining = before;
                break;
            }
            const [fromHour, fromMinute, toHour, toMinute] = match.slice(1).map(Number);
            if (fromHour > 24 || toHour > 48 || fromMinute > 59 || toMinute > 59) return null;
            const from = fromHour * 60 + fromMinute;
            const to = toHour * 60 + toMinute;
            list.push([from, to > from ? to : to + 1440]);
        }
        return list.length > 0 ? list : null;
    }

    #consume(pattern) {
        const match = pattern.exec(this.#remaining);
        if (match) this.#remaining = this.#remaining.slice(match[0].length);
        return match;
    }
}
