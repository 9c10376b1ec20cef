// The calendar: what happens at a set time in all venues, by day.

import "../../map/editing/messages.js";
import { requestAllVenues } from "../../api.js";
import { emptyState, errorState } from "../../ui/states.js";
import { button } from "../fields.js";
import { featureName } from "../names.js";
import { fill, h, icon } from "../../ui/element.js";
import { formatMoment, formatNames, formatTime } from "../formats.js";
import { localized } from "../../localization/localization.js";
import { isolated, withNames } from "../../ui/names.js";
import { labelText } from "../../map/labels.js";
import { partName } from "../../map/editing/value-text.js";
import { timedEntries } from "./timed.js";
import { uploadTitle, uploadURL } from "../upload/upload-entry.js";

export async function show(desk) {
    const { entries, missing } = await timedEntries(await requestAllVenues({ unpublished: true, signal: desk.signal }), desk.signal);
    fill(desk.root,
        h("h1", { tabindex: "-1" }, localized("desk.calendar.title")),
        h("p", { class: "help" }, localized("desk.calendar.help")),
        missing.length > 0 && missingNotice(missing, (event) => showAgain(desk, event.currentTarget)),
        entries.length > 0
            ? [...Map.groupBy(entries, dayOf)].map(([day, own]) => daySection(day, own))
            : missing.length === 0 && emptyState({ title: localized("desk.calendar.none"), text: localized("desk.calendar.noneHelp"), iconName: "clock" }));
}

async function showAgain(desk, pressed) {
    pressed.disabled = true;
    try {
        await show(desk);
        // The button, which had the focus, is gone.
        desk.root.querySelector("h1").focus({ preventScroll: true });
    } catch (error) {
        if (!desk.signal.aborted) fill(desk.root, errorState(error, { retry: () => showAgain(desk, pressed) }));
    }
}

/** Further venues are counted. */
const nameLimit = 5;

function missingNotice(venues, retry) {
    const names = venues.slice(0, nameLimit).map(({ venue, name }) => isolated(labelText(name) ?? venue));
    const text = localized("desk.calendar.missing", { names: formatNames(names, venues.length) });
    return h("p", { class: "notice", role: "alert" }, h("span", {}, withNames(text)), button("quiet", localized("state.tryAgain"), retry));
}

/** The day in the time zone of the browser, whose times are shown first. */
const dayOf = ({ at }) => formatTime(at, { weekday: "long", year: "numeric", month: "long", day: "numeric" });

function daySection(day, entries) {
    return h("section", { class: "desk-section calendar-day" },
        h("h2", {}, day), h("ul", { class: "desk-rows" }, entries.map((entry) => h("li", {}, row(entry)))));
}

function row(entry) {
    const { at, kind, venue, zone } = entry;
    const { title, href, tag } = kind === "publish" ? publication(entry) : ending(entry);
    return h(
        "a", { class: "desk-row", href },
        h("span", { class: "desk-row-title" }, withNames(title)), h("span", { class: `tag ${tag}` }, icon("clock"), localized(`desk.calendar.${kind}`)),
        h("span", { class: "desk-row-facts" },
            h("span", {}, h("bdi", {}, labelText(venue.name) ?? venue.venue)), h("span", { class: "desk-key" }, venue.venue),
            h("time", { datetime: at }, formatMoment(at, zone))));
}

function publication({ upload }) {
    return { title: isolated(uploadTitle(upload)), href: uploadURL(upload), tag: "warn" };
}

function ending({ venue, override }) {
    const { kind, pointer, feature, message } = override;
    const name = featureName({ id: feature, properties: { name: override.name } });
    const part = kind === "value" ? partName(pointer) : localized(`desk.overrides.kind.${kind}`);
    return {
        title: [`${isolated(name)}${localized("desk.colon")}${part}`, message && `“${isolated(message)}”`].filter(Boolean).join(" "),
        href: kind === "hidden" ? `#/${venue.venue}/desk/overrides?state=hidden` : `#/${venue.venue}?feature=${feature}`, tag: "",
    };
}
