// The identity matching of an upload: counts, and on demand the list of matches with their reasons.

import { requestJSON } from "../../api.js";
import { button } from "../fields.js";
import { errorState } from "../../ui/states.js";
import { fill, h } from "../../ui/element.js";
import { formatNumber } from "../formats.js";
import { typeName } from "../names.js";
import { localized } from "../../localization/localization.js";

const counts = ["kept", "aliased", "matched", "near", "new", "gone"];
const pageSize = 100;
const columns = ["type", "stored", "archive", "reason", "score"];

export function identitySummary(upload) {
    const { identity } = upload;
    const matched = identity.aliased + identity.matched + identity.near;
    return h(
        "section", { class: "desk-section" },
        h("h2", {}, localized("desk.identity.title")),
        h("p", {}, matched > 0
            ? localized("desk.identity.matched", { n: formatNumber(matched), near: formatNumber(identity.near) })
            : localized(identity.kept > 0 ? "desk.identity.kept" : "desk.identity.first")),
        h("dl", { class: "tiles" }, counts.map((name) => h(
            "div", { class: identity[name] > 0 ? "" : "is-zero" },
            h("dt", {}, localized(`desk.identity.count.${name}`)), h("dd", {}, formatNumber(identity[name]))))),
        matched > 0 && matchList(upload));
}

/** The list of matches, which is loaded when the user opens it. */
function matchList(upload) {
    const container = h("div");
    const kinds = ["near", "exact", "alias"];
    const { aliased: alias, matched: exact, near } = upload.identity;
    const sizes = { alias, exact, near };
    const load = async (kind, next = `/uploads/${upload.id}/matches?kind=${kind}&limit=${pageSize}`, rows = h("tbody")) => {
        try {
            const page = await requestJSON(next);
            rows.append(...page.matches.map(row));
            const headers = columns.map((name) => h("th", { scope: "col" }, localized(`desk.match.${name}`)));
            fill(container,
                h("table", { class: "desk-table" }, h("thead", {}, h("tr", {}, headers)), rows),
                page.next && button("quiet", localized("desk.more"), () => load(kind, page.next, rows)));
        } catch (error) {
            fill(container, errorState(error, { retry: () => load(kind, next, rows) }));
        }
    };
    const presentKinds = kinds.filter((kind) => sizes[kind] > 0);
    const select = h(
        "select", { id: "match-kind", onchange: () => load(select.value) },
        presentKinds.map((kind) => h("option", { value: kind }, localized(`desk.match.kind.${kind}`, { n: formatNumber(sizes[kind]) }))));
    return h(
        "details", { ontoggle: (event) => event.target.open && !container.hasChildNodes() && load(select.value) },
        h("summary", {}, localized("desk.identity.which")),
        h("p", { class: "desk-filter" }, h("label", { for: "match-kind" }, localized("desk.match.show")), select),
        h("div", { class: "desk-scroll" }, container));
}

function row(match) {
    return h(
        "tr", {},
        h("td", {}, typeName(match.feature_type)),
        h("td", {}, h("code", {}, match.id)), h("td", {}, h("code", {}, match.archive_id)),
        h("td", {}, localized(`desk.match.reason.${match.reason}`)), h("td", { class: "number" }, match.score.toFixed(2)));
}
