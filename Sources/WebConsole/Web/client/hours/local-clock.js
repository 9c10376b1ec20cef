// Converts between instants and the local time of a time zone, in whole seconds. When clocks change, some local times do not occur or occur
// twice.

const secondsOfDay = 86_400;
const formats = new Map();

export class LocalClock {
    #format;

    /** Null if the time zone is missing or unknown. */
    static of(timeZone) {
        if (typeof timeZone !== "string") return null;
        if (!formats.has(timeZone)) formats.set(timeZone, formatOf(timeZone));
        return formats.get(timeZone) && new LocalClock(formats.get(timeZone));
    }

    constructor(format) {
        this.#format = format;
    }

    /** The local time at an instant in seconds since 1970: `{number, second}`, a day number and the seconds since its midnight. */
    reading(instant) {
        const local = instant + this.#offset(instant);
        const number = Math.floor(local / secondsOfDay);
        return { number, second: local - number * secondsOfDay };
    }

    /**
     * The instants at which the state may change that is given for these minutes of a day: when the local time is one of them, and when
     * clocks change on that day.
     */
    instants(number, minutes) {
        const midnight = number * secondsOfDay;
        const [before, after] = [this.#offset(midnight - secondsOfDay), this.#offset(midnight + 2 * secondsOfDay)];
        if (before === after) return minutes.map((minute) => midnight + minute * 60 - before);
        const instants = new Set();
        for (const minute of minutes) {
            for (const offset of [before, after]) {
                const instant = midnight + minute * 60 - offset;
                const reading = this.reading(instant);
                if (reading.number === number && reading.second === minute * 60) instants.add(instant);
            }
        }
        const change = this.#change(midnight - secondsOfDay, midnight + 2 * secondsOfDay);
        if ([change, change - 1].some((instant) => this.reading(instant).number === number)) instants.add(change);
        return [...instants].sort((one, other) => one - other);
    }

    /** The first instant with the offset of the end. */
    #change(start, end) {
        const after = this.#offset(end);
        let [low, high] = [start, end];
        while (high - low > 1) {
            const middle = Math.floor((low + high) / 2);
            if (this.#offset(middle) === after) high = middle;
            else low = middle;
        }
        return high;
    }

    #offset(instant) {
        const parts = {};
        for (const { type, value } of this.#format.formatToParts(instant * 1000)) parts[type] = Number(value);
        const { year, month, day, hour, minute, second } = parts;
        return Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - instant;
    }
}

function formatOf(timeZone) {
    try {
        return new Intl.DateTimeFormat("en-US", {
            timeZone, calendar: "iso8601", numberingSystem: "latn", hourCycle: "h23",
            year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric",
        });
    } catch {
        return null;
    }
}
