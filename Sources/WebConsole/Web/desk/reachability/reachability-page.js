// What can be reached from the exits, what is cut off, and what the map lacks: `GET /venues/{venue}/reachability`.

import { requestJSON } from "../../api.js";
import { emptyState } from "../../ui/states.js";
import { fill, h, icon } from "../../ui/element.js";
import { codeText, featureLink, mapLink } from "./feature-links.js";
import { egressSection } from "./egress-section.js";
import { followRevisions } from "../follow-revisions.js";
import { formatNumber } from "../formats.js";
import { levelName } from "../names.js";
import { namedLevels } from "../levels.js";
import { showPaged } from "./paged-entries.js";
import { localized } from "../../localization/localization.js";

const profiles = ["walk", "step-free"];

export async function show(desk) {
    if (!desk.venue) return fill(desk.root, emptyState({ title: localized("desk.overview.noRevisions"), iconName: "clock" }));
    const levels = await namedLevels(desk);
    const load = async () => {
        const report = await requestJSON(`/venues/${encodeURIComponent(desk.venueKey)}/reachability`, { signal: desk.signal });
        if (!desk.signal.aborted) fill(desk.root, sections(desk, report, levels));
    };
    await load();
    followRevisions(desk, () => load().catch(() => {}));
}

function sections(desk, report, levels) {
    const { status, reasons, cut_off: cutOff, mend, more, revision } = report;
    const unknown = reasons.some(({ code }) => code === "too-far") ? "unknownTooFar" : "unknown";
    return [
        h("section", { class: "desk-section" },
            h("h2", {}, localized("desk.reachability.title", { n: revision })),
            h("p", { class: "help" }, localized("desk.reachability.help")),
            status === "unknown" && h("p", { class: "reachability-unknown" }, icon("alert"), localized(`desk.reachability.${unknown}`)),
            shares(report, levels),
            mend.length + cutOff.length > 0 && h("p", { class: "reachability-layer" }, h("a", { href: layerLink(desk, report) }, localized("desk.reachability.showAll")))),
        mend.length > 0 && section("mend", mend, (each) => mendEntry(desk, each, levels)),
        section("cutOff", cutOff, (each) => cutOffEntry(desk, each, levels)),
        more && h("p", { class: "help" }, localized("desk.reachability.more")),
        egressSection(desk, report, levels),
    ];
}

/** The map with all that is cut off, on the floor of what cuts off most. */
function layerLink(desk, { mend, cut_off: cutOff, levels }) {
    const floors = [...mend, ...cutOff].map(({ level_id: id }) => levels.find(({ level_id: level }) => level === id)).filter(Boolean);
    return `#/${desk.venueKey}?cut_off=1${floors.length > 0 ? `&floor=${floors[0].ordinal}` : ""}`;
}

/** A row for the venue and each of its levels, with the shares of units and occupants. */
function shares({ units, occupants, levels }, known) {
    const row = (name, counts) => h("tr", {}, h("th", { scope: "row" }, h("bdi", {}, name)), counts.map((count) => h("td", { class: "number" }, shareText(count))));
    const counts = (each) => ["units", "occupants"].flatMap((kind) => profiles.map((profile) => each[kind][profile]));
    return h(
        // Nothing in the table takes the focus, and the keyboard has to scroll it.
        "div", { class: "desk-scroll", role: "region", tabindex: "0", "aria-label": localized("desk.reachability.caption") },
        h("table", { class: "desk-table reachability-table" },
            h("caption", { class: "visually-hidden" }, localized("desk.reachability.caption")),
            h("thead", {}, h("tr", {}, h("th", { scope: "col" }, localized("desk.levels.level")), ["units", "occupants"].flatMap((kind) => profiles.map((profile) =>
                h("th", { scope: "col", class: "number" }, localized(`desk.reachability.${kind}.${profile}`)))))),
            h("tbody", {}, row(localized("desk.reachability.venue"), counts({ units, occupants })),
                levels.toReversed().map((level) => row(levelName(level.level_id, [...known, level]), counts(level))))));
}

/** What is not known is said to be unknown. */
function shareText({ total, reached }) {
    if (reached === null) return localized("desk.reachability.notKnown");
    return localized("desk.reachability.share", { n: formatNumber(reached), total: formatNumber(total) });
}

/** A list of which a page is shown at first. */
function section(name, entries, entryOf) {
    const list = h("ul", { class: "reachability-list" });
    const more = showPaged(list, entries, entryOf);
    return h(
        "section", { class: "desk-section", "aria-labelledby": `reachability-${name}` },
        h("h2", { id: `reachability-${name}` }, localized(`desk.reachability.${name}`, { n: formatNumber(entries.length) })),
        h("p", { class: "help" }, localized(`desk.reachability.${name}${entries.length === 0 ? "None" : "Help"}`)),
        list, more);
}

/** A feature of the reasons, and how much it cuts off. */
function mendEntry(desk, { feature, feature_type: type, code, name, level_id: level, units, occupants }, levels) {
    return h(
        "li", {},
        h("p", {}, featureLink(desk, { feature, type, name }), " · ", h("bdi", {}, levelName(level, levels))),
        h("p", {}, codeText(code)),
        h("p", { class: "help" }, localized("desk.reachability.effect", { units: formatNumber(units), occupants: formatNumber(occupants) })));
}

function cutOffEntry(desk, { feature, feature_type: type, name, level_id: level, profile, status, reasons }, levels) {
    return h(
        "li", {},
        h("p", {}, featureLink(desk, { feature, type, name }), " · ", h("bdi", {}, levelName(level, levels))),
        h("p", {}, localized(`desk.reachability.${status}.${profile}`)),
        reasons.length > 0 && h("ul", { class: "help" }, reasons.map(({ code, feature: reason }) => h("li", {},
            codeText(code), reason && reason !== feature && [" ", mapLink(desk, reason, localized("desk.reachability.showOnMap"))]))));
}
