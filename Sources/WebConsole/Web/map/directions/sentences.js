// What is said about a way: its length and time, why there is none, and what the map would need.

import { metersText, spokenMeters } from "../../client/wayfinding/phrases.js";
import { clockText, localChange } from "../place-hours.js";
import { formatOf, localized } from "../../localization/localization.js";
import { isolated } from "../../ui/names.js";

/** Length and time of a way, such as “240 m, about 4 min”. The length is the sum of those that its steps show, so that they add up. */
export function totalText({ legs, duration }) {
    const minutes = Math.max(1, Math.round(duration / 60));
    const meters = legs.filter(({ mode }) => mode === "walk").reduce((sum, { distance }) => sum + shownMeters(distance), 0);
    return localized("directions.total", { distance: metersText(meters), minutes });
}

const shownMeters = (meters) => spokenMeters(Math.round(meters * 10));

/** The length of a step that is walked. */
export const distanceText = (meters) => metersText(shownMeters(meters));

/** The codes of what the status says, and of what is named beside the reasons. */
const unlisted = new Set(["too-far", "level-not-held"]);
/** The codes of what is in the way, and not of what is missing. */
const obstacles = new Set(["stairs", "escalator", "narrow-opening", "restricted", "emergency-exit", "one-way"]);

/** One sentence about an answer that is no way: what there is instead, and why. */
export function statusText({ status, reasons }, profile) {
    if (status === "infeasible") return localized(`directions.infeasible.${profile}`);
    if (status === "none") return localized(`directions.none.${profile}`);
    // An end that is not found may be on a floor that is not loaded.
    if (reasons.some(({ code }) => code === "level-not-held")) return localized("directions.notHeld");
    if (areEndsMissing(reasons)) return localized("directions.unplaced");
    return localized(reasons.some(({ code }) => code === "too-far") ? "directions.tooFar" : "directions.unknown");
}

/** Whether an end is not on the map, so that nothing can be said about a way. */
const areEndsMissing = (reasons) => reasons.some(({ code }) => code === "outside-units" || code === "unknown-feature");

/** What the list of reasons is headed with; null if the sentence says everything. */
export function reasonsTitle({ status, reasons }) {
    const listed = reasons.filter(({ code }) => !unlisted.has(code));
    if (areEndsMissing(reasons) || listed.length === 0) return null;
    const isInTheWay = status === "unknown" && listed.every(({ code }) => obstacles.has(code));
    return localized(`directions.reasons.${isInTheWay ? "none" : status}`);
}

/**
 * The reasons as sentences: `{text, feature}`, `feature` being the id of what can be shown on the map, or null. `request` is what was asked
 * for, `describe(id)` returns the name of a feature, or null, and `timeZone` is that of the venue.
 */
export function reasonTexts(reasons, { request, describe, timeZone, moment = new Date() }) {
    // What is not on the floors that are loaded may be on the others.
    const isHeld = reasons.every(({ code }) => code !== "level-not-held");
    const isListed = ({ code }) => !unlisted.has(code) && (isHeld || !(code === "unknown-feature" || code === "outside-units"));
    return reasons.filter(isListed).map(({ code, feature, until }) => {
        if (code === "outside-units" || code === "unknown-feature") {
            const ends = ["from", "to"].filter((name) => request[name].feature === feature);
            return { text: ends.map((name) => localized(`directions.${code}.${name}`)).join(" "), feature: null };
        }
        const name = describe(feature);
        const values = { name: name ? isolated(name) : localized("directions.somewhere"), time: until ? untilText(until, timeZone, moment) : "" };
        return { text: localized(`directions.${code}${until ? ".until" : ""}`, values), feature: name === null ? null : feature };
    });
}

/** When something opens, such as “10:00” or “Monday, 10:00”, by the clocks of the venue. */
function untilText(until, timeZone, moment) {
    const { day, minute, days } = localChange(new Date(until), moment, timeZone);
    if (days === 0) return clockText(minute);
    const weekday = formatOf(Intl.DateTimeFormat, { weekday: "long", timeZone: "UTC" }).format(new Date(day * 86_400_000));
    return localized("directions.dayAndTime", { day: weekday, time: clockText(minute) });
}
