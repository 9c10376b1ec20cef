// Computes ways from the features that the browser holds, without a request.

import { labelPointOf } from "../../client/map/label-point.js";
import { levelsNotHeld, notHeldReasons } from "../../client/wayfinding/held-levels.js";
import { localization } from "../../localization/localization.js";
import { metresBetween } from "../../client/map/geometry.js";
import { nextTask } from "../../ui/next-task.js";
import { PreparedRoutes } from "../../client/wayfinding/prepared-routes.js";
import { travelTimesOf } from "../../client/wayfinding/travel-times.js";
import { WayfindingMap, withUnknown } from "../../client/wayfinding/wayfinding-map.js";
import { withOpeningTimes } from "../../client/wayfinding/passage-hours.js";

/** How far from the units of the map somebody may be who starts at the nearest door, in metres. */
const doorDistance = 60;
/** How many days ahead the time is looked for at which something opens. It is shown as a weekday. */
const openingHorizon = 8;

export class Wayfinder {
    #live;
    #prepared = new PreparedRoutes();

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
     * The answer of `WayfindingMap.route`, with what is closed at a moment by its opening hours, where they and the time zone are known. `hours`
     * is the state of `PassageHours.closures`. As in `VenueReplica.route`, levels that are not held may have a way. A screen or a pin may be
     * outside of the building: with `here`, which says that the way starts at such a position, it begins at the nearest door if need be, and
     * `startsAtDoor` is true.
     */
    async answer({ from, to, profile }, { here = false, moment = new Date() } = {}) {
        const { map, passageHours } = await this.#prepared.content(this.contents, (former) => this.#build(former));
        const { timeZone, wayfinding } = this.#live.about;
        map.travelTimes = travelTimesOf(wayfinding);
        const { closed, state: hours } = passageHours.closures(timeZone, moment);
        const notHeld = notHeldReasons(levelsNotHeld(this.#live.levels));
        const shut = new Map([...closed.keys()].map((id) => [id, null]));
        const route = (start) => {
            const answer = map.route({ from: start, to, profile, closed: shut, languages: [localization.language] });
            const reasons = withOpeningTimes(answer.reasons, closed, timeZone, moment, { within: openingHorizon });
            return { ...withUnknown({ ...answer, reasons }, notHeld), hours };
        };
        const answer = route(from);
        const isOutside = here && answer.reasons.some(({ code, feature }) => code === "outside-units" && feature === undefined);
        const door = isOutside ? this.#nearestDoor(from) : null;
        return door ? { ...route({ feature: door }), startsAtDoor: true } : answer;
    }

    /** In a large venue this takes a moment. What was shown before comes to the screen first, and the page can be used meanwhile. */
    async #build(former) {
        await nextTask();
        const { reader, about } = this.#live;
        const map = await WayfindingMap.build(reader.features(), { language: about.language ?? null, former, pause: nextTask });
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
        this.#prepared.discard();
    }
}
