// The nearest exits of every unit by ways without lifts: `egress` of `GET /venues/{venue}/reachability?egress=true`. They are no evacuation plan.

import { requestJSON } from "../../api.js";
import { errorState, loadingState } from "../../ui/states.js";
import { fill, h } from "../../ui/element.js";
import { featureLink } from "./feature-links.js";
import { formatLength } from "../formats.js";
import { levelName } from "../names.js";
import { showPaged } from "./paged-entries.js";
import { localized } from "../../localization/localization.js";

/** The section for a report, which loads the exits afterwards: this takes longer than the report. */
export function egressSection(desk, report, levels) {
    const content = h("div");
    const load = async () => {
        fill(content, loadingState());
        try {
            const path = `/venues/${encodeURIComponent(desk.venueKey)}/reachability?revision=${report.revision}&egress=true`;
            const { egress } = await requestJSON(path, { signal: desk.signal });
            if (!desk.signal.aborted) fill(content, unitTable(desk, egress.units, levels));
        } catch (error) {
            if (!desk.signal.aborted) fill(content, errorState(error, { retry: load }));
        }
    };
    if (report.reasons.some(({ code }) => code === "no-exit-stated")) fill(content, noExitStated());
    else load();
    return h(
        "section", { class: "desk-section", "aria-labelledby": "reachability-egress" },
        h("h2", { id: "reachability-egress" }, localized("desk.reachability.egress")),
        h("p", { class: "help" }, localized("desk.reachability.egressHelp")),
        content);
}

const noExitStated = () => h("p", {}, localized("desk.reachability.egress.no-exit-stated"));

function unitTable(desk, units, levels) {
    if (units.every(({ status }) => status === "no-exit-stated")) return noExitStated();
    const body = h("tbody");
    const more = showPaged(body, [...units].sort(byUrgency), (unit) => unitRow(desk, unit, levels));
    return [
        h("div", { class: "desk-scroll", role: "region", tabindex: "0", "aria-labelledby": "reachability-egress" },
            h("table", { class: "desk-table egress-table", "aria-labelledby": "reachability-egress" },
                h("thead", {}, h("tr", {}, ["unit", "nearest", "second"].map((name) => h("th", { scope: "col" }, localized(`desk.reachability.egress.${name}`))))),
                body)),
        more,
    ];
}

/** First what has no way or is not known, then what has one exit only, and then the longest ways. */
const byUrgency = (one, other) => rank(one) - rank(other) || (other.exits[0]?.distance ?? 0) - (one.exits[0]?.distance ?? 0);

function rank({ status, second }) {
    if (status !== "exit") return status === "cut-off" ? 0 : 1;
    return second === true ? 3 : 2;
}

function unitRow(desk, { feature, name, level_id: level, status, exits, second }, levels) {
    const [nearest, next] = exits.map(({ distance }) => formatLength(distance));
    return h(
        "tr", {},
        h("th", { scope: "row" }, featureLink(desk, { feature, type: "unit", name }), " · ", h("bdi", {}, levelName(level, levels))),
        h("td", {}, status === "exit" ? nearest : localized(`desk.reachability.egress.${status}`)),
        h("td", {}, next ?? (second === false ? localized("desk.reachability.egress.none") : localized("desk.reachability.notKnown"))));
}
