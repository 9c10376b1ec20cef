// Routes from what a replica holds, without a request.

import { LocalClock } from "../hours/local-clock.js";
import { OpeningHours } from "../hours/opening-hours.js";
import { travelTimesOf } from "./travel-times.js";
import { WayfindingMap } from "./wayfinding-map.js";

/** At most so many levels that are not held are named. */
const missingLimit = 8;

export class ReplicaRoutes {
    #reader;
    /** `{ key, map, timetables }` of what was held last, or a promise of it. */
    #prepared = null;
    #former = null;

    /** `reader` is a `VenueReplica`, or another reader of a venue. */
    constructor(reader) {
        this.#reader = reader;
    }

    /** See `VenueReplica.route`. */
    async route({ from, to, profile = "walk", at = new Date(), closed = [], languages = [] }) {
        const { venue, revision, language, timeZone, missing, map, timetables } = await this.#current();
        const shut = new Set([...closed].map((id) => id.toLowerCase()));
        const hours = closuresAt(timetables, timeZone, at);
        const answer = map.route({
            from, to, profile, closed: closedMap(shut, hours), languages: languages.length > 0 ? languages : [language ?? "en"],
        });
        // Only what the answer names, because finding the end of one closure takes longer than finding all that is closed.
        const reasons = answer.reasons.map((reason) => {
            const text = reason.code === "closed" && !shut.has(reason.feature) ? hours.closed.get(reason.feature) : undefined;
            const until = text?.nextChange(at, timeZone);
            return until ? { ...reason, until: until.toISOString() } : reason;
        });
        return sorted({ ...withMissing({ ...answer, reasons }, missing), as_of: at.toISOString(), hours: hours.state, profile, revision, venue });
    }

    /** See `VenueReplica.nearest`. */
    async nearest({ from, features, profile = "walk", at = new Date(), closed = [], limit = 1 }) {
        const { timeZone, map, timetables } = await this.#current();
        const shut = new Set([...closed].map((id) => id.toLowerCase()));
        return map.nearest({ from, features, profile, closed: closedMap(shut, closuresAt(timetables, timeZone, at)), limit });
    }

    /** Frees the memory. The next question prepares everything again. */
    discard() {
        this.#prepared = this.#former = null;
    }

    /** What is held now. It is prepared floor by floor, with a pause after each, and only floors that differ are. */
    async #current() {
        const { venue, state } = this.#reader;
        const levels = this.#reader.levels();
        const { language = null, timeZone = null, wayfinding = null } = state.about ?? {};
        const key = JSON.stringify([language, ...levels.map(({ level, digest }) => [level, digest])]);
        if (this.#prepared?.key !== key) {
            const features = this.#reader.features();
            const former = this.#former;
            const map = WayfindingMap.build(features, { language, former, pause: nextTask });
            this.#prepared = { key, map };
            map.then((built) => { if (this.#prepared?.key === key) this.#former = built; }, () => { this.#prepared = null; });
        }
        const map = await this.#prepared.map;
        map.travelTimes = travelTimesOf(wayfinding);
        const missing = levels.filter(({ isHeld, level }) => !isHeld && level !== null).map(({ level }) => level);
        return { venue, revision: state.revision, language, timeZone, missing: missing.sort(), map, timetables: parsedTimetables(map) };
    }
}

/** A macrotask, so that a page can do something else. */
const nextTask = () => new Promise((resolve) => { setTimeout(resolve); });

const parsed = new WeakMap();

/** `[hours, features]` for each text; hours that cannot be read are null. */
function parsedTimetables(map) {
    if (!parsed.has(map)) {
        const byText = new Map();
        for (const { feature, hours } of map.timetables) byText.set(hours, [...(byText.get(hours) ?? []), feature]);
        parsed.set(map, [...byText].map(([text, features]) => [OpeningHours.parseLeniently(text), features]));
    }
    return parsed.get(map);
}

/**
 * What is closed at a moment: `closed` maps features to their hours; `state` is `none` without hours, `applied`, or `unknown` if some could not
 * be evaluated. What they are about is taken to be open.
 */
function closuresAt(timetables, timeZone, moment) {
    const closed = new Map();
    let isKnown = true;
    const hasZone = Boolean(LocalClock.of(timeZone));
    for (const [hours, features] of timetables) {
        const state = hasZone && hours ? hours.state(moment, timeZone) : "unknown";
        if (state === "unknown") isKnown = false;
        if (state === "closed") for (const feature of features) closed.set(feature, hours);
    }
    return { closed, state: timetables.length === 0 ? "none" : isKnown ? "applied" : "unknown" };
}

const closedMap = (shut, { closed }) => new Map([...shut, ...closed.keys()].map((id) => [id, null]));

/** What is not held may have a way, so that the map cannot show that there is none. */
function withMissing(answer, missing) {
    if (missing.length === 0 || (answer.status !== "none" && answer.status !== "unknown")) return answer;
    const reasons = missing.slice(0, missingLimit).map((feature) => ({ code: "level-not-held", feature }));
    return { ...answer, status: "unknown", reasons: [...answer.reasons, ...reasons] };
}

/** The members in the order of canonical JSON. */
const sorted = (object) => Object.fromEntries(Object.keys(object).sort().map((key) => [key, object[key]]));
