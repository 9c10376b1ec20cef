// The opening hours of what can be passed in a venue, for routes.

import { OpeningHours } from "../hours/opening-hours.js";
import { addTo } from "./lists-by-key.js";

export class PassageHours {
    /** `{ hours, features }` for each text, because doors of a building often have the same hours; hours that cannot be read are null. */
    #groups;

    /** `timetables` are those of a `WayfindingMap`. Parses every text once. */
    constructor(timetables) {
        const featuresOfText = new Map();
        for (const { feature, hours } of timetables) addTo(featuresOfText, hours, feature);
        this.#groups = [...featuresOfText].map(([text, features]) => ({ hours: OpeningHours.parseLeniently(text), features }));
    }

    /**
     * What is closed at a moment: `closed` maps features to their `OpeningHours`; `state` is `none` without hours, `applied`, or `unknown` if
     * some could not be evaluated. What they are about is taken to be open.
     */
    closures(timeZone, moment) {
        const closed = new Map();
        let isKnown = true;
        for (const { hours, features } of this.#groups) {
            const state = hours?.state(moment, timeZone) ?? "unknown";
            if (state === "unknown") isKnown = false;
            if (state === "closed") for (const feature of features) closed.set(feature, hours);
        }
        return { closed, state: this.#groups.length === 0 ? "none" : isKnown ? "applied" : "unknown" };
    }
}

/**
 * The reasons of a route, with the time at which what is closed by its hours opens, if that is within a number of days. `closed` are those of
 * `PassageHours.closures`. Only what the reasons name is looked for, because finding the end of one closure takes longer than finding all that
 * is closed.
 */
export function withOpeningTimes(reasons, closed, timeZone, moment, options = {}) {
    return reasons.map((reason) => {
        const until = reason.code === "closed" ? closed.get(reason.feature)?.nextChange(moment, timeZone, options) : null;
        return until ? { ...reason, until: until.toISOString() } : reason;
    });
}
