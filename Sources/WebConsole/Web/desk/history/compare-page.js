// What differs between any two revisions, either way round.

import { askJSON } from "../../api.js";
import { comparison } from "../diff/comparison.js";
import { emptyState, loadingState } from "../../ui/states.js";
import { fill, h, icon } from "../../ui/element.js";
import { language } from "../upload/follow-upload.js";
import { problemLine } from "../problem-words.js";
import { summaryOf } from "../diff/summary.js";
import { word } from "../../words/words.js";

export async function show(desk) {
    const { venue, query } = desk;
    if (!venue) return fill(desk.root, emptyState({ title: word("desk.overview.noRevisions"), picture: "clock" }));
    if (venue.head === venue.first) {
        const [title, text] = [word("desk.compare.one"), word("desk.compare.oneHelp")];
        return fill(desk.root, emptyState({ title, text, picture: "clock" }));
    }
    const asked = (name, otherwise) => (/^[1-9]\d{0,14}$/.test(query.get(name) ?? "") ? Number(query.get(name)) : otherwise);
    const to = asked("to", venue.head);
    const from = asked("from", to > venue.first ? to - 1 : to + 1);
    const place = h("div");
    fill(desk.root, h(
        "section", { class: "desk-section" }, h("h2", {}, word("desk.compare.title", { from, to })), picker(desk, from, to), place));
    await showDifference(desk, place, from, to);
}

async function showDifference(desk, place, from, to) {
    fill(place, loadingState());
    const path = `/venues/${encodeURIComponent(desk.key)}`;
    const options = { signal: desk.signal, headers: language() };
    const source = `${path}/diff?from=${from}&to=${to}`;
    try {
        const [summary, ...revisions] = await Promise.all([
            summaryOf(source, options), ...[from, to].map((number) => askJSON(`${path}/revisions/${number}`, options))]);
        const [before, after] = [from, to].map((n) => word("desk.revision", { n }));
        fill(place,
            h("p", { class: "help" }, revisions.map((revision, i) => [i > 0 && " → ", credit(revision)])),
            from === to
                ? h("p", { class: "desk-none" }, word("desk.changes.none"))
                : comparison(desk, { summary, source, surroundings: to, sides: { before, after } }));
    } catch (error) {
        // Other numbers can still be chosen.
        if (!desk.signal.aborted) fill(place, h("p", { class: "notice", role: "alert" }, icon("alert"), problemLine(error)));
    }
}

/** A revision with who made it and why. */
function credit({ number, message, author }) {
    const why = [author, message].filter(Boolean).join(word("desk.colon"));
    return [h("strong", {}, word("desk.revision", { n: number })), ` ${why}`];
}

function picker(desk, from, to) {
    const { first, head } = desk.venue;
    const field = (name, value) => [
        h("label", { for: `compare-${name}` }, word(`desk.compare.${name}`)),
        h("input", {
            id: `compare-${name}`, name, type: "number", min: first, max: head, value, required: true, inputmode: "numeric",
        }),
    ];
    const go = (a, b) => { location.hash = `#/${desk.key}/desk/compare?from=${a}&to=${b}`; };
    return h(
        "form", {
            class: "compare-picker",
            onsubmit: (event) => {
                event.preventDefault();
                go(event.target.from.value, event.target.to.value);
            },
        },
        field("from", from), field("to", to),
        h("button", { class: "quiet" }, word("desk.compare.show")),
        h("button", { type: "button", class: "bare", onclick: () => go(to, from) }, word("desk.compare.swap")));
}
