// Computes ways from the features that the browser holds, without a request.

import { labelPointOf } from "../../client/map/label-point.js";
import { LocalClock } from "../../client/hours/local-clock.js";
import { OpeningHours } from "../../client/hours/opening-hours.js";
import { WayfindingMap } from "../../client/wayfinding/wayfinding-map.js";
import { localization } from "../../localization/localization.js";
import { metresBetween } from "../../client/map/geometry.js";
import { travelTimesOf } from "../../client/wayfinding/travel-times.js";
import { nextTask } from "../../ui/next-task.js";

/** How far from the units of the map somebody may be who starts at the nearest door, in metres. */
const doorDistance = 60;

export class Wayfinder {
    #live;
    /** A promise of the map; null if none is needed. */
    #map = null;
    /** The last map, of which floors that are the same are taken over. */
    #former = null;
    /** Of what the map is made. */
    #contents = null;

    /** `live` is the `LiveVenue`. */
    constructor(live) {
        this.#live = live;
    }

    /** What is held now, as a text: it differs when a way may differ. */
    get contents() {
        const { revision, selection } = this.#live.reader.state;
        return `${revision} ${selection}`;
    }

    /**
     * The answer of `WayfindingMap.route`, with what is closed at a moment by its opening hours, where they and the time zone are known. A
     * screen or a pin may be outside of the building: with `here`, which says that the way starts at such a position, it begins at the
     * nearest door if need be, and `startsAtDoor` is true.
     */
    async answer({ from, to, profile }, { here = false, moment = new Date() } = {}) {
        const { contents } = this;
        if (contents !== this.#contents) {
            this.#contents = contents;
            this.#map = this.#build();
        }
        const map = await this.#map;
        map.travelTimes = travelTimesOf(this.#live.about.wayfinding);
        const closed = closedAt(map.timetables, this.#live.about.timeZone, moment);
        const route = (start) => map.route({ from: start, to, profile, closed, languages: [localization.language] });
        const answer = route(from);
        const isOutside = here && answer.reasons.some(({ code, feature }) => code === "outside-units" && feature === undefined);
        const door = isOutside ? this.#nearestDoor(from) : null;
        return door ? { ...route({ feature: door }), startsAtDoor: true } : answer;
    }

    /** In a large venue this takes a moment. What was shown before comes to the screen first, and the page can be used meanwhile. */
    async #build() {
        await nextTask();
        const { reader, about } = this.#live;
        const former = this.#former;
        const map = await WayfindingMap.build(reader.features(), { language: about.language ?? null, former, pause: nextTask });
        this.#former = map;
        await nextTask();
        return map;
    }

    /** The id of the opening that is nearest to a position on its floor; null if none is near. */
    #nearestDoor({ longitude, latitude, ordinal }) {
        const levels = new Set(this.#live.levels.filter((each) => each.ordinal === ordinal).map(({ level }) => level));
        let best = { metres: doorDistance, id: null };
        for (const feature of [...levels].flatMap((level) => [...this.#live.featuresOf(level)])) {
            const position = feature.type === "opening" ? labelPointOf(feature)?.position : null;
            const metres = position ? metresBetween([longitude, latitude], position) : Infinity;
            if (metres < best.metres) best = { metres, id: feature.id };
        }
        return best.id;
    }

    /** Frees the memory of the map. */
    forget() {
        this.#map = this.#former = this.#contents = null;
    }
}

/** What is closed at a moment: the end of that, or null if it is not known, by feature. Hours that cannot be read close nothing. */
export function closedAt(timetables, timeZone, moment) {
    const closed = new Map();
    if (!LocalClock.of(timeZone)) return closed;
    // Doors of a building often have the same hours.
    const states = new Map();
    for (const { feature, hours } of timetables) {
        if (!states.has(hours)) states.set(hours, closureOf(hours, timeZone, moment));
        const closure = states.get(hours);
        if (closure) closed.set(feature, closure.until);
    }
    return closed;
}

/** `{until}`; null if it is open, or not known. */
function closureOf(text, timeZone, moment) {
    const hours = OpeningHours.parseLeniently(text);
    if (hours?.state(moment, timeZone) !== "closed") return null;
    const change = hours.nextChange(moment, timeZone, { within: 8 });
    return { until: change ? change.toISOString().replace(".000Z", "Z") : null };
}
