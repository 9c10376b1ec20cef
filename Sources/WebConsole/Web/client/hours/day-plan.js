// The states that the rules of a group determine for one day and the night after it.

/** Minutes of a day. */
export const day = 1_440;
const noon = 720;
/** Six in the morning of the next day: an open end is not later. */
const endOfNight = 1_800;

/** No rule applies. */
const undetermined = { rank: -1, rule: null, state: "closed" };

/** The states of the 2 880 minutes that a span beginning on the day may cover. */
export class DayPlan {
    /** `{start, cell}`, the cell from a minute to the next step; sorted by start, the first one starts at 0. */
    steps = [{ start: 0, cell: undetermined }];

    /** `rules` are the matching rules of the group, in order. */
    constructor(rules) {
        // Those before the last one that replaces the others are ignored.
        const first = Math.max(rules.findLastIndex(replacesPrevious), 0);
        for (const [index, rule] of rules.entries()) if (index >= first) this.#paintRule(rule, index);
    }

    #paintRule(rule, index) {
        if (rule.times.length === 0) return this.#paint(0, day, { rank: index, rule, state: rule.state });
        // A rule with times takes precedence over one for whole days, then the later rule does.
        const cell = (state) => ({ rank: 2 ** 31 + index, rule, state });
        for (const [start, end] of restsOf(rule)) this.#paint(start, end, cell("unknown"));
        for (const span of rule.times) {
            const { start, end } = rangeOf(span);
            this.#paint(start, end, cell(span.start.event || span.end?.event ? "unknown" : rule.state));
        }
    }

    #paint(from, to, cell) {
        const [start, end] = [from, to].map((minute) => Math.min(Math.max(minute, 0), 2 * day));
        if (start >= end) return;
        const behind = this.cell(end);
        const before = this.steps.filter((step) => step.start < start);
        const after = this.steps.filter((step) => step.start > end);
        this.steps = [...before, { start, cell }, { start: end, cell: behind }, ...after];
    }

    /** The cell at a minute after the midnight at which the day begins. */
    cell(minute) {
        return this.steps.findLast(({ start }) => start <= minute).cell;
    }
}

/** Of two cells for one minute the one with the greater rank is used. */
export function isDetermined(cell) {
    return cell !== undetermined;
}

/** Whether a rule replaces all previous rules on its days. `off` without times does; with times it removes only these. */
function replacesPrevious({ state, times, isAdditional }) {
    return state === "closed" ? times.length === 0 : !isAdditional;
}

/** The minutes in which spans with open ends may continue. `18:00+ off` has none: it is closed until midnight. */
function restsOf({ times, state }) {
    const open = times.filter(({ isOpenEnded, end }) => isOpenEnded && (end || state !== "closed"));
    if (open.length === 0) return [];
    const starts = times.map((span) => rangeOf(span).start).sort((one, other) => one - other);
    const both = [...starts, ...starts.map((start) => start + day)];
    return open.flatMap((span) => {
        const { end } = rangeOf(span);
        const limit = Math.min(both.find((start) => start >= end) ?? endOfNight, endOfNight);
        return end < limit ? [[end, limit]] : [];
    });
}

/** The minutes after the preceding midnight, up to two days. Around events of the sun it is the longest possible range. */
function rangeOf({ start, end }) {
    const first = earliestOf(start);
    if (!end) return { start: first, end: Math.max(first, day) };
    const last = latestOf(end);
    return { start: first, end: Math.max(first, last > first ? last : last + day) };
}

function earliestOf({ event, minute }) {
    if (!event) return minute;
    return Math.max(0, event === "morning" ? minute : noon + minute);
}

function latestOf({ event, minute }) {
    if (!event) return minute;
    return event === "morning" ? Math.max(0, noon + minute) : Math.min(day + minute, 2 * day);
}
