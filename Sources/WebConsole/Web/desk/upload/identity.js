// What an archive's ids were taken for: the counts in words, and on demand every match with its reason.

import { askJSON } from "../../api.js";
import { button } from "../fields.js";
import { errorState } from "../../ui/states.js";
import { fill, h } from "../../ui/element.js";
import { formatNumber } from "../formats.js";
import { typeName } from "../names.js";
import { word } from "../../words/words.js";

const counts = ["kept", "aliased", "matched", "near", "new", "gone"];
const page = 100;
const columns = ["type", "stored", "archive", "reason", "score"];

export function identitySummary(desk, upload) {
    const { identity } = upload;
    const recognised = identity.aliased + identity.matched + identity.near;
    return h(
        "section", { class: "desk-section" },
        h("h2", {}, word("desk.identity.title")),
        h("p", {}, recognised > 0
            ? word("desk.identity.recognised", { n: formatNumber(recognised), near: formatNumber(identity.near) })
            : word(identity.kept > 0 ? "desk.identity.kept" : "desk.identity.first")),
        h("dl", { class: "tiles" }, counts.map((name) => h(
            "div", { class: identity[name] > 0 ? "" : "is-zero" },
            h("dt", {}, word(`desk.identity.count.${name}`)), h("dd", {}, formatNumber(identity[name]))))),
        recognised > 0 && matches(upload));
}

/** Read only when somebody opens it. */
function matches(upload) {
    const place = h("div");
    const kinds = ["near", "exact", "alias"];
    const { aliased: alias, matched: exact, near } = upload.identity;
    const sizes = { alias, exact, near };
    const load = async (kind, next = `/uploads/${upload.id}/matches?kind=${kind}&limit=${page}`, rows = h("tbody")) => {
        try {
            const answer = await askJSON(next);
            rows.append(...answer.matches.map(row));
            const heads = columns.map((name) => h("th", { scope: "col" }, word(`desk.match.${name}`)));
            fill(place,
                h("table", { class: "desk-table" }, h("thead", {}, h("tr", {}, heads)), rows),
                answer.next && button("quiet", word("desk.more"), () => load(kind, answer.next, rows)));
        } catch (error) {
            fill(place, errorState(error, { retry: () => load(kind, next, rows) }));
        }
    };
    const shown = kinds.filter((kind) => sizes[kind] > 0);
    const select = h(
        "select", { id: "match-kind", onchange: () => load(select.value) },
        shown.map((kind) => h("option", { value: kind }, word(`desk.match.kind.${kind}`, { n: formatNumber(sizes[kind]) }))));
    return h(
        "details", { ontoggle: (event) => event.target.open && !place.hasChildNodes() && load(select.value) },
        h("summary", {}, word("desk.identity.which")),
        h("p", { class: "desk-filter" }, h("label", { for: "match-kind" }, word("desk.match.show")), select),
        h("div", { class: "desk-scroll" }, place));
}

function row(match) {
    return h(
        "tr", {},
        h("td", {}, typeName(match.feature_type)),
        h("td", {}, h("code", {}, match.id)), h("td", {}, h("code", {}, match.archive_id)),
        h("td", {}, word(`desk.match.reason.${match.reason}`)), h("td", { class: "number" }, match.score.toFixed(2)));
}
