// Opening hours for people: a line that says how it is now, and a week.

import { h } from "../ui/element.js";
import { clockText } from "../hours/opening-hours.js";
import { word, words } from "../words/words.js";

/** How a place is now: `{state, text}`; null when it says nothing of hours. */
export function stateOf(place, moment = new Date()) {
    if (!place.hours) return null;
    const { state, next } = place.hours.state(moment);
    const time = next && clockText(next.minute, words.language);
    const day = next && weekday(next.day);
    switch (state) {
        case "open":
            if (!next) return { state, text: word("hours.open") };
            return { state, text: word(next.days > 1 ? "hours.openUntilDay" : "hours.openUntil", { time, day }) };
        case "closed":
            if (!next) return { state, text: word("hours.closed") };
            return { state, text: word(next.days > 0 ? "hours.opensAtDay" : "hours.opensAt", { time, day }) };
        default: return { state: "unknown", text: word("hours.unknown") };
    }
}

/** The state as a tag. */
export function stateTag(place, moment) {
    const now = stateOf(place, moment);
    return now && h("span", { class: `tag ${{ open: "good", closed: "bad", unknown: "warn" }[now.state]}` }, now.text);
}

/** The week from today on; the text itself when it is not understood. */
export function weekTable(place, moment = new Date()) {
    const { hours } = place;
    if (!hours) return null;
    if (!hours.isUnderstood) return h("p", { class: "hours-text" }, hours.text);
    const rows = hours.week(moment).map(({ day, spans }, index) => h(
        "tr", { class: index === 0 ? "today" : undefined },
        h("th", { scope: "row" }, index === 0 ? word("hours.today") : weekday(day)),
        h("td", {}, spans.length > 0 ? spans.map(spanText).join(", ") : word("hours.closedDay"))));
    return [
        h("table", { class: "week" }, h("caption", { class: "unseen" }, word("hours.title")), h("tbody", {}, rows)),
        hours.hasHolidays && h("p", { class: "help" }, word("hours.holidays")),
    ];
}

function spanText([from, to]) {
    if (to - from >= 1440) return word("hours.allDay");
    return `${clockText(from, words.language)}–${clockText(to, words.language)}`;
}

function weekday(day) {
    const date = new Date(day * 86_400_000);
    return new Intl.DateTimeFormat(words.language, { weekday: "long", timeZone: "UTC" }).format(date);
}
