// Compares any two revisions, in either direction.

import { requestJSON } from "../../api.js";
import { comparison } from "../diff/comparison.js";
import { emptyState, loadingState } from "../../ui/states.js";
import { fill, h, icon } from "../../ui/element.js";
import { acceptLanguage } from "../upload/follow-upload.js";
import { isolated, withNames } from "../../ui/names.js";
import { problemLine } from "../problem-messages.js";
import { summaryOf } from "../diff/summary.js";
import { localized } from "../../localization/localization.js";

export async function show(desk) {
    const { venue, query } = desk;
    if (!venue) return fill(desk.root, emptyState({ title: localized("desk.overview.noRevisions"), iconName: "clock" }));
    if (venue.head === venue.first) {
        const [title, text] = [localized("desk.compare.one"), localized("desk.compare.oneHelp")];
        return fill(desk.root, emptyState({ title, text, iconName: "clock" }));
    }
    const parameter = (name, fallback) => (/^[1-9]\d{0,14}$/.test(query.get(name) ?? "") ? Number(query.get(name)) : fallback);
    const to = parameter("to", venue.head);
    const from = parameter("from", to > venue.first ? to - 1 : to + 1);
    const container = h("div");
    fill(desk.root, h(
        "section", { class: "desk-section" },
        h("h2", {}, localized("desk.compare.title", { from, to })), revisionPicker(desk, from, to), container));
    await showDifference(desk, container, from, to);
}

async function showDifference(desk, container, from, to) {
    fill(container, loadingState());
    const path = `/venues/${encodeURIComponent(desk.venueKey)}`;
    const options = { signal: desk.signal, headers: acceptLanguage() };
    const source = `${path}/diff?from=${from}&to=${to}`;
    try {
        const [summary, ...revisions] = await Promise.all([
            summaryOf(source, options), ...[from, to].map((number) => requestJSON(`${path}/revisions/${number}`, options))]);
        const [before, after] = [from, to].map((n) => localized("desk.revision", { n }));
        fill(container,
            h("p", { class: "help" }, revisions.map((revision, i) => [i > 0 && " → ", attribution(revision)])),
            from === to
                ? h("p", { class: "desk-empty" }, localized("desk.changes.none"))
                : comparison(desk, { summary, source, surroundings: to, sides: { before, after } }));
    } catch (error) {
        // Only this part: the user can still choose other revisions.
        if (!desk.signal.aborted) fill(container, h("p", { class: "notice", role: "alert" }, icon("alert"), problemLine(error)));
    }
}

/** A revision with its author and message. */
function attribution({ number, message, author }) {
    const description = [author, message].filter(Boolean).map(isolated).join(localized("desk.colon"));
    return [h("strong", {}, localized("desk.revision", { n: number })), " ", withNames(description)];
}

function revisionPicker(desk, from, to) {
    const { first, head } = desk.venue;
    const field = (name, value) => [
        h("label", { for: `compare-${name}` }, localized(`desk.compare.${name}`)),
        h("input", {
            id: `compare-${name}`, name, type: "number", min: first, max: head, value, required: true, inputmode: "numeric",
        }),
    ];
    const go = (a, b) => { location.hash = `#/${desk.venueKey}/desk/compare?from=${a}&to=${b}`; };
    return h(
        "form", {
            class: "compare-picker",
            onsubmit: (event) => {
                event.preventDefault();
                const { from, to } = event.target.elements;
                go(from.value, to.value);
            },
        },
        field("from", from), field("to", to),
        h("button", { class: "quiet" }, localized("desk.compare.show")),
        h("button", { type: "button", class: "bare", onclick: () => go(to, from) }, localized("desk.compare.swap")));
}
